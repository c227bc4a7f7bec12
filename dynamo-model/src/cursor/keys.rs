//! Signs cursors, so that others cannot forge one.

use core::fmt;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::sync::Arc;

/// The length of the HMAC in a cursor: 128 bits cannot be guessed, and keep the text short.
pub(super) const TAG: usize = 16;

/// The prefix of the signed text, so that a key with other uses never signs a cursor by chance.
const DOMAIN: &[u8] = b"dynamo-model cursor\0";

type Signer = Hmac<Sha256>;

/// The keys that cursors are signed with; see
/// [`Dynamo::with_signed_cursors`](crate::Dynamo::with_signed_cursors).
///
/// To rotate a key, let every process accept the new one first, then sign with it, and remove the
/// old one when its cursors are no longer in use.
///
/// ```
/// use dynamo_model::Dynamo;
/// use dynamo_model::read::CursorKeys;
///
/// # fn main() -> Result<(), dynamo_model::Error> {
/// let keys = CursorKeys::new(b"the key of this year").accepting(b"the key of last year");
/// let db = Dynamo::embedded()?.with_signed_cursors(keys);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct CursorKeys {
    /// `None` if the key is empty: that is a forgotten setting, and signs no cursor.
    signing: Option<Signer>,
    accepted: Arc<[Signer]>,
}

impl CursorKeys {
    /// Signs with this key, of any length; 32 random bytes are best. While it is empty every read
    /// of pages fails.
    #[must_use]
    pub fn new(key: impl AsRef<[u8]>) -> Self {
        let signing = signer(key.as_ref());
        let accepted = signing.iter().cloned().collect();
        Self { signing, accepted }
    }

    /// Also accepts cursors of another key, without signing with it. An empty key is ignored.
    #[must_use]
    pub fn accepting(self, key: impl AsRef<[u8]>) -> Self {
        let known = self.accepted.iter().cloned();
        Self {
            accepted: known.chain(signer(key.as_ref())).collect(),
            ..self
        }
    }

    pub(crate) fn can_sign(&self) -> bool {
        self.signing.is_some()
    }

    pub(super) fn sign(&self, body: &[u8]) -> Option<[u8; TAG]> {
        let tag = signed(self.signing.as_ref()?, body).finalize().into_bytes();
        tag.first_chunk().copied()
    }

    /// Compares in constant time, whichever byte differs.
    pub(super) fn verify(&self, body: &[u8], tag: &[u8; TAG]) -> bool {
        let matches = |key: &Signer| signed(key, body).verify_truncated_left(tag).is_ok();
        self.accepted.iter().any(matches)
    }
}

fn signer(key: &[u8]) -> Option<Signer> {
    let key = Some(key).filter(|key| !key.is_empty())?;
    Signer::new_from_slice(key).ok()
}

fn signed(key: &Signer, body: &[u8]) -> Signer {
    key.clone().chain_update(DOMAIN).chain_update(body)
}

impl<K: AsRef<[u8]>> From<K> for CursorKeys {
    fn from(key: K) -> Self {
        Self::new(key)
    }
}

/// Without the keys.
impl fmt::Debug for CursorKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CursorKeys").finish_non_exhaustive()
    }
}
