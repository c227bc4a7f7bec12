use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(nam = "App", pk = PK, billing = free)]
#[lsi1(name = "LSI1", pk = "LSI1PK", sk = "LSI1SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(tabel = App)]
#[pk("USER#<usr_id>")]
#[sk("SCORE#<score>#<at:min>")]
#[gsi1(pk = "EMAIL#<email", ass = by_email)]
struct User {
    user_id: String,
    score: f64,
    email: String,
    at: jiff::Timestamp,
    #[dynamo(verison)]
    version: u64,
}

fn main() {}
