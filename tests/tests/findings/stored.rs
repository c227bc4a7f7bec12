//! Stored data: absent, NULL, unknown, foreign.

use super::Row;

pub(crate) const ROWS: &[Row] = &[
    (
        "`None` was stored as NULL",
        &[
            "writes/absent::a_field_that_is_none_is_omitted_at_every_depth",
            "writes/absent::null_of_another_tool_reads_as_none",
        ],
    ),
    (
        "`exists()` was true of NULL, `not_exists()` false",
        &["writes/absent::exists_is_false_for_absent_and_null_attributes"],
    ),
    (
        "`set_if_absent`, `add` and `append` did not start from NULL",
        &[
            "writes/absent::changes_with_a_default_start_from_an_absent_attribute",
            "writes/absent::changes_with_a_default_name_a_null_attribute",
        ],
    ),
    (
        "an item with an unescaped key was read there and written elsewhere",
        &[
            "reads/stored_keys::scan_rejects_an_item_whose_key_is_not_escaped",
            "reads/stored_keys::query_of_an_index_rejects_an_item_whose_key_is_not_escaped",
        ],
    ),
    (
        "`query` found an unpadded key, `get` did not, and `put` made a twin",
        &["reads/stored_keys::query_rejects_an_item_whose_key_is_not_padded"],
    ),
    (
        "a free-form value turned NS into L and failed on 30 digits",
        &[
            "writes/decimals::a_decimal_is_stored_as_a_number_with_all_digits",
            "writes/exact_values::a_free_form_value_keeps_all_ten_types",
        ],
    ),
    (
        "a plain `HashSet` read SS and wrote L",
        &[
            "writes/plain_sets::sets_are_stored_as_ss_ns_and_bs",
            "writes/plain_sets::a_list_that_an_older_release_stored_is_read",
        ],
    ),
    (
        "`add_to_set` on a list compiled and failed at run time",
        &[
            "writes/plain_sets::elements_are_added_and_deleted",
            "ui/update/list-added-to-as-a-set",
            "ui/update/list-in-an-alias-added-to-as-a-set",
        ],
    ),
    (
        "`updated_at` with a serde function was written as text",
        &["writes/times::stamps_are_written_as_serde_writes_the_field"],
    ),
    (
        "`created_at` was 1970 by some writes and overwritten by others",
        &["writes/times::created_at_is_stamped_when_unset_and_kept_when_set_by_every_write"],
    ),
    (
        "transactions did not return stamped values",
        &["writes/times::a_transaction_returns_the_stored_items"],
    ),
    (
        "a TTL in milliseconds, as a duration or as text never expired",
        &[
            "writes/expiry::a_ttl_that_is_not_a_time_in_seconds_is_refused_before_the_request",
            "writes/expiry::a_ttl_that_serde_writes_as_text_is_refused",
        ],
    ),
    (
        "a unique value stayed reserved after its item expired",
        &["writes/expiry::a_unique_value_expires_together_with_its_item"],
    ),
    (
        "a sum outside the type of its field was stored",
        &["writes/arithmetic::a_sum_outside_the_type_of_its_field_is_not_stored"],
    ),
    (
        "a required field of a nested struct could be removed",
        &[
            "ui/update/required-nested-field-removed",
            "ui/update/required-nested-field-in-a-list-removed",
            "ui/update/required-nested-struct-removed",
        ],
    ),
    (
        "`into` and `from` on an entity wrote other attributes than reads use",
        &["ui/serde/entity-into-and-from", "ui/serde/entity-try-from"],
    ),
    (
        "`untagged` or `other` on a key part read back another value",
        &["ui/serde/key-part-untagged", "ui/serde/key-part-other"],
    ),
    (
        "serde attributes whose writes succeeded and whose reads failed",
        &[
            "ui/serde/entity-denies-unknown-fields",
            "ui/serde/skip-serializing",
            "ui/serde/entity-rename-all-split",
            "ui/serde/with-on-key-attribute",
            "ui/serde/with-on-version",
            "writes/serde_attributes::serde_attributes_that_round_trip_are_stored_and_read_back",
        ],
    ),
    (
        "one item that cannot be read failed the whole page, collection or batch",
        &[
            "reads/each::a_query_returns_each_item_as_a_result",
            "reads/each::a_collection_returns_each_item_as_a_result",
            "changes/streams/events::each_passes_an_unreadable_record_to_the_handler",
        ],
    ),
    (
        "an item without a type failed `get` and was skipped by `scan`",
        &["reads/own_items::an_item_without_a_type_fails_every_read_that_finds_it"],
    ),
    (
        "`verify` failed on an extra index",
        &[
            "reads/tables::an_additional_index_is_not_a_difference",
            "reads/tables::a_table_as_declared_verifies_exactly",
        ],
    ),
    (
        "`lower` with `raw`, `upper`, and `lower` on an enum could not be declared",
        &[
            "laws/specs::combined_specs_apply_all_of_their_effects",
            "laws/specs::cased_parts_are_read_in_their_case",
            "ui/spec/same-values-in-lower-case",
        ],
    ),
    (
        "empty index parts could not be declared",
        &[
            "writes/empty_parts::an_absent_field_is_stored_as_an_empty_part_and_read_as_none",
            "writes/empty_parts::updates_fill_and_empty_the_part",
            "writes/empty_parts::an_item_of_another_library_keeps_its_empty_parts",
        ],
    ),
    (
        "exact decimals could not be declared",
        &["writes/exact_values::a_free_form_value_keeps_all_ten_types"],
    ),
    (
        "`put` dropped attributes that the struct does not declare",
        &[
            "writes/merge::merge_keeps_undeclared_attributes_and_removes_unset_declared_ones",
            "writes/rest::every_write_stores_captured_attributes_with_their_exact_types",
        ],
    ),
    (
        "a flattened map could write index keys and the TTL, and contained the key when read",
        &[
            "writes/flattened::a_flattened_entry_with_a_reserved_name_sends_nothing",
            "writes/flattened::a_flattened_map_reads_only_undeclared_data",
        ],
    ),
    (
        "constant attributes could not be declared",
        &[
            "writes/constants::every_write_of_a_whole_item_stores_the_constants",
            "outputs/lock::another_value_of_a_constant_breaks_stored_items",
        ],
    ),
    (
        "two type values for one entity could not be declared",
        &[
            "writes/type_values::every_read_returns_items_of_all_types",
            "writes/type_values::writes_accept_every_type_and_store_the_first",
        ],
    ),
    (
        "numbers with a fraction could not be keys of type N",
        &[
            "reads/decimal_keys::a_number_with_a_fraction_is_a_sort_key",
            "reads/decimal_keys::a_range_of_numbers_is_exact_at_both_ends",
        ],
    ),
    (
        "an item of a newer release failed the collection",
        &["changes/streams/events::a_change_of_an_unknown_item_carries_the_item"],
    ),
    (
        "a legacy item could not be deleted after another item took its unique value",
        &[
            "writes/legacy_uniques::a_legacy_item_can_be_deleted_after_another_took_its_value",
            "writes/legacy_uniques::a_legacy_item_can_be_changed_after_another_took_its_value",
        ],
    ),
    (
        "backfilling the entity type was ambiguous, and `done_if` saw the old shape alone",
        &[
            "changes/migrations/rewrite::a_rewrite_stores_type_index_keys_and_unique_items",
            "changes/migrations/rewrite::done_if_new_recognises_a_field_of_the_new_entity",
        ],
    ),
    (
        "sets of bytes in lists and maps were stored as L",
        &["writes/plain_sets::sets_in_nested_structs_lists_and_maps_are_sets"],
    ),
    (
        "reads hid an item a second before the sweep deleted it",
        &["reads/hidden::an_item_expires_in_the_second_after_its_ttl"],
    ),
    (
        "a fractional TTL of another program never counted as expired",
        &["reads/hidden::an_item_with_a_fractional_ttl_expires"],
    ),
    (
        "an update of a field under an alias left both names",
        &[
            "writes/old_names::update_of_an_item_under_old_names_leaves_one_name_and_the_right_values",
        ],
    ),
];
