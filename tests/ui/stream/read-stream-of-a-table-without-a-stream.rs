use dynamo_model::{Dynamo, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

fn main() {
    let _ = |db: &Dynamo| {
        let streams = db.embedded_streams()?;
        let _ = db.read_stream::<App>(&streams);
        Some(())
    };
}
