use dynamo_model::{
    DynamoEntity, DynamoItems, DynamoTable, Entity, Items, Key, KeyError, bounds::KeyParts,
};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id")]
#[sk("PROFILE")]
#[gsi1(pk = "EMAIL#<email>", sk = "USER#<user_id>", as = by_email)]
struct User {
    user_id: String,
    email: String,
}

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:06>")]
struct Order {
    user_id: String,
    number: u32,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    User(User),
    Order(Order),
}

fn main() -> Result<(), KeyError> {
    let user = User {
        user_id: "u1".into(),
        email: "u1@example.com".into(),
    };
    let key: Key<User> = User::key("u1")?;
    assert_eq!(key, user.primary_key()?);
    let parts: KeyParts<User> = key.parse()?;
    println!(
        "{} {:?}",
        parts.user_id,
        User::parse_key("USER#u1", "PROFILE")?.user_id
    );
    println!(
        "{} {:?}",
        User::partition_key("u1")?,
        user.key_attributes()?
    );
    let by_email = User::by_email_key("u1@example.com", "u1")?;
    println!(
        "{by_email} {}",
        User::by_email_partition_key("u1@example.com")?
    );
    println!("{:?}", User::by_email_sort_key().user_id("u1").build()?);
    println!(
        "{:?}",
        User::by_email_sort_key().user_id_prefix("u").build()?
    );
    println!(
        "{:?}",
        User::parse_by_email_key("EMAIL#a", "USER#u1")?.email
    );
    let order = Order::key("u1", 1)?;
    println!("{order} {:?}", Order::sort_key().number(1).build()?);
    let item: AppItem = user.into();
    println!("{:?} {:?}", item.key_attributes()?, item.entity());
    AppItem::entity_of("USER#u1".into(), Some("PROFILE".into()))?;
    Ok(())
}
