//! Whole calls, from the entity to the sent bytes, or from the received bytes to the entity.

mod same;

use crate::canned::{self, Answer};
use crate::entities::{Booking, Order};
use crate::libraries::{Facade, Failure, Library, Modyne, Ours, OursOnSdk, Raw, RequestedParts};
use crate::{Case, Contender, Entry, answers};
use serde::Serialize;
use std::hint::black_box;
use std::rc::Rc;
use tokio::runtime::{Builder, Runtime};

/// Orders in a batch, and operations in a transaction.
const BATCH: u32 = 25;
const TRANSACTION: u32 = 10;

/// The task of a library.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Task {
    Missing,
    Get,
    Orders(u32),
    Bookings(u32),
    PutOrder,
    PutBooking,
    Batch,
    Update,
    Transaction,
}

/// The data of the task.
struct Data {
    orders: Vec<Order>,
    booking: Booking,
}

/// Its result.
#[derive(Serialize)]
#[serde(untagged)]
enum Outcome {
    Order(Option<Order>),
    Orders(Vec<Order>),
    Bookings(Vec<Booking>),
    Written,
}

macro_rules! case {
    ($name:literal, $task:expr) => {
        case!($name, $task, Ours, OursOnSdk, Raw, Modyne, Facade)
    };
    ($name:literal, $task:expr, $($library:ty),*) => {
        Case {
            name: $name,
            entries: &[$(Entry {
                name: <$library as Library>::NAME,
                make: || contender::<$library>($task),
            }),*],
        }
    };
}

/// Every comparison of this module.
pub const CASES: &[Case] = &[
    Case {
        name: FIXED,
        entries: &[Entry {
            name: Raw::NAME,
            make: nothing,
        }],
    },
    case!("get/missing", Task::Missing),
    case!("get/order", Task::Get),
    case!("query/order/0", Task::Orders(0)),
    case!("query/order/10", Task::Orders(10)),
    case!("query/order/100", Task::Orders(100)),
    case!("query/order/1000", Task::Orders(1000)),
    case!("query/booking/0", Task::Bookings(0)),
    case!("query/booking/10", Task::Bookings(10)),
    case!("query/booking/100", Task::Bookings(100)),
    case!("query/booking/1000", Task::Bookings(1000)),
    case!("put/order", Task::PutOrder),
    case!("put/booking", Task::PutBooking),
    case!("batch/25", Task::Batch),
    case!("update/order", Task::Update),
    case!("transaction/10", Task::Transaction),
];

/// The cost of the SDK's orchestrator for a call, which every contender has but ours: `GetItem` without key and item.
pub const FIXED: &str = "call/empty";

/// Returns a runtime on this thread, without other threads.
fn runtime() -> Runtime {
    let runtime = Builder::new_current_thread().enable_time().build();
    runtime.expect("a runtime without input and output can always be made")
}

fn contender<L: Library + 'static>(task: Task) -> Contender {
    let data = Rc::new(Data {
        orders: Order::samples(BATCH.max(TRANSACTION)),
        booking: Booking::sample(0),
    });
    let answer = task.answer(L::ASKS);
    let (library, shown) = (L::over(canned::client(answer.clone())), data.clone());
    let runtime = runtime();
    Contender {
        name: L::NAME,
        run: Box::new(move || {
            black_box(task.run(&runtime, black_box(&library), black_box(&data)));
        }),
        text: Box::new(move || task.text::<L>(answer.clone(), &shown)),
    }
}

fn nothing() -> Contender {
    let raw = Raw::over(canned::client(Task::Missing.answer(Raw::ASKS)));
    let runtime = runtime();
    Contender {
        name: Raw::NAME,
        run: Box::new(move || wait(&runtime, black_box(&raw).nothing(), |()| ())),
        text: Box::new(|| "nothing".into()),
    }
}

/// The canned responses are valid, so no call fails; the test of all cases would show it.
fn wait<T, O>(
    runtime: &Runtime,
    call: impl Future<Output = Result<T, Failure>>,
    outcome: impl FnOnce(T) -> O,
) -> O {
    let done = runtime.block_on(call);
    outcome(done.expect("every call has its answer ready"))
}

impl Task {
    pub(crate) fn answer(self, asks: RequestedParts) -> Answer {
        let page = |items| answers::page(items, asks);
        // modyne projects only in queries.
        let whole = RequestedParts {
            projection: false,
            ..asks
        };
        match self {
            Self::Missing => answers::get(None, asks),
            Self::Get => answers::get(Some(answers::order(&Order::sample(0), whole)), asks),
            Self::Orders(count) => {
                let orders = Order::samples(count);
                page(orders.iter().map(|it| answers::order(it, asks)).collect())
            }
            Self::Bookings(count) => {
                let bookings = Booking::samples(count);
                page(
                    bookings
                        .iter()
                        .map(|it| answers::booking(it, asks))
                        .collect(),
                )
            }
            Self::PutOrder | Self::PutBooking => answers::written("PutItem", asks),
            Self::Update => answers::written("UpdateItem", asks),
            Self::Batch => answers::all_written("BatchWriteItem", asks),
            Self::Transaction => answers::all_written("TransactWriteItems", asks),
        }
    }

    fn run<L: Library>(self, runtime: &Runtime, library: &L, data: &Data) -> Outcome {
        let first = &data.orders[0];
        let written = |()| Outcome::Written;
        match self {
            Self::Missing | Self::Get => wait(runtime, library.get(first), Outcome::Order),
            Self::Orders(_) => wait(runtime, library.orders(Order::CUSTOMER), Outcome::Orders),
            Self::Bookings(_) => wait(runtime, library.bookings(Booking::USER), Outcome::Bookings),
            Self::PutOrder => wait(runtime, library.put_order(first), written),
            Self::PutBooking => wait(runtime, library.put_booking(&data.booking), written),
            Self::Batch => wait(runtime, library.batch(&data.orders), written),
            Self::Update => wait(runtime, library.update(first), written),
            Self::Transaction => {
                let (create, update) = data.orders[..TRANSACTION as usize].split_at(5);
                wait(runtime, library.transaction(create, update), written)
            }
        }
    }

    /// Returns the entities that were read, or the request of a write.
    fn text<L: Library>(self, answer: Answer, data: &Data) -> String {
        let (client, requests) = canned::recording_client(answer);
        let outcome = self.run(&runtime(), &L::over(client), data);
        let sent = requests.lock().map(|requests| requests.clone());
        match outcome {
            Outcome::Written => same::meaning(&sent.unwrap_or_default()),
            read => serde_json::to_string(&read).unwrap_or_default(),
        }
    }
}
