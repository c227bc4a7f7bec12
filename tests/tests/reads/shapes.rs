//! More shapes of a read: a whole partition, a part of each item, whole items through an index; and
//! their debug output.

use crate::support::{self, Outcome, put_json};
use dynamo_model::{DynamoEntity, DynamoNested, DynamoProjection, DynamoTable, ErrorKind};
use dynamo_model_examples::exam::{AnswerHistory, ExamItem, ExamStudyApp, Question, User};
use dynamo_model_examples::shogi::{Kifu, KifuId, ShogiProject};
use serde::{Deserialize, Serialize};
use serde_json::json;

async fn exam() -> Outcome<support::Db> {
    let db = support::db::<ExamStudyApp>().await;
    for user in ["1", "10"] {
        put_json::<ExamStudyApp>(
            &db,
            json!({
                "PK": format!("USER#{user}"), "SK": "PROFILE", "EntityType": "USER", "userId": user,
                "email": "u@example.com", "displayName": "山田太郎",
                "createdAt": "2025-06-01T09:00:00Z", "updatedAt": "2025-06-01T09:00:00Z",
            }),
        )
        .await?;
        for hour in ["10", "11"] {
            let at = format!("2025-06-01T{hour}:00:00Z");
            put_json::<ExamStudyApp>(&db, json!({
                "PK": format!("USER#{user}"), "SK": format!("ANSWER#{at}#FE-2023-01"), "EntityType": "ANSWER",
                "userId": user, "questionId": "FE-2023-01", "selectedIndex": 2, "isCorrect": true,
                "answeredAt": at, "examType": "FE",
                "GSI1PK": "QUESTION#FE-2023-01", "GSI1SK": format!("USER#{user}#{at}"),
            })).await?;
        }
        put_json::<ExamStudyApp>(&db, json!({
            "PK": format!("USER#{user}"), "SK": "ANALYTICS#FE#network", "EntityType": "ANALYTICS",
            "userId": user, "examType": "FE", "category": "network", "totalAnswers": 2, "correctAnswers": 2,
            "accuracyRate": 1.0, "lastUpdatedAt": "2025-06-01T11:00:00Z",
            "GSI1PK": "ANALYTICS#FE", "GSI1SK": format!("USER#{user}#CATEGORY#network"),
        })).await?;
    }
    Ok(db)
}

#[tokio::test]
async fn a_collection_returns_entities_in_sort_key_order() -> Outcome {
    let db = exam().await?;
    let items = ExamItem::collection(User::partition_key("1"))
        .all(&db)
        .await?;
    let kinds: Vec<_> = items
        .iter()
        .map(|item| match item {
            ExamItem::User(user) => format!("user {}", user.user_id.0),
            ExamItem::Answer(answer) => format!("answer {}", answer.answered_at),
            ExamItem::WeakArea(area) => format!("area {}", area.category),
            ExamItem::Question(_) => "question".into(),
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "area network",
            "answer 2025-06-01T10:00:00Z",
            "answer 2025-06-01T11:00:00Z",
            "user 1",
        ]
    );

    let newest = ExamItem::collection(User::partition_key("1"))
        .descending()
        .limit(1)
        .all(&db)
        .await?;
    assert!(matches!(newest[..], [ExamItem::User(_)]));

    let answers = AnswerHistory::sort_key().build()?;
    let answers = ExamItem::collection(User::partition_key("1"))
        .within(answers)
        .all(&db)
        .await?;
    assert_eq!(answers.len(), 2);
    Ok(())
}

/// Finding: "`collection(..)` accepts the partition key of an index, another table or another
/// entity, and returns nothing": those do not compile; a prefix that no item of the partition has
/// is refused.
#[tokio::test]
async fn a_prefix_of_an_entity_that_is_not_in_the_partition_is_refused() -> Outcome {
    let db = exam().await?;
    let answers = AnswerHistory::sort_key().build()?;
    let question = Question::partition_key("FE-2023-01");
    let collection = ExamItem::collection(question).within(answers);
    let error = collection.all(&db).await.unwrap_err();
    let ErrorKind::Key(reason) = error.kind() else {
        panic!("{error}");
    };
    assert!(reason.to_string().contains("USER#<user_id>"), "{reason}");
    Ok(())
}

/// The key of an item names its partition.
#[tokio::test]
async fn a_collection_takes_the_partition_of_a_key() -> Outcome {
    let db = exam().await?;
    let partition = User::key("1").map(|key| key.partition_key());
    let items = ExamItem::collection(partition).all(&db).await?;
    assert_eq!(items.len(), 4);
    Ok(())
}

#[tokio::test]
async fn a_collection_continues_after_a_page() -> Outcome {
    let db = exam().await?;
    let (mut seen, mut cursor) = (Vec::new(), None);
    loop {
        let mut query = ExamItem::collection(User::partition_key("10"))
            .page_size(1)
            .limit(1);
        if let Some(cursor) = cursor.take() {
            query = query.after(cursor);
        }
        let page = query.page(&db).await?;
        seen.extend(page.items);
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(
        seen,
        ExamItem::collection(User::partition_key("10"))
            .all(&db)
            .await?
    );
    assert_eq!(seen.len(), 4);
    Ok(())
}

#[tokio::test]
async fn an_item_of_an_unknown_entity_is_an_error() -> Outcome {
    let db = exam().await?;
    put_json::<ExamStudyApp>(
        &db,
        json!({"PK": "USER#1", "SK": "X", "EntityType": "COUPON"}),
    )
    .await?;
    let error = ExamItem::collection(User::partition_key("1"))
        .all(&db)
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("query ExamItem USER#1/X: the item is of type `COUPON`, not `ExamItem`"),
        "{error}"
    );
    Ok(())
}

/// The fields of a list of records. CreatedIndex projects `share` and its keys; `username` and
/// `kifu_id` are read from those.
#[derive(DynamoProjection, Deserialize, Debug, PartialEq)]
#[projection(of = Kifu, from(lsi2, table))]
struct Listed {
    kifu_id: KifuId,
    share: bool,
    share_code: Option<String>,
    created: jiff::Timestamp,
}

/// The INCLUDE of the document's index names `cgsi_pk` and `clsi_sk`, which contain the share code.
async fn shogi() -> Outcome<support::Db> {
    let db = support::db::<ShogiProject>().await;
    for (id, created, code) in [("a", "2025-01-01", None), ("b", "2025-02-02", Some("xyz"))] {
        let mut item = json!({
            "pk": "kifu#uname#h-akira", "sk": format!("kid#{id}"), "kifu": "手合割：平手", "first_or_second": "first",
            "result": "win", "memo": "序盤研究用の棋譜", "public": true, "share": code.is_some(),
            "created": format!("{created}T00:00:00Z"), "latest_access": "2025-12-31T11:11:31Z",
            "latest_update": "2025-12-31T11:11:31Z",
        });
        if let Some(code) = code {
            item["cgsi_pk"] = format!("kifu#scode#{code}").into();
        }
        put_json::<ShogiProject>(&db, item).await?;
    }
    Ok(db)
}

#[tokio::test]
async fn a_projection_reads_projected_attributes_and_key_fields() -> Outcome {
    let db = shogi().await?;
    let listed: Vec<Listed> = Kifu::by_created("h-akira")
        .descending()
        .project()
        .all(&db)
        .await?;
    let shown: Vec<_> = listed
        .iter()
        .map(|it| (it.kifu_id.0.as_str(), it.share, it.share_code.as_deref()))
        .collect();
    assert_eq!(shown, [("b", true, Some("xyz")), ("a", false, None)]);

    let from_table: Vec<Listed> = Kifu::query("h-akira")
        .descending()
        .project()
        .all(&db)
        .await?;
    assert_eq!(from_table, listed);

    let explained = Kifu::by_created("h-akira")
        .project::<Listed>()
        .explain(&db)?;
    let asked: Vec<_> = explained.names.values().map(String::as_str).collect();
    assert!(
        asked.contains(&"share") && !asked.contains(&"kifu") && !asked.contains(&"memo"),
        "{asked:?}"
    );
    Ok(())
}

/// All options of a query work on its projection too.
#[tokio::test]
async fn a_projection_is_read_page_by_page() -> Outcome {
    let db = shogi().await?;
    let listed = || Kifu::by_created("h-akira").project::<Listed>();
    let first = listed().descending().limit(1).page(&db).await?;
    assert_eq!(first.items[0].kifu_id.0, "b");
    let rest = listed().descending().after(first.next.unwrap());
    let rest = rest.page_size(1).consistent().all(&db).await?;
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0].kifu_id.0, "a");

    let explained = listed().page_size(7).consistent().explain(&db)?;
    assert_eq!((explained.page_size, explained.consistent), (Some(7), true));
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Parcels", pk = "PK", sk = "SK")]
#[lsi1(name = "ByWeight", sk = "weight", projection = include("label"))]
struct Parcels;

#[derive(DynamoEntity, Serialize, Deserialize, Debug)]
#[dynamo(table = Parcels)]
#[pk("DEPOT#<depot>")]
#[sk("PARCEL#<id>")]
#[lsi1(sk = "<weight:05>", as = by_weight)]
struct Parcel<T> {
    depot: String,
    id: String,
    weight: u32,
    label: T,
    content: Vec<T>,
}

#[derive(DynamoProjection, Deserialize, Debug, PartialEq)]
#[projection(of = Parcel<String>, from(lsi1, table))]
struct Label {
    id: String,
    label: String,
}

#[derive(DynamoProjection, Deserialize, Debug, PartialEq)]
#[projection(of = Parcel<T>, from(table))]
struct Content<T> {
    content: Vec<T>,
}

#[tokio::test]
async fn a_projection_can_be_generic_over_its_entity() -> Outcome {
    let db = support::db::<Parcels>().await;
    for (id, weight) in [("a", 2), ("b", 1)] {
        let item = json!({
            "PK": "DEPOT#d", "SK": format!("PARCEL#{id}"), "depot": "d", "id": id, "weight": format!("{weight:05}"),
            "label": format!("l{id}"), "content": [id],
        });
        put_json::<Parcels>(&db, item).await?;
    }
    let labels: Vec<Label> = Parcel::<String>::by_weight("d").project().all(&db).await?;
    let shown: Vec<_> = labels
        .iter()
        .map(|it| (it.id.as_str(), it.label.as_str()))
        .collect();
    assert_eq!(shown, [("b", "lb"), ("a", "la")]);
    let contents = Parcel::<String>::query("d").project::<Content<String>>();
    let first = contents.first(&db).await?.unwrap();
    assert_eq!(first.content, ["a"]);
    Ok(())
}

#[tokio::test]
async fn hydrate_returns_whole_items_in_index_order() -> Outcome {
    let db = shogi().await?;
    let records = Kifu::by_created("h-akira")
        .descending()
        .hydrate(&db)
        .await?;
    let ids: Vec<_> = records.iter().map(|kifu| kifu.kifu_id.0.as_str()).collect();
    assert_eq!(ids, ["b", "a"]);
    assert_eq!(records[0].memo, "序盤研究用の棋譜");
    assert_eq!(records[0].share_code.as_deref(), Some("xyz"));
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Accounts", pk = "PK", sk = "SK")]
struct Accounts;

#[derive(DynamoNested, Serialize, Deserialize, Debug)]
struct Address {
    city: String,
    lines: Vec<String>,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug)]
#[dynamo(table = Accounts)]
#[pk("EMAIL#<email>")]
#[sk("ACCOUNT")]
struct Account {
    #[dynamo(sensitive)]
    email: String,
    #[dynamo(sensitive)]
    pin: u32,
    #[dynamo(nested)]
    address: Address,
}

#[tokio::test]
async fn nested_fields_are_named_in_filters() -> Outcome {
    let db = support::db::<Accounts>().await;
    put_json::<Accounts>(
        &db,
        json!({
            "PK": "EMAIL#a@example.com", "SK": "ACCOUNT", "email": "a@example.com", "pin": 1234,
            "address": {"city": "東京", "lines": ["渋谷区", "1-2-3"]},
        }),
    )
    .await?;
    let query = || Account::query("a@example.com");
    assert_eq!(
        query()
            .filter(|a| a.address().city().eq("東京"))
            .count(&db)
            .await?,
        1
    );
    assert_eq!(
        query()
            .filter(|a| a.address().city().eq("大阪"))
            .count(&db)
            .await?,
        0
    );
    assert_eq!(
        query()
            .filter(|a| a.address().lines().at(1).begins_with("1-"))
            .count(&db)
            .await?,
        1
    );
    assert_eq!(
        query()
            .filter(|a| a.address().lines().size().gt(2))
            .count(&db)
            .await?,
        0
    );
    assert_eq!(
        query()
            .filter(|a| a.address().exists() & a.pin().between(1000, 2000))
            .count(&db)
            .await?,
        1
    );
    Ok(())
}

#[tokio::test]
async fn no_debug_output_shows_a_sensitive_value() -> Outcome {
    let db = support::db::<Accounts>().await;
    put_json::<Accounts>(
        &db,
        json!({
            "PK": "EMAIL#a@example.com", "SK": "ACCOUNT", "email": "a@example.com", "pin": "not a \
                                                                                            number",
            "address": {"city": "東京", "lines": []},
        }),
    )
    .await?;
    let error = Account::get("a@example.com").send(&db).await.unwrap_err();
    let explained = Account::query("a@example.com")
        .filter(|a| a.pin().eq(987_654_321))
        .explain(&db)?;
    let texts = [
        error.to_string(),
        format!("{error:?}"),
        format!("{:?}", Account::key("a@example.com")?),
        explained.to_string(),
    ];
    for text in &texts {
        assert!(
            !text.contains("example.com")
                && !text.contains("not a number")
                && !text.contains("987654321"),
            "{text}"
        );
    }
    assert_eq!(
        texts[0],
        "get Account EMAIL#<email>/ACCOUNT: pin: expected N, found S; change the item, or the type \
         that reads it"
    );
    assert!(texts[3].contains("filter: pin = ***"), "{}", texts[3]);
    Ok(())
}
