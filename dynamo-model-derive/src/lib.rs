//! The derives of `dynamo-model`; use them through that crate.
//!
//! Each goes parse (`attr`) → check (`check`) → expand (`expand`). Errors are collected
//! (`ctxt`) and reported all at once, and stubs (`fallback`) keep one mistake from becoming many.

mod ast;
mod attr;
mod case;
mod check;
mod ctxt;
mod expand;
mod fallback;
mod stored_as;
mod suggest;
mod template;
mod ty;

use ctxt::Ctxt;
use expand::Client;
use proc_macro2::TokenStream;
use syn::DeriveInput;

/// Declares a DynamoDB table.
///
/// ```
/// use dynamo_model::DynamoTable;
///
/// #[derive(DynamoTable)]
/// #[table(name = "ExamStudyApp", pk = "PK", sk = "SK", entity_type = "EntityType", ttl = "expires")]
/// #[table(encryption = kms, point_in_time_recovery, billing = on_demand, stream = new_and_old_images)]
/// #[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
/// #[lsi1(name = "Created", sk = "created", projection = include("title"))]
/// pub struct ExamStudyApp;
/// ```
///
/// | `#[table(…)]` | |
/// | --- | --- |
/// | `name = "…"` | the table's name |
/// | `pk = "PK"`, `sk = "SK"` | key attributes of type S; `pk = N("seq")` and `pk = B("digest")` for the others |
/// | `entity_type = "EntityType"` | the attribute that says which entity an item is |
/// | `items = AppItem` | the enum of all entities of the table (`#[derive(DynamoItems)]`): an entity without a variant in it does not compile; required for a table of several entities |
/// | `ttl = "expires"` | the attribute with the second of expiry |
/// | `encryption = kms` | or `kms("alias/my-key")`, `aws_owned` |
/// | `point_in_time_recovery`, `deletion_protection` | |
/// | `billing = on_demand` | or `provisioned(read = 5, write = 5)`, for the table and each index; or `on_demand(max_read = 1000, max_write = 500)`, a maximum for the table |
/// | `warm_throughput(read = 12_000, write = 4_000)` | units a second that the table can take at once |
/// | `table_class = infrequent_access` | or `standard` |
/// | `tags(team = "exam")` | tags of the table |
/// | `no_scan` | `scan()` compiles only for entities with `scannable = "…"` |
/// | `require(encryption, point_in_time_recovery)` | the declaration must have these settings; also `deletion_protection`, `ttl`, `stream` |
/// | `stream = new_and_old_images` | or `keys_only`, `new_image`, `old_image` |
/// | `replicas("eu-west-1", "us-west-2")` | the other regions that a deployment adds; the stream has both images then |
/// | `multi_region_strong` | strong consistency between three regions: no transactions, TTL or local indexes |
/// | `crate = path` | where `dynamo_model` is, if renamed |
///
/// `#[gsi1(…)]` to `#[gsi20(…)]` and `#[lsi1(…)]` to `#[lsi5(…)]` take `name`, `pk` (not on an LSI), `sk`,
/// and `projection = all`, `keys_only` or `include("attribute", …)`.
#[proc_macro_derive(
    DynamoTable,
    attributes(
        table, gsi, gsi0, gsi1, gsi2, gsi3, gsi4, gsi5, gsi6, gsi7, gsi8, gsi9, gsi10, gsi11,
        gsi12, gsi13, gsi14, gsi15, gsi16, gsi17, gsi18, gsi19, gsi20, gsi21, gsi22, gsi23, gsi24,
        gsi25, lsi, lsi0, lsi1, lsi2, lsi3, lsi4, lsi5, lsi6, lsi7, lsi8, lsi9, lsi10
    )
)]
pub fn derive_table(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(input, Client::Enabled, table)
}

/// Declares one kind of item of a table, and generates its key builders, parsers and prefixes.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
/// # #[derive(DynamoTable)]
/// # #[table(name = "App", pk = "PK", sk = "SK", entity_type = "EntityType")]
/// # #[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
/// # pub struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[serde(rename_all = "camelCase")]
/// #[dynamo(table = App, entity_type = "QUESTION")]
/// #[pk("QUESTION#<question_id>")]
/// #[sk("METADATA")]
/// #[gsi1(pk = "CATEGORY#<category>", sk = "QUESTION#<question_id>", as = by_category)]
/// pub struct Question {
///     pub question_id: String,
///     pub category: String,
///     #[dynamo(version)]
///     pub version: u64,
/// }
///
/// let key = Question::key("FE-2023-01")?;
/// assert_eq!(key.to_string(), "QUESTION#FE-2023-01/METADATA");
/// let key = Question::by_category_key("network", "FE-2023-01")?;
/// assert_eq!(key.to_string(), "CATEGORY#network/QUESTION#FE-2023-01");
/// # Ok::<(), dynamo_model::KeyError>(())
/// ```
///
/// **On the struct.** `#[dynamo(table = …, entity_type = "…", crate = …)]`; `#[pk("…")]`, `#[sk("…")]`;
/// `#[gsiN(pk = "…", sk = "…", as = name)]`, `#[lsiN(sk = "…", as = name)]`. Instead of a template an index
/// takes `pk` or `sk` for the table's own key: `#[gsi1(pk = sk, sk = pk)]` is an inverted index.
///
/// `former` declares an old shape of an entity, which only a migration reads and which stands outside the table's items
/// enum. `untyped` reads items that lack their entity type, as those of a table that is older than the declaration: their key tells
/// that they are this entity's, and the next write of the whole item stores the type. `foreign` says that the table is declared in another crate. `constant("__edb_v__" = "1")` declares attributes that every
/// item has, with the same text, number or bool.
///
/// `#[unique("USER_EMAIL#<email:lower>")]` keeps two items from having the same value: an item of its own, with
/// that key, is written in the same transaction. In a table with plain keys, `in = Reservations` names a table for these
/// items: `#[unique("USER_EMAIL#<email:lower>", in = Reservations)]`.
///
/// `scannable = "nightly export"` gives the reason why the entity of a table with `no_scan` is scanned.
///
/// **On a field.** Attribute names are serde's.
///
/// | `#[dynamo(…)]` | |
/// | --- | --- |
/// | `version` | the number of an optimistic lock: every write checks it and counts it up |
/// | `created_at`, `updated_at` | set from the clock when an item is created, and by every write |
/// | `ttl` | the second after which the item may be deleted |
/// | `immutable` | set at creation only: updates cannot name it, and other writes must store the same value |
/// | `key_only` | stored in a key and nowhere else |
/// | `optional` | its type is an alias of `Option`, which a derive cannot see |
/// | `nested` | its own fields can be named in filters and updates |
/// | `rest` | a `Rest`: captures the attributes that no field declares, and writes them back |
/// | `sensitive` | its value reaches no log and no error |
///
/// **What you get**, with arguments in the order of the templates' placeholders, each a value of the field's
/// type or a reference to one:
///
/// | method | |
/// | --- | --- |
/// | `key(…)` | the key in the table |
/// | `partition_key(…)` | its first half |
/// | `parse_key(pk, sk)` | the fields, from a stored key; also `key.parse()` |
/// | `sort_key()` | the sort key part by part: `.field(value)`, `.field_prefix("…")`, `.build()` |
/// | `get(…)` | reads the item |
/// | `query(…)` | the items of a partition; then `.field(value)`, `.field_in(from..to)`, `.field_prefix("…")`, `.filter(…)` … |
/// | `scan()` | reads the whole table for such items |
/// | `update(…)`, `upsert(…)` | changes the item; creates it if need be |
/// | `delete(…)` | deletes it |
/// | `by_name(…)` | the items of a partition of the index with `as = by_name` (`gsi1` without `as`) |
/// | `by_name_key(…)`, `by_name_partition_key(…)`, `parse_by_name_key(pk, sk)`, `by_name_sort_key()` | the same for its keys |
///
/// and, from the traits [`Entity`](../dynamo_model/trait.Entity.html) and
/// [`IndexedBy`](../dynamo_model/trait.IndexedBy.html), `update()`, `delete()`, `primary_key()`, `key_attributes()`
/// and `key_in()` of an item. `Dynamo` has `put(&item)` and `create(&item)`.
///
/// `#[gsi1(pk = "OPEN#<repo>", when(state = State::Open))]` has items only while the field has that value.
///
/// **Templates** are literal text and `<field>` or `<field:spec>`; `<<` is a literal `<`.
///
/// | spec | on | text |
/// | --- | --- | --- |
/// | none | strings, integers, `bool`, enums, uuid, ulid, time, date | the plain form |
/// | `020` | integers | zero-padded to 20; sorts, negative ones too |
/// | `s` `ms` `us` `ns` | time | RFC 3339 in UTC, always with that precision; sorts |
/// | `%Y-%m-%d` … | time, date | `%Y %m %d %j %H %M %S %3f %6f %9f %F %T`; in a partition key, a time bucket |
/// | `shard(10)` | any | a hash modulo 10: a write shard |
/// | `lower` `upper` | strings, enums, uuid, ulid | in that case |
/// | `raw` | strings | no escaping; you vouch for the values |
/// | `desc` | padded integers, times with a precision, dates | each digit is nine minus itself: sorts in reverse |
///
/// Specs combine with `+`: `<email:lower+raw>`, `<number:08+desc>`.
#[proc_macro_derive(
    DynamoEntity,
    attributes(
        dynamo, pk, sk, unique, gsi, gsi0, gsi1, gsi2, gsi3, gsi4, gsi5, gsi6, gsi7, gsi8, gsi9,
        gsi10, gsi11, gsi12, gsi13, gsi14, gsi15, gsi16, gsi17, gsi18, gsi19, gsi20, gsi21, gsi22,
        gsi23, gsi24, gsi25, lsi, lsi0, lsi1, lsi2, lsi3, lsi4, lsi5, lsi6, lsi7, lsi8, lsi9,
        lsi10
    )
)]
pub fn derive_entity(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(input, Client::Enabled, entity)
}

/// Declares all entities of a table. Does not compile if two of them have the same entity type, or could
/// have the same key.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};
/// # #[derive(DynamoTable)]
/// # #[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
/// # pub struct App;
/// # #[derive(DynamoEntity)]
/// # #[dynamo(table = App)]
/// # #[pk("USER#<user_id>")]
/// # #[sk("PROFILE")]
/// # pub struct User { user_id: String }
/// # #[derive(DynamoEntity)]
/// # #[dynamo(table = App)]
/// # #[pk("USER#<user_id>")]
/// # #[sk("ORDER#<number:06>")]
/// # pub struct Order { user_id: String, number: u32 }
///
/// #[derive(DynamoItems)]
/// #[items(table = App)]
/// pub enum AppItem {
///     User(User),
///     Order(Order),
/// }
/// ```
///
/// A variant `#[items(unknown)] Unknown(UnknownItem)` takes the items that no other variant declares, as those of a newer
/// release. Without it, such an item is an error of the read.
#[proc_macro_derive(DynamoItems, attributes(items))]
pub fn derive_items(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(input, Client::Enabled, items)
}

/// Makes an enum without fields, or a newtype, usable as a part of a key.
///
/// The text of a variant is the one serde writes, `rename` and `rename_all` included.
///
/// ```
/// use dynamo_model::KeyPart;
///
/// #[derive(KeyPart)]
/// struct UserId(String);
///
/// #[derive(KeyPart, serde::Serialize, serde::Deserialize)]
/// #[serde(rename_all = "UPPERCASE")]
/// enum ExamType {
///     Fe,
///     #[serde(rename = "applied")]
///     Ap,
/// }
///
/// assert_eq!(ExamType::Fe.to_part().to_string(), "FE");
/// assert_eq!(ExamType::Ap.to_part().to_string(), "applied");
/// # let _ = UserId(String::new());
/// ```
#[proc_macro_derive(KeyPart, attributes(dynamo))]
pub fn derive_key_part(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(input, Client::Enabled, key_part)
}

/// Some of the fields of an entity, to read less than the whole item, or what an index carries.
///
/// `#[projection(of = Entity, from(table, gsi1, lsi2))]` says of what and from where, `from(table)` unless said. That
/// each of the indexes carries every field is checked here; a field that stands in a key is read from there. A generic
/// entity is named with its arguments, `of = Order<String>`; where they are parameters of the projection itself, it is
/// checked where it is used.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoProjection, DynamoTable};
/// # #[derive(DynamoTable)]
/// # #[table(name = "App", pk = "PK")]
/// # struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
///     name: String,
///     picture: String,
/// }
///
/// #[derive(DynamoProjection, serde::Deserialize)]
/// #[projection(of = User)]
/// struct UserName {
///     name: String,
/// }
///
/// let query = User::query("u1").project::<UserName>();
/// ```
#[proc_macro_derive(DynamoProjection, attributes(projection))]
pub fn derive_projection(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(input, Client::Enabled, projection)
}

/// Lets a filter name the fields of a struct within an item: `booking.insurance().price()`.
///
/// ```
/// use dynamo_model::DynamoNested;
///
/// #[derive(DynamoNested, serde::Serialize, serde::Deserialize)]
/// #[serde(rename_all = "camelCase")]
/// struct Insurance {
///     selected: bool,
///     tax_included_price: u32,
/// }
/// ```
#[proc_macro_derive(DynamoNested, attributes(dynamo))]
pub fn derive_nested(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(input, Client::Enabled, nested)
}

// A second entry point for each derive: the runtime exports these under the names of the first where it lacks the
// feature `client`. See `Client`.

/// `DynamoTable` for keys and schemas alone.
#[doc(hidden)]
#[proc_macro_derive(
    KeyOnlyTable,
    attributes(
        table, gsi, gsi0, gsi1, gsi2, gsi3, gsi4, gsi5, gsi6, gsi7, gsi8, gsi9, gsi10, gsi11,
        gsi12, gsi13, gsi14, gsi15, gsi16, gsi17, gsi18, gsi19, gsi20, gsi21, gsi22, gsi23, gsi24,
        gsi25, lsi, lsi0, lsi1, lsi2, lsi3, lsi4, lsi5, lsi6, lsi7, lsi8, lsi9, lsi10
    )
)]
pub fn derive_key_only_table(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(input, Client::Disabled, table)
}

/// `DynamoEntity` for keys and schemas alone.
#[doc(hidden)]
#[proc_macro_derive(
    KeyOnlyEntity,
    attributes(
        dynamo, pk, sk, unique, gsi, gsi0, gsi1, gsi2, gsi3, gsi4, gsi5, gsi6, gsi7, gsi8, gsi9,
        gsi10, gsi11, gsi12, gsi13, gsi14, gsi15, gsi16, gsi17, gsi18, gsi19, gsi20, gsi21, gsi22,
        gsi23, gsi24, gsi25, lsi, lsi0, lsi1, lsi2, lsi3, lsi4, lsi5, lsi6, lsi7, lsi8, lsi9,
        lsi10
    )
)]
pub fn derive_key_only_entity(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(input, Client::Disabled, entity)
}

/// `DynamoItems` for keys and schemas alone.
#[doc(hidden)]
#[proc_macro_derive(KeyOnlyItems, attributes(items))]
pub fn derive_key_only_items(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(input, Client::Disabled, items)
}

/// `KeyPart` for keys and schemas alone.
#[doc(hidden)]
#[proc_macro_derive(KeyOnlyPart, attributes(dynamo))]
pub fn derive_key_only_part(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(input, Client::Disabled, key_part)
}

/// `DynamoProjection` for keys and schemas alone.
#[doc(hidden)]
#[proc_macro_derive(KeyOnlyProjection, attributes(projection))]
pub fn derive_key_only_projection(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(input, Client::Disabled, projection)
}

/// `DynamoNested` for keys and schemas alone.
#[doc(hidden)]
#[proc_macro_derive(KeyOnlyNested, attributes(dynamo))]
pub fn derive_key_only_nested(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(input, Client::Disabled, nested)
}

fn run(
    input: proc_macro::TokenStream,
    client: Client,
    derive: fn(&DeriveInput, Client) -> TokenStream,
) -> proc_macro::TokenStream {
    let input = syn::parse_macro_input!(input as DeriveInput);
    derive(&input, client).into()
}

fn table(input: &DeriveInput, client: Client) -> TokenStream {
    let cx = Ctxt::new();
    let table = attr::table::read(&cx, input);
    check::table(&cx, &table);
    match cx.check() {
        Ok(()) => expand::table::expand(&table, client),
        Err(errors) => fallback::table(&table, client, &errors),
    }
}

fn entity(input: &DeriveInput, client: Client) -> TokenStream {
    let seen_through = attr::optional::without_aliases(input);
    let input = seen_through.as_ref().unwrap_or(input);
    let cx = Ctxt::new();
    let entity = attr::entity::read(&cx, input);
    check::entity(&cx, &entity);
    check::serde::entity(&cx, input);
    match (cx.check(), expand::model::Model::new(&entity, client)) {
        (Ok(()), Some(model)) => expand::entity::expand(&model),
        (Ok(()), None) => fallback::entity(&entity, client, &TokenStream::new()),
        (Err(errors), _) => fallback::entity(&entity, client, &errors),
    }
}

fn items(input: &DeriveInput, client: Client) -> TokenStream {
    let cx = Ctxt::new();
    let items = attr::items::read(&cx, input);
    match cx.check() {
        Ok(()) => expand::items::expand(&items, client),
        Err(errors) => fallback::items(&items, client, &errors),
    }
}

fn projection(input: &DeriveInput, client: Client) -> TokenStream {
    let cx = Ctxt::new();
    let projection = attr::projection::read(&cx, input);
    check::serde::projection(&cx, input);
    match cx.check() {
        Ok(()) => expand::projection::expand(&projection, client),
        Err(errors) => fallback::projection(&projection, client, &errors),
    }
}

fn nested(input: &DeriveInput, client: Client) -> TokenStream {
    let cx = Ctxt::new();
    let code = expand::nested::expand(&cx, input, client);
    check::serde::nested(&cx, input);
    match cx.check() {
        Ok(()) => code,
        Err(errors) => quote::quote!(#errors #code),
    }
}

fn key_part(input: &DeriveInput, client: Client) -> TokenStream {
    let cx = Ctxt::new();
    let dm = expand::part::read_runtime(&cx, input, client);
    let code = expand::part::expand(&cx, &dm, input);
    check::serde::key_part(&cx, input);
    match cx.check() {
        Ok(()) => code,
        Err(errors) => fallback::key_part(input, &dm, &errors),
    }
}

#[cfg(test)]
mod expansion_tests;
#[cfg(test)]
mod hostile_tests;
