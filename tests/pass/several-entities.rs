//! An items enum over several entities that share partitions and are distinguished by their sort
//! keys.

use dynamo_model::{DynamoEntity, DynamoItems, Items, KeyError};

mod table {
    #[derive(dynamo_model::DynamoTable)]
    #[table(name = "Shop", pk = "PK", sk = "SK", entity_type = "EntityType", items = super::Item)]
    #[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
    pub(super) struct Shop;
}

#[derive(DynamoEntity)]
#[dynamo(table = table::Shop, entity_type = "CUSTOMER")]
#[pk("CUSTOMER#<customer_id>")]
#[sk("PROFILE")]
struct Customer {
    customer_id: String,
}

#[derive(DynamoEntity)]
#[dynamo(table = table::Shop, entity_type = "ORDER")]
#[pk("CUSTOMER#<customer_id>")]
#[sk("ORDER#<number:06>")]
#[gsi1(pk = "ORDER#<number>", sk = "ORDER", as = by_number)]
struct Order {
    customer_id: String,
    number: u32,
}

#[derive(DynamoEntity)]
#[dynamo(table = table::Shop, entity_type = "LINE")]
#[pk("ORDER#<number>")]
#[sk("LINE#<line>")]
struct Line {
    number: u32,
    line: u16,
}

#[derive(DynamoItems)]
#[items(table = table::Shop)]
enum Item {
    Customer(Customer),
    Order(self::Order),
    Line(crate::Line),
}

fn main() -> Result<(), KeyError> {
    let items = [
        Item::from(Customer {
            customer_id: "c1".into(),
        }),
        Order {
            customer_id: "c1".into(),
            number: 7,
        }
        .into(),
        Item::Line(Line { number: 7, line: 1 }),
    ];
    let kinds: Vec<_> = items
        .iter()
        .map(|item| item.entity().unwrap().entity)
        .collect();
    assert_eq!(kinds, ["Customer", "Order", "Line"]);
    assert_eq!(items[1].key_attributes()?.len(), 4);
    let entity = Item::entity_of("CUSTOMER#c1".into(), Some("ORDER#000007".into()))?;
    assert_eq!(entity.entity_type, Some("ORDER"));
    assert!(matches!(&items[0], Item::Customer(customer) if customer.customer_id == "c1"));
    assert!(matches!(&items[2], Item::Line(line) if (line.number, line.line) == (7, 1)));
    Ok(())
}
