//! The reasons that DynamoDB gives for throttling, read from the body of its refusal.

use super::json::read::Reader;
use super::json::scan::Scan;
use crate::error::ThrottlingReason;

/// Returns the reasons in the body of an error. Returns none if it has none, or is not JSON.
///
/// They are read here, and not taken from the SDK's types, which are different for each operation.
#[cold]
pub(crate) fn throttling_reasons(body: &[u8]) -> Vec<ThrottlingReason> {
    read(body).unwrap_or_default()
}

fn read(body: &[u8]) -> Option<Vec<ThrottlingReason>> {
    let body = core::str::from_utf8(body).ok()?;
    // `throttlingReasons` in a ThrottlingException, `ThrottlingReasons` in all others.
    let (_, reasons) = fields(body)?
        .into_iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("ThrottlingReasons"))?;
    let reasons = elements(reasons)?;
    Some(reasons.into_iter().filter_map(reason).collect())
}

fn reason(json: &str) -> Option<ThrottlingReason> {
    let fields = fields(json)?;
    let text = |name: &str| {
        let (_, value) = fields.iter().find(|(field, _)| *field == name)?;
        Some(Reader::new(value).string().ok()?.into_owned())
    };
    Some(ThrottlingReason::new(text("reason")?, text("resource")))
}

/// Returns the names of an object and the JSON of their values.
fn fields(json: &str) -> Option<Vec<(&str, &str)>> {
    let mut scan = Scan::new(json.as_bytes(), 0);
    let (mut first, mut fields) = (true, Vec::new());
    scan.expect(b'{').ok()?;
    while let Some(name) = scan.name(&mut first).ok()? {
        let value = scan.value().ok()?;
        fields.push((json.get(name.range)?, json.get(value)?));
    }
    Some(fields)
}

/// Returns the JSON of each element of an array.
fn elements(json: &str) -> Option<Vec<&str>> {
    let mut scan = Scan::new(json.as_bytes(), 0);
    let (mut first, mut elements) = (true, Vec::new());
    scan.expect(b'[').ok()?;
    while scan.more(b']', &mut first).ok()? {
        elements.push(json.get(scan.value().ok()?)?);
    }
    Some(elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(body: &str) -> Vec<String> {
        let reasons = throttling_reasons(body.as_bytes());
        reasons.iter().map(|it| it.code().to_owned()).collect()
    }

    #[test]
    fn both_spellings_of_the_list_are_read() {
        for name in ["ThrottlingReasons", "throttlingReasons"] {
            let body = format!(
                r#"{{"__type":"X","message":"m","{name}":[{{"reason":"A","resource":"r\/1"}},{{"reason":"B"}}]}}"#
            );
            assert_eq!(codes(&body), ["A", "B"]);
            let reasons = throttling_reasons(body.as_bytes());
            assert_eq!(reasons[0].resource(), Some("r/1"));
            assert_eq!(reasons[1].resource(), None);
        }
    }

    #[test]
    fn what_is_not_a_list_of_reasons_gives_none() {
        for body in [
            "",
            "<html>",
            "{}",
            r#"{"ThrottlingReasons":null}"#,
            r#"{"ThrottlingReasons":"x"}"#,
            r#"{"ThrottlingReasons":[{"reason":7},3,{}]}"#,
            r#"{"ThrottlingReasons":[{"reason":"A""#,
        ] {
            assert_eq!(codes(body), Vec::<String>::new(), "{body}");
        }
    }
}
