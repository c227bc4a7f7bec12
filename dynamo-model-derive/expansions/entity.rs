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
    pub struct Order_user_id<__Part: ?::core::marker::Sized = UserId> {
        of: ::core::marker::PhantomData<fn() -> Order>,
        part: ::core::marker::PhantomData<__Part>,
    }
    impl ::dynamo_model::__private::Field for Order_user_id<UserId> {
        type Part = UserId;
        const NAME: &'static ::core::primitive::str = "user_id";
    }
    pub struct Order_placed_at<__Part: ?::core::marker::Sized = Timestamp> {
        of: ::core::marker::PhantomData<fn() -> Order>,
        part: ::core::marker::PhantomData<__Part>,
    }
    impl ::dynamo_model::__private::Field for Order_placed_at<Timestamp> {
        type Part = Timestamp;
        const NAME: &'static ::core::primitive::str = "placed_at";
    }
    pub struct Order_number<__Part: ?::core::marker::Sized = u32> {
        of: ::core::marker::PhantomData<fn() -> Order>,
        part: ::core::marker::PhantomData<__Part>,
    }
    impl ::dynamo_model::__private::Field for Order_number<u32> {
        type Part = u32;
        const NAME: &'static ::core::primitive::str = "number";
    }
    pub struct Order_coupon<__Part: ?::core::marker::Sized = String> {
        of: ::core::marker::PhantomData<fn() -> Order>,
        part: ::core::marker::PhantomData<__Part>,
    }
    impl ::dynamo_model::__private::Field for Order_coupon<String> {
        type Part = String;
        const NAME: &'static ::core::primitive::str = "coupon";
    }
    struct __Keys(::core::marker::PhantomData<fn() -> Order>);
    impl __Keys {
        const PRIMARY_PK_PARTS: &'static [::dynamo_model::schema::PartSchema] = &[
            ::dynamo_model::schema::PartSchema::new::<
                Order_user_id,
            >(::dynamo_model::schema::Spec::Plain, "")
                .closing(35u8),
        ];
        const PRIMARY_PK: &'static ::dynamo_model::schema::Template = &::dynamo_model::schema::Template::new(
            "Order",
            ::dynamo_model::schema::Role::PartitionKey,
            "USER#<user_id>",
            "USER#",
            Self::PRIMARY_PK_PARTS,
        );
        const PRIMARY_SK_PARTS: &'static [::dynamo_model::schema::PartSchema] = &[
            ::dynamo_model::schema::PartSchema::new::<
                Order_placed_at,
            >(
                ::dynamo_model::schema::Spec::Precision(
                    ::dynamo_model::schema::Precision::Millis,
                ),
                "#",
            ),
            ::dynamo_model::schema::PartSchema::new::<
                Order_number,
            >(::dynamo_model::schema::Spec::Padded(6u8), ""),
        ];
        const PRIMARY_SK: &'static ::dynamo_model::schema::Template = &::dynamo_model::schema::Template::new(
            "Order",
            ::dynamo_model::schema::Role::SortKey,
            "ORDER#<placed_at:ms>#<number:06>",
            "ORDER#",
            Self::PRIMARY_SK_PARTS,
        );
        const GSI1_PK_PARTS: &'static [::dynamo_model::schema::PartSchema] = &[
            ::dynamo_model::schema::PartSchema::new::<
                Order_coupon,
            >(::dynamo_model::schema::Spec::Plain, "")
                .closing(35u8),
        ];
        const GSI1_PK: &'static ::dynamo_model::schema::Template = &::dynamo_model::schema::Template::new(
            "Order",
            ::dynamo_model::schema::Role::PartitionKey,
            "COUPON#<coupon>",
            "COUPON#",
            Self::GSI1_PK_PARTS,
        );
        const GSI1_SK_PARTS: &'static [::dynamo_model::schema::PartSchema] = &[
            ::dynamo_model::schema::PartSchema::new::<
                Order_placed_at,
            >(
                ::dynamo_model::schema::Spec::Precision(
                    ::dynamo_model::schema::Precision::Millis,
                ),
                "#",
            ),
            ::dynamo_model::schema::PartSchema::new::<
                Order_number,
            >(::dynamo_model::schema::Spec::Padded(6u8), ""),
        ];
        const GSI1_SK: &'static ::dynamo_model::schema::Template = &::dynamo_model::schema::Template::new(
            "Order",
            ::dynamo_model::schema::Role::SortKey,
            "ORDER#<placed_at:ms>#<number:06>",
            "ORDER#",
            Self::GSI1_SK_PARTS,
        );
    }
    #[automatically_derived]
    impl ::dynamo_model::__private::ItemEntity for Order {}
    #[automatically_derived]
    impl ::dynamo_model::Entity for Order {
        type Table = App;
        const SCHEMA: ::dynamo_model::schema::EntitySchema = ::dynamo_model::schema::EntitySchema::new(
            "Order",
            ::core::option::Option::Some("ORDER"),
            (<__Keys>::PRIMARY_PK, ::core::option::Option::Some(<__Keys>::PRIMARY_SK)),
            &[
                ::dynamo_model::schema::EntityIndex::new(
                    ::dynamo_model::schema::IndexId::Gsi(1u8),
                    "by_coupon",
                    (<__Keys>::GSI1_PK, ::core::option::Option::Some(<__Keys>::GSI1_SK)),
                    true,
                ),
            ],
            &[
                ::dynamo_model::schema::AttributeSchema::new(
                        "user_id",
                        "userId",
                        ::dynamo_model::schema::AttributeRole::Data,
                    )
                    .described("UserId", "")
                    .into_required(),
                ::dynamo_model::schema::AttributeSchema::new(
                        "placed_at",
                        "placedAt",
                        ::dynamo_model::schema::AttributeRole::Data,
                    )
                    .described("Timestamp", "")
                    .into_required(),
                ::dynamo_model::schema::AttributeSchema::new(
                        "number",
                        "number",
                        ::dynamo_model::schema::AttributeRole::Data,
                    )
                    .described("u32", "")
                    .into_required(),
                ::dynamo_model::schema::AttributeSchema::new(
                        "coupon",
                        "coupon",
                        ::dynamo_model::schema::AttributeRole::Data,
                    )
                    .described("Option<String>", ""),
                ::dynamo_model::schema::AttributeSchema::new(
                        "version",
                        "version",
                        ::dynamo_model::schema::AttributeRole::Version,
                    )
                    .described("u64", "")
                    .into_required(),
            ],
        );
        fn primary_key(
            &self,
        ) -> ::core::result::Result<
            ::dynamo_model::Key<Self>,
            ::dynamo_model::KeyError,
        > {
            <__Keys>::primary_of(self)
        }
        fn key_attributes(
            &self,
        ) -> ::core::result::Result<
            ::std::vec::Vec<::dynamo_model::ItemKeyAttribute>,
            ::dynamo_model::KeyError,
        > {
            let mut __attributes = ::dynamo_model::__private::KeyAttributes::with_capacity(
                4usize,
            );
            __attributes
                .add(
                    <Self as ::dynamo_model::IndexedBy<
                        ::dynamo_model::index::Primary,
                    >>::key_in(self)?,
                );
            __attributes
                .add(
                    <Self as ::dynamo_model::IndexedBy<
                        ::dynamo_model::index::Gsi1,
                    >>::key_in(self)?,
                );
            ::core::result::Result::Ok(__attributes.finish())
        }
    }
    impl __Keys {
        #[inline]
        fn primary(
            __value0: ::dynamo_model::PartValue<'_>,
            __value1: ::dynamo_model::PartValue<'_>,
            __value2: ::dynamo_model::PartValue<'_>,
        ) -> ::core::result::Result<
            ::dynamo_model::Key<Order, ::dynamo_model::index::Primary>,
            ::dynamo_model::KeyError,
        > {
            ::core::result::Result::Ok(
                ::dynamo_model::Key::new(
                    Self::PRIMARY_PK
                        .build(
                            const {
                                ::dynamo_model::__private::key_type::<
                                    Order,
                                    ::dynamo_model::index::Primary,
                                >(::dynamo_model::schema::Role::PartitionKey)
                            },
                            [__value0],
                        )?,
                    ::core::option::Option::Some(
                        Self::PRIMARY_SK
                            .build(
                                const {
                                    ::dynamo_model::__private::key_type::<
                                        Order,
                                        ::dynamo_model::index::Primary,
                                    >(::dynamo_model::schema::Role::SortKey)
                                },
                                [__value1, __value2],
                            )?,
                    ),
                ),
            )
        }
        fn primary_of(
            __entity: &Order,
        ) -> ::core::result::Result<
            ::dynamo_model::Key<Order, ::dynamo_model::index::Primary>,
            ::dynamo_model::KeyError,
        > {
            let __value0 = ::dynamo_model::__private::value::<
                Order_user_id,
            >(&__entity.user_id);
            let __value1 = ::dynamo_model::__private::value::<
                Order_placed_at,
            >(&__entity.placed_at);
            let __value2 = ::dynamo_model::__private::value::<
                Order_number,
            >(&__entity.number);
            Self::primary(__value0, __value1, __value2)
        }
    }
    #[automatically_derived]
    impl Order {
        ///The key in the table: partition key `USER#<user_id>`, sort key `ORDER#<placed_at:ms>#<number:06>`.
        #[inline]
        pub fn key(
            user_id: impl ::dynamo_model::AsKeyPart<UserId>,
            placed_at: impl ::dynamo_model::AsKeyPart<Timestamp>,
            number: impl ::dynamo_model::AsKeyPart<u32>,
        ) -> ::core::result::Result<
            ::dynamo_model::Key<Self, ::dynamo_model::index::Primary>,
            ::dynamo_model::KeyError,
        > {
            <__Keys>::primary(
                ::dynamo_model::__private::argument::<Order_user_id, _>(&user_id),
                ::dynamo_model::__private::argument::<Order_placed_at, _>(&placed_at),
                ::dynamo_model::__private::argument::<Order_number, _>(&number),
            )
        }
        ///The partition key in the table: `USER#<user_id>`.
        #[inline]
        pub fn partition_key(
            user_id: impl ::dynamo_model::AsKeyPart<UserId>,
        ) -> ::core::result::Result<::dynamo_model::KeyValue, ::dynamo_model::KeyError> {
            <__Keys>::PRIMARY_PK
                .build(
                    const {
                        ::dynamo_model::__private::key_type::<
                            Self,
                            ::dynamo_model::index::Primary,
                        >(::dynamo_model::schema::Role::PartitionKey)
                    },
                    [::dynamo_model::__private::argument::<Order_user_id, _>(&user_id)],
                )
        }
        ///The fields, from a stored key of the table: partition key `USER#<user_id>`, sort key `ORDER#<placed_at:ms>#<number:06>`.
        pub fn parse_key<
            '__k,
            __P: ::core::convert::Into<::dynamo_model::KeyRef<'__k>>,
            __S: ::core::convert::Into<::dynamo_model::KeyRef<'__k>>,
        >(
            pk: __P,
            sk: __S,
        ) -> ::core::result::Result<
            ::dynamo_model::KeyParts<Self, ::dynamo_model::index::Primary>,
            ::dynamo_model::KeyError,
        > {
            <Self as ::dynamo_model::IndexedBy<
                ::dynamo_model::index::Primary,
            >>::parse(pk.into(), ::core::option::Option::Some(sk.into()))
        }
    }
    ///The fields in the key of the table: partition key `USER#<user_id>`, sort key `ORDER#<placed_at:ms>#<number:06>`.
    pub struct __PrimaryParts {
        ///`user_id`, from the key.
        pub user_id: UserId,
        ///`placed_at`, from the key.
        pub placed_at: Timestamp,
        ///`number`, from the key.
        pub number: u32,
        __entity: ::core::marker::PhantomData<fn() -> Order>,
    }
    #[automatically_derived]
    impl ::core::clone::Clone for __PrimaryParts
    where
        for<'__t> UserId: ::core::clone::Clone,
        for<'__t> Timestamp: ::core::clone::Clone,
        for<'__t> u32: ::core::clone::Clone,
    {
        fn clone(&self) -> Self {
            Self {
                user_id: ::core::clone::Clone::clone(&self.user_id),
                placed_at: ::core::clone::Clone::clone(&self.placed_at),
                number: ::core::clone::Clone::clone(&self.number),
                __entity: ::core::marker::PhantomData,
            }
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Debug for __PrimaryParts
    where
        for<'__t> UserId: ::core::fmt::Debug,
        for<'__t> Timestamp: ::core::fmt::Debug,
        for<'__t> u32: ::core::fmt::Debug,
    {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            __f.debug_struct("Order::key")
                .field("user_id", &self.user_id)
                .field("placed_at", &self.placed_at)
                .field("number", &self.number)
                .finish()
        }
    }
    #[automatically_derived]
    impl ::core::cmp::PartialEq for __PrimaryParts
    where
        for<'__t> UserId: ::core::cmp::PartialEq,
        for<'__t> Timestamp: ::core::cmp::PartialEq,
        for<'__t> u32: ::core::cmp::PartialEq,
    {
        fn eq(&self, __other: &Self) -> ::core::primitive::bool {
            true && self.user_id == __other.user_id
                && self.placed_at == __other.placed_at && self.number == __other.number
        }
    }
    #[automatically_derived]
    impl ::core::cmp::Eq for __PrimaryParts
    where
        for<'__t> UserId: ::core::cmp::Eq,
        for<'__t> Timestamp: ::core::cmp::Eq,
        for<'__t> u32: ::core::cmp::Eq,
    {}
    #[automatically_derived]
    impl ::dynamo_model::IndexedBy<::dynamo_model::index::Primary> for Order {
        type Parts = __PrimaryParts;
        fn key_in(
            &self,
        ) -> ::core::result::Result<
            ::core::option::Option<
                ::dynamo_model::Key<Self, ::dynamo_model::index::Primary>,
            >,
            ::dynamo_model::KeyError,
        > {
            <__Keys>::primary_of(self).map(::core::option::Option::Some)
        }
        fn parse(
            __pk: ::dynamo_model::KeyRef<'_>,
            __sk: ::core::option::Option<::dynamo_model::KeyRef<'_>>,
        ) -> ::core::result::Result<Self::Parts, ::dynamo_model::KeyError> {
            let __pk: [::dynamo_model::__private::RawPart<'_>; 1usize] = <__Keys>::PRIMARY_PK
                .split(
                    ::dynamo_model::__private::key_type::<
                        Self,
                        ::dynamo_model::index::Primary,
                    >(::dynamo_model::schema::Role::PartitionKey),
                    __pk,
                )?;
            let __sk: [::dynamo_model::__private::RawPart<'_>; 2usize] = <__Keys>::PRIMARY_SK
                .split(
                    ::dynamo_model::__private::key_type::<
                        Self,
                        ::dynamo_model::index::Primary,
                    >(::dynamo_model::schema::Role::SortKey),
                    ::dynamo_model::__private::expect_sort_key(
                        <__Keys>::PRIMARY_SK,
                        __sk,
                    )?,
                )?;
            let __value0 = ::dynamo_model::__private::decode::<
                Order_user_id,
            >(<__Keys>::PRIMARY_PK, 0usize, __pk[0usize])?;
            let __value1 = ::dynamo_model::__private::decode::<
                Order_placed_at,
            >(<__Keys>::PRIMARY_SK, 0usize, __sk[0usize])?;
            let __value2 = ::dynamo_model::__private::decode::<
                Order_number,
            >(<__Keys>::PRIMARY_SK, 1usize, __sk[1usize])?;
            ::core::result::Result::Ok(__PrimaryParts {
                user_id: __value0,
                placed_at: __value1,
                number: __value2,
                __entity: ::core::marker::PhantomData,
            })
        }
    }
    impl __Keys {
        #[inline]
        fn gsi1(
            __value0: ::dynamo_model::PartValue<'_>,
            __value1: ::dynamo_model::PartValue<'_>,
            __value2: ::dynamo_model::PartValue<'_>,
        ) -> ::core::result::Result<
            ::dynamo_model::Key<Order, ::dynamo_model::index::Gsi1>,
            ::dynamo_model::KeyError,
        > {
            ::core::result::Result::Ok(
                ::dynamo_model::Key::new(
                    Self::GSI1_PK
                        .build(
                            const {
                                ::dynamo_model::__private::key_type::<
                                    Order,
                                    ::dynamo_model::index::Gsi1,
                                >(::dynamo_model::schema::Role::PartitionKey)
                            },
                            [__value0],
                        )?,
                    ::core::option::Option::Some(
                        Self::GSI1_SK
                            .build(
                                const {
                                    ::dynamo_model::__private::key_type::<
                                        Order,
                                        ::dynamo_model::index::Gsi1,
                                    >(::dynamo_model::schema::Role::SortKey)
                                },
                                [__value1, __value2],
                            )?,
                    ),
                ),
            )
        }
        fn gsi1_of(
            __entity: &Order,
        ) -> ::core::result::Result<
            ::core::option::Option<
                ::dynamo_model::Key<Order, ::dynamo_model::index::Gsi1>,
            >,
            ::dynamo_model::KeyError,
        > {
            let ::core::option::Option::Some(__value0) = &__entity.coupon else {
                return ::core::result::Result::Ok(::core::option::Option::None);
            };
            let __value0 = ::dynamo_model::__private::value::<Order_coupon>(__value0);
            let __value1 = ::dynamo_model::__private::value::<
                Order_placed_at,
            >(&__entity.placed_at);
            let __value2 = ::dynamo_model::__private::value::<
                Order_number,
            >(&__entity.number);
            Self::gsi1(__value0, __value1, __value2).map(::core::option::Option::Some)
        }
    }
    #[automatically_derived]
    impl Order {
        ///The key in the index `gsi1`: partition key `COUPON#<coupon>`, sort key `ORDER#<placed_at:ms>#<number:06>`.
        #[inline]
        pub fn by_coupon_key(
            coupon: impl ::dynamo_model::AsKeyPart<String>,
            placed_at: impl ::dynamo_model::AsKeyPart<Timestamp>,
            number: impl ::dynamo_model::AsKeyPart<u32>,
        ) -> ::core::result::Result<
            ::dynamo_model::Key<Self, ::dynamo_model::index::Gsi1>,
            ::dynamo_model::KeyError,
        > {
            <__Keys>::gsi1(
                ::dynamo_model::__private::argument::<Order_coupon, _>(&coupon),
                ::dynamo_model::__private::argument::<Order_placed_at, _>(&placed_at),
                ::dynamo_model::__private::argument::<Order_number, _>(&number),
            )
        }
        ///The partition key in the index `gsi1`: `COUPON#<coupon>`.
        #[inline]
        pub fn by_coupon_partition_key(
            coupon: impl ::dynamo_model::AsKeyPart<String>,
        ) -> ::core::result::Result<::dynamo_model::KeyValue, ::dynamo_model::KeyError> {
            <__Keys>::GSI1_PK
                .build(
                    const {
                        ::dynamo_model::__private::key_type::<
                            Self,
                            ::dynamo_model::index::Gsi1,
                        >(::dynamo_model::schema::Role::PartitionKey)
                    },
                    [::dynamo_model::__private::argument::<Order_coupon, _>(&coupon)],
                )
        }
        ///The fields, from a stored key of the index `gsi1`: partition key `COUPON#<coupon>`, sort key `ORDER#<placed_at:ms>#<number:06>`.
        pub fn parse_by_coupon_key<
            '__k,
            __P: ::core::convert::Into<::dynamo_model::KeyRef<'__k>>,
            __S: ::core::convert::Into<::dynamo_model::KeyRef<'__k>>,
        >(
            pk: __P,
            sk: __S,
        ) -> ::core::result::Result<
            ::dynamo_model::KeyParts<Self, ::dynamo_model::index::Gsi1>,
            ::dynamo_model::KeyError,
        > {
            <Self as ::dynamo_model::IndexedBy<
                ::dynamo_model::index::Gsi1,
            >>::parse(pk.into(), ::core::option::Option::Some(sk.into()))
        }
    }
    ///The fields in the key of the index `gsi1`: partition key `COUPON#<coupon>`, sort key `ORDER#<placed_at:ms>#<number:06>`.
    pub struct __Gsi1Parts {
        ///`coupon`, from the key.
        pub coupon: String,
        ///`placed_at`, from the key.
        pub placed_at: Timestamp,
        ///`number`, from the key.
        pub number: u32,
        __entity: ::core::marker::PhantomData<fn() -> Order>,
    }
    #[automatically_derived]
    impl ::core::clone::Clone for __Gsi1Parts
    where
        for<'__t> String: ::core::clone::Clone,
        for<'__t> Timestamp: ::core::clone::Clone,
        for<'__t> u32: ::core::clone::Clone,
    {
        fn clone(&self) -> Self {
            Self {
                coupon: ::core::clone::Clone::clone(&self.coupon),
                placed_at: ::core::clone::Clone::clone(&self.placed_at),
                number: ::core::clone::Clone::clone(&self.number),
                __entity: ::core::marker::PhantomData,
            }
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Debug for __Gsi1Parts
    where
        for<'__t> String: ::core::fmt::Debug,
        for<'__t> Timestamp: ::core::fmt::Debug,
        for<'__t> u32: ::core::fmt::Debug,
    {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            __f.debug_struct("Order::by_coupon_key")
                .field("coupon", &self.coupon)
                .field("placed_at", &self.placed_at)
                .field("number", &self.number)
                .finish()
        }
    }
    #[automatically_derived]
    impl ::core::cmp::PartialEq for __Gsi1Parts
    where
        for<'__t> String: ::core::cmp::PartialEq,
        for<'__t> Timestamp: ::core::cmp::PartialEq,
        for<'__t> u32: ::core::cmp::PartialEq,
    {
        fn eq(&self, __other: &Self) -> ::core::primitive::bool {
            true && self.coupon == __other.coupon && self.placed_at == __other.placed_at
                && self.number == __other.number
        }
    }
    #[automatically_derived]
    impl ::core::cmp::Eq for __Gsi1Parts
    where
        for<'__t> String: ::core::cmp::Eq,
        for<'__t> Timestamp: ::core::cmp::Eq,
        for<'__t> u32: ::core::cmp::Eq,
    {}
    #[automatically_derived]
    impl ::dynamo_model::IndexedBy<::dynamo_model::index::Gsi1> for Order {
        type Parts = __Gsi1Parts;
        fn key_in(
            &self,
        ) -> ::core::result::Result<
            ::core::option::Option<
                ::dynamo_model::Key<Self, ::dynamo_model::index::Gsi1>,
            >,
            ::dynamo_model::KeyError,
        > {
            <__Keys>::gsi1_of(self)
        }
        fn parse(
            __pk: ::dynamo_model::KeyRef<'_>,
            __sk: ::core::option::Option<::dynamo_model::KeyRef<'_>>,
        ) -> ::core::result::Result<Self::Parts, ::dynamo_model::KeyError> {
            let __pk: [::dynamo_model::__private::RawPart<'_>; 1usize] = <__Keys>::GSI1_PK
                .split(
                    ::dynamo_model::__private::key_type::<
                        Self,
                        ::dynamo_model::index::Gsi1,
                    >(::dynamo_model::schema::Role::PartitionKey),
                    __pk,
                )?;
            let __sk: [::dynamo_model::__private::RawPart<'_>; 2usize] = <__Keys>::GSI1_SK
                .split(
                    ::dynamo_model::__private::key_type::<
                        Self,
                        ::dynamo_model::index::Gsi1,
                    >(::dynamo_model::schema::Role::SortKey),
                    ::dynamo_model::__private::expect_sort_key(<__Keys>::GSI1_SK, __sk)?,
                )?;
            let __value0 = ::dynamo_model::__private::decode::<
                Order_coupon,
            >(<__Keys>::GSI1_PK, 0usize, __pk[0usize])?;
            let __value1 = ::dynamo_model::__private::decode::<
                Order_placed_at,
            >(<__Keys>::GSI1_SK, 0usize, __sk[0usize])?;
            let __value2 = ::dynamo_model::__private::decode::<
                Order_number,
            >(<__Keys>::GSI1_SK, 1usize, __sk[1usize])?;
            ::core::result::Result::Ok(__Gsi1Parts {
                coupon: __value0,
                placed_at: __value1,
                number: __value2,
                __entity: ::core::marker::PhantomData,
            })
        }
    }
    #[must_use]
    #[derive(::core::clone::Clone, ::core::fmt::Debug)]
    pub struct __PrimarySortKey<__B, __P>(
        __B,
        ::core::marker::PhantomData<fn() -> (Order, __P)>,
    );
    #[automatically_derived]
    impl<__B: ::dynamo_model::__private::Parts, __P> __PrimarySortKey<__B, __P> {
        ///Begins with `ORDER#<placed_at>#`.
        pub fn placed_at<__N>(
            self,
            placed_at: impl ::dynamo_model::AsKeyPart<Timestamp>,
        ) -> __PrimarySortKey<__B, __N>
        where
            __P: ::dynamo_model::__private::NextPart<Order_placed_at, Then = __N>,
        {
            __PrimarySortKey(
                ::dynamo_model::__private::Parts::part(
                    self.0,
                    ::dynamo_model::__private::argument::<Order_placed_at, _>(&placed_at),
                ),
                ::core::marker::PhantomData,
            )
        }
        ///`placed_at` lies in the range, after `ORDER#`.
        pub fn placed_at_in(
            self,
            range: impl ::dynamo_model::KeyRange<Timestamp>,
        ) -> ::dynamo_model::__private::Bounded<__B>
        where
            __B: ::dynamo_model::__private::Ranged,
            __P: ::dynamo_model::__private::NextPart<Order_placed_at>
                + ::dynamo_model::__private::Sorts,
        {
            ::dynamo_model::__private::Ranged::range::<Order_placed_at>(self.0, &range)
        }
        ///Begins with `ORDER#` and the beginning of `placed_at`.
        pub fn placed_at_prefix(
            self,
            text: impl ::dynamo_model::__private::PartPrefix<Order_placed_at>,
        ) -> ::dynamo_model::__private::Bounded<__B>
        where
            __P: ::dynamo_model::__private::NextPart<Order_placed_at>,
        {
            ::dynamo_model::__private::Parts::within(self.0, text.as_text())
        }
        ///Begins with `ORDER#<placed_at>#<number>`.
        pub fn number<__N>(
            self,
            number: impl ::dynamo_model::AsKeyPart<u32>,
        ) -> __PrimarySortKey<__B, __N>
        where
            __P: ::dynamo_model::__private::NextPart<Order_number, Then = __N>,
        {
            __PrimarySortKey(
                ::dynamo_model::__private::Parts::part(
                    self.0,
                    ::dynamo_model::__private::argument::<Order_number, _>(&number),
                ),
                ::core::marker::PhantomData,
            )
        }
        ///`number` lies in the range, after `ORDER#<placed_at>#`.
        pub fn number_in(
            self,
            range: impl ::dynamo_model::KeyRange<u32>,
        ) -> ::dynamo_model::__private::Bounded<__B>
        where
            __B: ::dynamo_model::__private::Ranged,
            __P: ::dynamo_model::__private::NextPart<Order_number>
                + ::dynamo_model::__private::Sorts,
        {
            ::dynamo_model::__private::Ranged::range::<Order_number>(self.0, &range)
        }
        ///Begins with `ORDER#<placed_at>#` and the beginning of `number`.
        pub fn number_prefix(
            self,
            text: impl ::dynamo_model::__private::PartPrefix<Order_number>,
        ) -> ::dynamo_model::__private::Bounded<__B>
        where
            __P: ::dynamo_model::__private::NextPart<Order_number>,
        {
            ::dynamo_model::__private::Parts::within(self.0, text.as_text())
        }
    }
    #[automatically_derived]
    impl<__P> __PrimarySortKey<::dynamo_model::__private::PrefixBuilder, __P> {
        /// The prefix: everything that is known, up to and including the next delimiter.
        pub fn build(
            self,
        ) -> ::core::result::Result<
            ::dynamo_model::KeyPrefix,
            ::dynamo_model::KeyError,
        > {
            self.0.build()
        }
    }
    #[automatically_derived]
    impl Order {
        ///The beginning of the sort key in the table, part by part: `ORDER#<placed_at:ms>#<number:06>`.
        pub fn sort_key() -> __PrimarySortKey<
            ::dynamo_model::__private::PrefixBuilder,
            ::dynamo_model::__private::At<
                Order_placed_at,
                ::dynamo_model::__private::form::Fixed,
                ::dynamo_model::__private::At<
                    Order_number,
                    ::dynamo_model::__private::form::Fixed,
                    ::dynamo_model::__private::Done,
                >,
            >,
        > {
            __PrimarySortKey(
                ::dynamo_model::__private::PrefixBuilder::new(
                    <__Keys>::PRIMARY_SK,
                    ::dynamo_model::__private::key_type::<
                        Self,
                        ::dynamo_model::index::Primary,
                    >(::dynamo_model::schema::Role::SortKey),
                ),
                ::core::marker::PhantomData,
            )
        }
    }
    ::dynamo_model::__client! {
        #[automatically_derived] impl < __E, __I, __P > __PrimarySortKey <
        ::dynamo_model::__private::OpenQuery < __E, __I >, __P > {
        ::dynamo_model::__query_methods!(__E, __I, __P); }
    }
    #[must_use]
    #[derive(::core::clone::Clone, ::core::fmt::Debug)]
    pub struct __Gsi1SortKey<__B, __P>(
        __B,
        ::core::marker::PhantomData<fn() -> (Order, __P)>,
    );
    #[automatically_derived]
    impl<__B: ::dynamo_model::__private::Parts, __P> __Gsi1SortKey<__B, __P> {
        ///Begins with `ORDER#<placed_at>#`.
        pub fn placed_at<__N>(
            self,
            placed_at: impl ::dynamo_model::AsKeyPart<Timestamp>,
        ) -> __Gsi1SortKey<__B, __N>
        where
            __P: ::dynamo_model::__private::NextPart<Order_placed_at, Then = __N>,
        {
            __Gsi1SortKey(
                ::dynamo_model::__private::Parts::part(
                    self.0,
                    ::dynamo_model::__private::argument::<Order_placed_at, _>(&placed_at),
                ),
                ::core::marker::PhantomData,
            )
        }
        ///`placed_at` lies in the range, after `ORDER#`.
        pub fn placed_at_in(
            self,
            range: impl ::dynamo_model::KeyRange<Timestamp>,
        ) -> ::dynamo_model::__private::Bounded<__B>
        where
            __B: ::dynamo_model::__private::Ranged,
            __P: ::dynamo_model::__private::NextPart<Order_placed_at>
                + ::dynamo_model::__private::Sorts,
        {
            ::dynamo_model::__private::Ranged::range::<Order_placed_at>(self.0, &range)
        }
        ///Begins with `ORDER#` and the beginning of `placed_at`.
        pub fn placed_at_prefix(
            self,
            text: impl ::dynamo_model::__private::PartPrefix<Order_placed_at>,
        ) -> ::dynamo_model::__private::Bounded<__B>
        where
            __P: ::dynamo_model::__private::NextPart<Order_placed_at>,
        {
            ::dynamo_model::__private::Parts::within(self.0, text.as_text())
        }
        ///Begins with `ORDER#<placed_at>#<number>`.
        pub fn number<__N>(
            self,
            number: impl ::dynamo_model::AsKeyPart<u32>,
        ) -> __Gsi1SortKey<__B, __N>
        where
            __P: ::dynamo_model::__private::NextPart<Order_number, Then = __N>,
        {
            __Gsi1SortKey(
                ::dynamo_model::__private::Parts::part(
                    self.0,
                    ::dynamo_model::__private::argument::<Order_number, _>(&number),
                ),
                ::core::marker::PhantomData,
            )
        }
        ///`number` lies in the range, after `ORDER#<placed_at>#`.
        pub fn number_in(
            self,
            range: impl ::dynamo_model::KeyRange<u32>,
        ) -> ::dynamo_model::__private::Bounded<__B>
        where
            __B: ::dynamo_model::__private::Ranged,
            __P: ::dynamo_model::__private::NextPart<Order_number>
                + ::dynamo_model::__private::Sorts,
        {
            ::dynamo_model::__private::Ranged::range::<Order_number>(self.0, &range)
        }
        ///Begins with `ORDER#<placed_at>#` and the beginning of `number`.
        pub fn number_prefix(
            self,
            text: impl ::dynamo_model::__private::PartPrefix<Order_number>,
        ) -> ::dynamo_model::__private::Bounded<__B>
        where
            __P: ::dynamo_model::__private::NextPart<Order_number>,
        {
            ::dynamo_model::__private::Parts::within(self.0, text.as_text())
        }
    }
    #[automatically_derived]
    impl<__P> __Gsi1SortKey<::dynamo_model::__private::PrefixBuilder, __P> {
        /// The prefix: everything that is known, up to and including the next delimiter.
        pub fn build(
            self,
        ) -> ::core::result::Result<
            ::dynamo_model::KeyPrefix,
            ::dynamo_model::KeyError,
        > {
            self.0.build()
        }
    }
    #[automatically_derived]
    impl Order {
        ///The beginning of the sort key in the index `gsi1`, part by part: `ORDER#<placed_at:ms>#<number:06>`.
        pub fn by_coupon_sort_key() -> __Gsi1SortKey<
            ::dynamo_model::__private::PrefixBuilder,
            ::dynamo_model::__private::At<
                Order_placed_at,
                ::dynamo_model::__private::form::Fixed,
                ::dynamo_model::__private::At<
                    Order_number,
                    ::dynamo_model::__private::form::Fixed,
                    ::dynamo_model::__private::Done,
                >,
            >,
        > {
            __Gsi1SortKey(
                ::dynamo_model::__private::PrefixBuilder::new(
                    <__Keys>::GSI1_SK,
                    ::dynamo_model::__private::key_type::<
                        Self,
                        ::dynamo_model::index::Gsi1,
                    >(::dynamo_model::schema::Role::SortKey),
                ),
                ::core::marker::PhantomData,
            )
        }
    }
    ::dynamo_model::__client! {
        #[automatically_derived] impl < __E, __I, __P > __Gsi1SortKey <
        ::dynamo_model::__private::OpenQuery < __E, __I >, __P > {
        ::dynamo_model::__query_methods!(__E, __I, __P); }
    }
    ::dynamo_model::__client! {
        #[automatically_derived] impl Order { #[doc =
        "Reads the item with partition key `USER#<user_id>`, sort key `ORDER#<placed_at:ms>#<number:06>`."]
        pub fn get(user_id : impl ::dynamo_model::AsKeyPart < UserId >, placed_at : impl
        ::dynamo_model::AsKeyPart < Timestamp >, number : impl ::dynamo_model::AsKeyPart
        < u32 >) -> ::dynamo_model::Get < Self > {
        ::dynamo_model::Get::new(Self::key(user_id, placed_at, number)) } }
        #[automatically_derived] impl Order { #[doc =
        "Every `Order`. Reads, and pays for, the whole table, whatever else is in it."]
        pub fn scan() -> ::dynamo_model::Scan < Self > { ::dynamo_model::Scan::new() } }
        #[automatically_derived] impl Order { #[doc =
        "The items with partition key `USER#<user_id>`, sort key `ORDER#<placed_at:ms>#<number:06>`, in the table."]
        pub fn query(user_id : impl ::dynamo_model::AsKeyPart < UserId >) ->
        __PrimarySortKey < ::dynamo_model::__private::OpenQuery < Self,
        ::dynamo_model::index::Primary >, ::dynamo_model::__private::At <
        Order_placed_at, ::dynamo_model::__private::form::Fixed,
        ::dynamo_model::__private::At < Order_number,
        ::dynamo_model::__private::form::Fixed, ::dynamo_model::__private::Done > > > {
        __PrimarySortKey(::dynamo_model::__private::OpenQuery::new(Self::partition_key(user_id),
        ::dynamo_model::__private::PrefixBuilder::new(< __Keys > ::PRIMARY_SK,
        ::dynamo_model::__private::key_type:: < Self, ::dynamo_model::index::Primary >
        (::dynamo_model::schema::Role::SortKey),)), ::core::marker::PhantomData) } }
        #[automatically_derived] impl Order { #[doc =
        "The items with partition key `COUPON#<coupon>`, sort key `ORDER#<placed_at:ms>#<number:06>`, in the index `gsi1`."]
        pub fn by_coupon(coupon : impl ::dynamo_model::AsKeyPart < String >) ->
        __Gsi1SortKey < ::dynamo_model::__private::OpenQuery < Self,
        ::dynamo_model::index::Gsi1 >, ::dynamo_model::__private::At < Order_placed_at,
        ::dynamo_model::__private::form::Fixed, ::dynamo_model::__private::At <
        Order_number, ::dynamo_model::__private::form::Fixed,
        ::dynamo_model::__private::Done > > > {
        __Gsi1SortKey(::dynamo_model::__private::OpenQuery::new(Self::by_coupon_partition_key(coupon),
        ::dynamo_model::__private::PrefixBuilder::new(< __Keys > ::GSI1_SK,
        ::dynamo_model::__private::key_type:: < Self, ::dynamo_model::index::Gsi1 >
        (::dynamo_model::schema::Role::SortKey),)), ::core::marker::PhantomData) } }
        #[automatically_derived] impl ::dynamo_model::__private::Readable for Order { fn
        restore(__item : & mut ::dynamo_model::__private::ItemKeys < '_ >,) ->
        ::core::result::Result < (), ::dynamo_model::KeyError > { if __item
        .wants("userId", false) || __item.wants("placedAt", false) || __item
        .wants("number", false) { if let ::core::option::Option::Some(__parts) = __item
        .parse:: < Self, ::dynamo_model::index::Primary > () ? { if __item
        .wants("userId", false) { __item.restore("userId",
        ::dynamo_model::__private::value:: < Order_user_id > (& __parts.user_id)); } if
        __item.wants("placedAt", false) { __item.restore("placedAt",
        ::dynamo_model::__private::value:: < Order_placed_at > (& __parts.placed_at)); }
        if __item.wants("number", false) { __item.restore("number",
        ::dynamo_model::__private::value:: < Order_number > (& __parts.number)); } } } if
        __item.wants("coupon", false) || __item.wants("placedAt", false) || __item
        .wants("number", false) { if let ::core::option::Option::Some(__parts) = __item
        .parse:: < Self, ::dynamo_model::index::Gsi1 > () ? { if __item.wants("coupon",
        false) { __item.restore("coupon", ::dynamo_model::__private::value:: <
        Order_coupon > (& __parts.coupon)); } if __item.wants("placedAt", false) { __item
        .restore("placedAt", ::dynamo_model::__private::value:: < Order_placed_at > (&
        __parts.placed_at)); } if __item.wants("number", false) { __item
        .restore("number", ::dynamo_model::__private::value:: < Order_number > (& __parts
        .number)); } } } ::core::result::Result::Ok(()) } } pub struct __Fields < __I >
        (::core::marker::PhantomData < fn () -> (Order, __I) >,);
        #[automatically_derived] impl < __I > __Fields < __I > { #[doc =
        "The attribute `userId`."] pub fn user_id(& self) -> ::dynamo_model::Path <
        UserId > { ::dynamo_model::Path::attribute("userId") } #[doc =
        "The attribute `placedAt`."] pub fn placed_at(& self) -> ::dynamo_model::Path <
        Timestamp > { ::dynamo_model::Path::attribute("placedAt") } #[doc =
        "The attribute `number`."] pub fn number(& self) -> ::dynamo_model::Path < u32 >
        { ::dynamo_model::Path::attribute("number") } #[doc = "The attribute `coupon`."]
        pub fn coupon(& self) -> ::dynamo_model::Path < String > {
        ::dynamo_model::Path::attribute("coupon") } #[doc = "The attribute `version`."]
        pub fn version(& self) -> ::dynamo_model::Path < u64 > {
        ::dynamo_model::Path::attribute("version") } } #[automatically_derived] impl
        ::dynamo_model::__private::HasFields for Order { type Fields < __I > = __Fields <
        __I >; fn fields < __I > () -> Self::Fields < __I > {
        __Fields(::core::marker::PhantomData) } }
    }
    ::dynamo_model::__client! {
        mod __refusals { pub struct Nobody; #[diagnostic::on_unimplemented(message =
        "`user_id` is part of the primary key of `Order`, and an item keeps its key",
        label = "part of the primary key", note =
        "create an item with the new key and delete the old one, in one transaction")]
        pub trait __Keeps_user_id {} #[automatically_derived]
        #[diagnostic::do_not_recommend] impl __Keeps_user_id for Nobody {}
        #[diagnostic::on_unimplemented(message =
        "`placed_at` is part of the primary key of `Order`, and an item keeps its key",
        label = "part of the primary key", note =
        "create an item with the new key and delete the old one, in one transaction")]
        pub trait __Keeps_placed_at {} #[automatically_derived]
        #[diagnostic::do_not_recommend] impl __Keeps_placed_at for Nobody {}
        #[diagnostic::on_unimplemented(message =
        "`number` is part of the primary key of `Order`, and an item keeps its key",
        label = "part of the primary key", note =
        "create an item with the new key and delete the old one, in one transaction")]
        pub trait __Keeps_number {} #[automatically_derived]
        #[diagnostic::do_not_recommend] impl __Keeps_number for Nobody {}
        #[diagnostic::on_unimplemented(message =
        "`version` is the version of `Order`, which every write counts up", label =
        "counted up by every write", note =
        "remove this change; `.expect_version(…)` checks the version")] pub trait
        __Keeps_version {} #[automatically_derived] #[diagnostic::do_not_recommend] impl
        __Keeps_version for Nobody {} } #[automatically_derived] impl Order { #[doc =
        "Changes the item with partition key `USER#<user_id>`, sort key `ORDER#<placed_at:ms>#<number:06>`, which must be there."]
        pub fn update(user_id : impl ::dynamo_model::AsKeyPart < UserId >, placed_at :
        impl ::dynamo_model::AsKeyPart < Timestamp >, number : impl
        ::dynamo_model::AsKeyPart < u32 >,) -> ::dynamo_model::Update < Self > where for
        < '__t > UserId : ::dynamo_model::KeyPart + ::dynamo_model::__private::Encodable,
        for < '__t > Timestamp : ::dynamo_model::KeyPart +
        ::dynamo_model::__private::Encodable, for < '__t > u32 : ::dynamo_model::KeyPart
        + ::dynamo_model::__private::Encodable, { let __known =
        ::dynamo_model::__private::KnownFields::default().with:: < UserId > ("user_id",
        ::dynamo_model::__private::argument:: < Order_user_id, _ > (& user_id)).with:: <
        Timestamp > ("placed_at", ::dynamo_model::__private::argument:: <
        Order_placed_at, _ > (& placed_at)).with:: < u32 > ("number",
        ::dynamo_model::__private::argument:: < Order_number, _ > (& number));
        ::dynamo_model::Update::new(Self::key(user_id, placed_at, number), __known) }
        #[doc =
        "Changes the item with partition key `USER#<user_id>`, sort key `ORDER#<placed_at:ms>#<number:06>`, or creates it."]
        pub fn upsert(user_id : impl ::dynamo_model::AsKeyPart < UserId >, placed_at :
        impl ::dynamo_model::AsKeyPart < Timestamp >, number : impl
        ::dynamo_model::AsKeyPart < u32 >) -> ::dynamo_model::Upsert < Self > where for <
        '__t > UserId : ::dynamo_model::KeyPart + ::dynamo_model::__private::Encodable,
        for < '__t > Timestamp : ::dynamo_model::KeyPart +
        ::dynamo_model::__private::Encodable, for < '__t > u32 : ::dynamo_model::KeyPart
        + ::dynamo_model::__private::Encodable, for < '__t > < Self as
        ::dynamo_model::__private::Writable > ::Uniques :
        ::dynamo_model::__private::WithoutUnique < Self >, { let __known =
        ::dynamo_model::__private::KnownFields::default().with:: < UserId > ("user_id",
        ::dynamo_model::__private::argument:: < Order_user_id, _ > (& user_id)).with:: <
        Timestamp > ("placed_at", ::dynamo_model::__private::argument:: <
        Order_placed_at, _ > (& placed_at)).with:: < u32 > ("number",
        ::dynamo_model::__private::argument:: < Order_number, _ > (& number));
        ::dynamo_model::Upsert::new(Self::key(user_id, placed_at, number), __known) }
        #[doc =
        "Deletes the item with partition key `USER#<user_id>`, sort key `ORDER#<placed_at:ms>#<number:06>`."]
        pub fn delete(user_id : impl ::dynamo_model::AsKeyPart < UserId >, placed_at :
        impl ::dynamo_model::AsKeyPart < Timestamp >, number : impl
        ::dynamo_model::AsKeyPart < u32 >) -> ::dynamo_model::Delete < Self > {
        ::dynamo_model::Delete::new(Self::key(user_id, placed_at, number)) } } pub struct
        __Changes < __K > (::core::marker::PhantomData < fn () -> (Order, __K) >,);
        #[automatically_derived] impl < __K > __Changes < __K > { #[doc(hidden)] pub fn
        user_id(& self) -> ::dynamo_model::Slot < UserId > where __K :
        __refusals::__Keeps_user_id, { ::core::unreachable!() } #[doc(hidden)] pub fn
        placed_at(& self) -> ::dynamo_model::Slot < Timestamp > where __K :
        __refusals::__Keeps_placed_at, { ::core::unreachable!() } #[doc(hidden)] pub fn
        number(& self) -> ::dynamo_model::Slot < u32 > where __K :
        __refusals::__Keeps_number, { ::core::unreachable!() } #[doc(hidden)] pub fn
        version(& self) -> ::dynamo_model::Slot < u64 > where __K :
        __refusals::__Keeps_version, { ::core::unreachable!() } }
        #[automatically_derived] impl __Changes < ::dynamo_model::__private::Loaded > {
        #[doc = "`coupon`, and with it the keys of `by_coupon`."] pub fn coupon(& self)
        -> ::dynamo_model::KeySlot < String, ::dynamo_model::__private::Optional > where
        for < '__t > String : ::dynamo_model::KeyPart +
        ::dynamo_model::__private::Encodable, { ::dynamo_model::KeySlot::new("coupon",
        ::core::option::Option::Some(::dynamo_model::Path::attribute("coupon"))) } }
        #[automatically_derived] impl __Changes < ::dynamo_model::__private::ByKey > {
        #[doc = "`coupon`, and with it the keys of `by_coupon`."] pub fn coupon(& self,)
        -> ::dynamo_model::KeySlot < String, ::dynamo_model::__private::Optional > where
        for < '__t > String : ::dynamo_model::KeyPart +
        ::dynamo_model::__private::Encodable, { ::dynamo_model::KeySlot::new("coupon",
        ::core::option::Option::Some(::dynamo_model::Path::attribute("coupon"))) } }
        #[automatically_derived] impl ::dynamo_model::__private::Writable for Order {
        type Whole = Self; fn whole(& self) -> & Self { self } type Uniques =
        ::dynamo_model::__private::NoUniques; type Changes < __K > = __Changes < __K >;
        fn changes < __K > () -> Self::Changes < __K > {
        __Changes(::core::marker::PhantomData) } fn key_fields(& self) ->
        ::dynamo_model::__private::KeyFields {
        ::dynamo_model::__private::KeyFields::default().with("user_id",
        ::core::option::Option::Some(::dynamo_model::__private::value:: < Order_user_id >
        (& self.user_id))).with("placed_at",
        ::core::option::Option::Some(::dynamo_model::__private::value:: < Order_placed_at
        > (& self.placed_at))).with("number",
        ::core::option::Option::Some(::dynamo_model::__private::value:: < Order_number >
        (& self.number))).with("coupon", self.coupon.as_ref().map(| __value |
        ::dynamo_model::__private::value:: < Order_coupon > (__value))) } fn
        stored_fields(__item : ::dynamo_model::__private::StoredItem < '_ >,) ->
        ::core::result::Result < ::dynamo_model::__private::KeyFields,
        ::dynamo_model::Error > { let _ = __item;
        ::core::result::Result::Ok(::dynamo_model::__private::KeyFields::default()) }
        const STAMPS : & 'static [::dynamo_model::__private::Stamp] = & []; }
    }
    const _: () = ::dynamo_model::__private::check::sort_key(
            &::dynamo_model::__private::table::<Order>(),
            &<Order as ::dynamo_model::Entity>::SCHEMA,
        )
        .enforce();
    const _: () = ::dynamo_model::__private::check::entity_type(
            &::dynamo_model::__private::table::<Order>(),
            &<Order as ::dynamo_model::Entity>::SCHEMA,
        )
        .enforce();
    const _: () = ::dynamo_model::__private::check::key_type(
            &::dynamo_model::__private::table::<Order>(),
            &<Order as ::dynamo_model::Entity>::SCHEMA,
            ::core::option::Option::None,
            <__Keys>::PRIMARY_PK,
        )
        .enforce();
    const _: () = ::dynamo_model::__private::check::key_type(
            &::dynamo_model::__private::table::<Order>(),
            &<Order as ::dynamo_model::Entity>::SCHEMA,
            ::core::option::Option::None,
            <__Keys>::PRIMARY_SK,
        )
        .enforce();
    const _: () = ::dynamo_model::__private::check::index(
            &::dynamo_model::__private::table::<Order>(),
            &<Order as ::dynamo_model::Entity>::SCHEMA,
            ::dynamo_model::schema::IndexId::Gsi(1u8),
        )
        .enforce();
    const _: () = ::dynamo_model::__private::check::index_key(
            &::dynamo_model::__private::table::<Order>(),
            &<Order as ::dynamo_model::Entity>::SCHEMA,
            ::dynamo_model::schema::IndexId::Gsi(1u8),
        )
        .enforce();
    const _: () = ::dynamo_model::__private::check::key_type(
            &::dynamo_model::__private::table::<Order>(),
            &<Order as ::dynamo_model::Entity>::SCHEMA,
            ::core::option::Option::Some(::dynamo_model::schema::IndexId::Gsi(1u8)),
            <__Keys>::GSI1_PK,
        )
        .enforce();
    const _: () = ::dynamo_model::__private::check::attribute(
            &::dynamo_model::__private::table::<Order>(),
            &<Order as ::dynamo_model::Entity>::SCHEMA,
            0usize,
        )
        .enforce();
    const _: () = ::dynamo_model::__private::check::attribute(
            &::dynamo_model::__private::table::<Order>(),
            &<Order as ::dynamo_model::Entity>::SCHEMA,
            1usize,
        )
        .enforce();
    const _: () = ::dynamo_model::__private::check::attribute(
            &::dynamo_model::__private::table::<Order>(),
            &<Order as ::dynamo_model::Entity>::SCHEMA,
            2usize,
        )
        .enforce();
    const _: () = ::dynamo_model::__private::check::attribute(
            &::dynamo_model::__private::table::<Order>(),
            &<Order as ::dynamo_model::Entity>::SCHEMA,
            3usize,
        )
        .enforce();
    const _: () = ::dynamo_model::__private::check::attribute(
            &::dynamo_model::__private::table::<Order>(),
            &<Order as ::dynamo_model::Entity>::SCHEMA,
            4usize,
        )
        .enforce();
    const _: () = ::dynamo_model::__private::assert_version::<u64>();
};
