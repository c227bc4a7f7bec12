//! The same changes between two runs of the libraries themselves, which `.ci/interop` starts.

use crate::support::Outcome;
use dynamo_model::Dynamo;

/// Returns the engine with the libraries' own tables, if they have written them.
fn live() -> Option<Dynamo> {
    if std::env::var_os("INTEROP_LIVE").is_none() {
        eprintln!("skipped: no library has written; see .ci/interop");
        return None;
    }
    Some(Dynamo::endpoint(std::env::var("DYNAMO_ENDPOINT").unwrap()))
}

macro_rules! live {
    ($($library:ident)*) => {$(
        #[tokio::test]
        async fn $library() -> Outcome {
            match live() {
                Some(db) => super::$library::change(&db).await,
                None => Ok(()),
            }
        }
    )*};
}

live!(electrodb onetable toolbox pynamodb boto3);
