#[automatically_derived]
impl ::dynamo_model::KeyPart for UserId {
    type Kind = <String as ::dynamo_model::KeyPart>::Kind;
    const VALUES: ::core::option::Option<&'static [&'static ::core::primitive::str]> = <String as ::dynamo_model::KeyPart>::VALUES;
    #[inline]
    fn to_part(&self) -> ::dynamo_model::key::PartValue<'_> {
        <String as ::dynamo_model::KeyPart>::to_part(&self.0)
    }
    fn from_part(
        __value: ::dynamo_model::key::PartValue<'_>,
    ) -> ::core::result::Result<Self, ::dynamo_model::key::PartError> {
        <String as ::dynamo_model::KeyPart>::from_part(__value)
            .map(|__inner| Self { 0: __inner })
    }
}
#[automatically_derived]
impl ::dynamo_model::key::AsKeyPart<UserId> for &::core::primitive::str {
    #[inline]
    fn as_part(&self) -> ::dynamo_model::key::PartValue<'_> {
        ::dynamo_model::key::PartValue::Text(self)
    }
}
#[automatically_derived]
impl ::dynamo_model::key::AsOptionalKeyPart<UserId> for &::core::primitive::str {
    #[inline]
    fn as_optional_part(
        &self,
    ) -> ::core::option::Option<::dynamo_model::key::PartValue<'_>> {
        ::core::option::Option::Some(::dynamo_model::key::PartValue::Text(self))
    }
}
#[automatically_derived]
impl ::dynamo_model::key::AsKeyPart<UserId> for ::std::string::String {
    #[inline]
    fn as_part(&self) -> ::dynamo_model::key::PartValue<'_> {
        ::dynamo_model::key::PartValue::Text(self)
    }
}
#[automatically_derived]
impl ::dynamo_model::key::AsOptionalKeyPart<UserId> for ::std::string::String {
    #[inline]
    fn as_optional_part(
        &self,
    ) -> ::core::option::Option<::dynamo_model::key::PartValue<'_>> {
        ::core::option::Option::Some(::dynamo_model::key::PartValue::Text(self))
    }
}
#[automatically_derived]
impl ::dynamo_model::key::AsKeyPart<UserId> for &::std::string::String {
    #[inline]
    fn as_part(&self) -> ::dynamo_model::key::PartValue<'_> {
        ::dynamo_model::key::PartValue::Text(self)
    }
}
#[automatically_derived]
impl ::dynamo_model::key::AsOptionalKeyPart<UserId> for &::std::string::String {
    #[inline]
    fn as_optional_part(
        &self,
    ) -> ::core::option::Option<::dynamo_model::key::PartValue<'_>> {
        ::core::option::Option::Some(::dynamo_model::key::PartValue::Text(self))
    }
}
#[automatically_derived]
impl ::dynamo_model::expr::HasElement for UserId {
    type Element = ::std::string::String;
}
#[automatically_derived]
impl ::dynamo_model::expr::Ordered for UserId {}
#[automatically_derived]
impl ::dynamo_model::expr::HasBeginning for UserId {}
#[automatically_derived]
impl ::dynamo_model::expr::HasSize for UserId {}
