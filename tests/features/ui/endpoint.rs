use dynamo_model::Dynamo;

fn main() {
    let _ = Dynamo::endpoint("http://localhost:8000");
}
