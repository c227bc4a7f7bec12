//! The handle for all reads and writes.

use crate::clock::{Clock, Moment};
use crate::cursor::CursorKeys;
use crate::hot_keys::HotKeys;
use crate::schema::TableSchema;
use crate::transport::Transport;
use aws_sdk_dynamodb::Client;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

/// A connection to DynamoDB, or to an engine that speaks its language. Cheap to clone.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoTable, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "Users", pk = "userId")]
/// struct Users;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// let db = Dynamo::embedded()?.with_table_prefix("dev-q-");
/// Users::create_table(&db).await?;
/// assert!(Users::exists(&db).await?);
/// assert_eq!(db.table_name(&Users::SCHEMA), "dev-q-Users");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Dynamo(Arc<Handle>);

/// The contents of a handle; shared by its clones, one of which every call keeps.
#[derive(Clone)]
struct Handle {
    transport: Transport,
    names: TableNames,
    clock: Clock,
    cursor_keys: Option<CursorKeys>,
    hot_keys: Option<HotKeys>,
    asks_capacity: bool,
    #[cfg(feature = "embedded")]
    engine: Option<crate::engine::Engine>,
}

/// From the declared name of a table to the deployed one.
#[derive(Clone)]
enum TableNames {
    AsDeclared,
    Prefixed(Arc<str>),
    Mapped(Arc<dyn Fn(&str) -> String + Send + Sync>),
}

impl Dynamo {
    /// Uses an SDK client with any configuration. Its interceptors see keys, items and results; if
    /// they need none of these, [`with_http_only_interceptors`](Self::with_http_only_interceptors)
    /// makes calls faster.
    ///
    /// ```no_run
    /// # async fn run(config: &aws_sdk_dynamodb::Config) {
    /// let client = aws_sdk_dynamodb::Client::from_conf(config.clone());
    /// let db = dynamo_model::Dynamo::new(client);
    /// # }
    /// ```
    #[must_use]
    pub fn new(client: Client) -> Self {
        Self(Arc::new(Handle {
            transport: Transport::new(&client),
            names: TableNames::AsDeclared,
            clock: Clock::system(),
            cursor_keys: None,
            hot_keys: None,
            asks_capacity: false,
            #[cfg(feature = "embedded")]
            engine: None,
        }))
    }

    /// Returns a separate handle, if it is shared with clones.
    fn handle(&mut self) -> &mut Handle {
        Arc::make_mut(&mut self.0)
    }

    /// Puts a prefix before every table name: `dev-q-` and `Users` are `dev-q-Users`.
    #[must_use]
    pub fn with_table_prefix(mut self, prefix: impl Into<Arc<str>>) -> Self {
        self.handle().names = TableNames::Prefixed(prefix.into());
        self
    }

    /// Maps every declared table name to the deployed one.
    ///
    /// ```
    /// # fn main() -> Result<(), dynamo_model::Error> {
    /// let db = dynamo_model::Dynamo::embedded()?
    ///     .with_table_names(|declared| format!("{declared}-production"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_table_names(
        mut self,
        deployed: impl Fn(&str) -> String + Send + Sync + 'static,
    ) -> Self {
        self.handle().names = TableNames::Mapped(Arc::new(deployed));
        self
    }

    /// Sets the source of the time for `created_at` and `updated_at` fields and for expiry; the
    /// default is the system's clock. Milliseconds are kept, finer digits are dropped; only whole
    /// seconds are kept if the field is itself the key of an index, as `<created_at:s>`.
    ///
    /// ```
    /// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Table};
    /// use std::time::{Duration, UNIX_EPOCH};
    ///
    /// #[derive(DynamoTable)]
    /// #[table(name = "Reports", pk = "id")]
    /// #[gsi1(name = "GSI1", pk = "status", sk = "created_at")]
    /// struct Reports;
    ///
    /// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// #[dynamo(table = Reports)]
    /// #[pk("<id>")]
    /// #[gsi1(pk = "<status>", sk = "<created_at:s>", as = by_status)]
    /// struct Report {
    ///     id: String,
    ///     status: String,
    ///     #[dynamo(created_at)]
    ///     created_at: jiff::Timestamp,
    ///     #[dynamo(updated_at)]
    ///     updated_at: jiff::Timestamp,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), dynamo_model::Error> {
    /// let db = Dynamo::embedded()?.with_clock(|| UNIX_EPOCH + Duration::new(1_000, 123_456_789));
    /// Reports::create_table(&db).await?;
    /// let new = Report { id: "r1".into(), status: "new".into(), created_at: Default::default(), updated_at: Default::default() };
    /// let new = new.create().return_new().send(&db).await?;
    /// assert_eq!(new.created_at.to_string(), "1970-01-01T00:16:40Z");
    /// assert_eq!(new.updated_at.to_string(), "1970-01-01T00:16:40.123Z");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_clock(mut self, now: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.handle().clock = Clock::new(now);
        self
    }

    /// Returns the time of the clock, in milliseconds: a write would use it now.
    ///
    /// ```
    /// use std::time::{Duration, UNIX_EPOCH};
    ///
    /// let noon = UNIX_EPOCH + Duration::from_secs(43_200);
    /// let db = dynamo_model::Dynamo::embedded()?.with_clock(move || noon);
    /// assert_eq!(db.now(), noon);
    /// # Ok::<(), dynamo_model::Error>(())
    /// ```
    #[must_use]
    pub fn now(&self) -> SystemTime {
        self.moment().into()
    }

    pub(crate) fn moment(&self) -> Moment {
        self.0.clock.now()
    }

    /// Returns the deployed name of a table.
    #[must_use]
    pub fn table_name(&self, table: &TableSchema) -> String {
        self.deployed_name(table).into_owned()
    }

    /// Returns the same name, copied only if it differs from the declared one.
    pub(crate) fn deployed_name(&self, table: &TableSchema) -> Cow<'static, str> {
        match &self.0.names {
            TableNames::AsDeclared => Cow::Borrowed(table.name),
            TableNames::Prefixed(prefix) => Cow::Owned(format!("{prefix}{}", table.name)),
            TableNames::Mapped(deployed) => Cow::Owned(deployed(table.name)),
        }
    }

    /// Signs the cursors of pages, with HMAC-SHA256: only cursors of a handle with the same key are
    /// accepted. Without a key a cursor is protected against damage, and is valid for one query
    /// only, but a client that knows the format can forge one, and so begin a page at any key of
    /// the same partition or table.
    ///
    /// Takes a key, or [`CursorKeys`] where older ones are to be accepted too.
    ///
    /// ```
    /// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
    /// # use aws_sdk_dynamodb::types::AttributeValue;
    ///
    /// #[derive(DynamoTable)]
    /// #[table(name = "App", pk = "PK")]
    /// struct App;
    ///
    /// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug)]
    /// #[dynamo(table = App)]
    /// #[pk("USER#<user_id>")]
    /// struct User {
    ///     user_id: u32,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let db = Dynamo::embedded()?.with_signed_cursors(b"32 random bytes, from your secrets");
    /// # App::create_table(&db).await?;
    /// # for id in 0..2 {
    /// #     db.client().put_item().table_name("App")
    /// #         .item("PK", AttributeValue::S(format!("USER#{id}")))
    /// #         .item("user_id", AttributeValue::N(id.to_string()))
    /// #         .send().await?;
    /// # }
    /// // Two users.
    /// let cursor = User::scan().limit(1).page(&db).await?.next.unwrap();
    /// assert_eq!(User::scan().after(&cursor).all(&db).await?.len(), 1);
    ///
    /// let other = db.clone().with_signed_cursors(b"another key");
    /// let error = User::scan().after(&cursor).all(&other).await.unwrap_err();
    /// assert!(error.is_cursor());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_signed_cursors(mut self, keys: impl Into<CursorKeys>) -> Self {
        self.handle().cursor_keys = Some(keys.into());
        self
    }

    /// Declares that the client's interceptors use only HTTP requests and responses, times or
    /// errors.
    ///
    /// For a client with interceptors, the SDK gets typed inputs and makes typed outputs, so that
    /// the interceptors see and may change keys, items and results, as AWS's client-side encryption
    /// does. That is slower, because each item is also converted to a map. After this call,
    /// requests are written and responses are read without the SDK's inputs and outputs, as for any
    /// other client. An interceptor that uses them (`read_before_serialization`,
    /// `read_after_deserialization` and the hooks that modify them) then sees the name of the
    /// table, but neither keys nor items; an interceptor that encrypts items would send plain text.
    ///
    /// ```
    /// use aws_sdk_dynamodb::config::{Config, Intercept};
    /// use dynamo_model::Dynamo;
    ///
    /// #[derive(Debug)]
    /// struct CountsRequests;
    ///
    /// impl Intercept for CountsRequests {
    ///     fn name(&self) -> &'static str {
    ///         "CountsRequests"
    ///     }
    /// }
    ///
    /// # let config = Config::builder().behavior_version_latest();
    /// let client = aws_sdk_dynamodb::Client::from_conf(config.interceptor(CountsRequests).build());
    /// let db = Dynamo::new(client).with_http_only_interceptors();
    /// ```
    #[must_use]
    pub fn with_http_only_interceptors(mut self) -> Self {
        self.handle().transport.use_bytes();
        self
    }

    /// Sends all requests through the SDK's orchestrator.
    ///
    /// By default, a request goes around it where nothing of the client needs it, which is faster
    /// and gives the same results. The debug output of the handle says which way requests take.
    ///
    /// ```
    /// use dynamo_model::Dynamo;
    ///
    /// let db = Dynamo::embedded()?.with_sdk_transport();
    /// assert!(format!("{db:?}").contains("SDK (it was chosen)"));
    /// # Ok::<(), dynamo_model::Error>(())
    /// ```
    #[must_use]
    pub fn with_sdk_transport(mut self) -> Self {
        self.handle().transport.use_sdk();
        self
    }

    pub(crate) fn transport(&self) -> &Transport {
        &self.0.transport
    }

    /// Requests the consumed capacity with every request. The default requests it only with a
    /// consumer: for a page, which returns it, and while a `tracing` subscriber listens. For
    /// interceptors that read it from the responses.
    ///
    /// ```
    /// use dynamo_model::Dynamo;
    ///
    /// let db = Dynamo::embedded()?.with_consumed_capacity();
    /// # Ok::<(), dynamo_model::Error>(())
    /// ```
    #[must_use]
    pub fn with_consumed_capacity(mut self) -> Self {
        self.handle().asks_capacity = true;
        self
    }

    /// Returns whether the consumed capacity of this span's request has a consumer.
    pub(crate) fn asks_capacity(&self, span: &tracing::Span) -> bool {
        self.0.asks_capacity || !span.is_disabled()
    }

    pub(crate) fn set_hot_keys(&mut self, keys: HotKeys) {
        self.handle().hot_keys = Some(keys);
    }

    pub(crate) fn hot_keys(&self) -> Option<&HotKeys> {
        self.0.hot_keys.as_ref()
    }

    pub(crate) fn cursor_keys(&self) -> Option<&CursorKeys> {
        self.0.cursor_keys.as_ref()
    }

    #[cfg(all(feature = "embedded", feature = "streams"))]
    pub(crate) fn engine(&self) -> Option<&crate::engine::Engine> {
        self.0.engine.as_ref()
    }

    /// Returns the SDK's client, for operations that this crate does not have.
    #[must_use]
    pub fn client(&self) -> &Client {
        self.0.transport.client()
    }
}

impl fmt::Debug for Dynamo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Dynamo");
        let debug = debug.field("transport", &self.0.transport);
        debug.finish_non_exhaustive()
    }
}

#[cfg(feature = "embedded")]
mod embedded {
    use super::{Clock, Dynamo, local_config};
    use crate::engine::Engine;
    use crate::error::Error;
    use aws_sdk_dynamodb::Client;
    use aws_sdk_dynamodb::config::StalledStreamProtectionConfig;

    impl Dynamo {
        /// Opens an engine in this process, with its data in memory.
        ///
        /// ```
        /// let db = dynamo_model::Dynamo::embedded()?;
        /// # Ok::<(), dynamo_model::Error>(())
        /// ```
        pub fn embedded() -> Result<Self, Error> {
            Engine::in_memory()
                .map(Self::on_engine)
                .map_err(Error::engine)
        }

        /// Opens an engine in this process, with its data in a file that outlives it.
        ///
        /// ```no_run
        /// let db = dynamo_model::Dynamo::embedded_on_file("app.db")?;
        /// # Ok::<(), dynamo_model::Error>(())
        /// ```
        pub fn embedded_on_file(path: impl AsRef<std::path::Path>) -> Result<Self, Error> {
            Engine::on_file(path.as_ref())
                .map(Self::on_engine)
                .map_err(Error::engine)
        }

        fn on_engine(engine: Engine) -> Self {
            // There is no network that could stall, and a scan of a large table may take long.
            let patient = StalledStreamProtectionConfig::disabled();
            let config = local_config()
                .endpoint_url("http://embedded.invalid")
                .stalled_stream_protection(patient)
                .http_client(engine.clone());
            let mut this = Self::new(Client::from_conf(config.build()));
            this.handle().engine = Some(engine);
            this
        }

        /// Deletes expired items on the embedded engine, which does not delete them on its own;
        /// returns their number. On any other engine it does nothing: DynamoDB deletes them itself.
        ///
        /// The clock of [`Dynamo::with_clock`] decides. Where an item has not expired by the
        /// system's clock, or that clock is set back, the stream records an ordinary deletion and
        /// not an expiry.
        pub async fn sweep_expired(&self) -> Result<usize, Error> {
            let Some(engine) = self.0.engine.clone() else {
                return Ok(0);
            };
            let now = self.moment().seconds;
            let mut swept = 0;
            if now >= Clock::system().now().seconds {
                let by_system = tokio::task::spawn_blocking(move || engine.sweep_expired()).await;
                swept += by_system
                    .map_err(|error| Error::engine(error.to_string()))?
                    .map_err(Error::engine)?;
            }
            if !self.0.clock.is_system() {
                let by_clock = crate::engine::sweep::sweep(self, now).await;
                swept += by_clock.map_err(Error::engine)?;
            }
            Ok(swept)
        }
    }
}

#[cfg(feature = "endpoint")]
impl Dynamo {
    /// Uses an engine with plain HTTP: DynamoDB Local, or a compatible one. For engines that
    /// require credentials or TLS, configure a client and use [`Dynamo::new`].
    ///
    /// ```no_run
    /// // docker run -p 8000:8000 amazon/dynamodb-local
    /// let db = dynamo_model::Dynamo::endpoint("http://localhost:8000");
    /// ```
    #[must_use]
    pub fn endpoint(url: impl Into<String>) -> Self {
        let http = aws_smithy_http_client::Builder::new().build_http();
        let config = local_config().endpoint_url(url).http_client(http);
        Self::new(Client::from_conf(config.build()))
    }
}

/// Returns settings that the SDK requires and local engines ignore.
#[cfg(any(feature = "embedded", feature = "endpoint"))]
fn local_config() -> aws_sdk_dynamodb::config::Builder {
    use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Credentials, Region};

    Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("local"))
        .credentials_provider(Credentials::new("local", "local", None, None, "local"))
}
