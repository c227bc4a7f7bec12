//! The request of a typed read, without sending it.

use super::{ModelError, Request};
use dynamo_model::__tools::attribute_json;
use dynamo_model::read::Explain;
use serde_json::{Map, Value, json};

impl Request {
    /// Makes the request of a typed read that was explained.
    ///
    /// # Errors
    ///
    /// If it is not one request: no item can match, or several partitions or segments are read.
    ///
    /// ```
    /// use dynamo_model_tools::Request;
    /// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable};
    ///
    /// #[derive(DynamoTable)]
    /// #[table(name = "App", pk = "PK", sk = "SK")]
    /// struct App;
    ///
    /// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// #[dynamo(table = App)]
    /// #[pk("USER#<user_id>")]
    /// #[sk("ORDER#<number:06>")]
    /// struct Order {
    ///     user_id: String,
    ///     number: u32,
    /// }
    ///
    /// let db = Dynamo::embedded()?;
    /// let request = Request::explained(&Order::query("u1").number(7).explain(&db)?)?;
    /// assert_eq!(request.to_string(), "Query App: PK = \"USER#u1\" AND SK = \"ORDER#000007\"");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn explained(explain: &Explain) -> Result<Self, ModelError> {
        let is_several = explain.partitions > 1
            || explain.segments.is_some_and(|it| it > 1)
            || explain.operation == "Query" && !explain.operations.is_empty();
        if explain.nothing || is_several {
            let message = format!(
                "`{explain}` is not one request; read one partition, and items that can exist"
            );
            return Err(ModelError::new(message));
        }
        if !matches!(explain.operation, "Query" | "Scan") {
            let message = format!("`{explain}` is not a query or a scan; give its JSON instead");
            return Err(ModelError::new(message));
        }
        let mut body = Map::new();
        let mut set = |name: &str, value: Option<Value>| {
            body.extend(value.map(|value| (name.to_owned(), value)));
        };
        let text = |text: &Option<String>| text.as_deref().map(Value::from);
        let flag = |flag: bool, value: bool| flag.then(|| json!(value));
        set("TableName", Some(json!(explain.table)));
        set("IndexName", explain.index.map(Value::from));
        set("KeyConditionExpression", text(&explain.key_condition));
        set("FilterExpression", text(&explain.filter));
        set("ProjectionExpression", text(&explain.projection));
        set("ScanIndexForward", flag(explain.descending, false));
        set("ConsistentRead", flag(explain.consistent, true));
        set("Limit", explain.page_size.map(Value::from));
        let names = (!explain.names.is_empty()).then(|| json!(explain.names));
        set("ExpressionAttributeNames", names);
        let mut values = Map::new();
        for (alias, value) in &explain.values {
            let value = serde_json::from_slice(&attribute_json(&value.clone().into()));
            let value = value.map_err(|error| ModelError::caused("a value is not JSON", error))?;
            values.insert(alias.clone(), value);
        }
        let values = (!values.is_empty()).then_some(Value::Object(values));
        set("ExpressionAttributeValues", values);
        Ok(Self::new(explain.operation, Value::Object(body)))
    }
}
