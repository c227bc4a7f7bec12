//! The studio: a page over live tables that understands the declarations.
//!
//! The server listens on 127.0.0.1 only, under a path with a random token. It serves the page, which
//! is part of the program, and a JSON interface over [`Live`]. Without [`Studio::write`] it refuses
//! every write.

mod api;
mod edit;
mod guard;
mod overview;
mod page;
mod vault;
mod view;

use crate::live::Live;
use axum::Router;
use dynamo_model::Dynamo;
use guard::Guard;
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use tokio::net::TcpListener;
use vault::Vault;

/// A page over the tables of a schema.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable};
/// use dynamo_model_tools::live::Live;
/// use dynamo_model_tools::studio::Studio;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let live = Live::new("app").entity::<User>();
/// let open = Studio::new(live, Dynamo::embedded()?).open().await?;
/// assert!(open.url().starts_with("http://127.0.0.1:"));
/// // `open.run().await` serves until the program ends.
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is served until `open`"]
pub struct Studio {
    live: Live,
    db: Dynamo,
    port: u16,
    write: bool,
    show_sensitive: bool,
}

/// A studio whose address is known.
#[derive(Debug)]
#[must_use = "nothing is served until `run`"]
pub struct OpenStudio {
    listener: TcpListener,
    routes: Router,
    url: String,
}

/// What every request needs.
pub(crate) struct Shared {
    pub(crate) live: Live,
    pub(crate) db: Dynamo,
    pub(crate) write: bool,
    pub(crate) show_sensitive: bool,
    pub(crate) vault: Vault,
}

impl Studio {
    /// A studio that only reads, and hides sensitive fields.
    pub fn new(live: Live, db: Dynamo) -> Self {
        Self {
            live,
            db,
            port: 0,
            write: false,
            show_sensitive: false,
        }
    }

    /// Listens on this port; the default is a free one.
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// Allows writes.
    pub fn write(mut self, write: bool) -> Self {
        self.write = write;
        self
    }

    /// Shows sensitive fields.
    pub fn show_sensitive(mut self, show: bool) -> Self {
        self.show_sensitive = show;
        self
    }

    /// Begins to listen.
    ///
    /// # Errors
    ///
    /// If the port is taken, or the system has no randomness.
    pub async fn open(self) -> io::Result<OpenStudio> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)).await?;
        let guard = Guard::new(listener.local_addr()?)?;
        let (url, base) = (guard.url(), guard.base());
        let shared = Arc::new(Shared {
            live: self.live,
            db: self.db,
            write: self.write,
            show_sensitive: self.show_sensitive,
            vault: Vault::default(),
        });
        let routes = guard.protect(page::routes(&base).merge(api::routes(&base, shared)));
        Ok(OpenStudio {
            listener,
            routes,
            url,
        })
    }
}

impl OpenStudio {
    /// The address of the page, with the token that every request needs.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Serves until the program ends.
    ///
    /// # Errors
    ///
    /// If the system refuses to accept connections.
    pub async fn run(self) -> io::Result<()> {
        axum::serve(self.listener, self.routes).await
    }
}
