//! modyne. It takes entities by value, so its time includes a copy of each stored entity: the
//! others leave the entity to the caller.

use super::{Failure, Library, NEW_ADDRESS, NEW_TOTAL, RequestedParts};
use crate::entities::{Booking, Order, TABLE};
use aws_sdk_dynamodb::Client;
use jiff::Timestamp;
use modyne::model::{BatchWrite, TransactWrite, UpdateWithExpr};
use modyne::{
    Aggregate, Entity, EntityDef, EntityExt, EntityTypeNameRef, ProjectionExt, QueryInput,
    QueryInputExt, Table, expr, keys,
};
use uuid::Uuid;

/// modyne.
#[derive(Debug)]
pub struct Modyne(Client);

impl Table for Modyne {
    const ENTITY_TYPE_ATTRIBUTE: &'static str = "EntityType";
    type PrimaryKey = keys::Primary;
    type IndexKeys = (keys::Gsi1, keys::Gsi2, keys::Gsi3);

    fn table_name(&self) -> &str {
        TABLE
    }

    fn client(&self) -> &Client {
        &self.0
    }
}

/// As modyne's derive has it.
impl EntityDef for Order {
    const ENTITY_TYPE: &'static EntityTypeNameRef = EntityTypeNameRef::from_static("ORDER");
    const PROJECTED_ATTRIBUTES: &'static [&'static str] = &[
        "customerId",
        "orderId",
        "placedAt",
        "status",
        "total",
        "quantity",
        "paid",
        "address",
    ];
}

/// As modyne's derive has it.
impl EntityDef for Booking {
    const ENTITY_TYPE: &'static EntityTypeNameRef = EntityTypeNameRef::from_static("BOOKING");
    const PROJECTED_ATTRIBUTES: &'static [&'static str] = &[
        "bookingId",
        "userId",
        "userEmail",
        "userName",
        "companyName",
        "photographerName",
        "plan",
        "planDetails",
        "insurance",
        "startTime",
        "endTime",
        "status",
        "bookingType",
        "purpose",
        "shootingDetails",
        "protection",
        "peopleCount",
        "confirmationDeadline",
        "automaticCancellation",
        "cancellationFeePercent",
        "options",
        "approvedBy",
        "approvedAt",
        "createdAt",
        "updatedAt",
    ];
}

impl Entity for Order {
    type KeyInput<'a> = (&'a str, Timestamp, &'a str);
    type Table = Modyne;
    type IndexKeys = keys::Gsi1;

    fn primary_key((customer, placed_at, order): Self::KeyInput<'_>) -> keys::Primary {
        keys::Primary {
            hash: format!("CUSTOMER#{customer}"),
            range: format!("ORDER#{placed_at:.3}#{order}"),
        }
    }

    fn full_key(&self) -> keys::FullKey<keys::Primary, Self::IndexKeys> {
        keys::FullKey {
            primary: Self::primary_key(input(self)),
            indexes: keys::Gsi1 {
                hash: format!("STATUS#{}", self.status),
                range: format!("{:.3}", self.placed_at),
            },
        }
    }
}

impl Entity for Booking {
    type KeyInput<'a> = (&'a str, Uuid);
    type Table = Modyne;
    type IndexKeys = (keys::Gsi1, keys::Gsi2, keys::Gsi3);

    fn primary_key((booking, user): Self::KeyInput<'_>) -> keys::Primary {
        keys::Primary {
            hash: format!("BOOKING#{booking}"),
            range: format!("USER#{user}"),
        }
    }

    fn full_key(&self) -> keys::FullKey<keys::Primary, Self::IndexKeys> {
        let by_user = keys::Gsi1 {
            hash: format!("USER#{}", self.user_id),
            range: format!("BOOKING#{:.0}", self.created_at),
        };
        let by_status = keys::Gsi2 {
            hash: format!("STATUS#{}", self.status),
            range: format!("{:.0}", self.start_time),
        };
        let by_date = keys::Gsi3 {
            hash: self.start_time.strftime("DATE#%Y-%m-%d").to_string(),
            range: self.start_time.strftime("TIME#%H:%M:%SZ").to_string(),
        };
        keys::FullKey {
            primary: Self::primary_key((&self.booking_id, self.user_id)),
            indexes: (by_user, by_status, by_date),
        }
    }
}

struct OrdersOf<'a>(&'a str);

impl QueryInput for OrdersOf<'_> {
    type Index = keys::Primary;
    type Aggregate = Vec<Order>;

    fn key_condition(&self) -> expr::KeyCondition<Self::Index> {
        expr::KeyCondition::in_partition(format!("CUSTOMER#{}", self.0)).begins_with("ORDER#")
    }
}

struct BookingsOf(Uuid);

impl QueryInput for BookingsOf {
    type Index = keys::Gsi1;
    type Aggregate = Vec<Booking>;

    fn key_condition(&self) -> expr::KeyCondition<Self::Index> {
        expr::KeyCondition::in_partition(format!("USER#{}", self.0)).begins_with("BOOKING#")
    }
}

fn input(order: &Order) -> <Order as Entity>::KeyInput<'_> {
    (&order.customer_id, order.placed_at, &order.order_id)
}

fn change(order: &Order) -> UpdateWithExpr {
    let change = expr::Update::new("SET address = :address, paid = :paid, #total = :total")
        .name("#total", "total")
        .value(":address", NEW_ADDRESS)
        .value(":paid", true)
        .value(":total", NEW_TOTAL);
    <Order as EntityExt>::update(input(order)).expression(change)
}

fn exists() -> expr::Condition {
    expr::Condition::new("attribute_exists(PK)")
}

impl Modyne {
    async fn read<Q: QueryInput>(&self, query: Q) -> Result<Q::Aggregate, Failure> {
        let page = query.query().execute(self).await?;
        let mut found = Q::Aggregate::default();
        found.reduce(page.items.unwrap_or_default())?;
        Ok(found)
    }
}

impl Library for Modyne {
    const NAME: &'static str = "modyne";
    const ASKS: RequestedParts = RequestedParts {
        capacity: true,
        projection: true,
    };

    fn over(client: Client) -> Self {
        Self(client)
    }

    async fn get(&self, order: &Order) -> Result<Option<Order>, Failure> {
        let got = <Order as EntityExt>::get(input(order))
            .execute(self)
            .await?;
        Ok(got.item.map(Order::from_item).transpose()?)
    }

    async fn orders(&self, customer: &str) -> Result<Vec<Order>, Failure> {
        self.read(OrdersOf(customer)).await
    }

    async fn bookings(&self, user: Uuid) -> Result<Vec<Booking>, Failure> {
        self.read(BookingsOf(user)).await
    }

    async fn put_order(&self, order: &Order) -> Result<(), Failure> {
        order.clone().put().execute(self).await?;
        Ok(())
    }

    async fn put_booking(&self, booking: &Booking) -> Result<(), Failure> {
        booking.clone().put().execute(self).await?;
        Ok(())
    }

    async fn batch(&self, orders: &[Order]) -> Result<(), Failure> {
        let puts = orders.iter().map(|order| order.clone().put());
        let batch = puts.fold(BatchWrite::new(), BatchWrite::operation);
        batch.execute(self).await?;
        Ok(())
    }

    async fn update(&self, order: &Order) -> Result<(), Failure> {
        change(order).condition(exists()).execute(self).await?;
        Ok(())
    }

    async fn transaction(&self, create: &[Order], update: &[Order]) -> Result<(), Failure> {
        let mut transaction = TransactWrite::new();
        for order in create {
            transaction = transaction.operation(order.clone().create());
        }
        for order in update {
            transaction = transaction.operation(change(order).condition(exists()));
        }
        transaction.execute(self).await?;
        Ok(())
    }
}
