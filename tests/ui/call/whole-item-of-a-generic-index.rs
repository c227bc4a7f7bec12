use dynamo_model::bounds::{Decodable, Serde};
use dynamo_model::index::IndexMarker;
use dynamo_model::{Dynamo, Entity, Error, read::Query};

async fn read<E, I>(db: &Dynamo, query: Query<E, I>) -> Result<Vec<E>, Error>
where
    E: Entity + Decodable<Serde>,
    I: IndexMarker,
{
    query.all(db).await
}

fn main() {}
