use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = N("score"))]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[gsi1(pk = "RANKING", sk = "<points>")]
struct User {
    user_id: String,
    points: u32,
}

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("TEAM#<team_id>")]
#[sk("PROFILE")]
#[gsi1(pk = "RANKING", sk = "<grade>")]
struct Team {
    team_id: String,
    grade: String,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = App)]
enum AppItem {
    User(User),
    Team(Team),
}

fn main() {}
