use dynamo_model::Dynamo;

fn main() {}
