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
    pub struct Order_user_id<__Part: ?::core::marker::Sized = UserId> {
        of: ::core::marker::PhantomData<fn() -> Order>,
        part: ::core::marker::PhantomData<__Part>,
    }
    impl __dm::__private::Field for Order_user_id<UserId> {
        type Part = UserId;
    }
    pub struct Order_placed_at<__Part: ?::core::marker::Sized = Timestamp> {
        of: ::core::marker::PhantomData<fn() -> Order>,
        part: ::core::marker::PhantomData<__Part>,
    }
    impl __dm::__private::Field for Order_placed_at<Timestamp> {
        type Part = Timestamp;
    }
    pub struct Order_number<__Part: ?::core::marker::Sized = u32> {
        of: ::core::marker::PhantomData<fn() -> Order>,
        part: ::core::marker::PhantomData<__Part>,
    }
    impl __dm::__private::Field for Order_number<u32> {
        type Part = u32;
    }
    pub struct Order_coupon<__Part: ?::core::marker::Sized = String> {
        of: ::core::marker::PhantomData<fn() -> Order>,
        part: ::core::marker::PhantomData<__Part>,
    }
    impl __dm::__private::Field for Order_coupon<String> {
        type Part = String;
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
    impl __dm::__private::ItemEntity for Order {}
    #[automatically_derived]
    impl __dm::Entity for Order {
        type Table = App;
        const SCHEMA: __dm::schema::EntitySchema = __dm::schema::EntitySchema::new(
                "Order",
                ::core::option::Option::Some("ORDER"),
                (
                    &__dm::schema::Template::new(
                        "Order",
                        __dm::schema::Role::PartitionKey,
                        "USER#<user_id>",
                        "USER#",
                        &[
                            __dm::schema::PartSchema::new::<
                                Order_user_id,
                            >("user_id", __dm::schema::Spec::PLAIN, "")
                                .closing(35u8),
                        ],
                    ),
                    ::core::option::Option::Some(
                        &__dm::schema::Template::new(
                            "Order",
                            __dm::schema::Role::SortKey,
                            "ORDER#<placed_at:ms>#<number:06>",
                            "ORDER#",
                            &[
                                __dm::schema::PartSchema::new::<
                                    Order_placed_at,
                                >(
                                    "placed_at",
                                    __dm::schema::Spec::of(
                                        __dm::schema::Form::Precision(
                                            __dm::schema::Precision::Millis,
                                        ),
                                    ),
                                    "#",
                                ),
                                __dm::schema::PartSchema::new::<
                                    Order_number,
                                >(
                                    "number",
                                    __dm::schema::Spec::of(__dm::schema::Form::Padded(6u8)),
                                    "",
                                ),
                            ],
                        ),
                    ),
                ),
                &[
                    __dm::schema::EntityIndex::new(
                        __dm::schema::IndexId::Gsi(1u8),
                        "by_coupon",
                        (
                            &__dm::schema::Template::new(
                                "Order",
                                __dm::schema::Role::PartitionKey,
                                "COUPON#<coupon>",
                                "COUPON#",
                                &[
                                    __dm::schema::PartSchema::new::<
                                        Order_coupon,
                                    >("coupon", __dm::schema::Spec::PLAIN, "")
                                        .closing(35u8),
                                ],
                            ),
                            ::core::option::Option::Some(
                                &__dm::schema::Template::new(
                                    "Order",
                                    __dm::schema::Role::SortKey,
                                    "ORDER#<placed_at:ms>#<number:06>",
                                    "ORDER#",
                                    &[
                                        __dm::schema::PartSchema::new::<
                                            Order_placed_at,
                                        >(
                                            "placed_at",
                                            __dm::schema::Spec::of(
                                                __dm::schema::Form::Precision(
                                                    __dm::schema::Precision::Millis,
                                                ),
                                            ),
                                            "#",
                                        ),
                                        __dm::schema::PartSchema::new::<
                                            Order_number,
                                        >(
                                            "number",
                                            __dm::schema::Spec::of(__dm::schema::Form::Padded(6u8)),
                                            "",
                                        ),
                                    ],
                                ),
                            ),
                        ),
                        true,
                    ),
                ],
                &[
                    __dm::schema::AttributeSchema::declared(
                            "user_id",
                            "userId",
                            __dm::schema::AttributeRole::Data,
                            "UserId",
                            "",
                            true,
                        )
                        .optional(<__dm::__private::Probe<UserId>>::OPTIONAL)
                        .formed(
                            <__dm::__private::Probe<UserId>>::FORM
                                .of(<__dm::__private::Probe<UserId>>::ELEMENTS),
                        ),
                    __dm::schema::AttributeSchema::declared(
                            "placed_at",
                            "placedAt",
                            __dm::schema::AttributeRole::Data,
                            "Timestamp",
                            "",
                            true,
                        )
                        .optional(<__dm::__private::Probe<Timestamp>>::OPTIONAL)
                        .formed(
                            <__dm::__private::Probe<Timestamp>>::FORM
                                .of(<__dm::__private::Probe<Timestamp>>::ELEMENTS),
                        ),
                    __dm::schema::AttributeSchema::declared(
                        "number",
                        "number",
                        __dm::schema::AttributeRole::Data,
                        "u32",
                        "",
                        true,
                    ),
                    __dm::schema::AttributeSchema::declared(
                        "coupon",
                        "coupon",
                        __dm::schema::AttributeRole::Data,
                        "Option<String>",
                        "",
                        false,
                    ),
                    __dm::schema::AttributeSchema::declared(
                        "version",
                        "version",
                        __dm::schema::AttributeRole::Version,
                        "u64",
                        "",
                        true,
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
                        __dm::__private::value::<Order_user_id>(&self.user_id),
                    )
                }
                "placed_at" => {
                    ::core::option::Option::Some(
                        __dm::__private::value::<Order_placed_at>(&self.placed_at),
                    )
                }
                "number" => {
                    ::core::option::Option::Some(
                        __dm::__private::value::<Order_number>(&self.number),
                    )
                }
                "coupon" => {
                    self.coupon
                        .as_ref()
                        .map(|__value| __dm::__private::value::<Order_coupon>(__value))
                }
                _ => ::core::option::Option::None,
            }
        }
    }
    ///The fields in the key of the table: partition key `USER#<user_id>`, sort key `ORDER#<placed_at:ms>#<number:06>`.
    pub struct PrimaryPartsOf_Order {
        ///`user_id`, from the key.
        pub user_id: UserId,
        ///`placed_at`, from the key.
        pub placed_at: Timestamp,
        ///`number`, from the key.
        pub number: u32,
        __entity: ::core::marker::PhantomData<fn() -> Order>,
    }
    #[automatically_derived]
    impl ::core::clone::Clone for PrimaryPartsOf_Order
    where
        for<'__t> UserId: ::core::clone::Clone,
        for<'__t> Timestamp: ::core::clone::Clone,
    {
        #[inline]
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
    impl ::core::fmt::Debug for PrimaryPartsOf_Order
    where
        for<'__t> UserId: ::core::fmt::Debug,
        for<'__t> Timestamp: ::core::fmt::Debug,
    {
        #[inline]
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            __dm::__private::show(
                __f,
                "Order::key",
                &[
                    ("user_id", &self.user_id),
                    ("placed_at", &self.placed_at),
                    ("number", &self.number),
                ],
            )
        }
    }
    #[automatically_derived]
    impl ::core::cmp::PartialEq for PrimaryPartsOf_Order
    where
        for<'__t> UserId: ::core::cmp::PartialEq,
        for<'__t> Timestamp: ::core::cmp::PartialEq,
    {
        #[inline]
        fn eq(&self, __other: &Self) -> ::core::primitive::bool {
            true && self.user_id == __other.user_id
                && self.placed_at == __other.placed_at && self.number == __other.number
        }
    }
    #[automatically_derived]
    impl ::core::cmp::Eq for PrimaryPartsOf_Order
    where
        for<'__t> UserId: ::core::cmp::Eq,
        for<'__t> Timestamp: ::core::cmp::Eq,
    {}
    #[automatically_derived]
    impl __dm::bounds::IndexedBy<__dm::index::Primary> for Order {
        type Parts = PrimaryPartsOf_Order;
        #[inline]
        fn parse(
            __pk: __dm::key::KeyRef<'_>,
            __sk: ::core::option::Option<__dm::key::KeyRef<'_>>,
        ) -> ::core::result::Result<Self::Parts, __dm::KeyError> {
            let (user_id, (placed_at, (number, ()))) = __dm::__private::parts::<
                Self,
                __dm::index::Primary,
                (Order_user_id, (Order_placed_at, (Order_number, ()))),
            >(__pk, __sk)?;
            ::core::result::Result::Ok(PrimaryPartsOf_Order {
                user_id,
                placed_at,
                number,
                __entity: ::core::marker::PhantomData,
            })
        }
    }
    ///The fields in the key of the index `gsi1`: partition key `COUPON#<coupon>`, sort key `ORDER#<placed_at:ms>#<number:06>`.
    pub struct Gsi1PartsOf_Order {
        ///`coupon`, from the key.
        pub coupon: String,
        ///`placed_at`, from the key.
        pub placed_at: Timestamp,
        ///`number`, from the key.
        pub number: u32,
        __entity: ::core::marker::PhantomData<fn() -> Order>,
    }
    #[automatically_derived]
    impl ::core::clone::Clone for Gsi1PartsOf_Order
    where
        for<'__t> Timestamp: ::core::clone::Clone,
    {
        #[inline]
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
    impl ::core::fmt::Debug for Gsi1PartsOf_Order
    where
        for<'__t> Timestamp: ::core::fmt::Debug,
    {
        #[inline]
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            __dm::__private::show(
                __f,
                "Order::by_coupon_key",
                &[
                    ("coupon", &self.coupon),
                    ("placed_at", &self.placed_at),
                    ("number", &self.number),
                ],
            )
        }
    }
    #[automatically_derived]
    impl ::core::cmp::PartialEq for Gsi1PartsOf_Order
    where
        for<'__t> Timestamp: ::core::cmp::PartialEq,
    {
        #[inline]
        fn eq(&self, __other: &Self) -> ::core::primitive::bool {
            true && self.coupon == __other.coupon && self.placed_at == __other.placed_at
                && self.number == __other.number
        }
    }
    #[automatically_derived]
    impl ::core::cmp::Eq for Gsi1PartsOf_Order
    where
        for<'__t> Timestamp: ::core::cmp::Eq,
    {}
    #[automatically_derived]
    impl __dm::bounds::IndexedBy<__dm::index::Gsi1> for Order {
        type Parts = Gsi1PartsOf_Order;
        #[inline]
        fn parse(
            __pk: __dm::key::KeyRef<'_>,
            __sk: ::core::option::Option<__dm::key::KeyRef<'_>>,
        ) -> ::core::result::Result<Self::Parts, __dm::KeyError> {
            let (coupon, (placed_at, (number, ()))) = __dm::__private::parts::<
                Self,
                __dm::index::Gsi1,
                (Order_coupon, (Order_placed_at, (Order_number, ()))),
            >(__pk, __sk)?;
            ::core::result::Result::Ok(Gsi1PartsOf_Order {
                coupon,
                placed_at,
                number,
                __entity: ::core::marker::PhantomData,
            })
        }
    }
    mod __parts {
        pub trait Sorted {}
        pub trait InOrder {}
        #[diagnostic::on_unimplemented(
            message = "`placed_at` is not the next part of this sort key",
            label = "out of order",
            note = "give the parts of a sort key from the first on, each once"
        )]
        pub trait Next_Order_placed_at {
            type Then;
        }
        #[diagnostic::on_unimplemented(
            message = "`number` is not the next part of this sort key",
            label = "out of order",
            note = "give the parts of a sort key from the first on, each once"
        )]
        pub trait Next_Order_number {
            type Then;
        }
    }
    #[automatically_derived]
    impl __dm::__private::SortsAt<__dm::index::Primary, 0usize> for Order
    where
        for<'__a> __dm::__private::form::Fixed: __dm::__private::FormSorts<
            '__a,
            Order_placed_at,
        >,
    {}
    #[automatically_derived]
    impl __dm::__private::InOrderAt<__dm::index::Primary, 0usize> for Order
    where
        for<'__a> __dm::__private::form::Fixed: __dm::__private::FormInOrder<
            '__a,
            Order_placed_at,
        >,
    {}
    #[automatically_derived]
    impl __parts::Next_Order_placed_at
    for __dm::__private::Given<Order, __dm::index::Primary, 0usize> {
        type Then = __dm::__private::Given<Order, __dm::index::Primary, 1usize>;
    }
    #[automatically_derived]
    impl __dm::__private::SortsAt<__dm::index::Primary, 1usize> for Order
    where
        for<'__a> __dm::__private::form::Fixed: __dm::__private::FormSorts<
            '__a,
            Order_number,
        >,
    {}
    #[automatically_derived]
    impl __dm::__private::InOrderAt<__dm::index::Primary, 1usize> for Order
    where
        for<'__a> __dm::__private::form::Fixed: __dm::__private::FormInOrder<
            '__a,
            Order_number,
        >,
    {}
    #[automatically_derived]
    impl __parts::Next_Order_number
    for __dm::__private::Given<Order, __dm::index::Primary, 1usize> {
        type Then = __dm::__private::Complete;
    }
    #[automatically_derived]
    impl __dm::__private::SortsAt<__dm::index::Gsi1, 0usize> for Order
    where
        for<'__a> __dm::__private::form::Fixed: __dm::__private::FormSorts<
            '__a,
            Order_placed_at,
        >,
    {}
    #[automatically_derived]
    impl __dm::__private::InOrderAt<__dm::index::Gsi1, 0usize> for Order
    where
        for<'__a> __dm::__private::form::Fixed: __dm::__private::FormInOrder<
            '__a,
            Order_placed_at,
        >,
    {}
    #[automatically_derived]
    impl __parts::Next_Order_placed_at
    for __dm::__private::Given<Order, __dm::index::Gsi1, 0usize> {
        type Then = __dm::__private::Given<Order, __dm::index::Gsi1, 1usize>;
    }
    #[automatically_derived]
    impl __dm::__private::SortsAt<__dm::index::Gsi1, 1usize> for Order
    where
        for<'__a> __dm::__private::form::Fixed: __dm::__private::FormSorts<
            '__a,
            Order_number,
        >,
    {}
    #[automatically_derived]
    impl __dm::__private::InOrderAt<__dm::index::Gsi1, 1usize> for Order
    where
        for<'__a> __dm::__private::form::Fixed: __dm::__private::FormInOrder<
            '__a,
            Order_number,
        >,
    {}
    #[automatically_derived]
    impl __parts::Next_Order_number
    for __dm::__private::Given<Order, __dm::index::Gsi1, 1usize> {
        type Then = __dm::__private::Complete;
    }
    #[must_use]
    pub struct SortKeyOf_Order<__B, __P>(
        __B,
        ::core::marker::PhantomData<fn() -> (Order, __P)>,
    );
    #[automatically_derived]
    impl<__B: ::core::fmt::Debug, __P> ::core::fmt::Debug for SortKeyOf_Order<__B, __P> {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            self.0.fmt(__f)
        }
    }
    #[automatically_derived]
    impl<__B: __dm::__private::Parts, __P> SortKeyOf_Order<__B, __P> {
        ///Begins with `ORDER#<placed_at>#`.
        pub fn placed_at<__N>(
            self,
            placed_at: impl __dm::key::AsKeyPart<Timestamp>,
        ) -> SortKeyOf_Order<__B, __N>
        where
            __P: __parts::Next_Order_placed_at<Then = __N>,
        {
            SortKeyOf_Order(
                __dm::__private::Parts::part(
                    self.0,
                    __dm::__private::argument::<Order_placed_at, _>(&placed_at),
                ),
                ::core::marker::PhantomData,
            )
        }
        ///`placed_at` lies in the range, after `ORDER#`.
        pub fn placed_at_in<__Q>(
            self,
            range: impl __dm::key::KeyRange<Timestamp>,
        ) -> SortKeyOf_Order<__B::Range, __B::After<__P>>
        where
            __P: __parts::Next_Order_placed_at + __dm::__private::Is<__Q>,
            __Q: __dm::__private::Sorts,
        {
            SortKeyOf_Order(
                __dm::__private::Parts::range::<Order_placed_at>(self.0, &range),
                ::core::marker::PhantomData,
            )
        }
        ///Begins with `ORDER#` and the beginning of `placed_at`.
        pub fn placed_at_prefix(
            self,
            text: impl __dm::__private::PartPrefix<Order_placed_at>,
        ) -> SortKeyOf_Order<__B, __B::After<__P>>
        where
            __P: __parts::Next_Order_placed_at,
        {
            SortKeyOf_Order(
                __dm::__private::Parts::within(self.0, text.as_text()),
                ::core::marker::PhantomData,
            )
        }
        ///Begins with `ORDER#<placed_at>#<number>`.
        pub fn number<__N>(
            self,
            number: impl __dm::key::AsKeyPart<u32>,
        ) -> SortKeyOf_Order<__B, __N>
        where
            __P: __parts::Next_Order_number<Then = __N>,
        {
            SortKeyOf_Order(
                __dm::__private::Parts::part(
                    self.0,
                    __dm::__private::argument::<Order_number, _>(&number),
                ),
                ::core::marker::PhantomData,
            )
        }
        ///`number` lies in the range, after `ORDER#<placed_at>#`.
        pub fn number_in<__Q>(
            self,
            range: impl __dm::key::KeyRange<u32>,
        ) -> SortKeyOf_Order<__B::Range, __B::After<__P>>
        where
            __P: __parts::Next_Order_number + __dm::__private::Is<__Q>,
            __Q: __dm::__private::Sorts,
        {
            SortKeyOf_Order(
                __dm::__private::Parts::range::<Order_number>(self.0, &range),
                ::core::marker::PhantomData,
            )
        }
        ///Begins with `ORDER#<placed_at>#` and the beginning of `number`.
        pub fn number_prefix(
            self,
            text: impl __dm::__private::PartPrefix<Order_number>,
        ) -> SortKeyOf_Order<__B, __B::After<__P>>
        where
            __P: __parts::Next_Order_number,
        {
            SortKeyOf_Order(
                __dm::__private::Parts::within(self.0, text.as_text()),
                ::core::marker::PhantomData,
            )
        }
    }
    #[automatically_derived]
    impl<__B: __dm::__private::BuildsSortKeys, __P> SortKeyOf_Order<__B, __P> {
        /// Builds what is known: a prefix, up to and including the next delimiter, or a range.
        pub fn build(self) -> ::core::result::Result<__B::Keys, __dm::KeyError> {
            __dm::__private::BuildsSortKeys::build(self.0)
        }
    }
    #[automatically_derived]
    impl Order {
        ///The key in the table: partition key `USER#<user_id>`, sort key `ORDER#<placed_at:ms>#<number:06>`.
        #[inline]
        pub fn key(
            user_id: impl __dm::key::AsKeyPart<UserId>,
            placed_at: impl __dm::key::AsKeyPart<Timestamp>,
            number: impl __dm::key::AsKeyPart<u32>,
        ) -> ::core::result::Result<
            __dm::Key<Self, __dm::index::Primary>,
            __dm::KeyError,
        > {
            __dm::Key::of_both(
                [__dm::__private::argument::<Order_user_id, _>(&user_id)],
                [
                    __dm::__private::argument::<Order_placed_at, _>(&placed_at),
                    __dm::__private::argument::<Order_number, _>(&number),
                ],
            )
        }
        ///The partition key in the table: `USER#<user_id>`.
        #[inline]
        pub fn partition_key(
            user_id: impl __dm::key::AsKeyPart<UserId>,
        ) -> ::core::result::Result<
            __dm::key::PartitionKey<Self, __dm::index::Primary>,
            __dm::KeyError,
        > {
            __dm::__private::partition::<
                Self,
                __dm::index::Primary,
                _,
            >([__dm::__private::argument::<Order_user_id, _>(&user_id)])
        }
        ///The fields, from a stored key of the table: partition key `USER#<user_id>`, sort key `ORDER#<placed_at:ms>#<number:06>`.
        pub fn parse_key<
            '__k,
            __P: ::core::convert::Into<__dm::key::KeyRef<'__k>>,
            __S: ::core::convert::Into<__dm::key::KeyRef<'__k>>,
        >(
            pk: __P,
            sk: __S,
        ) -> ::core::result::Result<
            __dm::bounds::KeyParts<Self, __dm::index::Primary>,
            __dm::KeyError,
        > {
            <Self as __dm::bounds::IndexedBy<
                __dm::index::Primary,
            >>::parse(pk.into(), ::core::option::Option::Some(sk.into()))
        }
        ///The key in the index `gsi1`: partition key `COUPON#<coupon>`, sort key `ORDER#<placed_at:ms>#<number:06>`.
        #[inline]
        pub fn by_coupon_key(
            coupon: impl __dm::key::AsKeyPart<String>,
            placed_at: impl __dm::key::AsKeyPart<Timestamp>,
            number: impl __dm::key::AsKeyPart<u32>,
        ) -> ::core::result::Result<__dm::Key<Self, __dm::index::Gsi1>, __dm::KeyError> {
            __dm::Key::of_both(
                [__dm::__private::argument::<Order_coupon, _>(&coupon)],
                [
                    __dm::__private::argument::<Order_placed_at, _>(&placed_at),
                    __dm::__private::argument::<Order_number, _>(&number),
                ],
            )
        }
        ///The partition key in the index `gsi1`: `COUPON#<coupon>`.
        #[inline]
        pub fn by_coupon_partition_key(
            coupon: impl __dm::key::AsKeyPart<String>,
        ) -> ::core::result::Result<
            __dm::key::PartitionKey<Self, __dm::index::Gsi1>,
            __dm::KeyError,
        > {
            __dm::__private::partition::<
                Self,
                __dm::index::Gsi1,
                _,
            >([__dm::__private::argument::<Order_coupon, _>(&coupon)])
        }
        ///The fields, from a stored key of the index `gsi1`: partition key `COUPON#<coupon>`, sort key `ORDER#<placed_at:ms>#<number:06>`.
        pub fn parse_by_coupon_key<
            '__k,
            __P: ::core::convert::Into<__dm::key::KeyRef<'__k>>,
            __S: ::core::convert::Into<__dm::key::KeyRef<'__k>>,
        >(
            pk: __P,
            sk: __S,
        ) -> ::core::result::Result<
            __dm::bounds::KeyParts<Self, __dm::index::Gsi1>,
            __dm::KeyError,
        > {
            <Self as __dm::bounds::IndexedBy<
                __dm::index::Gsi1,
            >>::parse(pk.into(), ::core::option::Option::Some(sk.into()))
        }
        ///The beginning of the sort key in the table, part by part: `ORDER#<placed_at:ms>#<number:06>`.
        #[inline]
        pub fn sort_key() -> SortKeyOf_Order<
            __dm::__private::OpenPrefix<Self, __dm::index::Primary>,
            __dm::__private::Given<Order, __dm::index::Primary, 0usize>,
        > {
            SortKeyOf_Order(
                __dm::__private::OpenPrefix::new(),
                ::core::marker::PhantomData,
            )
        }
        ///The beginning of the sort key in the index `gsi1`, part by part: `ORDER#<placed_at:ms>#<number:06>`.
        #[inline]
        pub fn by_coupon_sort_key() -> SortKeyOf_Order<
            __dm::__private::OpenPrefix<Self, __dm::index::Gsi1>,
            __dm::__private::Given<Order, __dm::index::Gsi1, 0usize>,
        > {
            SortKeyOf_Order(
                __dm::__private::OpenPrefix::new(),
                ::core::marker::PhantomData,
            )
        }
        ///Reads the item with partition key `USER#<user_id>`, sort key `ORDER#<placed_at:ms>#<number:06>`.
        pub fn get(
            user_id: impl __dm::key::AsKeyPart<UserId>,
            placed_at: impl __dm::key::AsKeyPart<Timestamp>,
            number: impl __dm::key::AsKeyPart<u32>,
        ) -> __dm::read::Get<Self> {
            __dm::read::Get::new(Self::key(user_id, placed_at, number))
        }
        ///Every `Order`. Reads, and pays for, the whole table, whatever else is in it.
        #[inline]
        pub fn scan() -> __dm::read::Scan<Self>
        where
            for<'__t> Self: __dm::membership::MayScan,
        {
            __dm::read::Scan::new()
        }
        ///The items with partition key `USER#<user_id>`, sort key `ORDER#<placed_at:ms>#<number:06>`, in the table.
        pub fn query(
            user_id: impl __dm::key::AsKeyPart<UserId>,
        ) -> SortKeyOf_Order<
            __dm::__private::OpenQuery<Self, __dm::index::Primary>,
            __dm::__private::Given<Order, __dm::index::Primary, 0usize>,
        > {
            SortKeyOf_Order(
                __dm::__private::OpenQuery::new(
                    Self::partition_key(user_id),
                    __dm::__private::PrefixBuilder::of::<Self, __dm::index::Primary>(),
                ),
                ::core::marker::PhantomData,
            )
        }
        ///The items with partition key `COUPON#<coupon>`, sort key `ORDER#<placed_at:ms>#<number:06>`, in the index `gsi1`.
        pub fn by_coupon(
            coupon: impl __dm::key::AsKeyPart<String>,
        ) -> SortKeyOf_Order<
            __dm::__private::OpenQuery<Self, __dm::index::Gsi1>,
            __dm::__private::Given<Order, __dm::index::Gsi1, 0usize>,
        > {
            SortKeyOf_Order(
                __dm::__private::OpenQuery::new(
                    Self::by_coupon_partition_key(coupon),
                    __dm::__private::PrefixBuilder::of::<Self, __dm::index::Gsi1>(),
                ),
                ::core::marker::PhantomData,
            )
        }
        ///Changes the item with partition key `USER#<user_id>`, sort key `ORDER#<placed_at:ms>#<number:06>`, which must be there.
        pub fn update(
            user_id: impl __dm::key::AsKeyPart<UserId>,
            placed_at: impl __dm::key::AsKeyPart<Timestamp>,
            number: impl __dm::key::AsKeyPart<u32>,
        ) -> __dm::write::Update<Self>
        where
            for<'__t> UserId: __dm::KeyPart + __dm::__private::Encodable,
            for<'__t> Timestamp: __dm::KeyPart + __dm::__private::Encodable,
        {
            let __known = __dm::__private::KnownFields::of([
                __dm::__private::known::<
                    Timestamp,
                >(
                    "placed_at",
                    __dm::__private::argument::<Order_placed_at, _>(&placed_at),
                ),
                __dm::__private::known::<
                    u32,
                >("number", __dm::__private::argument::<Order_number, _>(&number)),
            ]);
            __dm::write::Update::new(Self::key(user_id, placed_at, number), __known)
        }
        ///Changes the item with partition key `USER#<user_id>`, sort key `ORDER#<placed_at:ms>#<number:06>`, or creates it.
        pub fn upsert(
            user_id: impl __dm::key::AsKeyPart<UserId>,
            placed_at: impl __dm::key::AsKeyPart<Timestamp>,
            number: impl __dm::key::AsKeyPart<u32>,
        ) -> __dm::write::Upsert<Self>
        where
            for<'__t> UserId: __dm::KeyPart + __dm::__private::Encodable,
            for<'__t> Timestamp: __dm::KeyPart + __dm::__private::Encodable,
            for<'__t> <Self as __dm::__private::Writable>::Uniques: __dm::__private::WithoutUnique<
                Self,
            >,
        {
            let __known = __dm::__private::KnownFields::of([
                __dm::__private::known::<
                    UserId,
                >("user_id", __dm::__private::argument::<Order_user_id, _>(&user_id)),
                __dm::__private::known::<
                    Timestamp,
                >(
                    "placed_at",
                    __dm::__private::argument::<Order_placed_at, _>(&placed_at),
                ),
                __dm::__private::known::<
                    u32,
                >("number", __dm::__private::argument::<Order_number, _>(&number)),
            ]);
            __dm::write::Upsert::new(Self::key(user_id, placed_at, number), __known)
        }
        ///Deletes the item with partition key `USER#<user_id>`, sort key `ORDER#<placed_at:ms>#<number:06>`.
        pub fn delete(
            user_id: impl __dm::key::AsKeyPart<UserId>,
            placed_at: impl __dm::key::AsKeyPart<Timestamp>,
            number: impl __dm::key::AsKeyPart<u32>,
        ) -> __dm::write::Delete<Self> {
            __dm::write::Delete::new(Self::key(user_id, placed_at, number))
        }
    }
    #[automatically_derived]
    impl<__E, __I, __P> SortKeyOf_Order<__dm::__private::OpenQuery<__E, __I>, __P> {
        __dm::__query_methods!(__E, __I, __P, __dm::__private::InOrder);
    }
    #[automatically_derived]
    impl __dm::__private::Readable for Order {}
    #[automatically_derived]
    impl __dm::__private::OwnedFields for Order {}
    mod __filters {
        pub trait Accepts<__E, const NUMBER: ::core::primitive::usize> {}
        #[diagnostic::on_unimplemented(
            message = "the index `{Self}` does not carry `user_id`, so a filter on it would match no item",
            label = "`userId` is not in the index",
            note = "declare `projection = include(\"userId\")` or `projection = all` for this index on the table, or filter the items after `.hydrate(&db)`"
        )]
        pub trait Carries_Order_user_id<__E> {}
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl<__E, __I: Accepts<__E, 0usize>> Carries_Order_user_id<__E> for __I {}
        #[diagnostic::on_unimplemented(
            message = "the index `{Self}` does not carry `placed_at`, so a filter on it would match no item",
            label = "`placedAt` is not in the index",
            note = "declare `projection = include(\"placedAt\")` or `projection = all` for this index on the table, or filter the items after `.hydrate(&db)`"
        )]
        pub trait Carries_Order_placed_at<__E> {}
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl<__E, __I: Accepts<__E, 1usize>> Carries_Order_placed_at<__E> for __I {}
        #[diagnostic::on_unimplemented(
            message = "the index `{Self}` does not carry `number`, so a filter on it would match no item",
            label = "`number` is not in the index",
            note = "declare `projection = include(\"number\")` or `projection = all` for this index on the table, or filter the items after `.hydrate(&db)`"
        )]
        pub trait Carries_Order_number<__E> {}
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl<__E, __I: Accepts<__E, 2usize>> Carries_Order_number<__E> for __I {}
        #[diagnostic::on_unimplemented(
            message = "the index `{Self}` does not carry `coupon`, so a filter on it would match no item",
            label = "`coupon` is not in the index",
            note = "declare `projection = include(\"coupon\")` or `projection = all` for this index on the table, or filter the items after `.hydrate(&db)`"
        )]
        pub trait Carries_Order_coupon<__E> {}
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl<__E, __I: Accepts<__E, 3usize>> Carries_Order_coupon<__E> for __I {}
        #[diagnostic::on_unimplemented(
            message = "the index `{Self}` does not carry `version`, so a filter on it would match no item",
            label = "`version` is not in the index",
            note = "declare `projection = include(\"version\")` or `projection = all` for this index on the table, or filter the items after `.hydrate(&db)`"
        )]
        pub trait Carries_Order_version<__E> {}
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl<__E, __I: Accepts<__E, 4usize>> Carries_Order_version<__E> for __I {}
    }
    #[automatically_derived]
    impl<__E: __dm::Entity, __I> __filters::Accepts<__E, 0usize> for __I
    where
        __E::Table: __dm::__private::Projects<
            __I,
            __dm::__private::AttributeName<17857123998838703967u64>,
        >,
    {}
    #[automatically_derived]
    impl<__E: __dm::Entity, __I> __filters::Accepts<__E, 1usize> for __I
    where
        __E::Table: __dm::__private::Projects<
            __I,
            __dm::__private::AttributeName<5473042486122195405u64>,
        >,
    {}
    #[automatically_derived]
    impl<__E: __dm::Entity, __I> __filters::Accepts<__E, 2usize> for __I
    where
        __E::Table: __dm::__private::Projects<
            __I,
            __dm::__private::AttributeName<9237349086447201248u64>,
        >,
    {}
    #[automatically_derived]
    impl<__E: __dm::Entity, __I> __filters::Accepts<__E, 3usize> for __I
    where
        __E::Table: __dm::__private::Projects<
            __I,
            __dm::__private::AttributeName<2887671293866317675u64>,
        >,
    {}
    #[automatically_derived]
    impl<__E: __dm::Entity, __I> __filters::Accepts<__E, 4usize> for __I
    where
        __E::Table: __dm::__private::Projects<
            __I,
            __dm::__private::AttributeName<13502572527641750071u64>,
        >,
    {}
    pub struct FieldsOf_Order<__I>(::core::marker::PhantomData<fn() -> (Order, __I)>);
    #[automatically_derived]
    impl<__I> FieldsOf_Order<__I> {
        ///The attribute `userId`.
        pub fn user_id<__J>(&self) -> __dm::expr::Path<UserId>
        where
            __I: __dm::__private::Is<__J>,
            __J: __filters::Carries_Order_user_id<Order>,
        {
            __dm::expr::Path::attribute("userId")
                .optional(<__dm::__private::Probe<UserId>>::OPTIONAL)
                .formed(
                    <__dm::__private::Probe<UserId>>::FORM
                        .of(<__dm::__private::Probe<UserId>>::ELEMENTS),
                )
        }
        ///The attribute `placedAt`.
        pub fn placed_at<__J>(&self) -> __dm::expr::Path<Timestamp>
        where
            __I: __dm::__private::Is<__J>,
            __J: __filters::Carries_Order_placed_at<Order>,
        {
            __dm::expr::Path::attribute("placedAt")
                .optional(<__dm::__private::Probe<Timestamp>>::OPTIONAL)
                .formed(
                    <__dm::__private::Probe<Timestamp>>::FORM
                        .of(<__dm::__private::Probe<Timestamp>>::ELEMENTS),
                )
        }
        ///The attribute `number`.
        pub fn number<__J>(&self) -> __dm::expr::Path<u32>
        where
            __I: __dm::__private::Is<__J>,
            __J: __filters::Carries_Order_number<Order>,
        {
            __dm::expr::Path::attribute("number")
        }
        ///The attribute `coupon`.
        pub fn coupon<__J>(&self) -> __dm::expr::Path<String>
        where
            __I: __dm::__private::Is<__J>,
            __J: __filters::Carries_Order_coupon<Order>,
        {
            __dm::expr::Path::attribute("coupon").optional(true)
        }
        ///The attribute `version`.
        pub fn version<__J>(&self) -> __dm::expr::Path<u64>
        where
            __I: __dm::__private::Is<__J>,
            __J: __filters::Carries_Order_version<Order>,
        {
            __dm::expr::Path::attribute("version")
        }
    }
    #[automatically_derived]
    impl __dm::__private::HasFields for Order {
        type Fields<__I> = FieldsOf_Order<__I>;
        fn fields<__I>() -> Self::Fields<__I> {
            FieldsOf_Order(::core::marker::PhantomData)
        }
    }
    mod __refusals {
        pub struct NoType;
        #[diagnostic::on_unimplemented(
            message = "`user_id` is part of the primary key of `Order`, and an item keeps its key",
            label = "part of the primary key",
            note = "create an item with the new key and delete the old one, in one transaction"
        )]
        pub trait Changes_Order_user_id {}
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl Changes_Order_user_id for NoType {}
        #[diagnostic::on_unimplemented(
            message = "`placed_at` is part of the primary key of `Order`, and an item keeps its key",
            label = "part of the primary key",
            note = "create an item with the new key and delete the old one, in one transaction"
        )]
        pub trait Changes_Order_placed_at {}
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl Changes_Order_placed_at for NoType {}
        #[diagnostic::on_unimplemented(
            message = "`number` is part of the primary key of `Order`, and an item keeps its key",
            label = "part of the primary key",
            note = "create an item with the new key and delete the old one, in one transaction"
        )]
        pub trait Changes_Order_number {}
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl Changes_Order_number for NoType {}
        #[diagnostic::on_unimplemented(
            message = "`version` is the version of `Order`, which every write counts up",
            label = "counted up by every write",
            note = "remove this change; `.expect_version(…)` checks the version"
        )]
        pub trait Changes_Order_version {}
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl Changes_Order_version for NoType {}
    }
    pub struct ChangesOf_Order<__K>(::core::marker::PhantomData<fn() -> (Order, __K)>);
    #[automatically_derived]
    impl<__K> ChangesOf_Order<__K> {
        #[doc(hidden)]
        pub fn user_id(&self) -> __dm::expr::Slot<UserId>
        where
            __K: __refusals::Changes_Order_user_id,
        {
            __dm::__private::never()
        }
        #[doc(hidden)]
        pub fn placed_at(&self) -> __dm::expr::Slot<Timestamp>
        where
            __K: __refusals::Changes_Order_placed_at,
        {
            __dm::__private::never()
        }
        #[doc(hidden)]
        pub fn number(&self) -> __dm::expr::Slot<u32>
        where
            __K: __refusals::Changes_Order_number,
        {
            __dm::__private::never()
        }
        #[doc(hidden)]
        pub fn version(&self) -> __dm::expr::Slot<u64>
        where
            __K: __refusals::Changes_Order_version,
        {
            __dm::__private::never()
        }
    }
    #[automatically_derived]
    impl ChangesOf_Order<__dm::__private::Loaded> {
        ///`coupon`, and with it the keys of `by_coupon`.
        pub fn coupon(&self) -> __dm::expr::KeySlot<String, __dm::__private::Optional> {
            __dm::expr::KeySlot::new(
                "coupon",
                ::core::option::Option::Some(__dm::expr::Path::attribute("coupon")),
            )
        }
    }
    #[automatically_derived]
    impl<__W> ChangesOf_Order<__dm::__private::ByKey<__W>> {
        ///`coupon`, and with it the keys of `by_coupon`.
        pub fn coupon(&self) -> __dm::expr::KeySlot<String, __dm::__private::Optional> {
            __dm::expr::KeySlot::new(
                "coupon",
                ::core::option::Option::Some(__dm::expr::Path::attribute("coupon")),
            )
        }
    }
    #[automatically_derived]
    impl __dm::__private::Writable for Order {
        type Whole = Self;
        #[inline]
        fn whole(&self) -> &Self {
            self
        }
        type Uniques = __dm::__private::NoUniques;
        type Version = __dm::__private::Versioned;
        type TypeCheck = __dm::membership::AnyType;
        type Immutables = __dm::__private::NoImmutables;
        type Changes<__K> = ChangesOf_Order<__K>;
        fn changes<__K>() -> Self::Changes<__K> {
            ChangesOf_Order(::core::marker::PhantomData)
        }
    }
    const __RULES: &__dm::__private::check::Rules = &__dm::__private::check::Rules::of::<
        Order,
    >();
    const _: () = {
        __RULES.sort_key();
        __RULES.member();
        __RULES.entity_type();
        __RULES.key_type(0usize, false);
        __RULES.key_type(0usize, true);
    };
    const _: () = {
        __RULES.index_key(1usize);
        __RULES.key_type(1usize, false);
    };
    const _: () = {
        __RULES.attribute(0usize);
        __RULES.attribute(1usize);
        __RULES.attribute(2usize);
        __RULES.attribute(3usize);
        __RULES.attribute(4usize);
    };
    const _: () = {
        __dm::__private::assert_version::<u64>();
    };
};
