//! The document has an item a table.

use crate::support::{
    Document, assert_attributes, assert_document, assert_entity, assert_keys, document,
};
use dynamo_model::schema::{Billing, Encryption, IndexId, Projection, Stream, TableSchema};
use dynamo_model::{Entity, Table};
use dynamo_model_examples::booking::{
    Booking, BookingStatus, Bookings, Calendar, CalendarDay, CalendarItem, CalendarSlot,
    Notification, NotificationItem, Notifications, OptionService, Options, Terms, TermsOfService,
    TermsStatus, UnreadCount, User, UserAgreement, UserAgreements, Users, booking, calendar_day,
    calendar_slot, notification, option_service, terms, unread_count_of_user, user, user_agreement,
};

const USER: &str = "USER#123e4567-e89b-12d3-a456-426614174000";

macro_rules! sample {
    ($name:literal) => {
        document(include_str!(concat!(
            "../../src/booking/sample/",
            $name,
            ".json"
        )))
    };
}

/// Where the document draws an index key as `"STATUS#pending": "2025-…"`, name and value are the
/// two key attributes of the index.
fn undraw(mut document: Document, indexes: &[(&str, &str)]) -> Document {
    for (prefix, index) in indexes {
        let drawn = document.keys().find(|name| name.starts_with(prefix));
        let pk = drawn.unwrap().clone();
        let sk = document.remove(&pk).unwrap();
        document.insert(format!("{index}PK"), pk.into());
        document.insert(format!("{index}SK"), sk);
    }
    document
}

fn tables() -> [TableSchema; 7] {
    [
        Users::SCHEMA,
        Bookings::SCHEMA,
        Calendar::SCHEMA,
        Options::SCHEMA,
        Notifications::SCHEMA,
        TermsOfService::SCHEMA,
        UserAgreements::SCHEMA,
    ]
}

#[test]
fn every_table_has_the_settings_of_the_document() {
    let tables = tables();
    let names = tables.map(|table| table.name.strip_prefix("studio-booking-").unwrap());
    let expected = [
        "users",
        "bookings",
        "calendar",
        "options",
        "notifications",
        "terms-of-service",
        "user-agreements",
    ];
    assert_eq!(names, expected);
    for table in tables {
        assert!(table.point_in_time_recovery);
        assert_eq!(table.billing, Billing::OnDemand);
    }
    let named = |wanted: fn(&TableSchema) -> bool| {
        let tables = tables.iter().filter(|table| wanted(table));
        tables.map(|table| table.table).collect::<Vec<_>>()
    };
    let encrypted = named(|table| table.encryption == Encryption::Kms(None));
    assert_eq!(encrypted, ["Users", "Bookings"]);
    let streamed = named(|table| table.stream == Some(Stream::NewAndOldImages));
    assert_eq!(streamed, ["Users", "Bookings", "Notifications"]);
    assert_eq!(named(|table| table.ttl.is_some()), ["Notifications"]);
}

/// Each index, by table: its name, partition key and sort key. They project all attributes.
#[test]
fn every_index_of_the_document_is_declared() {
    let mut found = Vec::new();
    for table in tables() {
        for index in table.indexes {
            assert_eq!(index.projection, Projection::All, "{}", index.name);
            let sk = index.sk.map_or("", |sk| sk.name);
            found.push((table.table, index.name, index.pk.name, sk));
        }
    }
    let expected = [
        ("Users", "GSI1", "email", ""),
        ("Bookings", "GSI1", "GSI1PK", "GSI1SK"),
        ("Bookings", "GSI2", "GSI2PK", "GSI2SK"),
        ("Bookings", "GSI3", "GSI3PK", "GSI3SK"),
        ("Bookings", "GSI4", "GSI4PK", "GSI4SK"),
        ("Notifications", "GSI1", "GSI1PK", "GSI1SK"),
        ("TermsOfService", "GSI1", "STATUS", "effectiveDate"),
    ];
    assert_eq!(found, expected);
}

/// "3.1": tokens are kept elsewhere, and a password only as its hash, which no `Debug` shows.
#[test]
fn a_user_has_no_tokens() {
    let names = User::SCHEMA.attributes.iter().map(|it| it.name);
    let names: Vec<_> = names
        .filter(|it| it.to_lowercase().contains("token"))
        .collect();
    assert_eq!(names, [""; 0]);
    let sensitive = User::SCHEMA.attributes.iter().filter(|it| it.sensitive);
    let sensitive: Vec<_> = sensitive.map(|it| it.name).collect();
    assert_eq!(sensitive, ["hashedPassword", "address", "phone"]);
}

#[test]
fn users_have_the_keys_of_the_document() {
    let item = user().unwrap();
    assert_document(&item, &sample!("user"));
    assert_keys(&item, &[("PK", USER), ("email", "user@example.com")]);
    assert_eq!(User::parse_key(USER).unwrap().user_id, item.user_id);
    let key = User::parse_by_email_key("user@example.com").unwrap();
    assert_eq!(key.email, item.email);
}

#[test]
fn bookings_have_the_keys_of_the_document() {
    let item = booking().unwrap();
    let drawn = [("USER#", "GSI1"), ("STATUS#", "GSI2"), ("DATE#", "GSI3")];
    let mut expected = undraw(sample!("booking"), &drawn);
    // The index that the document does not have.
    expected.insert("GSI4PK".into(), "TYPE#temporary".into());
    expected.insert("GSI4SK".into(), "DEADLINE#2025-06-08T18:00:00Z".into());
    assert_document(&item, &expected);
    assert_keys(
        &item,
        &[
            ("PK", "BOOKING#b123e456"),
            ("SK", USER),
            ("GSI1PK", USER),
            ("GSI1SK", "BOOKING#2025-06-01T10:00:00Z"),
            ("GSI2PK", "STATUS#pending"),
            ("GSI2SK", "2025-06-15T13:00:00Z"),
            ("GSI3PK", "DATE#2025-06-15"),
            ("GSI3SK", "TIME#13:00:00Z"),
            ("GSI4PK", "TYPE#temporary"),
            ("GSI4SK", "DEADLINE#2025-06-08T18:00:00Z"),
        ],
    );
}

/// "1.": 400 KB an item. The largest of the document, with its four options, is far from it.
#[test]
fn no_item_of_the_document_is_large() {
    let sizes = [
        serde_json::to_string(&user().unwrap()),
        serde_json::to_string(&booking().unwrap()),
        serde_json::to_string(&calendar_slot().unwrap()),
        serde_json::to_string(&option_service().unwrap()),
        serde_json::to_string(&notification().unwrap()),
        serde_json::to_string(&terms().unwrap()),
        serde_json::to_string(&user_agreement().unwrap()),
    ]
    .map(|json| json.unwrap().len());
    assert!(sizes.iter().all(|size| *size < 4_000), "{sizes:?}");
}

#[test]
fn booking_keys_parse_back() {
    let item = booking().unwrap();
    let key = Booking::parse_key("BOOKING#b123e456", USER).unwrap();
    assert_eq!(
        (key.booking_id, key.user_id),
        (item.booking_id, item.user_id)
    );
    let key = Booking::parse_by_user_key(USER, "BOOKING#2025-06-01T10:00:00Z").unwrap();
    assert_eq!(
        (key.user_id, key.created_at),
        (item.user_id, item.created_at)
    );
    let key = Booking::parse_by_status_key("STATUS#pending", "2025-06-15T13:00:00Z").unwrap();
    assert_eq!(
        (key.status, key.start_time),
        (BookingStatus::Pending, item.start_time)
    );
    let key = Booking::parse_by_date_key("DATE#2025-06-15", "TIME#13:00:00Z").unwrap();
    assert_eq!(key.start_time.start(), Some(item.start_time));
}

#[test]
fn a_booking_without_deadline_is_not_in_the_sparse_index() {
    let mut item = booking().unwrap();
    item.confirmation_deadline = None;
    let attributes = item.key_attributes().unwrap();
    let absent = attributes
        .iter()
        .filter(|attribute| attribute.value.is_none());
    let absent: Vec<_> = absent.map(|attribute| attribute.name).collect();
    assert_eq!(absent, ["GSI4PK", "GSI4SK"]);
}

#[test]
fn calendar_slots_have_the_keys_of_the_document() {
    let item = calendar_slot().unwrap();
    assert_document(&item, &sample!("calendar_slot"));
    let (pk, sk) = ("DATE#2025-06-15", "TIME#13:00:00#17:00:00");
    assert_keys(&item, &[("PK", pk), ("SK", sk)]);
    let key = CalendarSlot::parse_key(pk, sk).unwrap();
    assert_eq!(key.start_time.start(), Some(item.start_time));
}

/// Items that the document does not have: the day that prevents overlapping slots, and the number
/// of unread notifications.
#[test]
fn calendar_days_and_unread_counts_have_keys() {
    let day = calendar_day();
    assert_keys(&day, &[("PK", "DATE#2025-06-15"), ("SK", "DAY")]);
    assert_attributes(&day, "version");
    let key = CalendarDay::parse_key("DATE#2025-06-15", "DAY").unwrap();
    assert_eq!(key.date, day.date);
    // It is in the partition of its slots.
    assert_eq!(
        day.key_attributes().unwrap()[0],
        calendar_slot().unwrap().key_attributes().unwrap()[0]
    );
    assert_entity::<CalendarItem>("DATE#2025-06-15", "DAY", "CalendarDay");
    assert_entity::<CalendarItem>("DATE#2025-06-15", "TIME#13:00:00#17:00:00", "CalendarSlot");

    let count = unread_count_of_user().unwrap();
    assert_keys(&count, &[("PK", USER), ("SK", "UNREAD")]);
    assert_attributes(&count, "unread version");
    let key = UnreadCount::parse_key(USER, "UNREAD").unwrap();
    assert_eq!(key.user_id, count.user_id);
    assert_entity::<NotificationItem>(USER, "UNREAD", "UnreadCount");
}

/// "4.2": no local indexes, as they cannot be added to a table.
#[test]
fn no_table_has_a_local_index() {
    for table in tables() {
        let local = table
            .indexes
            .iter()
            .filter(|index| matches!(index.id, IndexId::Lsi(_)));
        assert_eq!(local.count(), 0, "{}", table.name);
    }
}

#[test]
fn options_have_the_keys_of_the_document() {
    let item = option_service().unwrap();
    assert_document(&item, &sample!("option_service"));
    assert_keys(&item, &[("PK", "OPTION#opt1")]);
    assert_eq!(
        OptionService::parse_key("OPTION#opt1").unwrap().option_id,
        "opt1"
    );
}

#[test]
fn notifications_have_the_keys_of_the_document() {
    let item = notification().unwrap();
    assert_document(
        &item,
        &undraw(sample!("notification"), &[("TYPE#", "GSI1")]),
    );
    let sk = "NOTIFICATION#2025-06-01T10:30:00Z";
    let (gsi1pk, gsi1sk) = ("TYPE#booking", "2025-06-01T10:30:00Z");
    let keys = [
        ("PK", USER),
        ("SK", sk),
        ("GSI1PK", gsi1pk),
        ("GSI1SK", gsi1sk),
    ];
    assert_keys(&item, &keys);
    let key = Notification::parse_key(USER, sk).unwrap();
    assert_eq!(
        (key.user_id, key.created_at),
        (item.user_id, item.created_at)
    );
    let key = Notification::parse_by_type_key(gsi1pk, gsi1sk).unwrap();
    assert_eq!(key.notification_type, "booking");
}

#[test]
fn terms_have_the_keys_of_the_document() {
    let item = terms().unwrap();
    assert_document(&item, &sample!("terms"));
    let effective = "2025-01-01T00:00:00Z";
    let keys = [
        ("PK", "TERMS#1.0"),
        ("STATUS", "active"),
        ("effectiveDate", effective),
    ];
    assert_keys(&item, &keys);
    assert_eq!(Terms::parse_key("TERMS#1.0").unwrap().version, item.version);
    let key = Terms::parse_by_status_key("active", effective).unwrap();
    assert_eq!(
        (key.status, key.effective_date),
        (TermsStatus::Active, item.effective_date)
    );
}

#[test]
fn user_agreements_have_the_keys_of_the_document() {
    let item = user_agreement().unwrap();
    assert_document(&item, &sample!("user_agreement"));
    assert_keys(&item, &[("PK", USER), ("SK", "TERMS#1.0")]);
    let key = UserAgreement::parse_key(USER, "TERMS#1.0").unwrap();
    assert_eq!((key.user_id, key.version), (item.user_id, item.version));
}
