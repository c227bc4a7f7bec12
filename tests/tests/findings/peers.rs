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
            "laws/injection::user_1_is_not_user_10",
            "reads/own_items::user_1_is_not_the_beginning_of_user_10",
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
            "writes/empty_parts::an_absent_field_is_an_empty_part_and_comes_back_as_none",
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
            "reads/cursors::a_cursor_goes_on_in_every_way",
            "reads/cursors::the_item_of_a_cursor_may_be_deleted",
        ],
    ),
    (
        "OneTable, dynamodb-toolbox: an index key is stale after a partial update",
        &[
            "writes/peers::onetable_index_key_stale_after_a_partial_update",
            "index_laws/main::every_key_is_as_a_put_would_write_it",
        ],
    ),
    (
        "OneTable: a batch get drops unprocessed keys",
        &[
            "batch/batch_get::what_is_left_unread_is_asked_for_again",
            "batch/batch_get::what_remains_after_all_retries_is_an_error_that_lists_it",
        ],
    ),
    (
        "dynamodb-toolbox: consumed capacity is lost past one page",
        &["faults/asked::a_page_says_what_it_cost"],
    ),
    (
        "Java Enhanced: no reads of several entities",
        &["reads/shapes::a_partition_is_read_as_its_entities_in_the_order_of_their_sort_keys"],
    ),
    (
        "modyne: local indexes created as global ones",
        &["reads/tables::the_tables_of_the_documents"],
    ),
    (
        "modyne: unprocessed writes are not sent again",
        &["batch/batch_write::what_is_left_over_is_sent_again_and_nothing_else"],
    ),
    (
        "dynamodb-facade: an empty list drops the condition",
        &[
            "writes/peers::facade_empty_list_drops_the_condition",
            "writes/conditions::in_an_empty_list_is_nothing",
        ],
    ),
    (
        "dynamodb-facade: names are aliased only sometimes",
        &[
            "writes/peers::facade_expression_injection",
            "hostile/names::a_name_is_a_name",
        ],
    ),
    (
        "dynamodb-facade: no backoff, unbounded spawns",
        &[
            "batch/batch_get::waits_are_drawn_at_random",
            "batch/batch_write::so_many_requests_are_under_way_and_no_more",
        ],
    ),
    (
        "dynamodb-facade: `.limit(n).all()` reads everything",
        &[
            "reads/pages::limits_and_page_sizes",
            "reads/own_items::a_limit_reads_a_few_items_and_not_the_partition",
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
        &["batch/batch_get::a_hundred_keys_go_out_in_one_request"],
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
        &["writes/peers::sdk_errors_that_say_nothing"],
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
        &["batch/batch_write::a_refusal_for_lack_of_capacity_is_waited_out"],
    ),
    (
        "asked for: cancellation reasons",
        &[
            "writes/peers::raiden_cancellation_reasons_are_lost",
            "transactions/cancelled::each_reason_belongs_to_its_operation",
        ],
    ),
    (
        "asked for: typed updates",
        &["writes/peers::updates_are_typed"],
    ),
    (
        "asked for: pagination that survives a restart",
        &["reads/pages::page_by_page_with_a_restart_after_each"],
    ),
];
