//! Messages of the compiler.

use super::Row;

pub(crate) const ROWS: &[Row] = &[
    (
        "`&&`, `||` and `==` between conditions did not name `&`, `|` and `.eq()`",
        &[
            "ui/filter/two-ampersands",
            "ui/filter/two-vertical-bars",
            "ui/filter/equals-sign-between-conditions",
        ],
    ),
    (
        "of fields named `limit`, `count` and `all`, only one was reported",
        &["ui/sort-key-parts/three-parts-called-like-query-methods"],
    ),
    (
        "a generic query claimed that the index `Primary` does not carry the whole item",
        &["reads/index_filters::a_generic_query_of_the_table_needs_no_bound_on_its_projection"],
    ),
    (
        "a constant in place of a template had no clear error",
        &[
            "ui/template/constant-as-key",
            "ui/template/constant-as-index-key",
        ],
    ),
    (
        "a disabled feature gave unrelated advice",
        &[
            "features/ui/embedded",
            "features/ui/endpoint",
            "features/ui/key-part-of-jiff",
        ],
    ),
    (
        "range errors underlined the receiver",
        &[
            "ui/sort-order/range-on-shard",
            "ui/sort-order/range-on-clock-without-date",
        ],
    ),
    (
        "messages showed generated names such as `__SortKey<OpenQuery<..>>`",
        &["findings/main::no_message_shows_a_hidden_module_or_type"],
    ),
    (
        "a missing bound of an `async fn` was reported three times",
        &[
            "ui/call/transact-get-without-deserialize",
            "ui/call/hydrate-without-deserialize",
            "ui/call/batch-get-partial-without-deserialize",
        ],
    ),
    (
        "an item that was never read was \"changed by somebody else\"",
        &["writes/indexes::a_wrong_sibling_writes_nothing"],
    ),
    (
        "an entity that borrows gave \"Deserialize is not general enough\"",
        &[
            "ui/call/get-with-borrowed-fields",
            "ui/call/query-with-borrowed-fields",
        ],
    ),
];
