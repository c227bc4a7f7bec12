//! An index with vectors of several entities: the entity type is a filter, which every search has.

use crate::lacks_vectors;
use crate::support::{self, Outcome};
use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, Entity, Vector};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Library", pk = "PK", entity_type = "type", items = LibraryItem)]
#[vector1(
    name = "by-topic", attribute = "topic", dimensions = 2, distance = cosine, filters("type"),
)]
struct Library;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Library, entity_type = "BOOK")]
#[pk("BOOK#<id>")]
#[vector1(field = topic)]
struct Book {
    id: u32,
    topic: Vector<2>,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = Library, entity_type = "FILM")]
#[pk("FILM#<id>")]
#[vector1(field = about)]
struct Film {
    id: u32,
    #[serde(rename = "topic")]
    about: Vector<2>,
}

#[derive(DynamoItems)]
#[items(table = Library)]
#[allow(dead_code)]
enum LibraryItem {
    Book(Book),
    Film(Film),
}

#[tokio::test]
async fn a_search_counts_items_of_its_own_entity_alone() -> Outcome {
    if lacks_vectors() {
        return Ok(());
    }
    let db = support::db::<Library>().await;
    for id in 0..6 {
        let topic = Vector::try_from([1.0, id as f32])?;
        Film {
            id,
            about: topic.clone(),
        }
        .create()
        .send(&db)
        .await?;
        Book { id: id + 10, topic }.create().send(&db).await?;
    }
    let wanted = Vector::try_from([1.0, 0.0])?;
    let books = Book::similar_to(&wanted).top_k(3).all(&db).await?;
    assert_eq!(
        books.iter().map(|it| it.item.id).collect::<Vec<_>>(),
        [10, 11, 12]
    );
    let films = Film::similar_to(&wanted).top_k(6).all(&db).await?;
    assert_eq!(films.len(), 6);
    assert_eq!(
        Book::similar_to(&wanted)
            .explain(&db)?
            .to_string()
            .lines()
            .nth(1),
        Some("  filter: type = \"BOOK\"")
    );
    Ok(())
}
