//! Pages in both directions: each page equals the model's, and has a cursor exactly if more items
//! exist.

use crate::kinds::{self, Kind, KindItem, Log, Number, Visit};
use crate::support::{self, Outcome};
use dynamo_model::{
    BatchWrite, Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity, Page, Table,
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Threads", pk = "PK", sk = "SK", entity_type = "type", ttl = "ttl", items = ThreadItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct Threads;

/// Its comments are between the posts.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Threads, entity_type = "POST", hide_expired)]
#[pk("THREAD#<thread>")]
#[sk("POST#<number:04>")]
#[gsi1(pk = "AUTHOR#<author>", sk = "<week:02>", as = by_author)]
struct Post {
    thread: String,
    number: u32,
    author: String,
    /// Of many posts the same: in the index, they have one sort key.
    week: u32,
    #[dynamo(ttl)]
    ttl: Option<u64>,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Threads, entity_type = "COMMENT")]
#[pk("THREAD#<thread>")]
#[sk("POST#<number:04>#COMMENT#<comment:02>")]
struct Comment {
    thread: String,
    number: u32,
    comment: u32,
}

/// Shards with equal sort keys, in buckets of which most are empty.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Threads, entity_type = "VIEW")]
#[pk("VIEWS#<at:%Y-%m-%d>#<number:shard(4)>")]
#[sk("<at:s>")]
struct View {
    number: u32,
    at: Timestamp,
}

#[derive(DynamoItems)]
#[items(table = Threads)]
enum ThreadItem {
    Post(Post),
    Comment(Comment),
    View(View),
}

fn time(hours: i64) -> Timestamp {
    kinds::from() + SignedDuration::from_hours(hours)
}

async fn threads() -> Outcome<Dynamo> {
    let db = Dynamo::embedded()?;
    Threads::create_table(&db).await?;
    let posts = (0..30).map(|number| Post {
        thread: "1".into(),
        number,
        author: "a".into(),
        week: number / 12,
        // Of ten at a time, three have expired: also the first and the last ones.
        ttl: (number % 10 < 2 || number % 10 == 9).then_some(1_000_000_000),
    });
    let comments = (0..90).map(|at| Comment {
        thread: "1".into(),
        number: at / 3,
        comment: at % 3,
    });
    // Two shards may have an item at one time; six days have none.
    let views = (0..24_u32).map(|number| View {
        number,
        at: time(i64::from(number / 3) * 12 + if number < 12 { 0 } else { 144 }),
    });
    let batch = BatchWrite::new()
        .puts(&posts.collect::<Vec<_>>())
        .puts(&comments.collect::<Vec<_>>());
    batch.send(&db).await?;
    // Not in a batch: two of them may have one key.
    for view in views {
        view.put().send(&db).await?;
    }
    Ok(db)
}

/// A page as the tests compare it.
type Numbers = Page<u32>;

/// The reads that are paged.
#[derive(Debug, Clone, Copy)]
enum Read {
    Kind(Kind),
    Posts,
    NewestPosts,
    /// Only a few pass, which are far from each other.
    FilteredPosts,
    PostsOfAuthor,
    NewestPostsOfAuthor,
    PostRange,
    Views,
    NewestViews,
    /// Begins and ends within a bucket.
    ViewRange,
    Everything,
    Each,
}

impl Read {
    const OF_THREADS: [Self; 11] = [
        Self::Posts,
        Self::NewestPosts,
        Self::FilteredPosts,
        Self::PostsOfAuthor,
        Self::NewestPostsOfAuthor,
        Self::PostRange,
        Self::Views,
        Self::NewestViews,
        Self::ViewRange,
        Self::Everything,
        Self::Each,
    ];

    async fn page(
        self,
        db: &Dynamo,
        (limit, page_size): (usize, u32),
        cursor: Option<String>,
    ) -> Outcome<Numbers> {
        macro_rules! page {
            ($read:expr, |$it:pat_param| $number:expr) => {{
                let read = $read.limit(limit).page_size(page_size).after(cursor);
                Ok(read.page(db).await?.map(|$it| $number))
            }};
        }
        let days = kinds::from()..time(96);
        let log = Log::query("1");
        match self {
            Self::Kind(Kind::Query) => page!(log, |it| it.number),
            Self::Kind(Kind::Newest) => page!(log.descending(), |it| it.number),
            Self::Kind(Kind::Filtered) => {
                page!(log.filter(|it| it.even().eq(true)), |it| it.number)
            }
            Self::Kind(Kind::Index) => page!(Log::by_kind("debug"), |it| it.number),
            Self::Kind(Kind::Across) => page!(Visit::across(days), |it| it.number),
            Self::Kind(Kind::AcrossNewest) => {
                page!(Visit::across(days).descending(), |it| it.number)
            }
            Self::Kind(Kind::Collection) => {
                page!(KindItem::collection(Log::partition_key("1")), |it| {
                    kinds::Numbered::number(&it)
                })
            }
            Self::Kind(Kind::Projection) => page!(log.project::<Number>(), |it| it.number),
            Self::Kind(Kind::Scan) => page!(Log::scan(), |it| it.number),
            Self::Posts => page!(Post::query("1"), |it| it.number),
            Self::NewestPosts => page!(Post::query("1").descending(), |it| it.number),
            Self::FilteredPosts => page!(
                Post::query("1").filter(|it| it.number().is_in([2_u32, 3, 12, 28])),
                |it| it.number
            ),
            Self::PostsOfAuthor => page!(Post::by_author("a"), |it| it.number),
            Self::NewestPostsOfAuthor => {
                page!(Post::by_author("a").descending(), |it| it.number)
            }
            Self::PostRange => page!(Post::query("1").number_in(4..=26), |it| it.number),
            Self::Views => page!(View::across(time(-48)..time(400)), |it| it.number),
            Self::NewestViews => page!(View::across(time(-48)..time(400)).descending(), |it| it
                .number),
            Self::ViewRange => page!(View::across(time(11)..=time(240)), |it| it.number),
            Self::Everything => {
                page!(ThreadItem::collection(Post::partition_key("1")), |it| {
                    match it {
                        ThreadItem::Post(post) => post.number,
                        ThreadItem::Comment(it) => 100 + it.number * 3 + it.comment,
                        ThreadItem::View(it) => it.number,
                    }
                })
            }
            Self::Each => {
                let read = Post::query("1").limit(limit).page_size(page_size);
                let page = read.after(cursor).each().page(db).await?;
                Ok(page.try_map(|it| it.map(|it| it.number))?)
            }
        }
    }

    /// Walks back and forth, a page of another size at a time.
    async fn walk(self, db: &Dynamo, page_size: u32, steps: usize) -> Outcome {
        let all = self.page(db, (1_000, 1_000), None).await?;
        assert_eq!((&all.next, &all.previous), (&None, &None), "{self:?}");
        let all = all.items;
        assert!(all.len() > 3, "{self:?}");
        let mut random = 7_usize;
        let mut next_random = |below: usize| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        let (mut from, mut to, mut cursor) = (0_usize, 0_usize, None);
        for step in 0..steps {
            let limit = [1, 2, 3, 5, 7, all.len(), all.len() + 1][next_random(7)];
            let backward = cursor.as_ref().is_some_and(|(backward, _)| *backward);
            (from, to) = match backward {
                true => (from.saturating_sub(limit), from),
                false => (to, (to + limit).min(all.len())),
            };
            let text = cursor.take().map(|(_, text)| text);
            let page = self.page(db, (limit, page_size), text).await?;
            let case = format!("{self:?}, step {step}, {from}..{to}, {page_size} a request");
            assert_eq!(page.items, all[from..to], "{case}");
            assert_eq!(page.next.is_some(), to < all.len(), "next of {case}");
            assert_eq!(page.previous.is_some(), from > 0, "previous of {case}");
            let back = page.previous.map(|text| (true, text));
            let on = page.next.map(|text| (false, text));
            cursor = match next_random(2) {
                0 => back.or(on),
                _ => on.or(back),
            };
            if cursor.is_none() {
                (from, to) = (0, 0);
            }
        }
        Ok(())
    }
}

#[tokio::test]
async fn every_kind_of_read_goes_back_and_forth() -> Outcome {
    let db = Dynamo::embedded()?;
    kinds::fill(&db).await?;
    for kind in Kind::ALL {
        for page_size in [1, 4, 1000] {
            if kind != Kind::Scan {
                Read::Kind(kind).walk(&db, page_size, 25).await?;
            }
        }
    }
    let signed = db.with_signed_cursors("key");
    Read::Kind(Kind::Across).walk(&signed, 3, 30).await
}

#[tokio::test]
async fn filtered_items_do_not_change_the_cursors() -> Outcome {
    let db = threads().await?;
    for read in Read::OF_THREADS {
        for page_size in [1, 5, 1000] {
            read.walk(&db, page_size, 20).await?;
        }
    }
    Ok(())
}

/// DynamoDB reads a table in one direction only.
#[tokio::test]
async fn pages_of_a_scan_have_no_previous_one() -> Outcome {
    let db = Dynamo::embedded()?;
    kinds::fill(&db).await?;
    let (mut found, mut cursor) = (0, None);
    loop {
        let page = Log::scan().limit(5).after(cursor).page(&db).await?;
        found += page.items.len();
        assert_eq!(page.previous, None);
        assert_eq!(page.next.is_some(), found < 24);
        cursor = page.next;
        if cursor.is_none() {
            break Ok(());
        }
    }
}

#[tokio::test]
async fn none_is_the_first_page() -> Outcome {
    let db = Dynamo::embedded()?;
    kinds::fill(&db).await?;
    let query = || Log::query("1").limit(3);
    let first = query().after(None).page(&db).await?;
    assert_eq!(first, query().page(&db).await?);
    let second = query().after(&first.next).page(&db).await?;
    let text = first.next.as_deref().unwrap();
    assert_eq!(query().after(text).page(&db).await?, second);
    let back = query().after(second.previous).page(&db).await?;
    assert_eq!(back.items, first.items);
    Ok(())
}

/// Deleted items leave an empty page, from which both directions continue.
#[tokio::test]
async fn a_page_whose_items_were_deleted_leads_back() -> Outcome {
    let db = Dynamo::embedded()?;
    kinds::fill(&db).await?;
    let query = |limit| Log::query("1").limit(limit);
    let first = query(20).page(&db).await?;
    let second = query(4).after(&first.next).page(&db).await?;
    for log in &second.items {
        log.delete().send(&db).await?;
    }
    // The end: back from it is the page of the last items there are.
    let empty = query(4).after(&first.next).page(&db).await?;
    assert_eq!((empty.items.len(), &empty.next), (0, &None));
    let last = query(4).after(empty.previous).page(&db).await?;
    assert_eq!(last.items, first.items[16..]);
    assert_eq!(last.next, None);
    // The beginning.
    for log in &first.items {
        log.delete().send(&db).await?;
    }
    let empty = query(4).after(&second.previous).page(&db).await?;
    assert_eq!((empty.items.len(), &empty.previous), (0, &None));
    kinds::log(2).put().send(&db).await?;
    let page = query(4).after(empty.next).page(&db).await?;
    assert_eq!((page.items, page.next), (vec![kinds::log(2)], None));
    Ok(())
}

/// One request a page, which reads one item more; also backwards.
#[tokio::test]
async fn a_page_reads_one_item_more_in_the_same_request() -> Outcome {
    let db = support::bare();
    kinds::fill(&db).await?;
    let (counted, network) = db.faulty(
        aws_sdk_dynamodb::config::retry::RetryConfig::disabled(),
        |_, _| support::Fault::None,
    );
    let query = || Log::query("1").limit(5);
    let mut page = query().page(&counted).await?;
    assert_eq!((page.scanned, network.requests().len()), (6, 1));
    page = query().after(page.next).page(&counted).await?;
    assert_eq!((page.scanned, network.requests().len()), (6, 2));
    page = query().after(page.next).page(&counted).await?;
    page = query().after(page.previous).page(&counted).await?;
    assert_eq!((page.scanned, network.requests().len()), (6, 4));
    page = query().after(page.previous).page(&counted).await?;
    assert_eq!((page.scanned, network.requests().len()), (5, 5));
    assert_eq!(page.previous, None);
    Ok(())
}

/// Only `page` puts the items of a previous page in order.
#[tokio::test]
async fn other_reads_refuse_the_cursor_of_a_previous_page() -> Outcome {
    let db = Dynamo::embedded()?;
    kinds::fill(&db).await?;
    let query = || Log::query("1").limit(3);
    let first = query().page(&db).await?;
    let second = query().after(first.next).page(&db).await?;
    let back = || query().after(&second.previous);
    let message = "query Log: the cursor leads back to a previous page, which only `page` reads; \
                   start again from the first page";
    for error in [
        back().all(&db).await.unwrap_err(),
        back().first(&db).await.unwrap_err(),
        back().count(&db).await.unwrap_err(),
        back().hydrate(&db).await.unwrap_err(),
    ] {
        assert!(error.is_cursor());
        assert_eq!(error.to_string(), message);
    }
    assert!(back().explain(&db)?.to_string().contains("newest first"));
    Ok(())
}

/// With a budget a page may end early, and continues in its direction.
#[tokio::test]
async fn a_budget_ends_a_previous_page_early() -> Outcome {
    let db = Dynamo::embedded()?;
    kinds::fill(&db).await?;
    let query = || Log::query("1").limit(10).page_size(2).max_requests(2);
    let last = Log::query("1").limit(10).page(&db).await?;
    let last = Log::query("1").after(last.next).page(&db).await?;
    let (mut cursor, mut found) = (last.previous, Vec::new());
    while cursor.is_some() {
        let page = query().after(cursor).page(&db).await?;
        assert!(page.items.len() <= 4 && page.next.is_some());
        found.extend(page.items.iter().rev().map(|it| it.number));
        cursor = page.previous;
    }
    assert_eq!(found, (0..10).rev().collect::<Vec<_>>());
    Ok(())
}

#[tokio::test]
async fn a_page_is_serialized_with_its_cursors() -> Outcome {
    let db = Dynamo::embedded()?;
    kinds::fill(&db).await?;
    let page = Log::query("1").limit(2).page(&db).await?;
    let next = page.next.clone();
    let page = page.try_map(|log| u8::try_from(log.number))?;
    let json = serde_json::to_value(&page)?;
    assert_eq!(
        json,
        serde_json::json!({"items": [0, 1], "next": next, "previous": null})
    );
    let failed = page.try_map(|number| if number == 0 { Ok(number) } else { Err("one") });
    assert_eq!(failed.unwrap_err(), "one");
    Ok(())
}
