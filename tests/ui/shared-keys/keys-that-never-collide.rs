use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "Hosting", pk = "PK", entity_type = "type", items = HostingItem)]
struct Hosting;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = Hosting, entity_type = "USER", shares_key_with(Organization))]
#[pk("USER#<name>")]
struct User {
    name: String,
}

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = Hosting, entity_type = "ORGANIZATION", shares_key_with(User))]
#[pk("ORG#<name>")]
struct Organization {
    name: String,
}

#[derive(DynamoItems)]
#[items(table = Hosting)]
enum HostingItem {
    User(User),
    Organization(Organization),
}

fn main() {}
