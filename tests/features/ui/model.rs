use dynamo_model::schema::Model;

fn main() {
    let _ = Model::new();
}
