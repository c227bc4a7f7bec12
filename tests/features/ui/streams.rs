use dynamo_model::{Dynamo, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", stream = new_and_old_images)]
struct App;

fn read(db: &Dynamo, client: &()) {
    let _ = db.read_stream::<App>(client);
}

fn main() {}
