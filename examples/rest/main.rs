//! A REST service over the schema of the study app, with axum.
//!
//! ```console
//! $ cargo run -p dynamo-model-examples --example rest
//! $ curl -i 127.0.0.1:3001/users -H 'content-type: application/json' \
//!     -d '{"userId": "u1", "email": "ann@example.com"}'
//! $ curl -i 127.0.0.1:3001/users/u1
//! $ curl -i 127.0.0.1:3001/users/u1 -X PATCH -H 'if-match: "1"' \
//!     -H 'content-type: application/json' -d '{"displayName": "Ann"}'
//! $ curl -i '127.0.0.1:3001/users/u1/answers?limit=2'
//! ```
//!
//! It keeps its data in memory. On AWS only the handle differs: `Dynamo::new(client)`.

mod service;

use dynamo_model::prelude::*;
use dynamo_model_examples::exam::ExamStudyApp;
use std::error::Error as StdError;

#[tokio::main]
async fn main() -> Result<(), Box<dyn StdError>> {
    // Clients cannot make cursors of their own. A real key comes from your secrets.
    let db = Dynamo::embedded()?.with_signed_cursors(b"an example is no place for secrets");
    ExamStudyApp::create_table(&db).await?;
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 3001)).await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, service::routes(db)).await?;
    Ok(())
}
