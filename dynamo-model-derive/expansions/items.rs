#[allow(dead_code, clippy::all, clippy::pedantic)]
const _: () = {
    struct __Variant0(::core::marker::PhantomData<fn() -> AppItem>);
    #[automatically_derived]
    impl ::dynamo_model::__private::Variant for __Variant0 {
        type Entity = User;
    }
    struct __Variant1(::core::marker::PhantomData<fn() -> AppItem>);
    #[automatically_derived]
    impl ::dynamo_model::__private::Variant for __Variant1 {
        type Entity = Order;
    }
    #[automatically_derived]
    impl ::dynamo_model::Items for AppItem {
        type Table = App;
        const NAME: &'static ::core::primitive::str = "AppItem";
        const ENTITIES: &'static [&'static ::dynamo_model::schema::EntitySchema] = &[
            ::dynamo_model::__private::Of::<__Variant0>::SCHEMA,
            ::dynamo_model::__private::Of::<__Variant1>::SCHEMA,
        ];
        const HAS_UNKNOWN: ::core::primitive::bool = false;
        fn entity_of(
            __pk: ::dynamo_model::key::KeyRef<'_>,
            __sk: ::core::option::Option<::dynamo_model::key::KeyRef<'_>>,
        ) -> ::core::result::Result<
            &'static ::dynamo_model::schema::EntitySchema,
            ::dynamo_model::KeyError,
        > {
            if ::dynamo_model::__private::Of::<__Variant0>::is_key(__pk, __sk) {
                return ::core::result::Result::Ok(
                    ::dynamo_model::__private::Of::<__Variant0>::SCHEMA,
                );
            }
            if ::dynamo_model::__private::Of::<__Variant1>::is_key(__pk, __sk) {
                return ::core::result::Result::Ok(
                    ::dynamo_model::__private::Of::<__Variant1>::SCHEMA,
                );
            }
            ::core::result::Result::Err(::dynamo_model::KeyError::no_entity("AppItem"))
        }
        fn entity(
            &self,
        ) -> ::core::option::Option<&'static ::dynamo_model::schema::EntitySchema> {
            match self {
                Self::User(_) => {
                    ::core::option::Option::Some(
                        ::dynamo_model::__private::Of::<__Variant0>::SCHEMA,
                    )
                }
                Self::Order(_) => {
                    ::core::option::Option::Some(
                        ::dynamo_model::__private::Of::<__Variant1>::SCHEMA,
                    )
                }
            }
        }
        fn key_attributes(
            &self,
        ) -> ::core::result::Result<
            ::std::vec::Vec<::dynamo_model::key::ItemKeyAttribute>,
            ::dynamo_model::KeyError,
        > {
            match self {
                Self::User(__entity) => {
                    ::dynamo_model::__private::Of::<__Variant0>::key_attributes(__entity)
                }
                Self::Order(__entity) => {
                    ::dynamo_model::__private::Of::<__Variant1>::key_attributes(__entity)
                }
            }
        }
    }
    #[automatically_derived]
    impl ::dynamo_model::membership::InItems<AppItem> for User {}
    #[automatically_derived]
    impl ::dynamo_model::membership::InItems<AppItem> for Order {}
    #[automatically_derived]
    impl ::dynamo_model::membership::ItemsEnum for AppItem {
        const NAME: &'static ::core::primitive::str = "AppItem";
        const ENTITIES: &'static [&'static ::dynamo_model::schema::EntitySchema] = <Self as ::dynamo_model::Items>::ENTITIES;
        const TABLE: ::core::option::Option<
            (&'static ::core::primitive::str, &'static ::core::primitive::str),
        > = ::dynamo_model::__private::names_of_items::<Self>();
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
    #[automatically_derived]
    impl<__M> ::dynamo_model::__private::ReadItems<__M> for AppItem
    where
        User: ::dynamo_model::__private::Decodable<__M>,
        Order: ::dynamo_model::__private::Decodable<__M>,
    {
        fn decode_as(
            __entity: ::core::primitive::usize,
            __item: ::dynamo_model::__private::StoredItem<'_>,
        ) -> ::core::result::Result<Self, ::dynamo_model::Error> {
            match __entity {
                0usize => {
                    <User as ::dynamo_model::__private::Decodable<__M>>::decode(__item)
                        .map(Self::User)
                }
                1usize => {
                    <Order as ::dynamo_model::__private::Decodable<__M>>::decode(__item)
                        .map(Self::Order)
                }
                _ => ::core::unreachable!(),
            }
        }
    }
    #[automatically_derived]
    impl AppItem {
        /// Queries all items of a partition of the table or of an index, in the order of their
        /// sort keys. Any entity of the enum gives the partition key.
        fn collection<__E, __I>(
            partition: ::core::result::Result<
                ::dynamo_model::key::PartitionKey<__E, __I>,
                ::dynamo_model::KeyError,
            >,
        ) -> ::dynamo_model::read::Collection<Self, __I>
        where
            __E: ::dynamo_model::membership::InItems<Self>,
        {
            ::dynamo_model::read::Query::new(
                partition,
                ::dynamo_model::__private::any_sort_key(),
            )
        }
        /// Everything in the table. Reads, and pays for, all of it.
        #[inline]
        fn scan() -> ::dynamo_model::read::Scan<::dynamo_model::read::AnyOf<Self>>
        where
            for<'__t> Self: ::dynamo_model::membership::MayScanAll,
        {
            ::dynamo_model::read::Scan::new()
        }
    }
    #[automatically_derived]
    impl<__K> ::dynamo_model::bounds::CanWrite<__K> for AppItem
    where
        User: ::dynamo_model::bounds::CanWrite<__K>,
        Order: ::dynamo_model::bounds::CanWrite<__K>,
    {
        fn entity_item(&self) -> ::dynamo_model::__private::EntityItem {
            match self {
                Self::User(__entity) => {
                    <User as ::dynamo_model::bounds::CanWrite<
                        __K,
                    >>::entity_item(__entity)
                }
                Self::Order(__entity) => {
                    <Order as ::dynamo_model::bounds::CanWrite<
                        __K,
                    >>::entity_item(__entity)
                }
            }
        }
        fn delete_request(&self) -> ::dynamo_model::__private::DeleteRequest {
            match self {
                Self::User(__entity) => {
                    <User as ::dynamo_model::bounds::CanWrite<
                        __K,
                    >>::delete_request(__entity)
                }
                Self::Order(__entity) => {
                    <Order as ::dynamo_model::bounds::CanWrite<
                        __K,
                    >>::delete_request(__entity)
                }
            }
        }
    }
    const _: () = ::dynamo_model::__private::check::same_table(
            &::dynamo_model::__private::table_of_items::<AppItem>(),
            &::dynamo_model::__private::Of::<__Variant0>::TABLE,
            ::dynamo_model::__private::Of::<__Variant0>::SCHEMA,
        )
        .enforce();
    const _: () = ::dynamo_model::__private::check::distinct(
            <AppItem as ::dynamo_model::Items>::ENTITIES,
            0usize,
        )
        .enforce();
    const _: () = ::dynamo_model::__private::check::same_table(
            &::dynamo_model::__private::table_of_items::<AppItem>(),
            &::dynamo_model::__private::Of::<__Variant1>::TABLE,
            ::dynamo_model::__private::Of::<__Variant1>::SCHEMA,
        )
        .enforce();
    const _: () = ::dynamo_model::__private::check::distinct(
            <AppItem as ::dynamo_model::Items>::ENTITIES,
            1usize,
        )
        .enforce();
};
