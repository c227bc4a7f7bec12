//! Reads with a budget, and reads that continue where they ended.

use crate::kinds::{self, Bounds, Kind, Kinds, Log, Patience, ReadMethod, Visit, log, read};

use crate::support::{self, Db, Fault, Outcome, put_json};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use dynamo_model::{Dynamo, Entity, Error, ErrorKind};
use futures_util::{StreamExt, TryStreamExt};
use serde_json::json;

const NEVER: Patience = Patience(None);

async fn filled() -> Outcome<Db> {
    let db = support::bare();
    kinds::fill(&db).await?;
    Ok(db)
}

fn spent(error: Option<&Error>) -> Option<(u32, usize)> {
    match error?.kind() {
        ErrorKind::BudgetSpent {
            requests,
            items_read,
        } => Some((*requests, *items_read)),
        _ => None,
    }
}

#[tokio::test]
async fn every_kind_of_read_finds_its_items() -> Outcome {
    let db = filled().await?;
    for kind in Kind::ALL {
        for way in [ReadMethod::Stream, ReadMethod::All] {
            let found = read(&db, kind, way, &Bounds::default(), NEVER).await;
            assert!(found.error.is_none() && found.cursor.is_none(), "{kind:?}");
            let mut numbers = found.numbers;
            if kind == Kind::Scan {
                numbers.sort_unstable();
            }
            assert_eq!(numbers, kind.expected(), "{kind:?}, {way:?}");
        }
    }
    Ok(())
}

/// Each part keeps to its budget, and together they are the whole read.
#[tokio::test]
async fn parts_within_a_budget_add_up_to_the_whole() -> Outcome {
    let db = filled().await?;
    let (counted, network) = db.faulty(RetryConfig::disabled(), |_, _| Fault::None);
    for kind in Kind::ALL {
        let round = kind.round();
        let whole = read(&db, kind, ReadMethod::All, &Bounds::default(), NEVER).await;
        let bounds = [
            (Some(round), None),
            (None, Some(round + 4)),
            (Some(5), Some(9)),
        ];
        for way in ReadMethod::ALL {
            // One of the bounds is enough where the budget ends a read in the same way.
            let bounds = if way == ReadMethod::All {
                &bounds[2..]
            } else {
                &bounds[..]
            };
            for &(max_requests, max_items_read) in bounds {
                let case = format!("{kind:?}, {way:?}, {max_requests:?}, {max_items_read:?}");
                let (mut found, mut after) = (Vec::new(), None);
                for part in 0.. {
                    assert!(part < 120, "{case}: no end");
                    let from = Bounds {
                        after,
                        max_requests: max_requests.map(|it| it as u32),
                        max_items_read,
                    };
                    let before = network.requests().len();
                    let read = read(&counted, kind, way, &from, NEVER).await;
                    let sent = network.requests().len() - before;
                    assert!(max_requests.is_none_or(|max| sent <= max), "{case}: {sent}");
                    found.extend(read.numbers);
                    match spent(read.error.as_ref()) {
                        Some((requests, items)) => {
                            assert!(way != ReadMethod::Page, "{case}");
                            assert_eq!(requests as usize, sent, "{case}");
                            assert!(max_items_read.is_none_or(|max| items <= max), "{case}");
                        }
                        None => assert!(read.error.is_none(), "{case}: {:?}", read.error),
                    }
                    after = read.cursor;
                    if after.is_none() {
                        break;
                    }
                }
                assert_eq!(found, whole.numbers, "{case}");
            }
        }
    }
    Ok(())
}

/// Finding: "No bound on reads whose filter matches nothing".
#[tokio::test]
async fn a_budget_ends_a_read_whose_filter_matches_nothing() -> Outcome {
    let db = filled().await?;
    let nothing = || {
        Log::query("1")
            .filter(|it| it.kind().eq("none"))
            .page_size(4)
    };
    let bounded = || nothing().max_requests(2);
    let page = bounded().limit(3).page(&db).await?;
    assert_eq!((page.items.len(), page.scanned), (0, 8));
    assert!(page.next.is_some());

    let errors = [
        bounded().first(&db).await.unwrap_err(),
        bounded().one(&db).await.unwrap_err(),
        bounded().all(&db).await.unwrap_err(),
        bounded().stream(&db).try_next().await.unwrap_err(),
        bounded().count(&db).await.unwrap_err(),
    ];
    for error in &errors {
        // A count reads as many items as fit into a request of this size.
        assert_eq!(spent(Some(error)), Some((2, 8)), "{error}");
        assert_eq!(error.cursor(), page.next.as_deref(), "{error}");
        assert!(!error.is_uncertain());
        assert_eq!(
            error.to_string(),
            "query Log: the budget was spent before the read was complete: requests 2, items read \
             8; continue with a cursor, or raise `max_requests` or `max_items_read`"
        );
    }
    let (mut cursor, mut parts) = (page.next, 1);
    while let Some(after) = cursor.take() {
        parts += 1;
        match bounded().after(after).first(&db).await {
            Ok(found) => assert_eq!(found, None),
            Err(error) => cursor = error.cursor().map(str::to_owned),
        }
    }
    // 24 items, eight a part; DynamoDB may need one more request to report the end.
    assert!((3..=4).contains(&parts), "{parts}");
    // A sufficient budget causes no error.
    assert_eq!(nothing().max_requests(7).first(&db).await?, None);
    assert_eq!(nothing().max_requests(7).count(&db).await?, 0);
    Ok(())
}

/// A failed `all` drops the items that it found: only the reading itself has them, with the
/// matching cursor.
#[tokio::test]
async fn an_error_has_a_cursor_only_if_it_skips_nothing() -> Outcome {
    let db = filled().await?;
    let mut reading = Log::query("1").page_size(5).max_requests(2).all(&db);
    let error = (&mut reading).await.unwrap_err();
    assert_eq!((spent(Some(&error)), error.cursor()), (Some((2, 10)), None));
    // Awaiting it again does not renew the budget.
    let error = (&mut reading).await.unwrap_err();
    assert_eq!(spent(Some(&error)), Some((2, 10)));
    let page = reading.into_page();
    assert_eq!(page.items.len(), 10);
    let rest = Log::query("1").after(page.next.unwrap()).all(&db).await?;
    assert_eq!(rest.first().map(|it| it.number), Some(10));
    assert_eq!(Log::query("1").max_requests(1).all(&db).await?.len(), 24);
    let error = Log::query("1")
        .page_size(5)
        .max_requests(2)
        .count(&db)
        .await;
    assert_eq!(error.unwrap_err().cursor(), None);
    Ok(())
}

#[tokio::test]
async fn a_budget_below_one_round_is_refused_before_any_request() -> Outcome {
    let db = filled().await?;
    let (counted, network) = db.faulty(RetryConfig::disabled(), |_, _| Fault::None);
    let day = || Visit::across(kinds::from()..kinds::from() + jiff::SignedDuration::from_hours(24));
    let refused = [
        (
            Log::query("1")
                .max_requests(0)
                .all(&counted)
                .await
                .map(drop),
            1,
        ),
        (
            Log::scan().max_items_read(0).page(&counted).await.map(drop),
            1,
        ),
        (day().max_requests(2).page(&counted).await.map(drop), 3),
        (day().max_items_read(2).count(&counted).await.map(drop), 3),
    ];
    for (refused, least) in refused {
        let error = refused.unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::SmallBudget { needed: least });
        let fix = format!("set `max_requests` and `max_items_read` to at least {least}");
        assert!(error.to_string().contains(&fix), "{error}");
    }
    assert!(network.requests().is_empty());
    assert_eq!(day().max_requests(3).page(&counted).await?.items.len(), 6);
    Ok(())
}

/// After each item, and before the first: with cursors as they are, and with signed ones.
#[tokio::test]
async fn the_cursor_of_a_stream_continues_after_each_item() -> Outcome {
    let db = filled().await?;
    let plain: Dynamo = db.clone();
    for db in [plain.clone(), plain.with_signed_cursors("key")] {
        for kind in Kind::ALL {
            let whole = read(&db, kind, ReadMethod::All, &Bounds::default(), NEVER)
                .await
                .numbers;
            for at in 0..=whole.len() {
                // So is the stream of a continued query.
                let from = Bounds {
                    max_items_read: Some(at.max(kind.round())),
                    ..Bounds::default()
                };
                let part = read(&db, kind, ReadMethod::Stream, &from, NEVER).await;
                let from = Bounds::after(part.cursor.clone());
                let rest = match part.cursor {
                    Some(_) => {
                        read(&db, kind, ReadMethod::Stream, &from, NEVER)
                            .await
                            .numbers
                    }
                    None => Vec::new(),
                };
                assert_eq!([part.numbers, rest].concat(), whole, "{kind:?}, {at}");
            }
        }
        let mut stream = Log::query("1").page_size(5).stream(&db);
        for at in 0..=24 {
            let rest = Log::query("1").after(stream.cursor().unwrap_or_default());
            match at {
                24 => assert_eq!(rest.all(&db).await.unwrap_err().cursor(), None),
                _ => assert_eq!(rest.all(&db).await?.len(), 24 - at, "after {at}"),
            }
            let next = stream.next().await.transpose()?;
            assert_eq!(next.is_none(), at == 24);
        }
        assert_eq!(stream.cursor(), None);
    }
    Ok(())
}

/// A cursor from before the first item is good for its own query, as any other.
#[tokio::test]
async fn the_cursor_of_the_beginning_belongs_to_its_query() -> Outcome {
    let db = filled().await?;
    let cursor = Log::query("1").stream(&db).cursor().unwrap();
    assert_eq!(Log::query("1").after(&cursor).all(&db).await?.len(), 24);
    let other = Log::query("2").after(&cursor).all(&db).await.unwrap_err();
    assert!(other.is_cursor(), "{other}");
    let other = Log::scan().after(&cursor).all(&db).await.unwrap_err();
    assert!(other.is_cursor(), "{other}");
    // An empty range is at its end immediately.
    let nothing = Log::query("1").number_in(5..5).stream(&db);
    assert_eq!(nothing.cursor(), None);
    Ok(())
}

#[tokio::test]
async fn segments_continue_where_each_ended() -> Outcome {
    let db = filled().await?;
    let scan = || Log::scan().segments(3).page_size(2);
    for taken in 0..=24 {
        let mut stream = scan().stream(&db);
        let mut found = Vec::new();
        for _ in 0..taken {
            found.extend(stream.try_next().await?.map(|it| it.number));
        }
        let cursors = stream.cursors();
        assert_eq!(cursors.len(), 3);
        let rest = scan().after(cursors).all(&db).await?;
        found.extend(rest.iter().map(|it| it.number));
        found.sort_unstable();
        assert_eq!(found, Kind::Scan.expected(), "after {taken}");
    }
    let mut stream = scan().stream(&db);
    while stream.try_next().await?.is_some() {}
    assert_eq!(stream.cursors(), [None, None, None]);
    assert!(scan().after(stream.cursors()).all(&db).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn cursors_of_other_segments_are_refused() -> Outcome {
    let db = filled().await?;
    let stream = Log::scan().segments(3).stream(&db);
    let mut cursors = stream.cursors();
    let refused = Log::scan()
        .segments(2)
        .after(cursors.clone())
        .all(&db)
        .await;
    assert_eq!(
        refused.unwrap_err().to_string(),
        "scan Log: the cursor belongs to a scan in another number of segments; start again from \
         the first page"
    );
    let whole = Log::scan().after(cursors[0].clone().unwrap());
    assert!(whole.all(&db).await.unwrap_err().is_cursor());
    cursors.swap(0, 1);
    let refused = Log::scan().segments(3).after(cursors).all(&db).await;
    assert!(refused.unwrap_err().is_cursor());
    let refused = Log::scan().segments(1).after([Some("x".into())]).count(&db);
    assert!(refused.await.unwrap_err().is_cursor());
    Ok(())
}

/// Each segment has the budget; found items are kept, and the segments continue.
#[tokio::test]
async fn each_segment_has_its_own_budget() -> Outcome {
    let db = filled().await?;
    let scan = || Log::scan().segments(3).page_size(2).max_requests(2);
    let (mut found, mut after) = (Vec::new(), Vec::new());
    for part in 0.. {
        assert!(part < 40, "no end");
        let scan = if part == 0 {
            scan()
        } else {
            scan().after(after)
        };
        let mut reading = scan.all(&db);
        match (&mut reading).await {
            Ok(rest) => {
                found.extend(rest.iter().map(|it| it.number));
                break;
            }
            Err(error) => {
                assert!(spent(Some(&error)).is_some(), "{error}");
                assert_eq!(error.cursor(), None);
                let (items, cursors) = reading.into_parts();
                found.extend(items.iter().map(|it| it.number));
                after = cursors;
            }
        }
    }
    found.sort_unstable();
    assert_eq!(found, Kind::Scan.expected());
    Ok(())
}

/// A stream returns the items before an unreadable one; its cursor is before that item.
#[tokio::test]
async fn an_unreadable_item_loses_no_other_item() -> Outcome {
    let db = filled().await?;
    let broken = json!({
        "PK": "LOG#1", "SK": "LOG#0007", "GSI1PK": "KIND#debug", "GSI1SK": "0007", "type": "LOG", "log": "1",
        "number": 7, "kind": "debug", "even": "perhaps",
    });
    put_json::<Kinds>(&db, broken.clone()).await?;
    for kind in [
        Kind::Query,
        Kind::Newest,
        Kind::Index,
        Kind::Collection,
        Kind::Scan,
    ] {
        let part = read(&db, kind, ReadMethod::Stream, &Bounds::default(), NEVER).await;
        assert!(
            part.error.as_ref().is_some_and(Error::is_decode),
            "{kind:?}"
        );
        // Again, it is the same item that cannot be read.
        let from = Bounds::after(part.cursor.clone());
        let again = read(&db, kind, ReadMethod::Stream, &from, NEVER).await;
        assert!(again.error.is_some_and(|it| it.is_decode()), "{kind:?}");
        assert_eq!(
            (again.numbers, &again.cursor),
            (vec![], &part.cursor),
            "{kind:?}"
        );
        log(7).put().send(&db).await?;
        let rest = read(&db, kind, ReadMethod::Stream, &from, NEVER).await;
        let whole = read(&db, kind, ReadMethod::All, &Bounds::default(), NEVER).await;
        assert_eq!(
            [part.numbers, rest.numbers].concat(),
            whole.numbers,
            "{kind:?}"
        );
        put_json::<Kinds>(&db, broken.clone()).await?;
    }
    Ok(())
}
