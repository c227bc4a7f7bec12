//! A studio on the embedded engine, and requests to it, byte by byte: a client library would not
//! send what an attacker sends.

use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Table};
use dynamo_model_tools::live::Live;
use dynamo_model_tools::studio::Studio;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Members of a club.
#[derive(DynamoTable)]
#[table(name = "Club", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
pub(crate) struct Club;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone)]
#[dynamo(table = Club)]
#[pk("CLUB#<club>")]
#[sk("MEMBER#<name>")]
#[gsi1(pk = "PHONE#<phone>", as = by_phone)]
pub(crate) struct Member {
    pub(crate) club: String,
    pub(crate) name: String,
    #[dynamo(sensitive)]
    pub(crate) phone: String,
    pub(crate) points: i64,
}

/// A table without a sensitive field.
#[derive(DynamoTable)]
#[table(name = "Notes", pk = "PK")]
pub(crate) struct Notes;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone)]
#[dynamo(table = Notes)]
#[pk("NOTE#<id>")]
pub(crate) struct Note {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) points: i64,
}

pub(crate) const SECRET: &str = "090-1234-5678";

pub(crate) fn note(id: &str) -> Note {
    Note {
        id: id.into(),
        text: "hello".into(),
        points: 1,
    }
}

/// A running studio.
pub(crate) struct Page {
    pub(crate) db: Dynamo,
    pub(crate) host: String,
    pub(crate) token: String,
}

pub(crate) async fn start(options: impl FnOnce(Studio) -> Studio) -> Page {
    let db = Dynamo::embedded().unwrap();
    Club::create_table(&db).await.unwrap();
    Notes::create_table(&db).await.unwrap();
    let member = Member {
        club: "go".into(),
        name: "Ann".into(),
        phone: SECRET.into(),
        points: 3,
    };
    member.create().send(&db).await.unwrap();
    note("n1").create().send(&db).await.unwrap();
    let live = Live::new("club").entity::<Member>().entity::<Note>();
    let open = options(Studio::new(live, db.clone())).open().await.unwrap();
    let url = open.url().to_owned();
    tokio::spawn(open.run());
    let (host, token) = url
        .strip_prefix("http://")
        .unwrap()
        .split_once('/')
        .unwrap();
    Page {
        db,
        host: host.to_owned(),
        token: token.trim_end_matches('/').to_owned(),
    }
}

/// A response: status, head and body.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.body))
    }
}

impl Page {
    pub(crate) async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[&str],
        body: &str,
    ) -> Response {
        let mut stream = TcpStream::connect(&self.host).await.unwrap();
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        for header in headers {
            request += &format!("{header}\r\n");
        }
        request += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).await.unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Response {
            status,
            head: head.to_lowercase(),
            body: body.to_owned(),
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        let path = format!("/{}{path}", self.token);
        self.send("GET", &path, &[&format!("Host: {}", self.host)], "")
            .await
    }

    /// As the page itself sends it.
    pub(crate) async fn post(&self, path: &str, body: Value) -> Response {
        let path = format!("/{}/api/{path}", self.token);
        let headers = [
            format!("Host: {}", self.host),
            format!("Origin: http://{}", self.host),
            "Sec-Fetch-Site: same-origin".into(),
            "Content-Type: application/json".into(),
        ];
        let headers: Vec<_> = headers.iter().map(String::as_str).collect();
        self.send("POST", &path, &headers, &body.to_string()).await
    }

    /// The first row of a scan.
    pub(crate) async fn first(&self, table: &str) -> Value {
        let found = self.post("scan", json!({ "table": table })).await.json();
        found["items"][0].clone()
    }

    /// The view of the first item of a table.
    pub(crate) async fn first_item(&self, table: &str) -> Value {
        let id = self.first(table).await["id"].clone();
        self.post("item", json!({ "id": id })).await.json()
    }
}
