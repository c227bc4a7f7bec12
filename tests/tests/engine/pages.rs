//! Pages: "a page of 390 KB items needs 5 s and 1.9 GB (it asks for 32 768 items at
//! once)".

use crate::{Note, Notes, Outcome, note};
use dynamo_model::{BatchWrite, Dynamo, Table};
use futures_util::TryStreamExt;

async fn with(items: u32, text: &str) -> Outcome<Dynamo> {
    let db = Dynamo::embedded()?;
    Notes::create_table(&db).await?;
    let notes: Vec<_> = (0..items).map(|number| note(number, text)).collect();
    BatchWrite::new().puts(&notes).send(&db).await?;
    Ok(db)
}

/// DynamoDB ends a page after 1 MB, for items of any size.
#[tokio::test]
async fn a_page_ends_after_a_megabyte() -> Outcome {
    for (items, bytes, expected) in [(8, 390_000, 2), (40, 100_000, 10), (300, 10_000, 104)] {
        let db = with(items, &"x".repeat(bytes)).await?;
        let page = Note::query("u1").page(&db).await?;
        assert_eq!(page.items.len(), expected, "{bytes}");
        let scanned = Note::scan().page(&db).await?;
        assert_eq!(scanned.items.len(), expected, "{bytes}");
        let all: Vec<_> = Note::query("u1").stream(&db).try_collect().await?;
        assert_eq!(all.len(), items as usize);
        assert_eq!(Note::query("u1").count(&db).await?, items as usize);
    }
    Ok(())
}

/// Small items are read to the end of the page, and their capacity is that of one request.
#[tokio::test]
async fn a_page_of_small_items_is_one_request() -> Outcome {
    let db = with(2_000, &"x".repeat(100)).await?;
    let page = Note::query("u1").page(&db).await?;
    assert_eq!(page.items.len(), 2_000);
    assert!(page.next.is_none());
    let bytes: usize = 2_000 * (2 + 7 + 2 + 11 + 4 + 2 + 6 + 3 + 4 + 100);
    let units = bytes.div_ceil(4096) as f64 / 2.0;
    assert!(
        (page.consumed_capacity - units).abs() <= 2.0,
        "{} for {units}",
        page.consumed_capacity
    );
    Ok(())
}
