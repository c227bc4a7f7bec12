#[automatically_derived]
impl ::dynamo_model::Items for AppItem {
    type Table = App;
    const ENTITIES: &'static [&'static ::dynamo_model::schema::EntitySchema] = &[
        &<User as ::dynamo_model::Entity>::SCHEMA,
        &<Order as ::dynamo_model::Entity>::SCHEMA,
    ];
    fn entity_of(
        __pk: ::dynamo_model::KeyRef<'_>,
        __sk: ::core::option::Option<::dynamo_model::KeyRef<'_>>,
    ) -> ::core::result::Result<
        &'static ::dynamo_model::schema::EntitySchema,
        ::dynamo_model::KeyError,
    > {
        if <User as ::dynamo_model::IndexedBy<
            ::dynamo_model::index::Primary,
        >>::parse(__pk, __sk)
            .is_ok()
        {
            return ::core::result::Result::Ok(&<User as ::dynamo_model::Entity>::SCHEMA);
        }
        if <Order as ::dynamo_model::IndexedBy<
            ::dynamo_model::index::Primary,
        >>::parse(__pk, __sk)
            .is_ok()
        {
            return ::core::result::Result::Ok(
                &<Order as ::dynamo_model::Entity>::SCHEMA,
            );
        }
        ::core::result::Result::Err(::dynamo_model::KeyError::no_entity("AppItem"))
    }
    fn entity(&self) -> &'static ::dynamo_model::schema::EntitySchema {
        match self {
            Self::User(_) => &<User as ::dynamo_model::Entity>::SCHEMA,
            Self::Order(_) => &<Order as ::dynamo_model::Entity>::SCHEMA,
        }
    }
    fn key_attributes(
        &self,
    ) -> ::core::result::Result<
        ::std::vec::Vec<::dynamo_model::ItemKeyAttribute>,
        ::dynamo_model::KeyError,
    > {
        match self {
            Self::User(__entity) => ::dynamo_model::Entity::key_attributes(__entity),
            Self::Order(__entity) => ::dynamo_model::Entity::key_attributes(__entity),
        }
    }
}
#[automatically_derived]
impl ::core::convert::From<User> for AppItem {
    fn from(__entity: User) -> Self {
        Self::User(__entity)
    }
}
#[automatically_derived]
impl ::core::convert::From<Order> for AppItem {
    fn from(__entity: Order) -> Self {
        Self::Order(__entity)
    }
}
const _: () = ::dynamo_model::__private::check::same_table(
        &<App as ::dynamo_model::Table>::SCHEMA,
        &<<User as ::dynamo_model::Entity>::Table as ::dynamo_model::Table>::SCHEMA,
        &<User as ::dynamo_model::Entity>::SCHEMA,
    )
    .enforce();
const _: () = ::dynamo_model::__private::check::distinct(
        <AppItem as ::dynamo_model::Items>::ENTITIES,
        0usize,
    )
    .enforce();
const _: () = ::dynamo_model::__private::check::same_table(
        &<App as ::dynamo_model::Table>::SCHEMA,
        &<<Order as ::dynamo_model::Entity>::Table as ::dynamo_model::Table>::SCHEMA,
        &<Order as ::dynamo_model::Entity>::SCHEMA,
    )
    .enforce();
const _: () = ::dynamo_model::__private::check::distinct(
        <AppItem as ::dynamo_model::Items>::ENTITIES,
        1usize,
    )
    .enforce();
