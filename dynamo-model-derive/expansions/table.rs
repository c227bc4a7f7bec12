#[automatically_derived]
impl ::dynamo_model::Table for App {
    type Slots = ::dynamo_model::membership::OneEntity;
    type Scans = ::dynamo_model::membership::AnyEntity;
    const NAMES: ::core::option::Option<
        (&'static ::core::primitive::str, &'static ::core::primitive::str),
    > = ::core::option::Option::Some(("App", "App"));
    const BARE: ::dynamo_model::schema::TableSchema = {
        let mut __schema = ::dynamo_model::schema::TableSchema::new(
            "App",
            "App",
            ::dynamo_model::schema::KeyAttribute::new(
                "PK",
                ::dynamo_model::schema::KeyType::S,
            ),
        );
        __schema.sk = ::core::option::Option::Some(
            ::dynamo_model::schema::KeyAttribute::new(
                "seq",
                ::dynamo_model::schema::KeyType::N,
            ),
        );
        __schema.indexes = &[
            ::dynamo_model::schema::IndexSchema::new(
                ::dynamo_model::schema::IndexId::Gsi(1u8),
                "GSI1",
                ::dynamo_model::schema::KeyAttribute::new(
                    "GSI1PK",
                    ::dynamo_model::schema::KeyType::S,
                ),
                ::core::option::Option::None,
                ::dynamo_model::schema::Projection::Include(&["title"]),
            ),
        ];
        __schema.entity_type = ::core::option::Option::None;
        __schema.ttl = ::core::option::Option::Some("expires");
        __schema.encryption = ::dynamo_model::schema::Encryption::Kms(
            ::core::option::Option::None,
        );
        __schema.point_in_time_recovery = false;
        __schema.billing = ::dynamo_model::schema::Billing::OnDemand;
        __schema.stream = ::core::option::Option::None;
        __schema.deletion_protection = false;
        __schema
    };
    const SCHEMA: ::dynamo_model::schema::TableSchema = Self::BARE;
}
#[automatically_derived]
impl ::dynamo_model::__private::Projects<
    ::dynamo_model::index::Gsi1,
    ::dynamo_model::__private::AttributeName<5001644143545025184u64>,
> for App {}
#[automatically_derived]
impl ::dynamo_model::__private::Projects<
    ::dynamo_model::index::Gsi1,
    ::dynamo_model::__private::AttributeName<667127613756665164u64>,
> for App {}
#[automatically_derived]
impl ::dynamo_model::__private::Projects<
    ::dynamo_model::index::Gsi1,
    ::dynamo_model::__private::AttributeName<9384246090093695804u64>,
> for App {}
#[automatically_derived]
impl ::dynamo_model::__private::Projects<
    ::dynamo_model::index::Gsi1,
    ::dynamo_model::__private::AttributeName<15722393318163439657u64>,
> for App {}
