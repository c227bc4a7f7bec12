//! The classes of mistakes that must not compile, each with programs that do not.

use super::Row;

pub(crate) const ROWS: &[Row] = &[
    (
        "17: a filter on an attribute that the index does not project",
        &[
            "ui/filter/on-attribute-not-in-keys-only-index",
            "ui/filter/on-attribute-not-in-include-index",
            "ui/filter/on-attribute-not-in-local-index",
        ],
    ),
    (
        "19: a descending or ranged read on a part that does not sort",
        &[
            "ui/sort-order/descending-on-unpadded-integer",
            "ui/sort-order/descending-after-limit",
            "ui/sort-order/range-on-unpadded-integer",
            "ui/sort-order/range-on-shard",
            "ui/sort-order/range-of-a-part-that-may-be-empty",
        ],
    ),
    (
        "20: a partition key or prefix of another table, entity or index",
        &[
            "ui/items/collection-prefix-of-an-index",
            "ui/items/collection-of-another-table",
            "ui/items/collection-prefix-of-another-entity",
        ],
    ),
    (
        "21: a range on a query of one bucket, `across` on a bucket without a date",
        &[
            "ui/sort-order/range-in-a-bucket",
            "ui/sort-order/range-in-an-index-bucket",
            "ui/sort-order/across-buckets-without-date",
            "ui/sort-order/across-index-buckets-without-year",
        ],
    ),
    (
        "22: a batch put of a versioned entity, `expect_version` without a version",
        &[
            "ui/version/batch-put",
            "ui/version/batch-puts",
            "ui/version/expected-without-a-version",
        ],
    ),
    (
        "23: serde attributes that do not round-trip",
        &[
            "ui/serde/entity-into-and-from",
            "ui/serde/key-part-untagged",
            "ui/serde/skip-serializing",
        ],
    ),
    (
        "24: entities whose queries would return each other's items",
        &[
            "ui/own-items/unescaped-key-within-another",
            "ui/items/key-within-another",
            "ui/items/repeated-field-in-lower-case",
        ],
    ),
    (
        "25: an entity outside its table's items enum",
        &[
            "ui/items/entity-outside-the-items-enum",
            "ui/items/namesake-outside-the-items-enum",
        ],
    ),
    (
        "26: removing a required field, `add_to_set` on a list",
        &[
            "ui/update/required-field-removed",
            "ui/update/required-nested-field-removed",
            "ui/update/list-added-to-as-a-set",
        ],
    ),
    (
        "27: `Change` from a stream that lacks the images",
        &[
            "ui/stream/change-of-a-stream-of-keys",
            "ui/stream/change-of-a-stream-of-new-images",
        ],
    ),
    (
        "28: `include` names that are unknown, repeated or over the limit",
        &[
            "ui/index/included-attribute-unknown",
            "ui/index/included-twice",
            "ui/index/includes-over-20",
        ],
    ),
    (
        "29: `&&`, `||` and `==` between conditions",
        &[
            "ui/filter/two-ampersands",
            "ui/filter/two-vertical-bars",
            "ui/filter/equals-sign-between-conditions",
        ],
    ),
    (
        "18: order, prefix or arithmetic on a field whose stored form does not sort",
        &[
            "ui/stored-form/order-of-a-time",
            "ui/stored-form/order-of-a-field-with-a-function",
            "ui/stored-form/beginning-of-a-time",
        ],
    ),
    (
        "30: a disabled feature",
        &[
            "features/ui/embedded",
            "features/ui/streams",
            "features/key-only/ui/get",
        ],
    ),
];
