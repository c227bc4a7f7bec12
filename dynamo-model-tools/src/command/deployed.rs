//! `verify`, `plan` and `apply`: the deployed tables and the declarations.

use super::schema::leaked;
use super::{Context, Failure, Status};
use dynamo_model::schema::TableSchema;
use dynamo_model::schema::plan::{Plan, PlanProgress, PlanStep};
use dynamo_model::{__tools, Dynamo, ErrorKind};
use serde_json::{Value, json};
use std::error::Error as _;
use std::io::IsTerminal;

/// The tables that a command is about.
#[derive(Debug, clap::Args)]
struct Chosen {
    /// Only this table, by its declared name; can be repeated
    #[arg(long = "table", value_name = "NAME")]
    tables: Vec<String>,
}

impl Chosen {
    async fn of(&self, context: &Context<'_>) -> Result<Vec<&'static TableSchema>, Failure> {
        let model = context.schema.model().await?;
        let all: Vec<_> = model.tables.iter().map(|table| table.schema).collect();
        if let Some(unknown) = self
            .tables
            .iter()
            .find(|it| !all.iter().any(|t| t.name == **it))
        {
            let names: Vec<_> = all.iter().map(|table| table.name).collect();
            let names = names.join(", ");
            return Err(Failure::Misuse(format!(
                "no table `{unknown}`; there are {names}"
            )));
        }
        let is_chosen = |table: &TableSchema| {
            self.tables.is_empty() || self.tables.iter().any(|it| it == table.name)
        };
        Ok(all.into_iter().filter(is_chosen).map(leaked).collect())
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Exit status: 3 if a table is not as declared.")]
pub(super) struct Verify {
    #[command(flatten)]
    chosen: Chosen,

    /// Also fail on settings and indexes that are not declared
    #[arg(long)]
    exact: bool,
}

impl Verify {
    pub(super) async fn run(self, context: &mut Context<'_>) -> Result<Status, Failure> {
        let tables = self.chosen.of(context).await?;
        let db = context.connect().await?;
        let mut results = Vec::new();
        for table in tables {
            let differences = match __tools::verify(&db, table, self.exact).await {
                Ok(()) => Vec::new(),
                Err(error) if matches!(error.kind(), ErrorKind::Mismatch) => {
                    let text = error.source().map(ToString::to_string).unwrap_or_default();
                    text.lines().map(str::to_owned).collect()
                }
                Err(error) => return Err(error.into()),
            };
            results.push((db.table_name(table), differences));
        }
        let differs = results
            .iter()
            .any(|(_, differences)| !differences.is_empty());
        if context.json {
            let tables = results
                .iter()
                .map(|(table, differences)| json!({ "table": table, "differences": differences }));
            let tables = json!({ "tables": tables.collect::<Vec<_>>() });
            context.print_json(&tables)?;
        } else {
            for (table, differences) in &results {
                match differences.as_slice() {
                    [] => writeln!(context.out, "{table}: as declared")?,
                    lines => writeln!(context.out, "{table}: {}", lines.join("\n  "))?,
                }
            }
        }
        Ok(if differs {
            Status::Differs
        } else {
            Status::Done
        })
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Exit status: 3 if there are steps to take.")]
pub(super) struct PlanTables {
    #[command(flatten)]
    chosen: Chosen,
}

impl PlanTables {
    pub(super) async fn run(self, context: &mut Context<'_>) -> Result<Status, Failure> {
        let tables = self.chosen.of(context).await?;
        let db = context.connect().await?;
        let mut plans = Vec::new();
        for table in tables {
            plans.push((db.table_name(table), __tools::plan(&db, table).await?));
        }
        if context.json {
            let tables = plans.iter().map(|(table, plan)| plan_json(table, plan));
            let tables = json!({ "tables": tables.collect::<Vec<_>>() });
            context.print_json(&tables)?;
        } else {
            for (table, plan) in &plans {
                print(context, table, plan)?;
            }
        }
        let is_done = plans.iter().all(|(_, plan)| plan.is_empty());
        Ok(if is_done {
            Status::Done
        } else {
            Status::Differs
        })
    }
}

fn plan_json(table: &str, plan: &Plan<'_>) -> Value {
    let steps = plan.steps().iter();
    let steps = steps
        .map(|step| json!({ "step": step.to_string(), "needs_consent": step.needs_consent() }));
    let obstacles = plan.obstacles().iter();
    let obstacles =
        obstacles.map(|it| json!({ "difference": it.difference, "instead": it.instead }));
    json!({
        "table": table,
        "steps": steps.collect::<Vec<_>>(),
        "obstacles": obstacles.collect::<Vec<_>>(),
    })
}

fn print(context: &mut Context<'_>, table: &str, plan: &Plan<'_>) -> Result<(), Failure> {
    if plan.is_empty() {
        writeln!(context.out, "{table}: nothing to do")?;
        return Ok(());
    }
    writeln!(context.out, "{table}:")?;
    for step in plan.steps() {
        let consent = match step {
            PlanStep::RemoveIndex { index, .. } => {
                format!(" (only with `--allow-index-removal {index}`)")
            }
            PlanStep::DisableStream => " (only with `--allow-stream-removal`)".to_owned(),
            _ => String::new(),
        };
        writeln!(context.out, "  {step}{consent}")?;
    }
    for obstacle in plan.obstacles() {
        writeln!(context.out, "  impossible: {obstacle}")?;
    }
    Ok(())
}

#[derive(Debug, clap::Args)]
pub(super) struct Apply {
    #[command(flatten)]
    chosen: Chosen,

    /// Let it remove this index, which is not declared, or declared otherwise; can be repeated
    #[arg(long, value_name = "INDEX")]
    allow_index_removal: Vec<String>,

    /// Let it disable a stream, with the records that are not read yet
    #[arg(long)]
    allow_stream_removal: bool,

    /// Add indexes without writing their keys into the items
    #[arg(long)]
    skip_backfill: bool,
}

impl Apply {
    pub(super) async fn run(self, context: &mut Context<'_>) -> Result<Status, Failure> {
        let tables = self.chosen.of(context).await?;
        let db = context.connect().await?;
        // All consents are checked before any table is changed.
        let mut plans = Vec::new();
        for table in tables {
            let plan = __tools::plan(&db, table).await?;
            self.check(context, &db.table_name(table), &plan)?;
            plans.push((table, plan));
        }
        let mut results = Vec::new();
        for (table, plan) in plans {
            results.push(self.apply(context, &db, table, plan).await?);
        }
        if context.json {
            context.print_json(&json!({ "tables": results }))?;
        }
        Ok(Status::Done)
    }

    /// Names what is missing by the option that gives it.
    fn check(&self, context: &Context<'_>, table: &str, plan: &Plan<'_>) -> Result<(), Failure> {
        if let Some(obstacle) = plan.obstacles().first() {
            return Err(format!("table `{table}` cannot be changed in place: {obstacle}").into());
        }
        for step in plan.steps() {
            match step {
                PlanStep::RemoveIndex {
                    index,
                    is_replaced: true,
                } if !self.allow_index_removal.contains(index) => {
                    return Err(Failure::Misuse(format!(
                        "index `{index}` of `{table}` is declared otherwise and must be removed \
                         first; allow it with `--allow-index-removal {index}`"
                    )));
                }
                PlanStep::DisableStream if !self.allow_stream_removal => {
                    return Err(Failure::Misuse(format!(
                        "the stream of `{table}` must be disabled, and its unread records are lost; \
                         allow it with `--allow-stream-removal`"
                    )));
                }
                PlanStep::Backfill { index, entities } if !self.skip_backfill => {
                    let backfills = &context.schema.backfills;
                    let has = |entity: &&str| backfills.iter().any(|(known, _)| known == entity);
                    if let Some(missing) = entities.iter().find(|entity| !has(entity)) {
                        return Err(Failure::Misuse(format!(
                            "the items of {missing} lack the keys of index `{index}`; add \
                             `.backfill::<{missing}>()` to the schema in your `main`, or \
                             `--skip-backfill` if they have them"
                        )));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    async fn apply(
        &self,
        context: &mut Context<'_>,
        db: &Dynamo,
        table: &'static TableSchema,
        mut plan: Plan<'static>,
    ) -> Result<Value, Failure> {
        let name = db.table_name(table);
        for index in &self.allow_index_removal {
            plan = plan.allow_index_removal(index);
        }
        if self.allow_stream_removal {
            plan = plan.allow_stream_removal();
        }
        if self.skip_backfill {
            plan = plan.skip_backfill();
        } else {
            for (_, add) in &context.schema.backfills {
                plan = add(plan);
            }
        }
        let applied = plan
            .on_progress(progress(&name))
            .apply(db)
            .await
            .inspect_err(|_| {
                let advice = "stopped; correct the cause and run `apply` again, which goes on";
                let _ = writeln!(context.err, "{name}: {advice}");
            })?;
        if !context.json {
            if applied.steps.is_empty() {
                writeln!(context.out, "{name}: nothing to do")?;
            }
            for step in &applied.steps {
                writeln!(context.out, "{name}: done: {step}")?;
            }
            for step in &applied.skipped {
                writeln!(context.out, "{name}: left: {step}")?;
            }
        }
        let texts = |steps: &[PlanStep]| steps.iter().map(ToString::to_string).collect::<Vec<_>>();
        Ok(json!({
            "table": name, "done": texts(&applied.steps), "left": texts(&applied.skipped),
        }))
    }
}

/// Shows each step and what it waits for, to a person who looks.
fn progress(table: &str) -> impl FnMut(PlanProgress<'_>) + Send + 'static {
    let (table, is_seen) = (table.to_owned(), std::io::stderr().is_terminal());
    move |progress| match progress {
        PlanProgress::Step { step, left } if is_seen => {
            eprintln!("{table}: {step} ({left} more)");
        }
        PlanProgress::Waiting { status } if is_seen => eprintln!("{table}: waiting, {status}"),
        _ => {}
    }
}
