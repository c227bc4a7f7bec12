//! The identity of the caller, as a policy sees it.

/// The identity of the caller: a policy variable, and the form of its values.
///
/// A policy uses the value unescaped, while a key escapes its delimiter. So an identity declares
/// the characters of its values besides letters and digits; if one of them would be escaped, the
/// policy is refused.
///
/// ```
/// use dynamo_model_tools::Identity;
///
/// assert_eq!(Identity::cognito_identity().variable(), "${cognito-identity.amazonaws.com:sub}");
/// // You vouch that no such tag contains anything but letters, digits and `-`.
/// let tag = Identity::principal_tag("user").with_only("-");
/// assert_eq!(tag.variable(), "${aws:PrincipalTag/user}");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    variable: String,
    /// The characters besides letters and digits; none where they are not known.
    others: Option<String>,
    width: Option<usize>,
    lower_case: bool,
}

impl Identity {
    /// The identity that Cognito's identity pool gives, such as
    /// `ap-northeast-1:12345678-1234-1234-1234-123456789012`.
    #[must_use]
    pub fn cognito_identity() -> Self {
        Self {
            variable: "cognito-identity.amazonaws.com:sub".into(),
            others: Some("-:".into()),
            width: None,
            lower_case: true,
        }
    }

    /// Names a session tag, for example from a claim of an identity pool's token: with `sub`
    /// mapped to it, the user id of a user pool. Its values can have any character, unless declared
    /// otherwise.
    #[must_use]
    pub fn principal_tag(tag: &str) -> Self {
        Self {
            variable: format!("aws:PrincipalTag/{tag}"),
            others: None,
            width: None,
            lower_case: false,
        }
    }

    /// Declares that its values have only letters, digits and these characters. The library cannot
    /// verify it.
    #[must_use]
    pub fn with_only(mut self, others: &str) -> Self {
        self.others = Some(others.to_owned());
        self
    }

    /// Declares that its values have no upper-case letters, so that a key with `lower` has the same
    /// text. The library cannot verify it.
    #[must_use]
    pub fn lower_case(mut self) -> Self {
        self.lower_case = true;
        self
    }

    /// Declares that its values are UUIDs in lower case, which the library cannot check.
    #[must_use]
    pub fn uuid(mut self) -> Self {
        self.others = Some("-".into());
        self.width = Some(36);
        self.lower_case = true;
        self
    }

    /// Returns the variable of a policy for it.
    #[must_use]
    pub fn variable(&self) -> String {
        format!("${{{}}}", self.variable)
    }

    pub(super) fn width(&self) -> Option<usize> {
        self.width
    }

    pub(super) fn is_lower_case(&self) -> bool {
        self.lower_case
    }

    /// Returns a character that its values may have and for which `is_one` holds.
    pub(super) fn may_have(&self, is_one: impl Fn(u8) -> bool) -> Option<char> {
        let any = (0..128_u8).filter(|byte| !byte.is_ascii_alphanumeric());
        let found = match &self.others {
            Some(others) => others.bytes().find(|byte| is_one(*byte)),
            None => any
                .into_iter()
                .find(|byte| byte.is_ascii_graphic() && is_one(*byte)),
        };
        found.map(char::from)
    }
}
