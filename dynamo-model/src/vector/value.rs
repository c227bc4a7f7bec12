//! The type of a vector field, with the number of its dimensions.

use core::fmt;
use core::ops::Deref;

/// A vector of `N` finite floats: the field of an entity that is in a vector index.
///
/// DynamoDB stores it as a list of numbers. Each is written with the fewest digits that read back
/// as the same `f32`. A vector has no NaN and no infinity, because DynamoDB has no number for them,
/// and its dimensions are a part of its type, so that a vector of another model does not compile.
///
/// It is a slice for everything that only reads it. Its floats are in a box, so that an entity with
/// it stays small.
///
/// ```
/// use dynamo_model::vector::{Vector, VectorError};
///
/// let vector = Vector::try_from([0.25, -1.5, 3.0])?;
/// assert_eq!(vector[1], -1.5);
///
/// // The output of a model, whose length is known only at run time.
/// let embedding: Vec<f32> = vec![0.1; 1536];
/// assert_eq!(Vector::<1536>::try_from(embedding)?.len(), 1536);
///
/// let wrong = Vector::<3>::try_from(vec![0.5]);
/// assert_eq!(wrong, Err(VectorError::Dimensions { expected: 3, found: 1 }));
/// # Ok::<(), VectorError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Vector<const N: usize>(Box<[f32; N]>);

/// Why floats are not a [`Vector`].
///
/// ```
/// use dynamo_model::vector::{Vector, VectorError};
///
/// let error = Vector::try_from([0.0, f32::NAN]).unwrap_err();
/// assert_eq!(error, VectorError::NotFinite { at: 1 });
/// assert_eq!(error.to_string(), "element 1 of the vector is NaN or infinite, and DynamoDB has no such number");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum VectorError {
    /// There are more or fewer floats than the vector has dimensions.
    Dimensions {
        /// The dimensions of the type.
        expected: usize,
        /// The number of floats.
        found: usize,
    },
    /// A float is NaN or infinite.
    NotFinite {
        /// Its position, from 0.
        at: usize,
    },
}

impl fmt::Display for VectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dimensions { expected, found } => write!(
                f,
                "the vector has {expected} dimensions, and {found} floats were given; use the model that made the stored vectors"
            ),
            Self::NotFinite { at } => write!(
                f,
                "element {at} of the vector is NaN or infinite, and DynamoDB has no such number"
            ),
        }
    }
}

impl core::error::Error for VectorError {}

fn check_finite(floats: &[f32]) -> Result<(), VectorError> {
    let at = floats.iter().position(|float| !float.is_finite());
    at.map_or(Ok(()), |at| Err(VectorError::NotFinite { at }))
}

impl<const N: usize> Vector<N> {
    /// The floats.
    #[must_use]
    pub fn as_slice(&self) -> &[f32] {
        self.0.as_slice()
    }

    /// The floats, without a copy.
    #[must_use]
    pub fn into_vec(self) -> Vec<f32> {
        (self.0 as Box<[f32]>).into_vec()
    }
}

impl<const N: usize> TryFrom<[f32; N]> for Vector<N> {
    type Error = VectorError;

    fn try_from(floats: [f32; N]) -> Result<Self, VectorError> {
        check_finite(&floats)?;
        Ok(Self(Box::new(floats)))
    }
}

impl<const N: usize> TryFrom<Vec<f32>> for Vector<N> {
    type Error = VectorError;

    fn try_from(floats: Vec<f32>) -> Result<Self, VectorError> {
        check_finite(&floats)?;
        match floats.into_boxed_slice().try_into() {
            Ok(floats) => Ok(Self(floats)),
            Err(floats) => Err(VectorError::Dimensions {
                expected: N,
                found: floats.len(),
            }),
        }
    }
}

impl<const N: usize> TryFrom<&[f32]> for Vector<N> {
    type Error = VectorError;

    fn try_from(floats: &[f32]) -> Result<Self, VectorError> {
        Self::try_from(floats.to_vec())
    }
}

impl<const N: usize> Deref for Vector<N> {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        self.as_slice()
    }
}

impl<const N: usize> AsRef<[f32]> for Vector<N> {
    fn as_ref(&self) -> &[f32] {
        self.as_slice()
    }
}

impl<const N: usize> From<Vector<N>> for Vec<f32> {
    fn from(vector: Vector<N>) -> Self {
        vector.into_vec()
    }
}

/// Shows the dimensions and the first floats: a whole embedding would fill a page.
impl<const N: usize> fmt::Debug for Vector<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 4;
        write!(f, "Vector<{N}>[")?;
        for (at, float) in self.iter().take(SHOWN).enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{float:?}")?;
        }
        f.write_str(if N > SHOWN { ", …]" } else { "]" })
    }
}

/// A type of field that a vector index can be on: [`Vector<N>`](Vector), an array of up to 32
/// floats (serde has no longer arrays), or an `Option` of these for items that may lack a vector.
///
/// ```
/// use dynamo_model::vector::{Vector, VectorField};
///
/// assert_eq!(<Option<Vector<1536>> as VectorField>::DIMENSIONS, 1536);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a vector",
    label = "not a vector",
    note = "declare the field as `Vector<N>`, with the dimensions that the table declares; floats of another form are converted with `Vector::try_from`"
)]
pub trait VectorField {
    /// The vector that is searched for.
    type Vector: AsRef<[f32]>;

    /// The number of its floats.
    const DIMENSIONS: usize;
}

impl<const N: usize> VectorField for Vector<N> {
    type Vector = Self;

    const DIMENSIONS: usize = N;
}

impl<const N: usize> VectorField for [f32; N] {
    type Vector = Vector<N>;

    const DIMENSIONS: usize = N;
}

impl<V: VectorField> VectorField for Option<V> {
    type Vector = V::Vector;

    const DIMENSIONS: usize = V::DIMENSIONS;
}

#[cfg(feature = "client")]
mod through_serde {
    use super::{Vector, VectorError};
    use core::fmt;
    use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
    use serde::ser::{Serialize, Serializer};

    /// A sequence of floats.
    impl<const N: usize> Serialize for Vector<N> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(self.iter())
        }
    }

    impl<'de, const N: usize> Deserialize<'de> for Vector<N> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_seq(Floats)
        }
    }

    struct Floats<const N: usize>;

    impl<'de, const N: usize> Visitor<'de> for Floats<N> {
        type Value = Vector<N>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a vector of {N} floats")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Vector<N>, A::Error> {
            let mut floats = Vec::with_capacity(N);
            let mut found = 0;
            while let Some(float) = access.next_element::<f32>()? {
                found += 1;
                if found <= N {
                    floats.push(float);
                }
            }
            let vector = match found <= N {
                true => Vector::try_from(floats),
                false => Err(VectorError::Dimensions { expected: N, found }),
            };
            vector.map_err(de::Error::custom)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_of_another_length_is_refused() {
        let error = Vector::<2>::try_from(vec![1.0; 3]).unwrap_err();
        assert_eq!(
            error,
            VectorError::Dimensions {
                expected: 2,
                found: 3
            }
        );
        assert!(
            error
                .to_string()
                .contains("has 2 dimensions, and 3 floats were given")
        );
    }

    #[test]
    fn nan_and_infinity_are_refused_with_their_position() {
        for float in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let error = Vector::try_from([0.0, 1.0, float]).unwrap_err();
            assert_eq!(error, VectorError::NotFinite { at: 2 });
        }
    }

    #[test]
    fn debug_shows_the_first_floats_only() {
        let vector = Vector::try_from([0.5; 1000]).unwrap();
        assert_eq!(format!("{vector:?}"), "Vector<1000>[0.5, 0.5, 0.5, 0.5, …]");
        let short = Vector::try_from([1.0, -2.5]).unwrap();
        assert_eq!(format!("{short:?}"), "Vector<2>[1.0, -2.5]");
    }

    #[cfg(feature = "client")]
    #[test]
    fn json_of_another_length_is_refused_when_it_is_read() {
        for json in ["[1.0]", "[1.0,2.0,3.0]"] {
            let error = serde_json::from_str::<Vector<2>>(json).unwrap_err();
            assert!(error.to_string().contains("2 dimensions"), "{error}");
        }
        let vector: Vector<2> = serde_json::from_str("[1.5,-2]").unwrap();
        assert_eq!(vector.as_slice(), [1.5, -2.0]);
        assert_eq!(serde_json::to_string(&vector).unwrap(), "[1.5,-2.0]");
    }
}
