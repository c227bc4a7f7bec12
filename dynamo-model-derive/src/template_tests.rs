use super::*;

fn parse(text: &str) -> Template {
    Template::parse(text, 1_024).expect(text)
}

fn errors(text: &str) -> Vec<String> {
    let mistakes = Template::parse(text, 1_024).expect_err(text);
    mistakes
        .into_iter()
        .map(|mistake| mistake.message)
        .collect()
}

fn shown(template: &Template) -> String {
    let mut out = format!("{:?}", template.head);
    for part in &template.parts {
        let Spec {
            form,
            transform,
            raw,
            ..
        } = &part.spec;
        let transform = transform.map(|it| format!("+{it:?}")).unwrap_or_default();
        let raw = if *raw { "+raw" } else { "" };
        out += &format!(" {}:{form:?}{transform}{raw} {:?}", part.field, part.after);
    }
    out
}

#[test]
fn the_templates_of_the_five_documents() {
    assert_eq!(shown(&parse("PROFILE")), r#""PROFILE""#);
    assert_eq!(
        shown(&parse("USER#<user_id>")),
        r#""USER#" user_id:Plain """#
    );
    assert_eq!(
        shown(&parse("ANSWER#<answered_at:s>#<question_id>")),
        r##""ANSWER#" answered_at:Precision(Seconds) "#" question_id:Plain """##
    );
    assert_eq!(
        shown(&parse("TIME#<start:%H:%M:%S>#<end:%T>")),
        r##""TIME#" start:Format([Hour, Literal(":"), Minute, Literal(":"), Second]) "#" end:Format([Hour, Literal(":"), Minute, Literal(":"), Second]) """##
    );
    assert_eq!(
        shown(&parse("PRODUCT#<id>#<v:shard(10)>")),
        r##""PRODUCT#" id:Plain "#" v:Shard(10) """##
    );
}

#[test]
fn specs() {
    for (text, spec) in [
        ("<x:020>", "Padded(20)"),
        ("<x:ns>", "Precision(Nanos)"),
        ("<x:lower>", "Plain+Lower"),
        ("<x:upper>", "Plain+Upper"),
        ("<x:raw>", "Plain+raw"),
        ("<x:lower+raw>", "Plain+Lower+raw"),
        ("<x:raw+upper>", "Plain+Upper+raw"),
        ("<x:08+desc>", "Padded(8)+Descending"),
        ("<x:desc+08>", "Padded(8)+Descending"),
        ("<x:ms+desc>", "Precision(Millis)+Descending"),
        ("<x:%Y%%%j>", r#"Format([Year, Literal("%"), DayOfYear])"#),
    ] {
        assert_eq!(shown(&parse(text)), format!(r#""" x:{spec} """#), "{text}");
    }
}

/// Finding: "cannot be declared: `lower` with `raw`, `upper`". An error names the fix.
#[test]
fn specs_that_exclude_each_other_are_refused_with_the_fix() {
    for (text, said) in [
        ("<x:lower+upper>", "write `<x:lower>` or `<x:upper>`"),
        ("<x:upper+raw+lower>", "exclude each other"),
        ("<x:raw+05>", "write `<x:05>` or `<x:raw>`"),
        ("<x:05+lower>", "write `<x:05>` or `<x:lower>`"),
        ("<x:05+ms>", "write `<x:05>` or `<x:ms>`"),
        ("<x:desc+raw>", "write `<x:desc>` or `<x:raw>`"),
        ("<x:lower+desc>", "write `<x:lower>` or `<x:desc>`"),
        ("<x:shard(4)+desc>", "write `<x:shard(4)>` or `<x:desc>`"),
        ("<x:lower+lower>", "write it once"),
        ("<x:lower+>", "is not a spec"),
        ("<x:lower+rav>", "did you mean `<x:lower+raw>`?"),
        ("<x:%Y-%m+desc>", "write `<x:%Y-%m>`"),
    ] {
        let errors = errors(text);
        assert!(
            errors.len() == 1 && errors[0].contains(said),
            "{text}: {errors:?}"
        );
    }
}

/// Finding: "V adjacent fixed widths".
#[test]
fn parts_of_a_fixed_width_need_no_delimiter() {
    assert_eq!(
        shown(&parse("<year:04><month:02><name>")),
        r#""" year:Padded(4) "" month:Padded(2) "" name:Plain """#
    );
    assert_eq!(errors("<name><year:04>").len(), 1);
}

#[test]
fn a_doubled_angle_bracket_is_a_literal_one() {
    assert_eq!(shown(&parse("<<a>#<b>#<<")), r##""<a>#" b:Plain "#<""##);
}

#[test]
fn raw_identifiers_and_keywords_are_fields() {
    assert_eq!(parse("<type>").parts[0].field, "type");
    assert_eq!(parse("<r#type>").parts[0].field, "type");
}

#[test]
fn a_fixed_width_part_may_be_followed_by_anything() {
    assert_eq!(
        shown(&parse("<t:%Y%m%d>T<n:03>x")).len(),
        shown(&parse("<t:%Y%m%d>T<n:03>x")).len()
    );
    assert_eq!(errors("<name>th").len(), 1);
    assert_eq!(errors("<name>円").len(), 1);
}

#[test]
fn every_error_of_a_template_at_once() {
    assert_eq!(errors("<a><b><c:zz>").len(), 2);
}

#[test]
fn no_text_makes_the_parser_panic() {
    let pieces = [
        "<", ">", "<<", ":", "%", "%Y", "shard(", ")", "0", "9", "a", "é", "円", "#", "r#", "",
    ];
    for a in pieces {
        for b in pieces {
            for c in pieces {
                for d in pieces {
                    let _ = Template::parse(&format!("{a}{b}{c}{d}"), 10);
                }
            }
        }
    }
}

#[test]
fn a_spec_that_is_nearly_right_is_put_right() {
    let fixed = |text: &str, fix: &str| {
        let errors = errors(text);
        assert!(errors.len() == 1 && errors[0].contains(fix), "{errors:?}");
    };
    fixed("<n:06d>", "write `<n:06>`");
    fixed("<n:20>", "write `<n:020>`");
    fixed("<n:>", "write `<n>`");
    fixed("<n:lowr>", "did you mean `<n:lower>`?");
    fixed("<n:shard>", "write `<n:shard(10)>`");
}
