//! `lock`: the declarations and `schema.lock`.

use super::{Context, Failure, Status};
use crate::Impact;
use serde_json::json;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "Exit status: 3 if the declarations differ from the file.")]
pub(super) struct Lock {
    /// The file
    #[arg(default_value = "schema.lock")]
    path: PathBuf,

    /// Write the declarations to the file; refused if a change breaks stored items
    #[arg(long)]
    write: bool,

    /// Write it also if a change breaks stored items, after the migration
    #[arg(long, requires = "write")]
    allow_breaking: bool,
}

impl Lock {
    pub(super) async fn run(self, context: &mut Context<'_>) -> Result<Status, Failure> {
        let model = context.schema.model().await?;
        let path = self.path.display();
        let stored = match std::fs::read_to_string(&self.path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && self.write => None,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Failure::Misuse(format!(
                    "there is no {path}; make it with `--write`"
                )));
            }
            Err(error) => return Err(format!("cannot read {path}: {error}").into()),
        };
        let changes = match &stored {
            Some(text) => model.compare_with_lock(text)?,
            None => Vec::new(),
        };
        if context.json {
            let changes = changes.iter().map(|change| {
                let impact = match change.impact {
                    Impact::Breaking => "breaking",
                    Impact::Unclear => "unclear",
                    Impact::Compatible => "compatible",
                };
                json!({
                    "impact": impact, "place": change.place, "was": change.was, "is": change.is,
                    "needs": change.needs,
                })
            });
            let changes = json!({ "changes": changes.collect::<Vec<_>>() });
            context.print_json(&changes)?;
        } else {
            for change in &changes {
                let impact = match change.impact {
                    Impact::Breaking => "breaks stored items",
                    Impact::Unclear => "may break stored items",
                    Impact::Compatible => "compatible",
                };
                writeln!(context.out, "{impact}: {change}")?;
            }
        }
        let is_harmless = changes.iter().all(|it| it.impact == Impact::Compatible);
        if self.write {
            if !is_harmless && !self.allow_breaking {
                let message = format!(
                    "{path} was not written, because a change may break stored items; migrate them, \
                     then add `--allow-breaking`"
                );
                return Err(message.into());
            }
            std::fs::write(&self.path, model.lock())
                .map_err(|error| format!("cannot write {path}: {error}"))?;
            return Ok(Status::Done);
        }
        let is_current = changes.is_empty() && stored.as_deref() == Some(&model.lock());
        if is_current {
            return Ok(Status::Done);
        }
        if changes.is_empty() {
            writeln!(
                context.err,
                "{path} has another format; update it with `--write`"
            )?;
        }
        Ok(Status::Differs)
    }
}
