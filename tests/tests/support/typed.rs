//! Handles whose client has an interceptor, so that the SDK gets typed inputs and makes typed
//! outputs.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::Intercept;
use dynamo_model::Dynamo;

/// An interceptor that changes nothing.
#[derive(Debug)]
struct Looks;

impl Intercept for Looks {
    fn name(&self) -> &'static str {
        "Looks"
    }
}

/// Returns a handle on the same engine, with typed inputs and outputs.
pub fn typed(db: &Dynamo) -> Dynamo {
    let config = db.client().config().to_builder();
    Dynamo::new(Client::from_conf(config.interceptor(Looks).build()))
}
