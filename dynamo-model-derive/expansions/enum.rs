#[automatically_derived]
impl ::dynamo_model::KeyPart for Level {
    type Kind = ::dynamo_model::key::kind::Enum;
    const VALUES: ::core::option::Option<&'static [&'static ::core::primitive::str]> = ::core::option::Option::Some(
        &["easy", "HARD!"],
    );
    #[inline]
    fn to_part(&self) -> ::dynamo_model::key::PartValue<'_> {
        ::dynamo_model::key::PartValue::Text(
            match self {
                Self::Easy => "easy",
                Self::Hard => "HARD!",
            },
        )
    }
    fn from_part(
        __value: ::dynamo_model::key::PartValue<'_>,
    ) -> ::core::result::Result<Self, ::dynamo_model::key::PartError> {
        match __value {
            ::dynamo_model::key::PartValue::Text("easy") => {
                ::core::result::Result::Ok(Self::Easy)
            }
            ::dynamo_model::key::PartValue::Text("HARD!") => {
                ::core::result::Result::Ok(Self::Hard)
            }
            _ => {
                ::core::result::Result::Err(
                    ::dynamo_model::key::PartError::expected("one of easy, HARD!"),
                )
            }
        }
    }
}
