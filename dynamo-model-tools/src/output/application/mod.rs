//! Templates with the functions and state machines of an application. Each has a separate role,
//! with only its declared permissions. SAM builds the functions; see [`plain`] for the other
//! templates.

mod machine;
mod plain;

use self::machine::{Target, statements};
use super::cloud_formation::resource;
use super::{Deployment, Policy, StateMachine, pascal};
use crate::{Model, ModelError};
use serde_json::{Map, Value, json};

/// The functions and state machines of an application, for [`Model::sam_application`],
/// [`Model::cloud_formation_application`] and [`Model::terraform_application`].
///
/// ```
/// use dynamo_model_tools::{Application, Policy};
///
/// let application = Application::new()
///     .function("profile", Policy::new().reads(["User"]))
///     .function("rename", Policy::new().reads(["User"]).writes(["User"]));
/// assert_eq!(application.names().collect::<Vec<_>>(), ["profile", "rename"]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Application {
    functions: Vec<(String, Policy)>,
    state_machines: Vec<StateMachine>,
}

impl Application {
    /// Makes an application without functions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a Lambda function and its permissions. Its code is the binary of this name, built by
    /// `cargo lambda build`. The policy uses the region, account and table prefix of the template.
    #[must_use]
    pub fn function(mut self, name: impl Into<String>, policy: Policy) -> Self {
        self.functions.push((name.into(), policy));
        self
    }

    /// Adds a state machine. It may send the requests of its steps, and invoke its functions.
    #[must_use]
    pub fn state_machine(mut self, machine: StateMachine) -> Self {
        self.state_machines.push(machine);
        self
    }

    /// The names of the functions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().map(|(name, _)| name.as_str())
    }
}

impl Model {
    /// Returns the template of [`sam`](Self::sam) with the functions and state machines of an
    /// application.
    ///
    /// # Errors
    ///
    /// If a policy or a state machine names something that does not exist, or if two names make one
    /// resource.
    ///
    /// ```
    /// # use dynamo_model::{DynamoEntity, DynamoTable};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// # #[derive(DynamoEntity)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # struct User { user_id: String }
    /// use dynamo_model_tools::{Application, Deployment, Model, Policy};
    ///
    /// let application = Application::new().function("profile", Policy::new().reads(["User"]));
    /// let model = Model::new("app").entity::<User>();
    /// let template = model.sam_application(&Deployment::new(), &application)?;
    /// let function = &template["Resources"]["ProfileFunction"]["Properties"];
    /// let allowed = &function["Policies"][0]["Statement"][0]["Action"];
    /// assert_eq!(allowed[1], "dynamodb:GetItem");
    /// # Ok::<(), dynamo_model_tools::ModelError>(())
    /// ```
    pub fn sam_application(
        &self,
        deployment: &Deployment,
        application: &Application,
    ) -> Result<Value, ModelError> {
        let mut template = self.sam(deployment);
        let mut added = Vec::new();
        for (name, policy) in &application.functions {
            let statements = self.deployed_policy(deployment, policy.clone())?;
            added.push((function_id(name), function(name, statements)));
        }
        for machine in &application.state_machines {
            let resource = self.machine(deployment, application, machine)?;
            added.push((machine_id(machine), resource));
        }
        for (id, resource) in added {
            add(&mut template["Resources"], id, resource)?;
        }
        Ok(template)
    }

    /// Returns the statements of a policy for this template's tables.
    fn deployed_policy(
        &self,
        deployment: &Deployment,
        policy: Policy,
    ) -> Result<Vec<Value>, ModelError> {
        let prefix = match deployment.table_prefix.is_empty() {
            true => "",
            false => "${TablePrefix}",
        };
        let place = ("${AWS::Region}", "${AWS::AccountId}");
        let statements = self.statements_for(deployment, policy, place, prefix)?;
        Ok(statements.into_iter().map(with_pseudo_parameters).collect())
    }

    /// Returns the statements of a policy for tables with this prefix, in this region and account.
    fn statements_for(
        &self,
        deployment: &Deployment,
        policy: Policy,
        (region, account): (&str, &str),
        prefix: &str,
    ) -> Result<Vec<Value>, ModelError> {
        let mut policy = policy.account(region, account).table_prefix(prefix);
        if deployment.makes_key(self) {
            policy = policy.customer_key();
        }
        let document = self.policy(policy)?.document;
        let statements = document["Statement"].as_array().cloned();
        Ok(statements.unwrap_or_default())
    }

    /// Returns the permissions of a state machine's role, for CloudFormation.
    fn machine_policy(
        &self,
        deployment: &Deployment,
        machine: &StateMachine,
        functions: &[Value],
    ) -> Result<Vec<Value>, ModelError> {
        let mut allowed = self.deployed_policy(deployment, self.policy_of(machine))?;
        allowed.extend(statements(machine, functions, |kind, rest| {
            let place = "arn:${AWS::Partition}:states:${AWS::Region}:${AWS::AccountId}";
            let name = format!("${{AWS::StackName}}-{}", machine.name);
            json!({ "Fn::Sub": format!("{place}:{kind}:{name}{rest}") })
        }));
        Ok(allowed)
    }

    fn machine(
        &self,
        deployment: &Deployment,
        application: &Application,
        machine: &StateMachine,
    ) -> Result<Value, ModelError> {
        // Substitutions give tables their deployed names.
        let prepared = self.prepare(application, machine)?;
        let function = |name: &str| json!({ "Fn::GetAtt": [function_id(name), "Arn"] });
        let functions: Vec<_> = prepared.functions().map(function).collect();
        let statements = self.machine_policy(deployment, machine, &functions)?;
        let targets = prepared.placeholders.into_iter();
        let substitutions = targets.map(|(placeholder, target)| match target {
            Target::Table(name) => (placeholder, json!({ "Ref": pascal(name) })),
            Target::Function(name) => (placeholder, function(name)),
        });
        Ok(resource(
            "AWS::Serverless::StateMachine",
            json!({
                "Name": machine_name(machine),
                "Definition": prepared.definition,
                "DefinitionSubstitutions": substitutions.collect::<Map<_, _>>(),
                "Policies": [{ "Version": "2012-10-17", "Statement": statements }],
            }),
        ))
    }
}

/// Adds a resource. Fails if its name is taken.
fn add(resources: &mut Value, id: String, resource: Value) -> Result<(), ModelError> {
    if resources.get(&id).is_some() {
        let message = format!("two resources are called `{id}`; rename one of them");
        return Err(ModelError::new(message));
    }
    resources[id] = resource;
    Ok(())
}

fn machine_id(machine: &StateMachine) -> String {
    format!("{}StateMachine", pascal(&machine.name))
}

/// Returns the deployed name of a state machine, for CloudFormation.
fn machine_name(machine: &StateMachine) -> Value {
    json!({ "Fn::Sub": format!("${{AWS::StackName}}-{}", machine.name) })
}

fn function_id(name: &str) -> String {
    format!("{}Function", pascal(name))
}

fn function(name: &str, statements: Vec<Value>) -> Value {
    let mut function = resource(
        "AWS::Serverless::Function",
        json!({
            "CodeUri": format!("target/lambda/{name}/"),
            "Handler": "bootstrap",
            "Runtime": "provided.al2023",
            "Architectures": ["arm64"],
            "Timeout": 30,
            "Policies": [{ "Version": "2012-10-17", "Statement": statements }],
        }),
    );
    function["Metadata"] = json!({ "BuildMethod": "rust-cargolambda" });
    function
}

/// Puts the resources of a policy into the region and account of the template. Conditions stay:
/// their `${…}` are IAM's.
fn with_pseudo_parameters(mut statement: Value) -> Value {
    if let Some(Value::String(text)) = statement.get_mut("Resource") {
        let text = text.replacen("arn:aws:", "arn:${AWS::Partition}:", 1);
        statement["Resource"] = json!({ "Fn::Sub": text });
    }
    if let Some(via) = statement.pointer_mut("/Condition/StringLike/kms:ViaService") {
        *via = json!({ "Fn::Sub": via.take() });
    }
    statement
}
