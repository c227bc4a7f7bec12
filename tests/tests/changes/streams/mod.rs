//! Streams: records of events and of real streams, as changes of entities.

mod booking;
mod events;
mod faulty;
mod model;
mod readers;
mod shards;
