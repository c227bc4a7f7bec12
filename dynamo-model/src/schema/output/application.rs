//! A SAM template with the functions and state machines of an application. Each has a role of its own, with what it
//! declares and nothing else.

use super::cloud_formation::resource;
use super::{Deployment, Policy, StateMachine, pascal};
use crate::schema::{Model, ModelError};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The functions and state machines of an application, for [`Model::sam_application`].
///
/// ```
/// use dynamo_model::schema::{Application, Policy};
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
    /// An application without functions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a Lambda function, and what it may do. Its code is the binary of this name, as `cargo lambda build` makes
    /// it. The policy's region, account and table prefix are those of the template.
    #[must_use]
    pub fn function(mut self, name: impl Into<String>, policy: Policy) -> Self {
        self.functions.push((name.into(), policy));
        self
    }

    /// Adds a state machine. It may do what its steps send, and invoke its functions.
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
    /// The template of [`sam`](Self::sam) with the functions and state machines of an application.
    ///
    /// # Errors
    ///
    /// If a policy or a state machine names what is not there, or if two names make one resource.
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
    /// use dynamo_model::schema::{Application, Deployment, Model, Policy};
    ///
    /// let application = Application::new().function("profile", Policy::new().reads(["User"]));
    /// let model = Model::new("app").entity::<User>();
    /// let template = model.sam_application(&Deployment::new(), &application)?;
    /// let function = &template["Resources"]["ProfileFunction"]["Properties"];
    /// let allowed = &function["Policies"][0]["Statement"][0]["Action"];
    /// assert_eq!(allowed[1], "dynamodb:GetItem");
    /// # Ok::<(), dynamo_model::schema::ModelError>(())
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
            let id = format!("{}StateMachine", pascal(&machine.name));
            added.push((id, self.machine(deployment, application, machine)?));
        }
        for (id, resource) in added {
            if template["Resources"].get(&id).is_some() {
                let message = format!("two resources are called `{id}`; rename one of them");
                return Err(ModelError::new(message));
            }
            template["Resources"][id] = resource;
        }
        Ok(template)
    }

    /// The statements of a policy for this template's tables.
    fn deployed_policy(
        &self,
        deployment: &Deployment,
        policy: Policy,
    ) -> Result<Vec<Value>, ModelError> {
        let prefix = match deployment.table_prefix.is_empty() {
            true => "",
            false => "${TablePrefix}",
        };
        let mut policy = policy
            .account("${AWS::Region}", "${AWS::AccountId}")
            .table_prefix(prefix);
        if deployment.makes_key(self) {
            policy = policy.customer_key();
        }
        let document = self.policy(policy)?.document;
        let statements = document["Statement"].as_array().cloned();
        let statements = statements.unwrap_or_default().into_iter();
        Ok(statements.map(with_pseudo_parameters).collect())
    }

    fn machine(
        &self,
        deployment: &Deployment,
        application: &Application,
        machine: &StateMachine,
    ) -> Result<Value, ModelError> {
        // Substitutions give tables their deployed names.
        let mut definition = self.state_machine(&machine.clone().table_prefix(""))?;
        let mut substitutions = Map::new();
        let mut invoked = Vec::new();
        for name in machine.functions() {
            if !application.names().any(|it| it == name) {
                let message = format!(
                    "{}: there is no function `{name}`; add it with `Application::function`",
                    machine.name
                );
                return Err(ModelError::new(message));
            }
            let arn = json!({ "Fn::GetAtt": [function_id(name), "Arn"] });
            substitutions.insert(format!("{}Arn", function_id(name)), arn.clone());
            invoked.push(arn);
        }
        let tables = self.tables.iter().map(|it| it.schema.name).collect();
        substitute_tables(&mut definition, &tables, &mut substitutions);
        check_substitutions(machine, &definition, &substitutions)?;
        let requests = Policy::new().requests(machine.needs(self));
        let mut statements = self.deployed_policy(deployment, requests)?;
        if !invoked.is_empty() {
            statements.push(json!({
                "Sid": "Functions",
                "Effect": "Allow",
                "Action": ["lambda:InvokeFunction"],
                "Resource": invoked,
            }));
        }
        let name = format!("${{AWS::StackName}}-{}", machine.name);
        if machine.reads_pages() {
            statements.extend(own_executions(&name));
        }
        Ok(resource(
            "AWS::Serverless::StateMachine",
            json!({
                "Name": { "Fn::Sub": name },
                "Definition": definition,
                "DefinitionSubstitutions": substitutions,
                "Policies": [{ "Version": "2012-10-17", "Statement": statements }],
            }),
        ))
    }
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

/// A resource of a policy is in the region and account of the template. Conditions stay: their `${…}` are IAM's.
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

/// Puts `${AppTable}` in the place of a table's name, which a prefix may change.
fn substitute_tables(value: &mut Value, tables: &BTreeSet<&str>, out: &mut Map<String, Value>) {
    let mut placeholder = |table: &str| {
        let id = pascal(table);
        let text = format!("${{{id}Table}}");
        out.insert(format!("{id}Table"), json!({ "Ref": id }));
        text
    };
    match value {
        Value::Array(values) => {
            for value in values {
                substitute_tables(value, tables, out);
            }
        }
        Value::Object(fields) => {
            if let Some(Value::String(table)) = fields.get_mut("TableName")
                && tables.contains(table.as_str())
            {
                *table = placeholder(table);
            }
            if let Some(Value::Object(requests)) = fields.get_mut("RequestItems") {
                let named = std::mem::take(requests).into_iter();
                *requests = named.map(|(table, it)| (placeholder(&table), it)).collect();
            }
            for value in fields.values_mut() {
                substitute_tables(value, tables, out);
            }
        }
        _ => {}
    }
}

/// CloudFormation takes any `${…}` for one of the substitutions.
fn check_substitutions(
    machine: &StateMachine,
    definition: &Value,
    substitutions: &Map<String, Value>,
) -> Result<(), ModelError> {
    let text = definition.to_string();
    let mut pieces = text.split("${").skip(1);
    let is_known = |piece: &str| {
        let name = piece.split_once('}').map(|(name, _)| name);
        name.is_some_and(|name| substitutions.contains_key(name))
    };
    match pieces.find(|piece| !is_known(piece)) {
        None => Ok(()),
        Some(piece) => {
            let shown: String = piece.chars().take(20).collect();
            let message = format!(
                "{}: a request has the text `${{{shown}`, which CloudFormation would replace; use an input for it",
                machine.name
            );
            Err(ModelError::new(message))
        }
    }
}

/// A distributed map starts executions of the state machine itself.
fn own_executions(name: &str) -> [Value; 2] {
    let arn = |kind: &str, rest: &str| {
        let place = "arn:${AWS::Partition}:states:${AWS::Region}:${AWS::AccountId}";
        json!({ "Fn::Sub": format!("{place}:{kind}:{name}{rest}") })
    };
    [
        json!({
            "Sid": "Pages",
            "Effect": "Allow",
            "Action": ["states:StartExecution"],
            "Resource": arn("stateMachine", ""),
        }),
        json!({
            "Sid": "Items",
            "Effect": "Allow",
            "Action": ["states:DescribeExecution", "states:StopExecution"],
            "Resource": [arn("execution", ":*"), arn("execution", "/*")],
        }),
    ]
}
