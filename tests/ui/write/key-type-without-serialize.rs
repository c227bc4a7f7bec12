use dynamo_model::{Dynamo, DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: String,
    age: u32,
}

#[derive(dynamo_model::KeyPart)]
struct PostId(String);

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("POST#<post_id>")]
#[sk("POST")]
struct Post {
    post_id: PostId,
    likes: u32,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = App)]
enum AppItem {
    User(User),
    Post(Post),
}

async fn write(db: &Dynamo) -> Result<(), dynamo_model::Error> {
    Post::update("p1").add(|post| post.likes(), 1_u32).send(db).await?;
    Ok(())
}

fn main() {}
