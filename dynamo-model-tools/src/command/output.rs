//! `output`: what is made from the declarations alone.

use super::{Context, Failure, Schema, Status};
use crate::{Model, Policy};
use serde_json::{Value, json};

#[derive(Debug, clap::Args)]
pub(super) struct Output {
    /// What to print
    #[arg(value_enum)]
    kind: Kind,

    /// Which policy, for `policy`; without it, one that allows all access patterns and entities
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// The whole schema, as data
    Model,
    /// The inputs of CreateTable, UpdateTimeToLive and UpdateContinuousBackups
    CreateTable,
    /// A CloudFormation template
    #[value(name = "cloudformation")]
    CloudFormation,
    /// The same, for SAM
    Sam,
    /// Terraform, in its JSON syntax
    Terraform,
    /// An IAM policy; what it cannot isolate goes to standard error
    Policy,
    /// The design document
    Markdown,
    /// The same as a page, with sample items by partition
    Html,
    /// A diagram of the entities
    Mermaid,
    /// A model for NoSQL Workbench
    Workbench,
    /// What stored items depend on: `schema.lock`
    Lock,
    /// Capacity units, cost and hot partitions
    Capacity,
}

impl Output {
    pub(super) async fn run(self, context: &mut Context<'_>) -> Result<Status, Failure> {
        if self.name.is_some() && self.kind != Kind::Policy {
            return Err(Failure::Misuse(
                "`--name` names a policy; write `output policy`".into(),
            ));
        }
        let schema = context.schema;
        let model = schema.model().await?;
        let text = match self.kind {
            Kind::Model => pretty(&serde_json::to_value(&model)?),
            Kind::CreateTable => pretty(&json!({
                "CreateTable": model.create_table(),
                "UpdateTimeToLive": model.update_time_to_live(),
                "UpdateContinuousBackups": model.update_continuous_backups(),
            })),
            Kind::CloudFormation | Kind::Sam | Kind::Terraform => {
                pretty(&template(self.kind, &model, schema)?)
            }
            Kind::Policy => self.policy(&model, context)?,
            Kind::Markdown => model.markdown(),
            Kind::Html => model.html(),
            Kind::Mermaid => model.mermaid(),
            Kind::Workbench => pretty(&model.workbench()),
            Kind::Lock => model.lock(),
            Kind::Capacity => match &schema.capacity {
                Some(capacity) => model.capacity(capacity)?.to_string(),
                None => {
                    return Err(Failure::Misuse(
                        "the schema does not say how busy it is; give it `Schema::capacity`".into(),
                    ));
                }
            },
        };
        context.out.write_all(text.as_bytes())?;
        Ok(Status::Done)
    }

    fn policy(&self, model: &Model, context: &mut Context<'_>) -> Result<String, Failure> {
        let policies = &context.schema.policies;
        let policy = match &self.name {
            None => Policy::new().all_patterns().all_entities(),
            Some(name) => match policies.iter().find(|(known, _)| known == name) {
                Some((_, policy)) => policy.clone(),
                None => {
                    let names: Vec<_> = policies.iter().map(|(name, _)| name.as_str()).collect();
                    let known = match names.as_slice() {
                        [] => "there is none; add it with `Schema::policy`".to_owned(),
                        names => format!("there are {}", names.join(", ")),
                    };
                    return Err(Failure::Misuse(format!("no policy `{name}`; {known}")));
                }
            },
        };
        let made = model.policy(policy)?;
        for refusal in &made.refused {
            writeln!(context.err, "not in the policy: {refusal}")?;
        }
        for note in &made.notes {
            writeln!(context.err, "note: {note}")?;
        }
        Ok(pretty(&made.document))
    }
}

fn template(kind: Kind, model: &Model, schema: &Schema) -> Result<Value, Failure> {
    let deployment = &schema.deployment;
    Ok(match (kind, &schema.application) {
        (Kind::Sam, None) => model.sam(deployment),
        (Kind::Sam, Some(application)) => model.sam_application(deployment, application)?,
        (Kind::Terraform, None) => model.terraform(deployment),
        (Kind::Terraform, Some(application)) => {
            model.terraform_application(deployment, application)?
        }
        (_, None) => model.cloud_formation(deployment),
        (_, Some(application)) => model.cloud_formation_application(deployment, application)?,
    })
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}
