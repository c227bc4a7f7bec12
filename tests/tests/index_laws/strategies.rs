//! Few values each, so that writes collide.

use super::Step;
use super::entities::Status;
use super::operations::*;
use jiff::Timestamp;
use proptest::option::{of, weighted};
use proptest::prelude::*;
use proptest::sample::select;

pub(super) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => operation().prop_map(Step::Alone),
        1 => proptest::collection::vec(operation(), 1..4).prop_map(Step::Together),
    ];
    proptest::collection::vec(step, 1..40)
}

/// Boxed, because large strategies of proptest would overflow the stack.
fn operation() -> BoxedStrategy<Operation> {
    let task = (team(), 1..3_u32);
    prop_oneof![
        3 => (task, task_write()).prop_map(|(key, write)| Operation::Task(key, write)),
        1 => (id(), note_write()).prop_map(|(id, write)| Operation::Note(id, write)),
        2 => (id(), account_write()).prop_map(|(id, write)| Operation::Account(id, write)),
    ]
    .boxed()
}

fn id() -> impl Strategy<Value = String> {
    select(vec!["1", "10", "1#x"]).prop_map(String::from)
}

fn team() -> impl Strategy<Value = String> {
    select(vec!["a", "a#b"]).prop_map(String::from)
}

/// With the delimiter in some of them.
fn name() -> impl Strategy<Value = String> {
    select(vec!["x", "x#y", "y", "山"]).prop_map(String::from)
}

fn status() -> impl Strategy<Value = Status> {
    select(vec![Status::Open, Status::InProgress, Status::Done])
}

/// Some differ by less than the precision of a key.
fn due() -> impl Strategy<Value = Timestamp> {
    let times = [(0, 0), (0, 1), (0, 1_000_000), (1_700_000_000, 999_999_999)];
    select(times.map(|(s, ns)| Timestamp::new(s, ns).unwrap()).to_vec())
}

fn priority() -> impl Strategy<Value = u16> {
    select(vec![0, 7, 999])
}

/// Most of the time the truth.
fn claims<F: Clone + std::fmt::Debug + 'static>(
    fields: impl Strategy<Value = F> + Clone + 'static,
) -> BoxedStrategy<Claims<F>> {
    let lie = || weighted(0.3, fields.clone());
    let lies = (lie(), [lie(), lie()]);
    let lies = lies.prop_map(|(update, changes)| Claims { update, changes });
    let truth = Just(Claims {
        update: None,
        changes: [None, None],
    });
    prop_oneof![truth, lies].boxed()
}

fn read() -> impl Strategy<Value = Read> {
    let ago = prop_oneof![2 => Just(0), 1 => 0..4_usize];
    (ago, any::<bool>()).prop_map(|(ago, any_version)| Read { ago, any_version })
}

fn source() -> impl Strategy<Value = Source> {
    prop_oneof![
        1 => Just(Source::New),
        3 => read().prop_map(|read| Source::Read { ago: read.ago }),
    ]
}

fn deletion() -> impl Strategy<Value = Deletion> {
    prop_oneof![
        Just(Deletion::ByKey),
        Just(Deletion::MustExist),
        read().prop_map(Deletion::Read),
    ]
}

fn task_fields() -> BoxedStrategy<TaskFields> {
    let fields = (
        status(),
        due(),
        priority(),
        of(name()),
        of(name()),
        of(name()),
        -3..3_i64,
        name(),
    );
    fields
        .prop_map(
            |(status, due, priority, assignee, owner, label, score, title)| TaskFields {
                status,
                due,
                priority,
                assignee,
                owner,
                label,
                score,
                title,
            },
        )
        .boxed()
}

fn task_change() -> BoxedStrategy<TaskChange> {
    let change = (
        weighted(0.3, status()),
        weighted(0.3, due()),
        weighted(0.3, priority()),
        weighted(0.3, of(name())),
        weighted(0.3, of(name())),
        weighted(0.3, of(name())),
        weighted(0.3, -3..3_i64),
        weighted(0.3, name()),
        0..3_u64,
    );
    change
        .prop_map(
            |(status, due, priority, assignee, owner, label, score, title, views)| TaskChange {
                status,
                due,
                priority,
                assignee,
                owner,
                label,
                score,
                title,
                views,
            },
        )
        .boxed()
}

fn task_write() -> BoxedStrategy<TaskWrite> {
    let update = (claims(task_fields()), task_change());
    let upsert = (task_fields(), any::<bool>(), task_fields());
    prop_oneof![
        2 => task_fields().prop_map(TaskWrite::Create),
        2 => (source(), task_fields()).prop_map(|(source, fields)| TaskWrite::Put(source, fields)),
        4 => update.prop_map(|(claims, change)| TaskWrite::Update(claims, change)),
        4 => (read(), task_change()).prop_map(|(read, change)| TaskWrite::Change(read, change)),
        2 => upsert.prop_map(|(fields, owner, beside)| TaskWrite::Upsert(fields, owner, beside)),
        1 => deletion().prop_map(TaskWrite::Delete),
    ]
    .boxed()
}

fn note_write() -> BoxedStrategy<NoteWrite> {
    let expires = || of(1_700_000_000..1_700_000_003_u64);
    let fields = move || {
        let fields = (name(), of(name()), of(name()), -2..2_i32, name(), expires());
        fields.prop_map(|(slug, color, shelf, rank, text, expires)| NoteFields {
            slug,
            color,
            shelf,
            rank,
            text,
            expires,
        })
    };
    let change = (
        of(name()),
        of(of(name())),
        of(of(name())),
        of(-2..2_i32),
        name(),
    );
    let change = change.prop_map(|(slug, color, shelf, rank, text)| NoteChange {
        slug,
        color,
        shelf,
        rank,
        text,
    });
    prop_oneof![
        2 => fields().prop_map(NoteWrite::Create),
        1 => fields().prop_map(NoteWrite::Put),
        4 => (read(), change).prop_map(|(read, change)| NoteWrite::Change(read, change)),
        1 => (0..9_u32).prop_map(NoteWrite::ExpireIn),
        1 => deletion().prop_map(NoteWrite::Delete),
    ]
    .boxed()
}

fn account_fields() -> BoxedStrategy<AccountFields> {
    let fields = (team(), name(), of(name()), name());
    fields
        .prop_map(|(team, email, handle, name)| AccountFields {
            team,
            email,
            handle,
            name,
        })
        .boxed()
}

fn account_write() -> BoxedStrategy<AccountWrite> {
    let change = || {
        let change = (of(team()), of(name()), of(of(name())), name());
        change.prop_map(|(team, email, handle, name)| AccountChange {
            team,
            email,
            handle,
            name,
        })
    };
    let put = (source(), account_fields());
    let update = (claims(account_fields()), change());
    prop_oneof![
        2 => account_fields().prop_map(AccountWrite::Create),
        2 => put.prop_map(|(source, fields)| AccountWrite::Put(source, fields)),
        2 => update.prop_map(|(claims, change)| AccountWrite::Update(claims, change)),
        2 => (read(), change()).prop_map(|(read, change)| AccountWrite::Change(read, change)),
        2 => deletion().prop_map(AccountWrite::Delete),
    ]
    .boxed()
}
