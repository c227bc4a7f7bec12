//! Private entities with private field types in a module, `pub(crate)` and `pub(super)` ones, and
//! public ones with private fields.
#![deny(warnings)]

mod model {
    use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, KeyPart};

    #[derive(DynamoTable)]
    #[table(name = "App", pk = "PK", sk = "SK", items = Item)]
    pub struct App;

    #[derive(KeyPart, Clone)]
    struct SecretId(String);

    #[derive(DynamoEntity)]
    #[dynamo(table = App)]
    #[pk("SECRET#<id>")]
    #[sk("SECRET#<id>")]
    struct Secret {
        id: SecretId,
    }

    #[derive(DynamoEntity)]
    #[dynamo(table = self::App)]
    #[pk("USER#<user_id>")]
    #[sk("PROFILE#<secret>")]
    pub struct User {
        user_id: String,
        secret: SecretId,
    }

    #[derive(DynamoEntity)]
    #[dynamo(table = super::model::App)]
    #[pk("TEAM#<id>")]
    #[sk("MEMBER#<number:04>")]
    pub(crate) struct Team {
        pub(super) id: String,
        pub(super) number: u16,
    }

    #[derive(DynamoEntity)]
    #[dynamo(table = crate::model::App)]
    #[pk("PLAN#<id>")]
    #[sk("PLAN")]
    pub(super) struct Plan {
        pub(super) id: String,
    }

    #[derive(DynamoItems)]
    #[items(table = App)]
    #[allow(private_interfaces)]
    pub enum Item {
        Secret(Secret),
        User(User),
        Team(Team),
        Plan(Plan),
    }

    pub fn user() -> Result<String, dynamo_model::KeyError> {
        let id = SecretId("s1".into());
        let secret = Secret { id: id.clone() };
        let user = User {
            user_id: "u1".into(),
            secret: id,
        };
        let items = [
            Item::from(secret),
            Item::from(user),
            Item::Team(Team {
                id: "t".into(),
                number: 1,
            }),
        ];
        for item in items {
            match item {
                Item::Secret(secret) => drop(Secret::key(secret.id)?),
                Item::User(user) => drop(User::key(user.user_id, user.secret)?),
                Item::Team(team) => drop(Team::key(team.id, team.number)?),
                Item::Plan(plan) => drop(Plan::key(plan.id)?),
            }
        }
        Ok(User::key("u1", "s1")?.to_string())
    }
}

fn main() -> Result<(), dynamo_model::KeyError> {
    assert_eq!(model::user()?, "USER#u1/PROFILE#s1");
    let team = model::Team {
        id: "t1".into(),
        number: 7,
    };
    assert_eq!(
        model::Team::key(&team.id, team.number)?.to_string(),
        "TEAM#t1/MEMBER#0007"
    );
    assert_eq!(model::Team::sort_key().number(7).build()?, "MEMBER#0007");
    let plan = model::Plan { id: "p1".into() };
    assert_eq!(model::Plan::partition_key(plan.id)?, "PLAN#p1");
    Ok(())
}
