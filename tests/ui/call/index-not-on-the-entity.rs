use dynamo_model::{DynamoEntity, DynamoTable, KeyError, KeyPart};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(KeyPart)]
struct UserId(String);

#[derive(KeyPart)]
struct OrderId(String);

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:06>#<order_id>")]
struct Order {
    user_id: UserId,
    number: u32,
    order_id: OrderId,
}

fn main() -> Result<(), KeyError> {
    Order::gsi1_key("u1")?;
    Ok(())
}
