//! Names that look like syntax, in every document: they stay names.
//!
//! Each document is compared with that of harmless names: the same lines, cells, elements and
//! references.

use dynamo_model::schema::AttributeSchema;
use dynamo_model::{DynamoEntity, DynamoTable};
use dynamo_model_tools::{AccessPattern, Deployment, Model};
use proptest::prelude::*;
use serde_json::Value;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", ttl = "ttl", encryption = kms)]
#[gsi1(name = "GSI1", pk = "GSI1PK", projection = include("note"))]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:06>")]
#[gsi1(pk = "NOTE#<note>", as = by_note)]
struct Order {
    user_id: String,
    number: u32,
    note: String,
}

const PIECES: [&str; 27] = [
    "|", "\\|", "`", "``", "```", "\n", "\r\n", "\t", "<script>", "</td>", "<!--", "-->", "]]>",
    "${var.x}", "$${", "%{ if }", "%{", "$", "\"", "'", "\\", "&lt;", "*x*", "[a](b)", " ", "#",
    "n",
];

fn name() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..6);
    pieces.prop_map(|pieces| pieces.concat())
}

/// The names of a model, in the places that can have any text; no two are the same, and none is
/// empty.
#[derive(Debug, Clone)]
struct Names([String; 8]);

fn names() -> impl Strategy<Value = Names> {
    let own = |(at, name): (usize, String)| format!("{at}{name}");
    let numbered = move |names: [String; 8]| {
        let mut names = names.into_iter().enumerate().map(own);
        Names(std::array::from_fn(|_| names.next().unwrap()))
    };
    prop::array::uniform8(name()).prop_map(numbered)
}

fn leaked(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn model(Names(names): &Names) -> Model {
    let [model, title, pk, sk, ttl, attribute, number, pattern] = names;
    let pattern = AccessPattern::new(number, pattern).call(format!("Order::query({pattern})"));
    let mut model = Model::new(model).title(title).entity::<Order>();
    let table = &mut model.tables[0];
    table.schema.pk.name = leaked(pk);
    table.schema.sk.as_mut().unwrap().name = leaked(sk);
    table.schema.ttl = Some(leaked(ttl));
    let mut attributes = table.entities[0].schema.attributes.to_vec();
    attributes[2].name = leaked(attribute);
    table.entities[0].schema.attributes = Vec::<AttributeSchema>::leak(attributes);
    model.pattern(pattern)
}

fn plain() -> Model {
    model(&Names(std::array::from_fn(|i| format!("{i}n"))))
}

fn deployment(prefix: &str) -> Deployment {
    Deployment::new()
        .table_prefix(prefix)
        .customer_key()
        .daily_backups(35)
}

/// Of each line, how many cells it has.
fn cells(markdown: &str) -> Vec<usize> {
    let cells = |line: &str| {
        line.replace("\\\\", "")
            .replace("\\|", "")
            .matches('|')
            .count()
    };
    markdown.lines().map(cells).collect()
}

/// Returns the text outside of code: a code span ends with as many backticks as it began with.
fn outside_code(line: &str) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some(at) = rest.find('`') {
        // An even number of backslashes escape each other.
        let escapes = rest[..at].len() - rest[..at].trim_end_matches('\\').len();
        let escaped = escapes % 2 == 1;
        let ticks = rest[at..].len() - rest[at..].trim_start_matches('`').len();
        let ticks = if escaped { 1 } else { ticks };
        out += &rest[..at];
        rest = &rest[at + ticks..];
        if !escaped {
            let end = "`".repeat(ticks);
            let mut ends = rest.match_indices(&end).map(|(end, _)| end);
            let is_run =
                |end: &usize| !rest[..*end].ends_with('`') && !rest[end + ticks..].starts_with('`');
            let end = ends
                .find(is_run)
                .unwrap_or_else(|| panic!("code without an end: {line}"));
            rest = &rest[end + ticks..];
        }
    }
    out + rest
}

/// Every text of a JSON document.
fn texts(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) => out.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|it| texts(it, out)),
        Value::Object(fields) => fields.values().for_each(|it| texts(it, out)),
        _ => {}
    }
}

/// Returns the expressions of Terraform in a document.
fn expressions(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    texts(document, &mut found);
    let unescaped = |text: String| text.replace("$${", "").replace("%%{", "");
    let found: Vec<_> = found.into_iter().map(unescaped).collect();
    let starts = found.iter().flat_map(|text| {
        let starts = text.match_indices("${").chain(text.match_indices("%{"));
        starts.map(|(at, _)| text[at..].chars().take(40).collect())
    });
    starts.collect()
}

/// Three backslashes and a backtick: an escaped backslash, and an escaped backtick.
#[test]
fn a_name_with_backslash_and_backtick_starts_no_code_span() {
    let mut names: [String; 8] = std::array::from_fn(|at| at.to_string());
    names[7] = "7\\`".into();
    let document = model(&Names(names)).markdown();
    assert!(document.contains("7\\\\\\`"), "{document}");
    document.lines().for_each(|line| drop(outside_code(line)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn markdown_escapes_names(names in names()) {
        let (document, expected) = (model(&names).markdown(), plain().markdown());
        prop_assert_eq!(cells(&document), cells(&expected), "{}", document);
        for line in document.lines() {
            let outside = outside_code(line);
            let outside = outside.replace("<br>", "").replace("<code>", "").replace("</code>", "");
            prop_assert!(!outside.contains(['<', '>']), "{}", line);
            prop_assert!(!outside.replace("\\[", "").contains('['), "{}", line);
        }
    }

    #[test]
    fn html_escapes_names(names in names()) {
        let (page, expected) = (model(&names).html(), plain().html());
        // Code in backticks is marked as such, in texts as in comments.
        let elements = |page: &str| page.replace("<code>", "").replace("</code>", "").matches('<').count();
        prop_assert_eq!(elements(&page), elements(&expected));
    }

    #[test]
    fn mermaid_escapes_names(names in names()) {
        let (diagram, expected) = (model(&names).mermaid(), plain().mermaid());
        let quotes = |text: &str| text.lines().map(|it| it.matches('"').count()).collect::<Vec<_>>();
        prop_assert_eq!(quotes(&diagram), quotes(&expected), "{}", diagram);
    }

    #[test]
    fn terraform_escapes_expressions_in_names(names in names()) {
        let document = model(&names).terraform(&deployment(&names.0[0]));
        let expected = expressions(&plain().terraform(&deployment("n")));
        prop_assert_eq!(expressions(&document), expected);
    }

    /// JSON delimits texts itself, so names are unchanged.
    #[test]
    fn workbench_keeps_names_unchanged(names in names()) {
        let document = model(&names).workbench().to_string();
        let read: Value = serde_json::from_str(&document).unwrap();
        prop_assert_eq!(&read["ModelName"], &names.0[0]);
        let table = &read["DataModel"][0];
        prop_assert_eq!(&table["KeyAttributes"]["PartitionKey"]["AttributeName"], &names.0[2]);
    }
}

#[test]
fn hostile_names_are_in_each_document() {
    let names = Names([
        "a|b <x>".into(),
        "t`i\nt".into(),
        "${var.pk}".into(),
        "s`k".into(),
        "%{ttl}".into(),
        "``at|tr".into(),
        "1|2".into(),
        "[p](q)".into(),
    ]);
    let model = model(&names);
    let markdown = model.markdown();
    for line in [
        "# a\\|b &lt;x&gt;",
        "T\\`i t.",
        "| `App` | `${var.pk}` | `` s`k `` | 1 | 1 |",
        "| ``` ``at\\|tr ``` | String | yes |  |",
        "| 1\\|2 | \\[p\\](q) | `Order::query([p](q))` |  |",
    ] {
        assert!(
            markdown.lines().any(|it| it == line),
            "{line} in {markdown}"
        );
    }
    let terraform = model.terraform(&deployment(""));
    let table = &terraform["resource"]["aws_dynamodb_table"]["app"];
    assert_eq!(table["hash_key"], "$${var.pk}");
    assert_eq!(table["ttl"][0]["attribute_name"], "%%{ttl}");
}
