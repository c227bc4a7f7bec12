use dynamo_model::Dynamo;

fn slow(db: Dynamo) -> Dynamo {
    db.with_attribute_maps()
}

fn main() {}
