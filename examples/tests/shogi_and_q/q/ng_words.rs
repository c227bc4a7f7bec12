//! The cache of forbidden words, and the stream that keeps it current.

use super::{app_with_admin, id, now, tables};
use crate::support::Outcome;
use dynamo_model::Dynamo;
use dynamo_model::stream::Change;
use dynamo_model_examples::Recorder;
use dynamo_model_examples::q::logic::{self, NgWordCache, add_ng_word, delete_ng_word, is_flagged};
use dynamo_model_examples::q::{AnswerText, NgWord, NgWords, Word, ng_word};

async fn flagged(cache: &NgWordCache, db: &Dynamo, text: &str) -> Outcome<bool> {
    Ok(cache.is_flagged(db, text).await?)
}

/// The words change, the table's stream delivers the records, and the cache follows.
#[tokio::test]
async fn the_cache_follows_the_stream() -> Outcome {
    let db = tables().await?;
    let boss = super::boss(&db).await?;
    let streams = db.embedded_streams().unwrap();
    let mut reader = db.read_stream::<NgWords>(&streams);
    let cache = NgWordCache::default();
    add_ng_word(&db, &boss, "Spam", now()).await?;
    assert!(flagged(&cache, &db, "これはSPAMです").await?);

    add_ng_word(&db, &boss, "卵", now()).await?;
    delete_ng_word(&db, &boss, "spam", now()).await?;
    // Not read yet, the changes are not known.
    assert!(!flagged(&cache, &db, "これは卵です").await?);
    // The first record is from before the scan; read from the beginning again, all of them are
    // repeated.
    for _ in 0..2 {
        let records = reader.read_available().await?;
        assert_eq!(records.len(), 3);
        for record in &records {
            cache.apply(Change::of(record)?.unwrap());
        }
        assert!(flagged(&cache, &db, "これは卵です").await?);
        assert!(!flagged(&cache, &db, "これはspamです").await?);
        reader = db.read_stream::<NgWords>(&streams);
    }
    Ok(())
}

/// The event of a Lambda function on the stream of the deployed table.
#[tokio::test]
async fn the_stream_function_reports_failed_records() -> Outcome {
    let (db, _) = app_with_admin(&[]).await?;
    let cache = NgWordCache::default();
    assert!(!flagged(&cache, &db, "ばか").await?);
    let record = |sequence: u32, word: &str| {
        serde_json::json!({
            "eventID": sequence.to_string(),
            "eventName": "INSERT",
            "eventSourceARN": "arn:aws:dynamodb:ap-northeast-1:123456789012:table/dev-q-NGWords/stream/2026-02-05T00:00:00.000",
            "dynamodb": {
                "Keys": { "word": { "S": word } },
                "NewImage": {
                    "word": { "S": word },
                    "createdAt": { "S": "2026-02-05T12:00:00Z" },
                    "createdBy": { "S": "c3e85d17-42fb-4a09-b7d1-95f0a8e6c264" },
                },
                "SequenceNumber": sequence.to_string(),
                "StreamViewType": "NEW_AND_OLD_IMAGES",
            },
        })
    };
    let event = serde_json::json!({ "Records": [record(1, "ばか"), record(2, "Upper")] });
    let failures = cache.on_ng_words(serde_json::from_value(event)?).await;
    let failures = serde_json::to_value(failures)?;
    assert_eq!(failures["batchItemFailures"][0]["itemIdentifier"], "2");
    assert!(flagged(&cache, &db, "ばか").await?);
    assert!(!flagged(&cache, &db, "upper").await?);
    Ok(())
}

/// A change during the scan is newer than the scan.
#[tokio::test]
async fn a_change_before_the_first_scan_is_kept() -> Outcome {
    let (db, boss) = app_with_admin(&[]).await?;
    add_ng_word(&db, &boss, "ばか", now()).await?;
    let cache = NgWordCache::default();
    cache.apply(Change::Removed(ng_word()?));
    let troll = NgWord {
        word: Word::new("troll")?,
        ..ng_word()?
    };
    cache.apply(Change::Inserted(troll));
    assert!(!flagged(&cache, &db, "ばか").await?);
    assert!(flagged(&cache, &db, "a Troll").await?);
    Ok(())
}

/// The document scans for every post; with the cache only the first one does.
#[tokio::test]
async fn many_posts_take_one_scan() -> Outcome {
    let names = ["a01", "a02", "a03", "a04", "a05"];
    let (db, boss) = app_with_admin(&names).await?;
    add_ng_word(&db, &boss, "Spam", now()).await?;
    let recorder = Recorder::default();
    let recorded = recorder.record(&db).with_table_prefix("test-q-");
    let scans = || {
        let (sent, _) = recorder.take();
        sent.iter().filter(|sent| sent.operation == "Scan").count()
    };
    let cache = NgWordCache::default();
    for name in names {
        let text = AnswerText::new("SPAMではない")?;
        let answer = logic::post_answer(&recorded, &cache, &id(name), text, now()).await?;
        assert!(answer.is_flagged);
    }
    assert_eq!(scans(), 1);
    for _ in names {
        assert!(is_flagged(&recorded, "spam").await?);
    }
    assert_eq!(scans(), names.len());
    Ok(())
}
