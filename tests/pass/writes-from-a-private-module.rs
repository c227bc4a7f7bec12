//! Private entities with private field types, and a public one with private fields.
#![deny(warnings)]

mod model {
    use dynamo_model::{
        Dynamo, DynamoEntity, DynamoTable, Entity, Error, KeyPart, Table, Transaction,
    };
    use serde::{Deserialize, Serialize};

    #[derive(DynamoTable)]
    #[table(name = "App", pk = "PK")]
    #[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
    pub struct App;

    #[derive(DynamoTable)]
    #[table(name = "Users", pk = "PK")]
    #[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
    pub struct Users;

    #[derive(KeyPart, Serialize, Deserialize, Clone)]
    struct SecretId(String);

    #[derive(KeyPart, Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
    enum State {
        Hidden,
        Shown,
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
    struct Detail {
        text: String,
    }

    #[derive(DynamoEntity, Serialize, Deserialize)]
    #[dynamo(table = App)]
    #[pk("SECRET#<id>")]
    #[gsi1(pk = "STATE#<state>", sk = "HOLDER#<holder>")]
    #[unique("CODE#<code>")]
    struct Secret {
        id: SecretId,
        state: State,
        holder: Option<SecretId>,
        code: SecretId,
        detail: Detail,
        #[dynamo(version)]
        version: u32,
    }

    #[derive(DynamoEntity, Serialize, Deserialize)]
    #[dynamo(table = Users)]
    #[pk("USER#<user_id>")]
    pub struct User {
        user_id: String,
        secret: Option<SecretId>,
    }

    pub async fn run(db: &Dynamo) -> Result<(), Error> {
        App::create_table(db).await?;
        Users::create_table(db).await?;
        let secret = Secret {
            id: SecretId("s1".into()),
            state: State::Hidden,
            holder: None,
            code: SecretId("c1".into()),
            detail: Detail { text: "x".into() },
            version: 0,
        };
        secret.create().send(db).await?;
        Secret::update("s1")
            .set(|secret| secret.state(None), State::Shown)
            .set(|secret| secret.code("c1"), "c2")
            .set(|secret| secret.detail(), Detail { text: "y".into() })
            .expect_version(1)
            .send(db)
            .await?;
        let secret = Secret::get("s1").send(db).await?.expect("an item");
        assert_eq!(
            (secret.state, &secret.detail.text[..], secret.version),
            (State::Shown, "y", 2)
        );
        User::upsert("u1")
            .set(|user| user.secret(), SecretId("s1".into()))
            .send(db)
            .await?;
        let user = User::get("u1").send(db).await?.expect("an item");
        assert!(user.user_id == "u1" && user.secret.is_some());
        Transaction::new()
            .add(user.delete())
            .add(secret.delete())
            .send(db)
            .await
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), dynamo_model::Error> {
    let db = dynamo_model::Dynamo::embedded()?;
    model::run(&db).await?;
    model::User::delete("u1").send(&db).await
}
