use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, Vector};

#[derive(DynamoTable)]
#[table(name = "Library", pk = "PK", entity_type = "type", items = LibraryItem)]
#[vector1(name = "by-topic", attribute = "topic", dimensions = 2, distance = cosine)]
struct Library;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = Library, entity_type = "BOOK")]
#[pk("BOOK#<id>")]
#[vector1(field = topic)]
struct Book {
    id: u32,
    topic: Vector<2>,
}

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = Library, entity_type = "FILM")]
#[pk("FILM#<id>")]
struct Film {
    id: u32,
    topic: Vector<2>,
}

#[derive(DynamoItems)]
#[items(table = Library)]
enum LibraryItem {
    Book(Book),
    Film(Film),
}

fn main() {}
