::core::compile_error! {
    "`User` has no field `usr_id`; did you mean `<user_id>`?"
}
#[allow(dead_code, unused_variables)]
const _: () = {
    #[automatically_derived]
    impl ::dynamo_model::Entity for User {
        type Table = App;
        const SCHEMA: ::dynamo_model::schema::EntitySchema = ::dynamo_model::schema::EntitySchema::incomplete(
            "User",
        );
        fn primary_key(
            &self,
        ) -> ::core::result::Result<
            ::dynamo_model::Key<Self>,
            ::dynamo_model::KeyError,
        > {
            ::core::unreachable!()
        }
        fn key_attributes(
            &self,
        ) -> ::core::result::Result<
            ::std::vec::Vec<::dynamo_model::ItemKeyAttribute>,
            ::dynamo_model::KeyError,
        > {
            ::core::unreachable!()
        }
    }
    pub struct __PrimaryParts {}
    #[automatically_derived]
    impl ::dynamo_model::IndexedBy<::dynamo_model::index::Primary> for User {
        type Parts = __PrimaryParts;
        fn key_in(
            &self,
        ) -> ::core::result::Result<
            ::core::option::Option<
                ::dynamo_model::Key<Self, ::dynamo_model::index::Primary>,
            >,
            ::dynamo_model::KeyError,
        > {
            ::core::unreachable!()
        }
        fn parse(
            _: ::dynamo_model::KeyRef<'_>,
            _: ::core::option::Option<::dynamo_model::KeyRef<'_>>,
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
    }
};
