//! Where the tables are: DynamoDB, another engine, or a file of the embedded engine.

use super::{Failure, Schema};
use dynamo_model::Dynamo;
use std::path::PathBuf;

/// Where the tables are. Without an option, the client that the application gives.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Where the tables are")]
pub(crate) struct Connection {
    /// An engine on plain HTTP, such as DynamoDB Local
    #[arg(long, global = true, value_name = "URL", conflicts_with_all = ["file", "memory"])]
    endpoint: Option<String>,

    /// A file of the embedded engine
    #[arg(long, global = true, value_name = "PATH", conflicts_with = "memory")]
    file: Option<PathBuf>,

    /// New tables in memory, with the sample items of the application
    #[arg(long, global = true)]
    memory: bool,

    /// Text before the name of each table
    #[arg(long, global = true, value_name = "TEXT")]
    table_prefix: Option<String>,
}

impl Connection {
    /// Opens it.
    pub(crate) async fn open(&self, schema: &Schema) -> Result<Dynamo, Failure> {
        let db = self.engine(schema).await?;
        let db = match &self.table_prefix {
            Some(prefix) => db.with_table_prefix(prefix.as_str()),
            None => db,
        };
        if self.memory {
            schema.fill(&db).await?;
        }
        Ok(db)
    }

    async fn engine(&self, schema: &Schema) -> Result<Dynamo, Failure> {
        if let Some(url) = &self.endpoint {
            return Ok(Dynamo::endpoint(url));
        }
        if let Some(path) = &self.file {
            return Ok(Dynamo::embedded_on_file(path)?);
        }
        if self.memory {
            return Ok(Dynamo::embedded()?);
        }
        match &schema.client {
            Some(client) => Ok(Dynamo::new(client().await)),
            None => Err(Failure::Misuse(
                "where are the tables? give `--endpoint URL`, `--file PATH` or `--memory`; for AWS, \
                 give the schema a client with `Schema::client`"
                    .into(),
            )),
        }
    }
}
