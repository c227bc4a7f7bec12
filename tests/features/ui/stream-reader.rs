use dynamo_model::stream::StreamReader;

fn main() {}
