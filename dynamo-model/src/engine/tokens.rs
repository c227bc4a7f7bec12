//! Transaction tokens: a transaction that is sent again within ten minutes is done once.
//!
//! The engine has tokens too, but checks all of them for each transaction. So we remove the token
//! from the request and keep it here.

use dynoxide::Database;
use dynoxide::actions::transact_write_items::{
    TransactWriteItemsRequest, TransactWriteItemsResponse,
};
use dynoxide::errors::DynoxideError;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// As long as DynamoDB remembers a token.
const WINDOW: Duration = Duration::from_secs(600);
/// The longest token that DynamoDB takes.
const MAX_TOKEN: usize = 36;

/// The transactions of the last ten minutes.
#[derive(Default)]
pub(super) struct Tokens(Mutex<Known>);

#[derive(Default)]
struct Known {
    done: HashMap<String, Done>,
    /// Oldest first.
    order: VecDeque<(Instant, String)>,
}

#[derive(Clone)]
struct Done {
    items: [u8; 32],
    response: serde_json::Value,
}

impl Tokens {
    /// Runs the request, or returns the result of its first attempt.
    pub(super) fn transact_write(
        &self,
        db: &Database,
        mut request: TransactWriteItemsRequest,
    ) -> Result<serde_json::Value, DynoxideError> {
        let token = request
            .client_request_token
            .take_if(|it| it.len() <= MAX_TOKEN);
        let Some(token) = token else {
            return to_json(&db.transact_write_items(request)?);
        };
        let items = hash(&request)?;
        // Held until the transaction is done, so that the same token waits for its outcome.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        known.forget(now);
        if let Some(done) = known.done.get(&token) {
            return match done.items == items {
                true => Ok(done.response.clone()),
                false => Err(DynoxideError::IdempotentParameterMismatchException(
                    "Request parameters do not match those of an earlier request with the same \
                     token"
                        .into(),
                )),
            };
        }
        let response = to_json(&db.transact_write_items(request)?)?;
        known.remember(now, token, items, response.clone());
        Ok(response)
    }
}

impl Known {
    fn forget(&mut self, now: Instant) {
        while let Some((since, _)) = self.order.front() {
            if now.duration_since(*since) < WINDOW {
                return;
            }
            if let Some((_, token)) = self.order.pop_front() {
                self.done.remove(&token);
            }
        }
    }

    fn remember(
        &mut self,
        now: Instant,
        token: String,
        items: [u8; 32],
        response: serde_json::Value,
    ) {
        self.order.push_back((now, token.clone()));
        self.done.insert(token, Done { items, response });
    }
}

/// Hashes the writes of a request. Objects of `serde_json` are in the order of their names, so that
/// equal requests are equal.
fn hash(request: &TransactWriteItemsRequest) -> Result<[u8; 32], DynoxideError> {
    let items = serde_json::to_value(&request.transact_items).map_err(internal)?;
    Ok(Sha256::digest(items.to_string()).into())
}

fn to_json(response: &TransactWriteItemsResponse) -> Result<serde_json::Value, DynoxideError> {
    serde_json::to_value(response).map_err(internal)
}

fn internal(error: serde_json::Error) -> DynoxideError {
    DynoxideError::InternalServerError(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finding: "Transactions slow down tenfold over 100 000 (request tokens are searched
    /// linearly)". Only expired tokens are looked at, and the first one that is not.
    #[test]
    fn tokens_are_forgotten_oldest_first_after_ten_minutes() {
        let mut known = Known::default();
        let start = Instant::now();
        for second in 0..5 {
            let now = start + Duration::from_secs(second);
            known.remember(now, second.to_string(), [0; 32], serde_json::Value::Null);
        }
        known.forget(start + WINDOW - Duration::from_nanos(1));
        assert_eq!((known.done.len(), known.order.len()), (5, 5));
        known.forget(start + WINDOW + Duration::from_secs(2));
        let mut left: Vec<_> = known.done.into_keys().collect();
        left.sort();
        assert_eq!(left, ["3", "4"]);
        let in_order: Vec<_> = known.order.into_iter().map(|(_, token)| token).collect();
        assert_eq!(in_order, ["3", "4"]);
    }
}
