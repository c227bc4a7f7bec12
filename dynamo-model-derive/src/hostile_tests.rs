//! Gives the derives random attributes. They must write items and never panic, because a panic in a
//! macro does not name the place of the mistake.

use crate::expand::Client;
use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

type Derive = fn(&DeriveInput, Client) -> TokenStream;

const DERIVES: [Derive; 6] = [
    super::table,
    super::entity,
    super::items,
    super::projection,
    super::nested,
    super::key_part,
];

fn check(input: TokenStream) {
    let shown = input.to_string();
    let input: DeriveInput = syn::parse2(input).expect(&shown);
    for derive in DERIVES {
        for client in [Client::Enabled, Client::Disabled] {
            let code = derive(&input, client);
            assert!(syn::parse2::<syn::File>(code).is_ok(), "{shown}");
        }
    }
}

/// Runs the corpus of the fuzz target, in each attribute that takes a template.
#[test]
fn any_template() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus/template");
    // A package does not include the corpus.
    let Ok(files) = std::fs::read_dir(corpus) else {
        return;
    };
    for file in files {
        let bytes = std::fs::read(file.expect("a file").path()).expect("a text");
        let text = String::from_utf8_lossy(&bytes);
        check(quote! {
            #[dynamo(table = App, entity_type = #text)]
            #[pk(#text)]
            #[sk(#text)]
            #[gsi1(pk = #text, sk = #text, as = by_name)]
            #[unique(#text)]
            struct Order { user_id: String, a: u32, b: Option<String> }
        });
        check(quote! {
            #[table(name = #text, pk = #text, sk = N(#text), entity_type = #text, ttl = #text)]
            #[gsi1(name = #text, pk = #text, projection = include(#text))]
            struct App;
        });
    }
}

/// The words from which the attributes are made.
const WORDS: &[&str] = &[
    "table",
    "=",
    "App",
    ",",
    "name",
    "\"x\"",
    "pk",
    "sk",
    "\"USER#<a>\"",
    "(",
    ")",
    "as",
    "by_a",
    "projection",
    "all",
    "include",
    "keys_only",
    "N",
    "B",
    "crate",
    "::",
    "<",
    ">",
    "-1",
    "1.5",
    "'c'",
    "b\"x\"",
    "true",
    "self",
    "r#type",
    "_",
    "version",
    "ttl",
    "nested",
    "sensitive",
    "key_only",
    "rename",
    "rename_all",
    "flatten",
    "of",
    "from",
    "gsi1",
    "#",
    "!",
    "{",
    "}",
];

/// Returns the same numbers in each run.
fn next(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[test]
fn any_attribute() {
    let state = &mut 8;
    let mut tried = 0;
    while tried < 3_000 {
        let mut tokens = || {
            let words: Vec<_> = (0..next(state) % 9)
                .map(|_| WORDS[next(state) % WORDS.len()])
                .collect();
            words.join(" ").parse::<TokenStream>()
        };
        let (Ok(a), Ok(b), Ok(c)) = (tokens(), tokens(), tokens()) else {
            continue;
        };
        tried += 1;
        check(match next(state) % 4 {
            0 => {
                quote! { #[dynamo(#a)] #[pk(#b)] #[gsi1(#c)] struct S { #[dynamo(#b)] a: String, #[serde(#c)] b: u32 } }
            }
            1 => quote! { #[table(#a)] #[gsi1(#b)] #[lsi1(#c)] struct S; },
            2 => {
                quote! { #[items(#a)] #[dynamo(#b)] enum S { A(#[dynamo(#c)] A), B, C { c: u32 } } }
            }
            _ => quote! { #[projection(#a)] #[serde(#b)] #[unique(#c)] struct S<T>(T); },
        });
    }
}
