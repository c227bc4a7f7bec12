//! The tools of a dynamo-model schema: what an application needs to operate its tables, and what
//! production code does not carry.
