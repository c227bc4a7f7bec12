//! The network works as configured: every kind of fault occurs, and responses overtake each other.

use super::model::{Counter, Entry, Faults, Task, counter, entry};
use super::support::Outcome;
use super::support::network::{Fault, Network};
use dynamo_model::transaction::TransactGet;
use dynamo_model::{BatchGet, BatchWrite, Dynamo, Entity, Table, Transaction};
use std::collections::BTreeSet;

/// All that a plan can draw.
fn kinds() -> BTreeSet<String> {
    let mut kinds = vec![
        Fault::None,
        Fault::Slow,
        Fault::Refused("ProvisionedThroughputExceededException"),
        Fault::Refused("ThrottlingException"),
        Fault::CutOff,
        Fault::Garbled,
        Fault::InPart,
        Fault::Conflict,
        Fault::Late,
    ];
    for done in [false, true] {
        kinds.extend([
            Fault::ServerError { done },
            Fault::Broken { done },
            Fault::TimedOut { done },
            Fault::Silent { done },
        ]);
    }
    kinds.iter().map(|kind| format!("{kind:?}")).collect()
}

/// Calls every operation concurrently; other tests check the results.
async fn some_of_each(db: &Dynamo, round: u32) {
    let entries: Vec<Entry> = (0..30).map(|number| entry(round, number)).collect();
    let counter = counter(round, 1);
    let _ = tokio::join!(
        counter.put().send(db),
        Counter::upsert(round).add(|it| it.value(), 1_u64).send(db),
        Counter::delete(round + 1).send(db),
        Transaction::new().add(counter.put()).send(db),
        BatchWrite::new().puts(&entries).send(db),
        BatchGet::new((0..4).map(Counter::key)).send(db),
        TransactGet::new((Task::key(1), Counter::key(1))).send(db),
        Entry::query(round).all(db),
        Entry::scan().segments(4).count(db),
        Task::get(round).send(db),
    );
}

#[tokio::test(start_paused = true)]
async fn every_fault_occurs_and_responses_overtake_each_other() -> Outcome {
    let own = Dynamo::embedded()?;
    Faults::create_table(&own).await?;
    let (mut seen, mut overtaken) = (BTreeSet::new(), 0);
    for seed in 0..12 {
        for network in [Network::seeded, Network::late] {
            let network = network(&own, seed, 50);
            let db = network.handle(&own, 3);
            some_of_each(&db, u32::try_from(seed)?).await;
            network.settled().await;
            seen.extend(network.log().iter().map(|(_, fault)| format!("{fault:?}")));
            overtaken += network.overtaken();
        }
    }
    assert_eq!(seen, kinds());
    assert!(overtaken > 0);
    Ok(())
}
