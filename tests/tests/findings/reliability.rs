//! Items and positions that were lost or doubled; slow or unbounded work; values that were shown.

use super::Row;

pub(crate) const ROWS: &[Row] = &[
    (
        "a stream reader lost the records of one shard when another one failed",
        &[
            "changes/streams/faulty::a_failed_shard_does_not_lose_the_records_of_another",
            "changes/streams/faulty::no_record_is_lost_or_doubled",
        ],
    ),
    (
        "a `read_available()` that was dropped lost what it had read",
        &[
            "changes/streams/faulty::a_dropped_future_loses_no_record",
            "changes/streams/faulty::a_read_dropped_at_any_await_point_loses_no_record",
        ],
    ),
    (
        "a reader of new records skipped some when its iterator expired",
        &["changes/streams/faulty::only_new_survives_an_expired_iterator"],
    ),
    (
        "the cursor of one entity's scan was accepted by another's in a table without entity type",
        &["reads/cursor_format::a_cursor_of_another_entity_is_refused"],
    ),
    (
        "`unexpired()` was not part of the fingerprint",
        &["reads/cursor_format::a_cursor_is_refused_where_expired_items_are_left_out"],
    ),
    (
        "renaming a variant invalidated live cursors",
        &["reads/cursor_format::cursors_of_this_release_are_pinned"],
    ),
    (
        "cursor fingerprint and `across` marks were not pinned",
        &[
            "reads/cursor_format::cursors_of_this_release_are_pinned",
            "reads/cursor_format::a_cursor_is_refused_in_every_dimension",
        ],
    ),
    (
        "`StreamPosition` was not pinned",
        &["changes/formats::the_format_of_a_stream_position_is_pinned"],
    ),
    (
        "the checkpoint of a migration and the item of a unique value were not pinned",
        &[
            "changes/formats::the_format_of_a_checkpoint_is_pinned",
            "changes/formats::the_format_of_a_unique_item_is_pinned",
        ],
    ),
    (
        "reads whose filter matches nothing had no bound",
        &[
            "reads/bounded::a_budget_ends_a_read_whose_filter_matches_nothing",
            "reads/bounded::parts_within_a_budget_add_up_to_the_whole",
            "reads/bounded::a_budget_below_one_round_is_refused_before_any_request",
            "reads/bounded::each_segment_has_its_own_budget",
        ],
    ),
    (
        "a timeout lost the position of a read",
        &[
            "faults/resumed::a_read_dropped_at_any_await_point_can_continue",
            "faults/resumed::reads_that_fail_and_are_given_up_by_a_seed_lose_nothing",
            "reads/bounded::an_error_has_a_cursor_only_if_it_skips_nothing",
        ],
    ),
    (
        "a stream that failed midway had no cursor to go on with",
        &[
            "reads/bounded::the_cursor_of_a_stream_continues_after_each_item",
            "reads/bounded::an_unreadable_item_loses_no_other_item",
            "reads/bounded::segments_continue_where_each_ended",
        ],
    ),
    (
        "a migration to a new unique value stopped at the first duplicate, and its dry run \
         reported none",
        &[
            "changes/migrations/uniques::a_dry_run_reports_the_values_that_two_items_share",
            "changes/migrations/rewrite::a_rewrite_reports_values_that_another_item_has",
            "changes/migrations/refused::a_dry_run_lists_every_problem",
        ],
    ),
    (
        "a policy with a raw part accepted an identity that may contain the delimiter",
        &["outputs/policies::a_raw_part_is_refused_where_the_caller_may_have_its_delimiter"],
    ),
    (
        "Terraform did not escape `${` and `%{`",
        &["outputs/hostile_names::terraform_escapes_expressions_in_names"],
    ),
    (
        "Markdown broke on a newline or backtick in a name",
        &[
            "outputs/hostile_names::markdown_escapes_names",
            "outputs/hostile_names::hostile_names_are_in_each_document",
        ],
    ),
    (
        "a key of a sensitive map appeared in `explain` and `Debug`",
        &["hostile/secrets::no_key_of_a_sensitive_map_is_shown"],
    ),
    (
        "at TRACE the SDK logs bodies, and the docs said that sensitive fields reach no log",
        &[
            "hostile/logs::no_event_of_any_target_at_debug_shows_a_sensitive_value",
            "hostile/logs::at_trace_the_sdk_logs_whole_requests_and_responses",
        ],
    ),
    (
        "a page of large items took seconds and gigabytes",
        &[
            "engine/pages::a_page_ends_after_a_megabyte",
            "engine/pages::a_page_of_small_items_is_one_request",
        ],
    ),
    (
        "writes to a table with a stream slowed down with the number of records",
        &["dynamo-model/src/engine/database::the_last_record_of_a_stream_is_found_by_an_index"],
    ),
    (
        "transactions slowed down, as request tokens were searched one after the other",
        &[
            "engine/tokens::a_transaction_with_the_same_token_is_done_once",
            "engine/tokens::a_token_of_a_failed_transaction_can_be_reused",
            "dynamo-model/src/engine/tokens::tokens_are_forgotten_oldest_first_after_ten_minutes",
        ],
    ),
    (
        "1 000 queries at once starved other work on blocking threads",
        &["engine/threads::a_thousand_queries_leave_blocking_threads_free"],
    ),
    (
        "`\"\"`, `\":memory:\"` and a file of 0 bytes opened as an empty database",
        &[
            "engine/files::paths_that_are_not_files_are_refused",
            "engine/files::an_empty_file_is_refused",
        ],
    ),
    (
        "a full disk, a damaged or a read-only file read \"DynamoDB refused\"",
        &[
            "engine/files::a_damaged_file_is_an_error_of_the_engine",
            "engine/files::a_file_damaged_after_opening_is_a_certain_error",
            "engine/files::a_full_disk_is_a_certain_error",
            "engine/files::a_read_only_file_is_a_certain_error",
        ],
    ),
    (
        "after `DeleteTable` another handle on the same file believed that the table exists",
        &[
            "engine/files::handles_of_one_file_see_the_same_tables",
            "engine/files::two_processes_on_one_file_see_the_same_tables",
        ],
    ),
];
