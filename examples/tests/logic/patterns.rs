//! Every access pattern has its expected result: on fresh data, and again after all of them have
//! run.

use crate::support::{Outcome, database};
use dynamo_model::Dynamo;
use dynamo_model_examples::{Pattern, booking, exam, hosting, shop};

async fn run(db: &Dynamo, patterns: &[Pattern]) -> Outcome {
    for pattern in patterns {
        let which = format!("{} {}", pattern.number, pattern.name);
        let found = (pattern.run)(db).await;
        let found = found.map_err(|error| format!("{which}: {error}"))?;
        found
            .as_promised
            .map_err(|why| format!("{which}: {why}, found {}", found.items))?;
    }
    Ok(())
}

macro_rules! patterns {
    ($schema:ident, $count:literal) => {
        #[tokio::test]
        async fn $schema() -> Outcome {
            let db = database()?;
            let mut loaded = 0;
            $schema::load(&db, &mut |items| loaded = items).await?;
            assert_eq!(loaded, $schema::LOADED);
            let patterns = $schema::patterns();
            assert_eq!(patterns.len(), $count);
            run(&db, &patterns).await?;
            run(&db, &patterns).await
        }
    };
}

patterns!(exam, 18);
patterns!(shop, 30);
patterns!(booking, 26);
patterns!(hosting, 33);
