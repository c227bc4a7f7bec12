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
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::dynamo_model as __dm;
    use ::dynamo_model::__private::Unprobed as _;
    pub struct User_user_id<__Part: ?::core::marker::Sized = String> {
        of: ::core::marker::PhantomData<fn() -> User>,
        part: ::core::marker::PhantomData<__Part>,
    }
    impl __dm::__private::Field for User_user_id<String> {
        type Part = String;
    }
    pub struct User_email<__Part: ?::core::marker::Sized = Email> {
        of: ::core::marker::PhantomData<fn() -> User>,
        part: ::core::marker::PhantomData<__Part>,
    }
    impl __dm::__private::Field for User_email<Email> {
        type Part = Email;
    }
    pub struct __Entity;
    impl __dm::membership::EntityOf for __Entity {
        type Table = App;
    }
    impl<
        '__a,
        ATableOfAnotherCrateNeedsTheOptionForeign,
    > __dm::membership::SeveralEntitiesNeedAnItemsEnum<
        '__a,
        ATableOfAnotherCrateNeedsTheOptionForeign,
    > for App
    where
        __Entity: __dm::membership::Occupies<
            '__a,
            Slot = ATableOfAnotherCrateNeedsTheOptionForeign,
        >,
    {}
    #[automatically_derived]
    impl __dm::__private::ItemEntity for User {}
    #[automatically_derived]
    impl __dm::Entity for User {
        type Table = App;
        const SCHEMA: __dm::schema::EntitySchema = __dm::schema::EntitySchema::new(
                "User",
                ::core::option::Option::None,
                (
                    &__dm::schema::Template::new(
                        "User",
                        __dm::schema::Role::PartitionKey,
                        "USER#<user_id>",
                        "USER#",
                        &[
                            __dm::schema::PartSchema::new::<
                                User_user_id,
                            >("user_id", __dm::schema::Spec::PLAIN, "")
                                .closing(35u8),
                        ],
                    ),
                    ::core::option::Option::None,
                ),
                &[
                    __dm::schema::EntityIndex::new(
                        __dm::schema::IndexId::Gsi(1u8),
                        "by_email",
                        (
                            &__dm::schema::Template::new(
                                "User",
                                __dm::schema::Role::PartitionKey,
                                "EMAIL#<email>",
                                "EMAIL#",
                                &[
                                    __dm::schema::PartSchema::new::<
                                        User_email,
                                    >("email", __dm::schema::Spec::PLAIN, "")
                                        .closing(35u8),
                                ],
                            ),
                            ::core::option::Option::None,
                        ),
                        false,
                    ),
                ],
                &[
                    __dm::schema::AttributeSchema::declared(
                        "user_id",
                        "user_id",
                        __dm::schema::AttributeRole::Data,
                        "String",
                        "",
                        true,
                    ),
                    __dm::schema::AttributeSchema::declared(
                            "email",
                            "email",
                            __dm::schema::AttributeRole::Data,
                            "Email",
                            "",
                            true,
                        )
                        .optional(<__dm::__private::Probe<Email>>::OPTIONAL)
                        .formed(
                            <__dm::__private::Probe<Email>>::FORM
                                .of(<__dm::__private::Probe<Email>>::ELEMENTS),
                        ),
                ],
            )
            .declared_in(::core::concat!(::core::module_path!(), ":", ::core::line!()));
        #[inline]
        fn __part(
            &self,
            __field: &::core::primitive::str,
        ) -> ::core::option::Option<__dm::key::PartValue<'_>> {
            match __field {
                "user_id" => {
                    ::core::option::Option::Some(
                        __dm::__private::value::<User_user_id>(&self.user_id),
                    )
                }
                "email" => {
                    ::core::option::Option::Some(
                        __dm::__private::value::<User_email>(&self.email),
                    )
                }
                _ => ::core::option::Option::None,
            }
        }
    }
    ///The fields in the key of the table: partition key `USER#<user_id>`.
    pub struct PrimaryPartsOf_User {
        ///`user_id`, from the key.
        pub user_id: String,
        __entity: ::core::marker::PhantomData<fn() -> User>,
    }
    #[automatically_derived]
    impl ::core::clone::Clone for PrimaryPartsOf_User {
        #[inline]
        fn clone(&self) -> Self {
            Self {
                user_id: ::core::clone::Clone::clone(&self.user_id),
                __entity: ::core::marker::PhantomData,
            }
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Debug for PrimaryPartsOf_User {
        #[inline]
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            __dm::__private::show(__f, "User::key", &[("user_id", &self.user_id)])
        }
    }
    #[automatically_derived]
    impl ::core::cmp::PartialEq for PrimaryPartsOf_User {
        #[inline]
        fn eq(&self, __other: &Self) -> ::core::primitive::bool {
            true && self.user_id == __other.user_id
        }
    }
    #[automatically_derived]
    impl ::core::cmp::Eq for PrimaryPartsOf_User {}
    #[automatically_derived]
    impl __dm::bounds::IndexedBy<__dm::index::Primary> for User {
        type Parts = PrimaryPartsOf_User;
        #[inline]
        fn parse(
            __pk: __dm::key::KeyRef<'_>,
            __sk: ::core::option::Option<__dm::key::KeyRef<'_>>,
        ) -> ::core::result::Result<Self::Parts, __dm::KeyError> {
            let (user_id, ()) = __dm::__private::parts::<
                Self,
                __dm::index::Primary,
                (User_user_id, ()),
            >(__pk, __sk)?;
            ::core::result::Result::Ok(PrimaryPartsOf_User {
                user_id,
                __entity: ::core::marker::PhantomData,
            })
        }
    }
    ///The fields in the key of the index `gsi1`: partition key `EMAIL#<email>`.
    pub struct Gsi1PartsOf_User {
        ///`email`, from the key.
        pub email: Email,
        __entity: ::core::marker::PhantomData<fn() -> User>,
    }
    #[automatically_derived]
    impl ::core::clone::Clone for Gsi1PartsOf_User
    where
        for<'__t> Email: ::core::clone::Clone,
    {
        #[inline]
        fn clone(&self) -> Self {
            Self {
                email: ::core::clone::Clone::clone(&self.email),
                __entity: ::core::marker::PhantomData,
            }
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Debug for Gsi1PartsOf_User
    where
        for<'__t> Email: ::core::fmt::Debug,
    {
        #[inline]
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            __dm::__private::show(__f, "User::by_email_key", &[("email", &self.email)])
        }
    }
    #[automatically_derived]
    impl ::core::cmp::PartialEq for Gsi1PartsOf_User
    where
        for<'__t> Email: ::core::cmp::PartialEq,
    {
        #[inline]
        fn eq(&self, __other: &Self) -> ::core::primitive::bool {
            true && self.email == __other.email
        }
    }
    #[automatically_derived]
    impl ::core::cmp::Eq for Gsi1PartsOf_User
    where
        for<'__t> Email: ::core::cmp::Eq,
    {}
    #[automatically_derived]
    impl __dm::bounds::IndexedBy<__dm::index::Gsi1> for User {
        type Parts = Gsi1PartsOf_User;
        #[inline]
        fn parse(
            __pk: __dm::key::KeyRef<'_>,
            __sk: ::core::option::Option<__dm::key::KeyRef<'_>>,
        ) -> ::core::result::Result<Self::Parts, __dm::KeyError> {
            let (email, ()) = __dm::__private::parts::<
                Self,
                __dm::index::Gsi1,
                (User_email, ()),
            >(__pk, __sk)?;
            ::core::result::Result::Ok(Gsi1PartsOf_User {
                email,
                __entity: ::core::marker::PhantomData,
            })
        }
    }
    #[automatically_derived]
    impl User {
        ///The key in the table: partition key `USER#<user_id>`.
        #[inline]
        pub fn key(
            user_id: impl __dm::key::AsKeyPart<String>,
        ) -> ::core::result::Result<
            __dm::Key<Self, __dm::index::Primary>,
            __dm::KeyError,
        > {
            __dm::Key::of_one([__dm::__private::argument::<User_user_id, _>(&user_id)])
        }
        ///The partition key in the table: `USER#<user_id>`.
        #[inline]
        pub fn partition_key(
            user_id: impl __dm::key::AsKeyPart<String>,
        ) -> ::core::result::Result<
            __dm::key::PartitionKey<Self, __dm::index::Primary>,
            __dm::KeyError,
        > {
            __dm::__private::partition::<
                Self,
                __dm::index::Primary,
                _,
            >([__dm::__private::argument::<User_user_id, _>(&user_id)])
        }
        ///The fields, from a stored key of the table: partition key `USER#<user_id>`.
        pub fn parse_key<'__k, __P: ::core::convert::Into<__dm::key::KeyRef<'__k>>>(
            pk: __P,
        ) -> ::core::result::Result<
            __dm::bounds::KeyParts<Self, __dm::index::Primary>,
            __dm::KeyError,
        > {
            <Self as __dm::bounds::IndexedBy<
                __dm::index::Primary,
            >>::parse(pk.into(), ::core::option::Option::None)
        }
        ///The key in the index `gsi1`: partition key `EMAIL#<email>`.
        #[inline]
        pub fn by_email_key(
            email: impl __dm::key::AsKeyPart<Email>,
        ) -> ::core::result::Result<__dm::Key<Self, __dm::index::Gsi1>, __dm::KeyError> {
            __dm::Key::of_one([__dm::__private::argument::<User_email, _>(&email)])
        }
        ///The partition key in the index `gsi1`: `EMAIL#<email>`.
        #[inline]
        pub fn by_email_partition_key(
            email: impl __dm::key::AsKeyPart<Email>,
        ) -> ::core::result::Result<
            __dm::key::PartitionKey<Self, __dm::index::Gsi1>,
            __dm::KeyError,
        > {
            __dm::__private::partition::<
                Self,
                __dm::index::Gsi1,
                _,
            >([__dm::__private::argument::<User_email, _>(&email)])
        }
        ///The fields, from a stored key of the index `gsi1`: partition key `EMAIL#<email>`.
        pub fn parse_by_email_key<
            '__k,
            __P: ::core::convert::Into<__dm::key::KeyRef<'__k>>,
        >(
            pk: __P,
        ) -> ::core::result::Result<
            __dm::bounds::KeyParts<Self, __dm::index::Gsi1>,
            __dm::KeyError,
        > {
            <Self as __dm::bounds::IndexedBy<
                __dm::index::Gsi1,
            >>::parse(pk.into(), ::core::option::Option::None)
        }
        #[doc(hidden)]
        pub fn get(_: impl ::core::marker::Sized)
        where
            for<'__a> __dm::features::Disabled: __dm::features::Client<'__a>,
        {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn update(_: impl ::core::marker::Sized)
        where
            for<'__a> __dm::features::Disabled: __dm::features::Client<'__a>,
        {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn upsert(_: impl ::core::marker::Sized)
        where
            for<'__a> __dm::features::Disabled: __dm::features::Client<'__a>,
        {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn delete(_: impl ::core::marker::Sized)
        where
            for<'__a> __dm::features::Disabled: __dm::features::Client<'__a>,
        {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn query(_: impl ::core::marker::Sized)
        where
            for<'__a> __dm::features::Disabled: __dm::features::Client<'__a>,
        {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn by_email(_: impl ::core::marker::Sized)
        where
            for<'__a> __dm::features::Disabled: __dm::features::Client<'__a>,
        {
            ::core::unreachable!()
        }
        #[doc(hidden)]
        pub fn scan()
        where
            for<'__a> __dm::features::Disabled: __dm::features::Client<'__a>,
        {
            ::core::unreachable!()
        }
    }
    const __RULES: &__dm::__private::check::Rules = &__dm::__private::check::Rules::of::<
        User,
    >();
    const _: () = {
        __RULES.sort_key();
        __RULES.member();
        __RULES.entity_type();
        __RULES.key_type(0usize, false);
    };
    const _: () = {
        __RULES.index_key(1usize);
        __RULES.key_type(1usize, false);
    };
    const _: () = {
        __RULES.attribute(0usize);
        __RULES.attribute(1usize);
    };
};
