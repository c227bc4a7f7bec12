//! The features of this crate, for the methods of those that are not enabled: to call one is a
//! compile error that names the feature.

/// Stands where a feature is not enabled.
#[derive(Debug)]
pub struct Disabled;

/// Has every feature, so that the compiler does not propose to implement one.
#[doc(hidden)]
#[derive(Debug)]
pub struct AllFeatures;

/// The feature `client`: reading and writing.
#[diagnostic::on_unimplemented(
    message = "reading and writing need the feature `client` of dynamo-model",
    label = "the feature `client` is not enabled",
    note = "enable it in Cargo.toml, where it is a default: `dynamo-model = {{ version = \"…\", \
            features = [\"client\"] }}`"
)]
pub trait Client<'a> {}

/// The feature `embedded`: the engine in the process.
#[diagnostic::on_unimplemented(
    message = "the embedded engine needs the feature `embedded` of dynamo-model",
    label = "the feature `embedded` is not enabled",
    note = "enable it in Cargo.toml: `dynamo-model = {{ version = \"…\", features = [\"embedded\"] \
            }}`"
)]
pub trait Embedded<'a> {}

/// The feature `endpoint`: an engine behind plain HTTP.
#[diagnostic::on_unimplemented(
    message = "`Dynamo::endpoint` needs the feature `endpoint` of dynamo-model",
    label = "the feature `endpoint` is not enabled",
    note = "enable it in Cargo.toml: `dynamo-model = {{ version = \"…\", features = [\"endpoint\"] \
            }}`"
)]
pub trait Endpoint<'a> {}

/// The feature `streams`: the SDK's client for streams.
#[diagnostic::on_unimplemented(
    message = "reading a stream needs the feature `streams` of dynamo-model",
    label = "the feature `streams` is not enabled",
    note = "enable it in Cargo.toml: `dynamo-model = {{ version = \"…\", features = [\"streams\"] \
            }}`"
)]
pub trait Streams<'a> {}

macro_rules! all_features {
    ($($feature:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl $feature<'_> for AllFeatures {}
    )*};
}

all_features!(Client Embedded Endpoint Streams);

#[cfg(feature = "client")]
mod methods {
    #[allow(unused_imports)]
    use super::Disabled;
    #[cfg(not(feature = "embedded"))]
    use super::Embedded;
    #[cfg(not(feature = "endpoint"))]
    use super::Endpoint;
    #[cfg(not(feature = "streams"))]
    use super::Streams;
    #[allow(unused_imports)]
    use crate::{Dynamo, Error};

    #[cfg(not(feature = "embedded"))]
    impl Dynamo {
        #[doc(hidden)]
        pub fn embedded() -> Result<Self, Error>
        where
            for<'a> Disabled: Embedded<'a>,
        {
            unreachable!()
        }

        #[doc(hidden)]
        pub fn embedded_on_file(_: impl Sized) -> Result<Self, Error>
        where
            for<'a> Disabled: Embedded<'a>,
        {
            unreachable!()
        }
    }

    #[cfg(not(feature = "endpoint"))]
    impl Dynamo {
        #[doc(hidden)]
        pub fn endpoint(_: impl Sized) -> Self
        where
            for<'a> Disabled: Endpoint<'a>,
        {
            unreachable!()
        }
    }

    #[cfg(not(feature = "streams"))]
    impl Dynamo {
        #[doc(hidden)]
        pub fn read_stream<T: crate::Table>(&self, _: &impl Sized)
        where
            for<'a> Disabled: Streams<'a>,
        {
            unreachable!()
        }
    }
}
