//! No value reaches beyond its part: building is injective, and a prefix has its own children only.

use crate::entities::*;
use crate::strategies::*;
use proptest::prelude::*;

macro_rules! strings_are_injective {
    ($($test:ident $entity:ident),* $(,)?) => {
        proptest! {
            #![proptest_config(thousands())]
            $(
                #[test]
                fn $test(x in [cramped(), cramped(), cramped()], y in [cramped(), cramped(), cramped()], joint in "[a#:$%]") {
                    let of = |[a, b, c]: &[String; 3]| $entity::key(a, b, c).unwrap();
                    prop_assert_eq!(x == y, of(&x) == of(&y));
                    // The same characters, split differently: an unescaped key would confuse them.
                    let [a, b, c] = &x;
                    let left = [format!("{a}{joint}{b}"), c.clone(), c.clone()];
                    let right = [a.clone(), format!("{b}{joint}{c}"), c.clone()];
                    prop_assert_eq!(left == right, of(&left) == of(&right));
                }
            )*
        }
    };
}

strings_are_injective! {
    after_hash Hash,
    after_words Words,
    after_space Space,
    after_plus Plus,
    after_slash Slash,
    after_colon Colon,
    after_underscore Underscore,
    after_dash Dash,
    after_pipe Pipe,
    after_brackets Brackets,
}

proptest! {
    #![proptest_config(thousands())]

    #[test]
    fn a_closed_prefix_matches_only_its_children(a in hostile(), b in hostile(), other in [hostile(), hostile(), hostile()], longer in hostile()) {
        let of_a = Hash::sort_key().a(&a).build().unwrap();
        let of_ab = Hash::sort_key().a(&a).b(&b).build().unwrap();
        let grown = format!("{a}{longer}");
        for x in [&other[0], &a, &grown] {
            for y in [&other[1], &b] {
                let key = Hash::key(x, y, &other[2]).unwrap();
                let sk = key.sk().unwrap().as_str().unwrap();
                prop_assert_eq!(of_a.matches(sk), *x == a);
                prop_assert_eq!(of_ab.matches(sk), *x == a && *y == b);
            }
        }
        prop_assert!(Hash::sort_key().build().unwrap().matches("S#"));
    }

    #[test]
    fn a_prefix_within_a_part_is_a_prefix_of_the_value(a in hostile(), start in hostile(), rest in hostile(), other in hostile()) {
        let within = Hash::sort_key().a(&a).b_prefix(&start).build().unwrap();
        let within_colon = Colon::sort_key().a(&a).b_prefix(&start).build().unwrap();
        for b in [format!("{start}{rest}"), start.clone(), other] {
            let key = Hash::key(&a, &b, "c").unwrap();
            prop_assert_eq!(within.matches(key.sk().unwrap().as_str().unwrap()), b.starts_with(&start));
            let key = Colon::key(&a, &b, "c").unwrap();
            prop_assert_eq!(within_colon.matches(key.sk().unwrap().as_str().unwrap()), b.starts_with(&start));
        }
    }

    #[test]
    fn a_lower_case_prefix_matches_lower_case_values(start in hostile(), rest in hostile()) {
        let key = Buckets::key(jiff::Timestamp::UNIX_EPOCH, "u", format!("{start}{rest}"), "n").unwrap();
        let prefix = Buckets::sort_key().at(jiff::Timestamp::UNIX_EPOCH).email_prefix(&start).build().unwrap();
        prop_assert!(prefix.matches(key.sk().unwrap().as_str().unwrap()));
    }
}

#[test]
fn the_prefix_of_user_1_does_not_match_user_10() {
    let prefix = Hash::sort_key().a("1").build().unwrap();
    assert!(!prefix.matches("S#10#b#c"));
    assert!(prefix.matches("S#1#b#c"));
}

#[test]
fn no_value_builds_another_users_key() {
    let key = Hash::key("a#ADMIN", "x", "y").unwrap();
    assert_eq!(key.sk().unwrap(), &"S#a$23ADMIN#x#y");
    assert_ne!(key, Hash::key("a", "ADMIN#x", "y").unwrap());
    // ElectroDB 3.9 makes one key of these two.
    assert_ne!(
        Hash::key("x#b_y", "z", "c").unwrap(),
        Hash::key("x", "y#b_z", "c").unwrap()
    );
}

#[derive(dynamo_model::DynamoTable)]
#[table(name = "Tenants", pk = "PK", sk = "SK", items = TenantItem)]
struct Tenants;

#[derive(dynamo_model::DynamoEntity)]
#[dynamo(table = Tenants)]
#[pk("TENANT#<tenant>")]
#[sk("USER#<user>")]
struct Member {
    tenant: String,
    user: String,
}

#[derive(dynamo_model::DynamoEntity)]
#[dynamo(table = Tenants)]
#[pk("TENANT#<tenant>#PROJECT#<project>")]
#[sk("USER#<user>")]
struct Contributor {
    tenant: String,
    project: String,
    user: String,
}

/// They have the sort key in common, so only their partitions keep them apart.
#[derive(dynamo_model::DynamoItems)]
#[items(table = Tenants)]
enum TenantItem {
    Member(Member),
    Contributor(Contributor),
}

proptest! {
    #![proptest_config(thousands())]

    #[test]
    fn no_value_builds_a_longer_partition_key(tenant in hostile(), project in hostile(), user in hostile()) {
        let own = Member::partition_key(&tenant).unwrap();
        let longer = Contributor::partition_key(&tenant, &project).unwrap();
        prop_assert_ne!(own.value(), longer.value());
        // An attacker's tenant that spells out the other's partition.
        let spelt = Member::partition_key(format!("{tenant}#PROJECT#{project}")).unwrap();
        prop_assert_ne!(spelt.value(), longer.value());
        let key = Member::key(&tenant, &user).unwrap();
        prop_assert_eq!(key.parse().unwrap().tenant, tenant);
    }

    #[test]
    fn partition_keys_sort_like_their_values(a in hostile(), b in hostile()) {
        let of = |tenant: &String| Member::partition_key(tenant).unwrap().into_value();
        prop_assert_eq!(a.cmp(&b), of(&a).cmp(&of(&b)));
    }
}

#[test]
fn only_the_delimiter_and_its_escape_are_escaped_at_the_end_of_a_partition_key() {
    let key = Member::key("a b!c#d$e", "x#y z").unwrap();
    assert_eq!(key.to_string(), "TENANT#a b!c$23d$24e/USER#x#y z");
    let _ = [TenantItem::from(Member {
        tenant: "t".into(),
        user: "u".into(),
    })];
    let _ = Contributor {
        tenant: "t".into(),
        project: "p".into(),
        user: "u".into(),
    };
}
