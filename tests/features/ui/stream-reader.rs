use dynamo_model::StreamReader;

fn main() {}
