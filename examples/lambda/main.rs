//! A Lambda function on a stream: it counts a user's unread notifications and pushes new ones.
//!
//! ```console
//! $ cargo run -p dynamo-model-examples --example lambda -- examples/lambda/events/insert.json
//! ```
//!
//! This program handles an event from a file, so that it runs without AWS. With the crate
//! `lambda_runtime`, `main` is:
//!
//! ```text
//! lambda_runtime::run(service_fn(async |event: LambdaEvent<StreamEvent>| {
//!     Ok::<_, Infallible>(handler(&db, event.payload).await)
//! }))
//! ```

mod handler;

use dynamo_model::prelude::*;
use dynamo_model_examples::Failure;
use dynamo_model_examples::booking::Notifications;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let path = std::env::args().nth(1);
    let path = path.ok_or("give the file of an event, as in examples/lambda/events")?;
    let event: StreamEvent = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let db = Dynamo::embedded()?;
    Notifications::create_table(&db).await?;
    let failures = handler::handler(&db, event).await;
    println!("{}", serde_json::to_string_pretty(&failures)?);
    Ok(())
}
