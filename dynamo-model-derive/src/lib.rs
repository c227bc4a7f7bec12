//! The derives of `dynamo-model`; use them through that crate.
//!
//! Each derive parses (`attr`), checks (`check`) and expands (`expand`). It collects all errors
//! (`ctxt`) and reports them at once. After an error it writes stubs (`fallback`), so that one
//! mistake gives one error.

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
/// #[table(name = "ExamStudyApp", pk = "PK", sk = "SK")]
/// #[table(entity_type = "EntityType", ttl = "expires", stream = new_and_old_images)]
/// #[table(encryption = kms, point_in_time_recovery, billing = on_demand)]
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
/// | `items = AppItem` | the items enum (`#[derive(DynamoItems)]`): an entity without a variant in it does not compile; required for a table of several entities |
/// | `ttl = "expires"` | the attribute with the epoch seconds at which DynamoDB may delete an item |
/// | `encryption = kms` | or `kms("alias/my-key")`, `aws_owned` |
/// | `point_in_time_recovery`, `deletion_protection` | |
/// | `billing = on_demand` | or `provisioned(read = 5, write = 5)`, for the table and each index; or `on_demand(max_read = 1000, max_write = 500)`, a maximum for the table |
/// | `warm_throughput(read = 12_000, write = 4_000)` | the units per second that the table serves at once |
/// | `table_class = infrequent_access` | or `standard` |
/// | `tags(team = "exam")` | tags of the table |
/// | `no_scan` | `scan()` compiles only for entities with `scannable = "…"` |
/// | `require(encryption, point_in_time_recovery)` | the declaration must have these settings; also `deletion_protection`, `ttl`, `stream` |
/// | `stream = new_and_old_images` | or `keys_only`, `new_image`, `old_image` |
/// | `replicas("eu-west-1", "us-west-2")` | the other regions that a deployment adds; the stream has both images then |
/// | `multi_region_strong` | strong consistency between three regions: no transactions, TTL or local indexes |
/// | `crate = path` | the path of `dynamo_model`, if it is renamed |
///
/// `#[gsi1(…)]` to `#[gsi20(…)]` and `#[lsi1(…)]` to `#[lsi5(…)]` take `name`, `pk` (not on an
/// LSI), `sk`, and `projection = all`, `keys_only` or `include("attribute", …)`.
#[proc_macro_derive(
    DynamoTable,
    attributes(
        table, gsi, gsi0, gsi1, gsi2, gsi3, gsi4, gsi5, gsi6, gsi7, gsi8, gsi9, gsi10, gsi11,
        gsi12, gsi13, gsi14, gsi15, gsi16, gsi17, gsi18, gsi19, gsi20, gsi21, gsi22, gsi23, gsi24,
        gsi25, lsi, lsi0, lsi1, lsi2, lsi3, lsi4, lsi5, lsi6, lsi7, lsi8, lsi9, lsi10, vector,
        vector0, vector1, vector2, vector3, vector4, vector5, vector6
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
/// **On the struct.**
///
/// | attribute | |
/// | --- | --- |
/// | `#[pk("…")]`, `#[sk("…")]` | the templates of the table's key |
/// | `#[gsiN(pk = "…", sk = "…", as = name)]`, `#[lsiN(sk = "…", as = name)]` | the key in an index; `pk` or `sk` instead of a template takes the table's own key, so `#[gsi1(pk = sk, sk = pk)]` is an inverted index |
/// | `#[gsi1(pk = "OPEN#<repo>", when(state = State::Open))]` | a conditional index: it has the item only while the field has that value |
/// | `#[unique("USER_EMAIL#<email:lower>")]` | two items cannot have the same value: each write also writes a unique item, in one transaction |
/// | `#[unique("…", in = Reservations)]` | the same with unique items in another table, for tables with plain keys |
///
/// | `#[dynamo(…)]` | |
/// | --- | --- |
/// | `table = App` | the table |
/// | `entity_type = "USER"` | the entity type; `["USER", "Account"]` writes the first and reads all |
/// | `untyped` | also reads items without an entity type, as an older program wrote them: their key identifies the entity, and the next write of the whole item stores the type |
/// | `former` | an old shape of an entity, which only a migration reads; it is not in the items enum |
/// | `foreign` | the table is declared in another crate |
/// | `constant("__edb_v__" = "1")` | an attribute that every item has, with the same text, number or bool |
/// | `scannable = "nightly export"` | the reason for scans of the entity in a table with `no_scan` |
/// | `crate = path` | the path of `dynamo_model`, if it is renamed |
///
/// **On a field.** Attribute names are serde's.
///
/// | `#[dynamo(…)]` | |
/// | --- | --- |
/// | `version` | the version of an optimistic lock: every write checks and increments it |
/// | `created_at`, `updated_at` | the time when the item was created, and of its last write |
/// | `ttl` | the time after which DynamoDB may delete the item |
/// | `immutable` | set at creation only: updates cannot name it, and other writes must store the same value |
/// | `key_only` | stored in a key and nowhere else |
/// | `optional` | its type is an alias of `Option`, which a derive cannot see |
/// | `nested` | filters and updates can name its own fields |
/// | `rest` | a `Rest`: captures the attributes that no field declares, and writes them back |
/// | `sensitive` | its value is never shown in a log or an error |
///
/// **What you get.** The arguments have the order of the templates' placeholders. Each takes a
/// value of the field's type, or a reference to one.
///
/// | method | |
/// | --- | --- |
/// | `key(…)` | the key in the table |
/// | `partition_key(…)` | the partition key |
/// | `parse_key(pk, sk)` | the fields, from a stored key; also `key.parse()` |
/// | `sort_key()` | the sort key part by part: `.field(value)`, `.field_prefix("…")`, `.build()` |
/// | `get(…)` | reads the item |
/// | `query(…)` | the items of a partition; then `.field(value)`, `.field_in(from..to)`, `.field_prefix("…")`, `.filter(…)` … |
/// | `scan()` | reads the items of the entity in the whole table |
/// | `update(…)`, `upsert(…)` | changes the item; `upsert` also creates it |
/// | `delete(…)` | deletes the item |
/// | `by_name(…)` | the items of a partition of the index with `as = by_name` (`gsi1` without `as`) |
/// | `by_name_key(…)`, `by_name_partition_key(…)`, `parse_by_name_key(pk, sk)`, `by_name_sort_key()` | the same for its keys |
///
/// The trait [`Entity`](../dynamo_model/trait.Entity.html) adds `put()`, `create()`, `merge()`,
/// `update()`, `delete()`, `primary_key()` and `key_attributes()` of an item, and
/// [`IndexedBy`](../dynamo_model/bounds/trait.IndexedBy.html) adds `key_in()`.
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
/// | `raw` | strings | not escaped; your program ensures that the values do not contain the delimiter |
/// | `desc` | padded integers, times with a precision, dates | each digit `d` becomes `9 - d`, so it sorts in reverse |
///
/// Specs combine with `+`: `<email:lower+raw>`, `<number:08+desc>`.
#[proc_macro_derive(
    DynamoEntity,
    attributes(
        dynamo, pk, sk, unique, gsi, gsi0, gsi1, gsi2, gsi3, gsi4, gsi5, gsi6, gsi7, gsi8, gsi9,
        gsi10, gsi11, gsi12, gsi13, gsi14, gsi15, gsi16, gsi17, gsi18, gsi19, gsi20, gsi21, gsi22,
        gsi23, gsi24, gsi25, lsi, lsi0, lsi1, lsi2, lsi3, lsi4, lsi5, lsi6, lsi7, lsi8, lsi9,
        lsi10, vector, vector0, vector1, vector2, vector3, vector4, vector5, vector6
    )
)]
pub fn derive_entity(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(input, Client::Enabled, entity)
}

/// Declares all entities of a table. Does not compile if two of them have the same entity type, or
/// could have the same key.
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
/// A variant `#[items(unknown)] Unknown(UnknownItem)` holds the unknown items, such as those of a
/// newer release. Without it, a read of such an item fails.
#[proc_macro_derive(DynamoItems, attributes(items))]
pub fn derive_items(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(input, Client::Enabled, items)
}

/// Makes an enum without fields, or a newtype, usable as a part of a key.
///
/// The text of a variant is the text that serde writes, with `rename` and `rename_all`.
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

/// Declares a projection: some fields of an entity, to read less than the whole item, or only what
/// an index projects.
///
/// `#[projection(of = Entity, from(table, gsi1, lsi2))]` names the entity and the sources of reads;
/// the default is `from(table)`. Does not compile if one of the indexes does not project a field.
/// Fields of a key are read from the key. A generic entity has its arguments: `of = Order<String>`.
/// If these are parameters of the projection, the compiler checks it where it is used.
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

// Each derive has a second entry point. Without the feature `client`, the runtime exports it under
// the name of the first one. See `Client`.

/// `DynamoTable` for keys and schemas alone.
#[doc(hidden)]
#[proc_macro_derive(
    KeyOnlyTable,
    attributes(
        table, gsi, gsi0, gsi1, gsi2, gsi3, gsi4, gsi5, gsi6, gsi7, gsi8, gsi9, gsi10, gsi11,
        gsi12, gsi13, gsi14, gsi15, gsi16, gsi17, gsi18, gsi19, gsi20, gsi21, gsi22, gsi23, gsi24,
        gsi25, lsi, lsi0, lsi1, lsi2, lsi3, lsi4, lsi5, lsi6, lsi7, lsi8, lsi9, lsi10, vector,
        vector0, vector1, vector2, vector3, vector4, vector5, vector6
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
        lsi10, vector, vector0, vector1, vector2, vector3, vector4, vector5, vector6
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
