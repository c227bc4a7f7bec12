use dynamo_model::Dynamo;

fn main() {
    let _ = Dynamo::embedded_on_file("app.db");
}
