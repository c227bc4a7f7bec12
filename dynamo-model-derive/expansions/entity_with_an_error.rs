::core::compile_error! {
    "`User` has no field `usr_id`; did you mean `<user_id>`?"
}
#[doc(hidden)]
#[allow(
    dead_code,
    missing_docs,
    missing_debug_implementations,
    non_camel_case_types,
    private_bounds,
    private_interfaces,
    unnameable_types,
    unreachable_pub,
    unused_variables,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    #[automatically_derived]
    impl ::dynamo_model::__private::ItemEntity for User {}
    #[automatically_derived]
    impl ::dynamo_model::Entity for User {
        type Table = App;
        const SCHEMA: ::dynamo_model::schema::EntitySchema = ::dynamo_model::schema::EntitySchema::incomplete(
            "User",
        );
        fn __part(
            &self,
            _: &::core::primitive::str,
        ) -> ::core::option::Option<::dynamo_model::key::PartValue<'_>> {
            ::core::unreachable!()
        }
    }
    pub struct PrimaryPartsOf_User {
        ///`user_id`, from the key.
        pub user_id: String,
        __entity: ::core::marker::PhantomData<fn() -> User>,
    }
    #[automatically_derived]
    impl ::core::clone::Clone for PrimaryPartsOf_User
    where
        for<'__t> String: ::core::clone::Clone,
    {
        #[inline]
        fn clone(&self) -> Self {
            Self {
                user_id: ::core::clone::Clone::clone(&self.user_id),
                __entity: ::core::marker::PhantomData,
            }
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Debug for PrimaryPartsOf_User
    where
        for<'__t> String: ::core::fmt::Debug,
    {
        #[inline]
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            ::dynamo_model::__private::show(__f, "", &[("user_id", &self.user_id)])
        }
    }
    #[automatically_derived]
    impl ::core::cmp::PartialEq for PrimaryPartsOf_User
    where
        for<'__t> String: ::core::cmp::PartialEq,
    {
        #[inline]
        fn eq(&self, __other: &Self) -> ::core::primitive::bool {
            true && self.user_id == __other.user_id
        }
    }
    #[automatically_derived]
    impl ::core::cmp::Eq for PrimaryPartsOf_User
    where
        for<'__t> String: ::core::cmp::Eq,
    {}
    #[automatically_derived]
    impl ::dynamo_model::bounds::IndexedBy<::dynamo_model::index::Primary> for User {
        type Parts = PrimaryPartsOf_User;
        fn parse(
            _: ::dynamo_model::key::KeyRef<'_>,
            _: ::core::option::Option<::dynamo_model::key::KeyRef<'_>>,
        ) -> ::core::result::Result<Self::Parts, ::dynamo_model::KeyError> {
            ::core::unreachable!()
        }
    }
    #[automatically_derived]
    impl User {
        #[doc(hidden)]
        pub fn key(
            __argument0: impl ::core::marker::Sized,
        ) -> ::core::result::Result<
            ::dynamo_model::Key<Self, ::dynamo_model::index::Primary>,
            ::dynamo_model::KeyError,
        > {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn partition_key(
            __argument0: impl ::core::marker::Sized,
        ) -> ::core::result::Result<
            ::dynamo_model::key::PartitionKey<Self, ::dynamo_model::index::Primary>,
            ::dynamo_model::KeyError,
        > {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn parse_key(
            __pk: impl ::core::marker::Sized,
        ) -> ::core::result::Result<
            ::dynamo_model::bounds::KeyParts<Self, ::dynamo_model::index::Primary>,
            ::dynamo_model::KeyError,
        > {
            ::core::unreachable!()
        }
    }
    #[automatically_derived]
    impl User {
        #[doc(hidden)]
        pub fn get(
            __argument0: impl ::core::marker::Sized,
        ) -> ::dynamo_model::read::Get<Self> {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn scan() -> ::dynamo_model::read::Scan<Self> {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn update(
            __argument0: impl ::core::marker::Sized,
        ) -> ::dynamo_model::write::Update<Self> {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn upsert(
            __argument0: impl ::core::marker::Sized,
        ) -> ::dynamo_model::write::Upsert<Self> {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn delete(
            __argument0: impl ::core::marker::Sized,
        ) -> ::dynamo_model::write::Delete<Self> {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn r#query(
            __argument0: impl ::core::marker::Sized,
        ) -> QueryOf_User<
            Self,
            ::dynamo_model::index::Primary,
            ::dynamo_model::__private::Complete,
        > {
            ::core::unreachable!()
        }
    }
    #[automatically_derived]
    impl ::dynamo_model::__private::Readable for User {}
    #[automatically_derived]
    impl ::dynamo_model::__private::OwnedFields for User {}
    pub struct QueryOf_User<__E, __I, __P>(
        ::dynamo_model::__private::OpenQuery<__E, __I>,
        ::core::marker::PhantomData<fn() -> __P>,
    );
    impl<__E, __I, __P> QueryOf_User<__E, __I, __P> {
        pub fn r#user_id(self, _: impl ::core::marker::Sized) -> Self {
            self
        }
        pub fn r#user_id_in(self, _: impl ::core::marker::Sized) -> Self {
            self
        }
        pub fn r#user_id_prefix(self, _: impl ::core::marker::Sized) -> Self {
            self
        }
        ::dynamo_model::__query_methods!(
            __E, __I, __P, ::dynamo_model::__private::InOrder
        );
    }
    pub struct FieldsOf_User<__I>(::core::marker::PhantomData<fn() -> (User, __I)>);
    #[automatically_derived]
    impl<__I> FieldsOf_User<__I> {
        ///The attribute `user_id`.
        pub fn user_id(&self) -> ::dynamo_model::expr::Path<String> {
            ::dynamo_model::expr::Path::attribute("user_id")
        }
    }
    #[automatically_derived]
    impl ::dynamo_model::__private::HasFields for User {
        type Fields<__I> = FieldsOf_User<__I>;
        fn fields<__I>() -> Self::Fields<__I> {
            ::core::unreachable!()
        }
    }
    pub struct ChangesOf_User<__K>(::core::marker::PhantomData<fn() -> (User, __K)>);
    #[automatically_derived]
    impl<__K> ChangesOf_User<__K> {
        pub fn user_id(&self) -> ::dynamo_model::__private::StubSlot<String> {
            ::core::unreachable!()
        }
    }
    #[automatically_derived]
    impl ChangesOf_User<::dynamo_model::__private::Loaded> {}
    #[automatically_derived]
    impl<__W> ChangesOf_User<::dynamo_model::__private::ByKey<__W>> {}
    #[automatically_derived]
    impl ::dynamo_model::__private::Writable for User {
        type Whole = Self;
        fn whole(&self) -> &Self {
            ::core::unreachable!()
        }
        type Uniques = ::dynamo_model::__private::NoUniques;
        type Version = ::dynamo_model::__private::UnknownVersion;
        type TypeCheck = ::dynamo_model::membership::AnyType;
        type Immutables = ::dynamo_model::__private::NoImmutables;
        type Changes<__K> = ChangesOf_User<__K>;
        fn changes<__K>() -> Self::Changes<__K> {
            ::core::unreachable!()
        }
        const STAMPS: &'static [::dynamo_model::__private::Stamp] = &[];
    }
    #[automatically_derived]
    impl ::dynamo_model::__private::Expires for User {}
    #[automatically_derived]
    impl ::dynamo_model::__private::Touched for User {}
};
