//! Compares the code that the derives write with the golden files in `expansions/`.
//! `UPDATE_EXPECT=1 cargo test -p dynamo-model-derive` updates the files.

use crate::expand::Client;
use expect_test::{ExpectFile, expect_file};
use proc_macro2::TokenStream;
use syn::{DeriveInput, parse_quote};

type Derive = fn(&DeriveInput, Client) -> TokenStream;

fn check(derive: Derive, input: &DeriveInput, expected: &ExpectFile) {
    check_with(Client::Enabled, derive, input, expected);
}

fn check_with(client: Client, derive: Derive, input: &DeriveInput, expected: &ExpectFile) {
    let code = derive(input, client);
    let file = syn::parse2(code).expect("a derive writes items");
    expected.assert_eq(&prettyplease::unparse(&file));
}

#[test]
fn table() {
    let input = parse_quote! {
        #[table(name = "App", pk = "PK", sk = N("seq"), ttl = "expires", encryption = kms)]
        #[gsi1(name = "GSI1", pk = "GSI1PK", projection = include("title"))]
        struct App;
    };
    check(
        super::table,
        &input,
        &expect_file!["../expansions/table.rs"],
    );
}

#[test]
fn entity() {
    let input = parse_quote! {
        #[serde(rename_all = "camelCase")]
        #[dynamo(table = App, entity_type = "ORDER")]
        #[pk("USER#<user_id>")]
        #[sk("ORDER#<placed_at:ms>#<number:06>")]
        #[gsi1(pk = "COUPON#<coupon>", sk = sk, as = by_coupon)]
        pub struct Order {
            pub user_id: UserId,
            pub placed_at: Timestamp,
            pub number: u32,
            pub coupon: Option<String>,
            #[dynamo(version)]
            pub version: u64,
        }
    };
    check(
        super::entity,
        &input,
        &expect_file!["../expansions/entity.rs"],
    );
}

#[test]
fn entity_without_the_client() {
    let input = parse_quote! {
        #[dynamo(table = App)]
        #[pk("USER#<user_id>")]
        #[gsi1(pk = "EMAIL#<email>", as = by_email)]
        pub struct User {
            pub user_id: String,
            pub email: Email,
        }
    };
    check_with(
        Client::Disabled,
        super::entity,
        &input,
        &expect_file!["../expansions/entity_without_client.rs"],
    );
}

#[test]
fn entity_with_an_error() {
    let input = parse_quote! {
        #[dynamo(table = App)]
        #[pk("USER#<usr_id>")]
        pub struct User {
            pub user_id: String,
        }
    };
    check(
        super::entity,
        &input,
        &expect_file!["../expansions/entity_with_an_error.rs"],
    );
}

#[test]
fn items() {
    let input = parse_quote! {
        #[items(table = App)]
        enum AppItem { User(User), Order(Order) }
    };
    check(
        super::items,
        &input,
        &expect_file!["../expansions/items.rs"],
    );
}

#[test]
fn key_parts() {
    let input = parse_quote!(
        struct UserId(String);
    );
    check(
        super::key_part,
        &input,
        &expect_file!["../expansions/newtype.rs"],
    );
    let input = parse_quote! {
        #[serde(rename_all = "lowercase")]
        enum Level { Easy, #[serde(rename = "HARD!")] Hard }
    };
    check(
        super::key_part,
        &input,
        &expect_file!["../expansions/enum.rs"],
    );
}
