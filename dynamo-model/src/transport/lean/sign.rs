//! Signature version 4, with the key of the day kept.
//!
//! Deriving the key takes four HMACs, more than the rest of a signature. It depends only on the
//! secret, the day, the region and the service, so it is derived once a day.

use super::date::Stamp;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::fmt;
use std::sync::RwLock;

type Keyed = Hmac<Sha256>;

const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// Signs requests with one secret, for one region and service.
pub(super) struct Signer {
    secret: String,
    /// The access key, then `/`.
    access_key: String,
    /// `/us-east-1/dynamodb/aws4_request`: the scope after the day.
    scope: String,
    /// The key of the last day that was signed for.
    of_day: RwLock<Option<([u8; 8], Keyed)>>,
}

/// Does not show the secret.
impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Signer");
        debug.field("scope", &self.scope).finish_non_exhaustive()
    }
}

impl Signer {
    pub(super) fn new(access_key: &str, secret: &str, region: &str, service: &str) -> Self {
        Self {
            secret: format!("AWS4{secret}"),
            access_key: format!("{access_key}/"),
            scope: format!("/{region}/{service}/aws4_request"),
            of_day: RwLock::new(None),
        }
    }

    /// Returns the `authorization` header of a request with this canonical form, hashed, and these
    /// signed headers.
    pub(super) fn authorize(
        &self,
        at: &Stamp,
        canonical: Sha256,
        signed_headers: &str,
    ) -> Option<String> {
        let mut mac = self.key(at.day())?;
        for part in [
            ALGORITHM,
            "\n",
            at.text(),
            "\n",
            at.day_text(),
            &self.scope,
            "\n",
        ] {
            mac.update(part.as_bytes());
        }
        mac.update(&hex(&canonical.finalize()));
        let signature = hex(&mac.finalize().into_bytes());
        let signature = core::str::from_utf8(&signature).ok()?;
        let parts = [
            ALGORITHM,
            " Credential=",
            &self.access_key,
            at.day_text(),
            &self.scope,
            ", SignedHeaders=",
            signed_headers,
            ", Signature=",
            signature,
        ];
        Some(parts.concat())
    }

    /// Returns the key of a day.
    fn key(&self, day: [u8; 8]) -> Option<Keyed> {
        // A poisoned lock still holds a complete key.
        let kept = match self.of_day.read() {
            Ok(kept) => kept,
            Err(poisoned) => poisoned.into_inner(),
        };
        if let Some((of, key)) = &*kept
            && *of == day
        {
            return Some(key.clone());
        }
        drop(kept);
        let key = self.derive(&day)?;
        let mut kept = match self.of_day.write() {
            Ok(kept) => kept,
            Err(poisoned) => poisoned.into_inner(),
        };
        *kept = Some((day, key.clone()));
        Some(key)
    }

    fn derive(&self, day: &[u8]) -> Option<Keyed> {
        // An HMAC takes a key of any length.
        let step = |key: &[u8], text: &[u8]| {
            let mac = Keyed::new_from_slice(key).ok()?;
            Some(mac.chain_update(text).finalize().into_bytes())
        };
        let mut key = step(self.secret.as_bytes(), day)?;
        for part in self.scope.split('/').filter(|part| !part.is_empty()) {
            key = step(&key, part.as_bytes())?;
        }
        Keyed::new_from_slice(&key).ok()
    }
}

/// Returns the hash of a body, in hexadecimal digits.
pub(super) fn hash(body: &[u8]) -> [u8; 64] {
    hex(&Sha256::digest(body))
}

fn hex(bytes: &[u8]) -> [u8; 64] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = [b'0'; 64];
    for (pair, byte) in text.chunks_exact_mut(2).zip(bytes) {
        pair.copy_from_slice(&[
            DIGITS[usize::from(byte >> 4)],
            DIGITS[usize::from(byte & 15)],
        ]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, UNIX_EPOCH};

    /// 2015-08-30T12:36:00Z, the time of AWS's test suite.
    const MOMENT: Duration = Duration::from_secs(1_440_938_160);

    fn signature(canonical: &str, signed_headers: &str) -> String {
        let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
        let signer = Signer::new("AKIDEXAMPLE", secret, "us-east-1", "service");
        let stamp = Stamp::of(UNIX_EPOCH + MOMENT).unwrap();
        let canonical = Sha256::new_with_prefix(canonical);
        let authorization = signer.authorize(&stamp, canonical, signed_headers).unwrap();
        let (scope, signature) = authorization.split_once(", Signature=").unwrap();
        let credential = "Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request";
        let expected = format!("AWS4-HMAC-SHA256 {credential}, SignedHeaders={signed_headers}");
        assert_eq!(scope, expected);
        signature.to_owned()
    }

    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    /// `get-vanilla` and its neighbours of AWS's Signature Version 4 test suite.
    #[test]
    fn vectors_of_aws_get_their_signatures() {
        let vanilla = |method: &str| {
            let headers = "host:example.amazonaws.com\nx-amz-date:20150830T123600Z\n";
            format!("{method}\n/\n\n{headers}\nhost;x-amz-date\n{EMPTY}")
        };
        assert_eq!(
            signature(&vanilla("GET"), "host;x-amz-date"),
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        );
        assert_eq!(
            signature(&vanilla("POST"), "host;x-amz-date"),
            "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
        );
    }

    /// `post-x-www-form-urlencoded`: a body and more headers.
    #[test]
    fn vector_with_a_body_gets_its_signature() {
        let body = core::str::from_utf8(&hash(b"Param1=value1"))
            .unwrap()
            .to_owned();
        let headers = "content-type:application/x-www-form-urlencoded\n\
            host:example.amazonaws.com\nx-amz-date:20150830T123600Z\n";
        let signed = "content-type;host;x-amz-date";
        assert_eq!(
            signature(&format!("POST\n/\n\n{headers}\n{signed}\n{body}"), signed),
            "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"
        );
    }

    /// The example of the documentation: "Deriving a signing key".
    #[test]
    fn key_is_that_of_the_documentation() {
        let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
        let signer = Signer::new("", secret, "us-east-1", "iam");
        let key = signer.derive(b"20150830").unwrap();
        let expected = "c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9";
        let digits = |at: usize| u8::from_str_radix(&expected[at..at + 2], 16).unwrap();
        let expected: Vec<u8> = (0..64).step_by(2).map(digits).collect();
        let of = |key: Keyed| key.chain_update("text").finalize().into_bytes();
        assert_eq!(of(key), of(Keyed::new_from_slice(&expected).unwrap()));
    }

    #[test]
    fn key_of_another_day_replaces_the_kept_one() {
        let signer = Signer::new("AKID", "secret", "us-east-1", "dynamodb");
        let of = |seconds: u64| {
            let stamp = Stamp::of(UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
            signer.authorize(&stamp, Sha256::new(), "host").unwrap()
        };
        let midnight = 1_440_979_200;
        let (before, after) = (of(midnight - 1), of(midnight));
        assert!(before.contains("/20150830/") && after.contains("/20150831/"));
        // Another thread may still sign for the day before.
        assert_eq!(of(midnight - 1), before);
        let fresh = Signer::new("AKID", "secret", "us-east-1", "dynamodb");
        let stamp = Stamp::of(UNIX_EPOCH + Duration::from_secs(midnight)).unwrap();
        assert_eq!(
            fresh.authorize(&stamp, Sha256::new(), "host").unwrap(),
            after
        );
    }

    #[test]
    fn debug_output_does_not_show_the_secret() {
        let signer = Signer::new("AKID", "hidden", "us-east-1", "dynamodb");
        assert!(!format!("{signer:?}").contains("hidden"));
    }
}
