//! Cursors that were altered, made up, or taken from elsewhere.

use crate::attacker::{Attacker, Loot};
use crate::support::Outcome;
use crate::vault::{Belongings, Note, Profile, SECRET, VICTIM, VaultItem, Visit, vault};
use aws_smithy_types::base64;
use dynamo_model::__private::fuzz;
use dynamo_model::key::KeyValue;
use dynamo_model::read::CursorKeys;
use dynamo_model::{Dynamo, Entity};

fn attacker() -> Attacker {
    Attacker {
        user: "mallory".into(),
        words: ["work", "diary", "private"].map(String::from),
    }
}

/// Returns the bytes of a cursor.
fn opened(cursor: &str) -> Vec<u8> {
    let mut text = cursor.replace('-', "+").replace('_', "/");
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    base64::decode(text).unwrap()
}

fn closed(bytes: &[u8]) -> String {
    let text = base64::encode(bytes).replace('+', "-").replace('/', "_");
    text.trim_end_matches('=').to_owned()
}

/// Returns the fingerprint in an unsigned cursor, which anyone can read.
fn fingerprint(cursor: &str) -> u64 {
    let bytes = opened(cursor);
    u64::from_be_bytes(bytes[10..18].try_into().unwrap())
}

/// A key as cursors have it.
fn position(values: &[&KeyValue]) -> Vec<u8> {
    let mut out = Vec::new();
    for value in values {
        let text = value.as_str().unwrap();
        out.push(b'S');
        out.extend_from_slice(&u16::try_from(text.len()).unwrap().to_be_bytes());
        out.extend_from_slice(text.as_bytes());
    }
    out
}

/// Positions in the victim's partitions, for all queries of the attacker.
fn elsewhere() -> Vec<Vec<u8>> {
    let own = Belongings::of_victim();
    let note = own.note.primary_key().unwrap();
    let keys = own.note.key_attributes().unwrap();
    let find = |name: &str| {
        keys.iter()
            .find(|key| key.name == name)
            .unwrap()
            .value
            .clone()
    };
    let [folder, label] = ["GSI1PK", "GSI1SK"].map(|name| find(name).unwrap());
    let title = find("LSI1SK").unwrap();
    let visit = own.visit.primary_key().unwrap();
    let visits: Vec<u8> = [0, 0, 0, 0]
        .into_iter()
        .chain((0..3).flat_map(|_| {
            [
                b"@".as_slice(),
                &position(&[visit.pk(), visit.sk().unwrap()]),
            ]
            .concat()
        }))
        .collect();
    let (pk, sk) = (note.pk(), note.sk().unwrap());
    let positions = [
        position(&[pk, sk]),
        position(&[pk, sk, &folder, &label]),
        position(&[pk, sk, &title]),
        visits,
        [0xff; 5].to_vec(),
        vec![0, 0, 0, 0, b'0'],
    ];
    // To the next page, and to the previous one.
    let headed = positions
        .iter()
        .flat_map(|position| [2, 3].map(|heading| [&[heading], position.as_slice()].concat()));
    headed.collect()
}

/// Without a signing key the checksum is public, so a forged cursor passes it but is refused by its
/// position. With a key, it does not even pass the signature.
#[tokio::test]
async fn forged_cursors_are_refused() -> Outcome {
    let (plain, _) = vault().await?;
    let attacker = attacker();
    let signed = (*plain).clone().with_signed_cursors("key");
    for (db, keys) in [(&*plain, None), (&signed, Some(CursorKeys::new("guess")))] {
        let own = attacker.pages(&plain).await?;
        assert_eq!(own.len(), 6);
        for cursor in own {
            for position in elsewhere() {
                let made_up = fuzz::forged(fingerprint(&cursor), &position, keys.as_ref());
                let mut loot = Loot::default();
                attacker.goes_on(db, &made_up, &mut loot).await;
                for found in loot.0 {
                    assert!(!found.contains(SECRET), "{found}");
                    assert!(found.contains("Cursor {"), "{made_up} was taken: {found}");
                }
            }
        }
    }
    Ok(())
}

/// A cursor of the victim's own does not let anybody else in, and is refused where it does not
/// belong.
#[tokio::test]
async fn cursors_of_another_user_are_refused() -> Outcome {
    let (db, _) = vault().await?;
    for db in [(*db).clone(), (*db).clone().with_signed_cursors("key")] {
        let page = Note::query(VICTIM).limit(1).page(&db).await?;
        let cursor = page.next.unwrap();
        let mut loot = Loot::default();
        attacker().goes_on(&db, &cursor, &mut loot).await;
        for found in loot.0 {
            assert!(found.contains("belongs to another query"), "{found}");
        }
        // It is the victim's, and stays good.
        assert_eq!(Note::query(VICTIM).after(cursor).all(&db).await?.len(), 3);
    }
    Ok(())
}

/// Every altered bit of a signed cursor is detected, for every kind of read.
#[tokio::test]
async fn altered_cursors_are_refused() -> Outcome {
    let (db, _) = vault().await?;
    let db: Dynamo = (*db).clone().with_signed_cursors("key");
    let attacker = attacker();
    let (mut tried, user) = (0, attacker.user.as_str());
    for cursor in attacker.pages(&db).await? {
        let bytes = opened(&cursor);
        assert_eq!(closed(&bytes), cursor);
        for at in 0..bytes.len() {
            let mut altered = bytes.clone();
            altered[at] ^= 1 << (at % 8);
            let altered = closed(&altered);
            let collection = VaultItem::collection(Profile::partition_key(user));
            let day: jiff::Timestamp = crate::vault::DAY.parse()?;
            for error in [
                Note::query(user)
                    .after(&altered)
                    .page(&db)
                    .await
                    .unwrap_err(),
                Visit::across(user, day..=day)
                    .after(&altered)
                    .page(&db)
                    .await
                    .unwrap_err(),
                collection.after(&altered).page(&db).await.unwrap_err(),
            ] {
                assert!(error.is_cursor(), "{error}");
                tried += 1;
            }
        }
    }
    assert!(tried > 1_000, "{tried}");
    Ok(())
}
