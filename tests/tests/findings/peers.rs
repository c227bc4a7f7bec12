//! Bugs of other libraries, each a test of ours.

use super::Row;

pub(crate) const ROWS: &[Row] = &[
    (
        "ElectroDB: no escaping, so two items have one key",
        &[
            "writes/peers::electrodb_two_items_in_one_key",
            "laws/others::two_items_of_different_entities_never_share_a_key",
        ],
    ),
    (
        "ElectroDB: a collection of user `1` also returns user `10`",
        &[
            "laws/injection::the_prefix_of_user_1_does_not_match_user_10",
            "reads/own_items::a_read_of_user_1_returns_no_item_of_user_10",
        ],
    ),
    (
        "ElectroDB: an update of one index part without its siblings",
        &[
            "ui/update/index-field-without-its-sibling",
            "ui/update/index-field-added-to",
            "ui/update/index-field-set-if-absent",
        ],
    ),
    (
        "ElectroDB: an absent optional part writes `opt_`",
        &[
            "writes/peers::electrodb_sparse_index_polluted",
            "writes/empty_parts::an_absent_field_is_stored_as_an_empty_part_and_read_as_none",
        ],
    ),
    (
        "ElectroDB: ranges compare text, numbers are unpadded, keys lower-cased",
        &[
            "writes/peers::electrodb_keys_lower_cased_and_unpadded",
            "ui/sort-order/range-on-unpadded-integer",
        ],
    ),
    (
        "ElectroDB, OneTable: cursors rebuilt from formatted items break",
        &[
            "reads/cursors::a_cursor_continues_every_kind_of_read",
            "reads/cursors::a_cursor_works_after_its_item_was_deleted",
        ],
    ),
    (
        "OneTable, dynamodb-toolbox: an index key is stale after a partial update",
        &[
            "writes/peers::onetable_index_key_stale_after_a_partial_update",
            "index_laws/main::every_write_leaves_the_index_keys_that_a_put_would_store",
        ],
    ),
    (
        "OneTable: a batch get drops unprocessed keys",
        &[
            "batch/batch_get::unprocessed_keys_are_requested_again",
            "batch/batch_get::keys_unprocessed_after_all_retries_are_listed_in_the_error",
        ],
    ),
    (
        "dynamodb-toolbox: consumed capacity is lost past one page",
        &["faults/requested_parts::a_page_requests_its_consumed_capacity"],
    ),
    (
        "Java Enhanced: no reads of several entities",
        &["reads/shapes::a_collection_returns_entities_in_sort_key_order"],
    ),
    (
        "modyne: local indexes created as global ones",
        &["reads/tables::the_tables_of_the_documents_verify"],
    ),
    (
        "modyne: unprocessed writes are not sent again",
        &["batch/batch_write::only_unprocessed_items_are_sent_again"],
    ),
    (
        "dynamodb-facade: an empty list drops the condition",
        &[
            "writes/peers::facade_empty_list_drops_the_condition",
            "writes/conditions::is_in_an_empty_list_fails_the_condition",
        ],
    ),
    (
        "dynamodb-facade: names are aliased only sometimes",
        &[
            "writes/peers::facade_expression_injection",
            "hostile/names::hostile_attribute_names_are_stored_and_read_back",
        ],
    ),
    (
        "dynamodb-facade: no backoff, unbounded spawns",
        &[
            "batch/batch_get::retries_wait_for_random_times",
            "batch/batch_write::concurrency_limits_the_requests_in_flight",
        ],
    ),
    (
        "dynamodb-facade: `.limit(n).all()` reads everything",
        &[
            "reads/pages::limits_and_page_sizes_bound_a_read",
            "reads/own_items::a_limit_does_not_read_the_whole_partition",
        ],
    ),
    (
        "by-macros: integers encoded in two ways never match",
        &["writes/peers::by_macros_integers_never_match"],
    ),
    (
        "by-macros: typos in options are ignored",
        &["ui/option/misspelt-on-entity", "ui/option/unknown-on-field"],
    ),
    (
        "toasty: more than 100 keys, unprocessed keys dropped",
        &["batch/batch_get::a_hundred_keys_are_one_request"],
    ),
    (
        "toasty: a filter without an index becomes a scan",
        &["ui/call/index-not-on-the-entity"],
    ),
    (
        "serde_dynamo: errors without a path",
        &["writes/peers::serde_dynamo_errors_without_a_path"],
    ),
    (
        "serde_dynamo: a `HashSet` becomes a list",
        &["writes/peers::serde_dynamo_set_becomes_a_list"],
    ),
    (
        "aws-sdk-rust: an error prints \"service error\" and no more",
        &["writes/peers::sdk_errors_hide_the_reason"],
    ),
    (
        "raiden: a consistent read on a global index is found at run time",
        &[
            "ui/consistency/on-global-index",
            "ui/consistency/on-global-index-after-limit",
        ],
    ),
    (
        "raiden: a batch write loops without backoff",
        &["batch/batch_write::a_throttled_request_is_sent_again"],
    ),
    (
        "asked for: cancellation reasons",
        &[
            "writes/peers::raiden_cancellation_reasons_are_lost",
            "transactions/cancelled::each_cancellation_reason_names_its_operation",
        ],
    ),
    (
        "asked for: typed updates",
        &["writes/peers::updates_are_typed"],
    ),
    (
        "asked for: pagination that survives a restart",
        &["reads/pages::pages_continue_after_a_restart"],
    ),
];
