//! Writes and their errors.

use super::Row;

pub(crate) const ROWS: &[Row] = &[
    (
        "a write that happened was not uncertain when its result could not be read",
        &["faults/outcomes::a_write_whose_returned_item_cannot_be_read_was_done"],
    ),
    (
        "a write without a connection was uncertain, and `add` not sent again",
        &[
            "faults/outcomes::the_documented_outcomes_are_current",
            "faults/outcomes::add_is_sent_again_after_a_refused_connection",
        ],
    ),
    (
        "a batch put of a versioned entity reset the version",
        &["ui/version/batch-put", "ui/version/batch-puts"],
    ),
    (
        "`expect_version` on an entity without a version was ignored",
        &["ui/version/expected-without-a-version"],
    ),
    (
        "every counter update raised the version and `updated_at`",
        &["writes/times::a_counter_can_keep_the_version_and_the_time"],
    ),
    (
        "missing credentials, a 503 page, gzip and a wrong clock had the wrong words",
        &["faults/outcomes::the_documented_outcomes_are_current"],
    ),
    (
        "a malformed attribute lost the key",
        &["faults/outcomes::a_malformed_attribute_keeps_the_key"],
    ),
    (
        "the text of a ValidationException was three sources deep",
        &["writes/peers::sdk_errors_hide_the_reason"],
    ),
    (
        "interceptors of the user saw inputs without key and item",
        &[
            "faults/interceptors::an_interceptor_sees_and_changes_the_item_of_a_put_and_of_a_get",
            "faults/interceptors::an_interceptor_sees_and_changes_the_items_of_a_query_and_of_a_scan",
            "faults/interceptors::an_interceptor_sees_and_changes_the_items_of_a_transaction",
        ],
    ),
    (
        "setting an empty set gave a bare ValidationException",
        &["writes/plain_sets::setting_a_set_stores_a_set_and_an_empty_one_removes_it"],
    ),
    (
        "a token over 36 characters gave a bare ValidationException",
        &["writes/times::a_token_that_is_too_long_is_refused_before_the_request"],
    ),
    (
        "`Change` on another table's stream acknowledged all records",
        &[
            "changes/streams/events::a_record_of_another_table_is_an_error",
            "changes/streams/events::a_record_with_other_key_attributes_is_an_error",
        ],
    ),
    (
        "`Change` on a stream of keys failed on every record",
        &[
            "ui/stream/change-of-a-stream-of-keys",
            "changes/streams/events::a_record_without_the_image_names_the_missing_stream_option",
        ],
    ),
    (
        "a path inside an absent map gave a bare ValidationException",
        &[
            "writes/absent_parents::a_change_inside_an_absent_map_or_list_names_the_path_and_the_fix",
        ],
    ),
    (
        "`sweep_expired` ignored `with_clock`",
        &["reads/hidden::a_sweep_uses_the_clock_of_the_handle"],
    ),
];
