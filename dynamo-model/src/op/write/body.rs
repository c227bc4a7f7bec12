//! Writes as the bodies of their requests.

use super::request::{Action, Write};
use crate::wire::Object;
use aws_sdk_dynamodb::types::ReturnValue;

impl Write {
    /// Returns the approximate length. Unused capacity costs time too: the allocator does more for
    /// a kilobyte.
    fn room(&self) -> usize {
        let item = match &self.action {
            Action::Put(item) => item.json_len(),
            Action::Update(expression) => expression.len() + 2 * self.bytes + 256,
            Action::Delete | Action::Check => 256,
        };
        item + self.condition.as_ref().map_or(0, |text| text.len() + 192) + 128
    }

    /// Writes the part that is the same in a transaction: the item, the condition, and their names
    /// and values.
    fn describe(&self, request: &mut Object<'_>) {
        request.text("TableName", &self.context.table);
        match &self.action {
            Action::Put(item) => request.stored("Item", item),
            Action::Update(expression) => {
                request.key("Key", self.schema, &self.key);
                let expression = Some(expression.as_str()).filter(|text| !text.is_empty());
                request.text_if("UpdateExpression", expression);
            }
            Action::Delete | Action::Check => request.key("Key", self.schema, &self.key),
        }
        request.text_if("ConditionExpression", self.condition.as_deref());
        self.aliases.describe(request);
        if self.wants_old() {
            request.text("ReturnValuesOnConditionCheckFailure", "ALL_OLD");
        }
    }

    /// Returns the body of a single request.
    pub(super) fn body(&self, returns: &ReturnValue, capacity: bool) -> Vec<u8> {
        Object::body(self.room(), |request| {
            self.describe(request);
            if *returns != ReturnValue::None {
                request.text("ReturnValues", returns.as_str());
            }
            request.capacity(capacity);
        })
    }
}

/// The body of a transaction.
pub(super) fn transaction(writes: &[Write], token: &str, capacity: bool) -> Vec<u8> {
    let room = writes.iter().map(Write::room).sum();
    Object::body(room, |request| {
        request.objects("TransactItems", writes, |write, operation| {
            let name = match write.action {
                Action::Put(_) => "Put",
                Action::Update(_) => "Update",
                Action::Delete => "Delete",
                Action::Check => "ConditionCheck",
            };
            operation.object(name, |request| write.describe(request));
        });
        request.text("ClientRequestToken", token);
        request.capacity(capacity);
    })
}

/// The body of a batch, of which `tables` are all the tables.
pub(super) fn batch(writes: &[Write], tables: &[&str], capacity: bool) -> Vec<u8> {
    let room = writes.iter().map(Write::room).sum();
    Object::body(room, |request| {
        request.object("RequestItems", |by_table| {
            for table in tables {
                let own = writes.iter().filter(|write| write.context.table == *table);
                by_table.objects(table, own, in_batch);
            }
        });
        request.capacity(capacity);
    })
}

fn in_batch(write: &Write, request: &mut Object<'_>) {
    match &write.action {
        Action::Put(item) => request.object("PutRequest", |put| put.stored("Item", item)),
        _ => request.object("DeleteRequest", |delete| {
            delete.key("Key", write.schema, &write.key);
        }),
    }
}
