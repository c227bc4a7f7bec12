//! Products of several tenants, with three indexes that differ in distance and projection.

use crate::support::{self, Db, Outcome};
use dynamo_model::{DynamoEntity, DynamoProjection, DynamoTable, Entity, Vector};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Shop", pk = "PK", ttl = "expires")]
#[vector1(
    name = "by-meaning", attribute = "meaning", dimensions = 3, distance = cosine,
    hash = "tenant", filters("category", N("year")),
)]
#[vector2(
    name = "by-look", attribute = "look", dimensions = 2, distance = euclidean,
    projection = include("title"),
)]
#[vector3(
    name = "by-taste", attribute = "look", dimensions = 2, distance = dot_product,
    projection = keys_only,
)]
pub struct Shop;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Shop, hide_expired)]
#[pk("PRODUCT#<id:03>")]
#[vector1(field = meaning, hash = tenant, filters(category, year))]
#[vector2(field = look, as = similar_look)]
#[vector3(field = look, as = similar_taste)]
pub struct Product {
    pub id: u32,
    pub title: String,
    pub tenant: String,
    pub category: Option<String>,
    pub year: u16,
    pub meaning: Vector<3>,
    pub look: Option<Vector<2>>,
    #[dynamo(ttl)]
    pub expires: Option<u64>,
}

#[derive(DynamoProjection, Deserialize, Debug, PartialEq)]
#[projection(of = Product, from(vector2))]
pub struct Label {
    pub id: u32,
    pub title: String,
}

pub fn product(id: u32, tenant: &str, meaning: [f32; 3]) -> Product {
    Product {
        id,
        title: format!("Product {id}"),
        tenant: tenant.into(),
        category: Some(
            if id.is_multiple_of(2) {
                "shoes"
            } else {
                "hats"
            }
            .into(),
        ),
        year: 2020 + (id % 3) as u16,
        meaning: meaning.try_into().unwrap(),
        look: Some([id as f32, 0.5].try_into().unwrap()),
        expires: None,
    }
}

/// Eight products of two tenants; those of a tenant turn from one direction to another.
pub async fn stocked() -> Outcome<Db> {
    let db = support::db::<Shop>().await;
    for id in 0..8 {
        let tenant = if id < 5 { "acme" } else { "other" };
        let step = (id % 5) as f32;
        product(id, tenant, [4.0 - step, step, 0.25])
            .create()
            .send(&db)
            .await?;
    }
    Ok(db)
}

pub fn ids<'a>(
    found: impl IntoIterator<Item = &'a dynamo_model::vector::Scored<Product>>,
) -> Vec<u32> {
    found.into_iter().map(|it| it.item.id).collect()
}
