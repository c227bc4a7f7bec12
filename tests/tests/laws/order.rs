//! a < b if and only if build(a) < build(b), for every part that sorts.

use crate::entities::*;
use crate::strategies::*;
use proptest::prelude::*;

fn sk(key: &dynamo_model::Key<impl dynamo_model::Entity>) -> String {
    key.sk().map(ToString::to_string).unwrap_or_default()
}

macro_rules! strings_sort {
    ($($test:ident $entity:ident),* $(,)?) => {
        proptest! {
            #![proptest_config(thousands())]
            $(
                #[test]
                fn $test(x in [hostile(), hostile(), hostile()], y in [hostile(), hostile(), hostile()], cramped in any::<bool>(), p in [cramped(), cramped(), cramped()], q in [cramped(), cramped(), cramped()]) {
                    let (x, y) = if cramped { (p, q) } else { (x, y) };
                    let of = |[a, b, c]: &[String; 3]| sk(&$entity::key(a, b, c).unwrap());
                    prop_assert_eq!(x.cmp(&y), of(&x).cmp(&of(&y)));
                    // Parts in common, so that the later ones decide.
                    let z = [x[0].clone(), y[1].clone(), y[2].clone()];
                    prop_assert_eq!(x.cmp(&z), of(&x).cmp(&of(&z)));
                }
            )*
        }
    };
}

// After any of these, a key sorts as the tuple of its parts.
strings_sort! {
    after_hash Hash,
    after_words Words,
    after_space Space,
    after_plus Plus,
}

proptest! {
    #![proptest_config(thousands())]

    #[test]
    fn padded_integers_sort_as_text(x in any::<(u128, i8, u64, i64, i32)>(), y in any::<(u128, i8, u64, i64, i32)>()) {
        let of = |(a, b, c, d, e)| Padded::key(a, b, c, d, e).unwrap();
        let (kx, ky) = (of(x), of(y));
        prop_assert_eq!(x.0.cmp(&y.0), kx.pk().cmp(ky.pk()));
        prop_assert_eq!((x.1, x.2, x.3, x.4).cmp(&(y.1, y.2, y.3, y.4)), sk(&kx).cmp(&sk(&ky)));
        // Nearby values, which random ones never are.
        let z = (x.0, x.1, x.2, x.3.wrapping_add(1), x.4);
        prop_assert_eq!(x.3.cmp(&z.3), sk(&kx).cmp(&sk(&of(z))));
    }

    #[test]
    fn small_signed_integers_sort_as_text(a in -12..12_i64, b in -12..12_i64) {
        let of = |i| sk(&Padded::key(0_u128, 0_i8, 0_u64, i, 0_i32).unwrap());
        prop_assert_eq!(a.cmp(&b), of(a).cmp(&of(b)));
    }

    #[test]
    fn times_of_fixed_precision_sort_as_text(a in (seconds(), nanos()), b in (seconds(), nanos())) {
        let of = |(s, n): (i64, u32)| {
            let at = jiff::Timestamp::new(s, n as i32).unwrap();
            sk(&Buckets::key(at, "u", "e", "n").unwrap()) // by the nanosecond, within the day
        };
        if a.0.div_euclid(86_400) == b.0.div_euclid(86_400) {
            prop_assert_eq!(a.cmp(&b), of(a).cmp(&of(b)));
        }
        let whole = |(s, n): (i64, u32)| {
            let at = chrono::DateTime::from_timestamp(s, n).unwrap();
            sk(&Times::key(jiff::Timestamp::UNIX_EPOCH, at, time::OffsetDateTime::UNIX_EPOCH).unwrap())
        };
        prop_assert_eq!(a.cmp(&b), whole(a).cmp(&whole(b)));
    }

    #[test]
    fn uuids_and_ulids_sort_as_text(a in any::<(u128, u128)>(), b in any::<(u128, u128)>()) {
        let of = |(uuid, ulid)| {
            sk(&Mixed::key(uuid::Uuid::from_u128(uuid), ulid::Ulid(ulid), true, Level::Easy, "u").unwrap())
        };
        prop_assert_eq!((a.1, a.0).cmp(&(b.1, b.0)), of(a).cmp(&of(b)));
    }
}

#[test]
fn sorts_is_true_only_for_parts_that_sort() {
    use dynamo_model::Entity;
    let sorts = |schema: dynamo_model::schema::EntitySchema| -> Vec<bool> {
        schema
            .sk
            .into_iter()
            .flat_map(|sk| sk.parts)
            .map(|part| part.sorts())
            .collect()
    };
    assert_eq!(sorts(Hash::SCHEMA), [true, true, true]);
    // After `:` a digit would have to be escaped to keep order, so only the last part sorts.
    assert_eq!(sorts(Colon::SCHEMA), [false, false, true]);
    assert_eq!(sorts(Integers::SCHEMA), [false; 5]);
    assert_eq!(sorts(Padded::SCHEMA), [true; 4]);
    // A time of day without its date does not sort; `raw` sorts only at the end.
    assert_eq!(sorts(Buckets::SCHEMA), [false, true, true]);
}
