//! Reads that returned wrong items, and declarations and calls that were impossible.

use super::Row;

pub(crate) const ROWS: &[Row] = &[
    (
        "a query returned items whose sort keys begin as the entity's do",
        &[
            "reads/own_items::a_query_leaves_out_items_whose_sort_key_begins_with_the_entitys",
            "reads/own_items::limits_and_pages_count_items_of_the_entity",
            "reads/own_items::items_of_no_entity_are_left_out_of_scans",
        ],
    ),
    (
        "a query of an index returned another entity of the partition",
        &[
            "reads/own_items::a_query_of_an_index_leaves_out_another_entity_in_the_partition",
            "reads/own_items::an_index_without_the_type_recognises_entities_by_the_tables_key",
        ],
    ),
    (
        "a filter on an attribute that the index does not carry matched nothing",
        &[
            "ui/filter/on-attribute-not-in-keys-only-index",
            "ui/filter/on-attribute-not-in-include-index",
            "ui/filter/on-nested-attribute-not-in-index",
            "reads/index_filters::a_filter_on_a_projected_attribute_matches",
        ],
    ),
    (
        "`collection` took the partition of an index, another table or another entity",
        &[
            "ui/items/collection-of-another-table",
            "ui/items/collection-of-an-entity-outside-the-enum",
            "ui/items/collection-prefix-of-an-index",
            "ui/items/collection-prefix-of-another-entity",
            "reads/shapes::a_prefix_of_an_entity_that_is_not_in_the_partition_is_refused",
        ],
    ),
    (
        "`descending` after `limit` or `filter` returned 9 before 10",
        &[
            "ui/sort-order/descending-after-limit",
            "ui/sort-order/descending-after-filter",
            "ui/sort-order/descending-on-second-part",
            "reads/series::descending_of_a_part_that_does_not_sort_is_an_error_on_any_query",
            "reads/series::descending_of_a_part_that_does_not_sort_is_an_error_at_any_position",
        ],
    ),
    (
        "a range over several buckets read the first one only",
        &[
            "ui/sort-order/range-in-a-bucket",
            "ui/sort-order/range-in-an-index-bucket",
            "reads/series::across_within_one_bucket_reads_that_bucket_alone",
        ],
    ),
    (
        "`across` took buckets without a date",
        &[
            "ui/sort-order/across-buckets-without-date",
            "ui/sort-order/across-index-buckets-without-year",
        ],
    ),
    (
        "two entities with the same keys overwrote each other",
        &[
            "ui/items/same-key",
            "ui/items/second-entity-without-an-items-enum",
            "ui/items/entity-outside-the-items-enum",
        ],
    ),
    (
        "a cursor was accepted by a query with another sensitive value",
        &["reads/cursor_format::a_cursor_of_another_sensitive_value_is_refused"],
    ),
    (
        "a fingerprint depended on `Debug`, and no test pinned the format",
        &["reads/cursor_format::cursors_of_this_release_are_pinned"],
    ),
    (
        "`Page::cursor` was `Some` after the last item",
        &[
            "reads/pages::a_page_that_ends_with_the_last_item_has_no_cursor",
            "reads/cursor_format::the_last_page_over_several_partitions_has_no_cursor",
        ],
    ),
    (
        "`limit(0)` looked like the end",
        &["reads/pages::a_limit_of_zero_is_an_error_before_the_request"],
    ),
    (
        "a prefix that no text of a time begins with found nothing",
        &["reads/epochs::a_time_that_would_not_sort_is_refused_before_the_request"],
    ),
    (
        "`at.gt(time)` on text of variable width missed values within the second",
        &[
            "reads/stored_form::order_finds_every_time_within_the_second",
            "ui/stored-form/order-of-a-time",
        ],
    ),
    (
        "order, prefix and arithmetic compiled on a field with `serde(with)`",
        &[
            "ui/stored-form/order-of-a-field-with-a-function",
            "ui/stored-form/beginning-of-a-field-with-a-function",
            "ui/stored-form/added-to-a-field-with-a-function",
        ],
    ),
    (
        "writes ignored the entity type",
        &[
            "writes/shared_keys::updates_and_deletions_fail_on_an_item_of_the_other_entity",
            "writes/shared_keys::check_type_refuses_items_of_other_programs",
        ],
    ),
    (
        "`unexpired()` on an entity without a TTL did nothing",
        &[
            "ui/ttl/unexpired-without-ttl",
            "ui/ttl/get-unexpired-without-ttl",
        ],
    ),
];

pub(crate) const EXPRESSIBLE: &[Row] = &[
    (
        "a generic query on the table needed a bound on its projection",
        &["reads/index_filters::a_generic_query_of_the_table_needs_no_bound_on_its_projection"],
    ),
    (
        "conditional indexes",
        &[
            "writes/conditional::only_items_with_the_value_are_in_the_index_after_every_write",
            "ui/index/condition-of-another-type",
        ],
    ),
    (
        "reversed numbers",
        &[
            "laws/specs::descending_integers_are_stored_as_nines_complement",
            "reads/ranges::ranges_of_descending_parts_return_values_in_reverse",
        ],
    ),
    (
        "`is_not_found`, `is_of`, `From<KeyError>`",
        &["writes/conditions::a_key_error_names_its_entity"],
    ),
    (
        "an enum as the key in a map path",
        &[
            "writes/exact_values::an_entry_is_named_by_the_key_of_its_map",
            "ui/filter/entry-of-enum-by-text",
        ],
    ),
    (
        "a sort key that repeats the field of its partition key, beside a longer one",
        &[
            "reads/repeated_fields::entities_that_repeat_a_field_are_distinguished",
            "ui/items/repeated-field-in-lower-case",
            "ui/items/another-field-than-the-repeated-one",
        ],
    ),
    (
        "adjacent parts of a fixed width",
        &[
            "laws/specs::adjacent_parts_have_no_delimiter",
            "dynamo-model-derive/src/template_tests::parts_of_a_fixed_width_need_no_delimiter",
        ],
    ),
    (
        "`concat!` in a template",
        &[
            "laws/specs::a_template_can_be_built_with_concat",
            "ui/template/concat-with-unknown-field",
            "ui/template/concat-of-a-constant",
        ],
    ),
    (
        "times as seconds or milliseconds since 1970 in keys",
        &[
            "laws/specs::times_since_1970_have_one_width",
            "reads/epochs::text_keys_have_the_digits_of_seconds_and_milliseconds",
            "reads/epochs::keys_of_type_n_hold_the_number_itself",
        ],
    ),
    (
        "a TTL of type `DateTime<Utc>` with `ts_seconds`",
        &["writes/expiry::a_ttl_is_stored_as_seconds_and_read_back"],
    ),
    (
        "`&str` for an optional sibling",
        &[
            "writes/sparse::update_by_key_requires_an_optional_sibling",
            "writes/empty_parts::updates_fill_and_empty_the_part",
            "ui/update/optional-sibling-of-another-type",
        ],
    ),
    (
        "an `upsert` that sets an optional sibling to `None`",
        &[
            "writes/sparse::an_upsert_with_siblings_that_are_none_is_in_no_index",
            "writes/empty_parts::an_upsert_must_set_or_remove_the_part",
        ],
    ),
    (
        "an alias of `Option` in a sparse index",
        &[
            "writes/option_alias::an_alias_of_option_makes_an_index_sparse",
            "ui/type/alias-of-option-in-index",
        ],
    ),
    (
        "two entities could not share one key space on purpose",
        &[
            "writes/shared_keys::create_fails_on_a_key_of_the_other_entity",
            "writes/shared_keys::put_replaces_only_items_of_its_own_entity",
        ],
    ),
];
