//! Requests as JSON.

use super::write::{
    BatchWriteItem, BatchedWrite, Conditional, ItemWrite, SingleWrite, TransactWriteItems,
};
use crate::wire::Object;

impl Conditional<'_> {
    fn encode(&self, request: &mut Object<'_>) {
        request.text_if("ConditionExpression", self.condition);
        self.aliases.describe(request);
        if self.returns_old_on_failure {
            request.text("ReturnValuesOnConditionCheckFailure", "ALL_OLD");
        }
    }
}

impl ItemWrite<'_> {
    /// Returns the approximate length. Unused capacity costs time too: the allocator does more for
    /// a kilobyte.
    fn room(&self) -> usize {
        let item = match self {
            Self::Put(put) => put.item.json_len(),
            Self::Update(update) => {
                update.update.map_or(0, str::len) + 2 * update.value_bytes + 256
            }
            Self::Delete(_) | Self::Check(_) => 256,
        };
        item + self.with().condition.map_or(0, |text| text.len() + 192) + 128
    }

    /// Writes the part that is the same in a transaction.
    fn encode(&self, request: &mut Object<'_>) {
        request.text("TableName", self.with().table);
        match self {
            Self::Put(put) => request.stored("Item", put.item),
            Self::Update(update) => {
                request.key("Key", update.key.schema, update.key.key);
                request.text_if("UpdateExpression", update.update);
            }
            Self::Delete(delete) | Self::Check(delete) => {
                request.key("Key", delete.key.schema, delete.key.key);
            }
        }
        self.with().encode(request);
    }
}

impl SingleWrite<'_> {
    /// Returns the body.
    pub(crate) fn json(&self) -> Vec<u8> {
        Object::body(self.write.room(), |request| {
            self.write.encode(request);
            request.text_if("ReturnValues", self.returns.as_str());
            request.capacity(self.returns_capacity);
        })
    }
}

impl TransactWriteItems<'_> {
    /// Returns the body.
    pub(crate) fn json(&self) -> Vec<u8> {
        let room = self.writes.iter().map(ItemWrite::room).sum();
        Object::body(room, |request| {
            request.objects("TransactItems", &self.writes, |write, operation| {
                operation.object(write.name_in_transaction(), |request| write.encode(request));
            });
            request.text("ClientRequestToken", self.token);
            request.capacity(self.returns_capacity);
        })
    }
}

impl BatchedWrite<'_> {
    fn room(&self) -> usize {
        match self {
            Self::Put(item) => item.json_len() + 128,
            Self::Delete(_) => 384,
        }
    }

    fn encode(&self, request: &mut Object<'_>) {
        match self {
            Self::Put(item) => request.object("PutRequest", |put| put.stored("Item", item)),
            Self::Delete(of) => request.object("DeleteRequest", |delete| {
                delete.key("Key", of.schema, of.key);
            }),
        }
    }
}

impl BatchWriteItem<'_> {
    /// Returns the body.
    pub(crate) fn json(&self) -> Vec<u8> {
        let writes = self.tables.iter().flat_map(|(_, writes)| writes);
        let room = writes.map(BatchedWrite::room).sum();
        Object::body(room, |request| {
            request.object("RequestItems", |by_table| {
                for (table, writes) in &self.tables {
                    by_table.objects(table, writes, BatchedWrite::encode);
                }
            });
            request.capacity(self.returns_capacity);
        })
    }
}
