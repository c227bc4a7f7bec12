use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("BOOK#<isbn>")]
#[sk("PAGE#<page:05>")]
struct Book {
    isbn: String,
    page: u32,
}

fn main() {}
