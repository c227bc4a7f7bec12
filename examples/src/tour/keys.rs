//! `tour --keys`: every key of the schemas, built from their sample values and parsed back.

use crate::paint::Paint;
use dynamo_model_examples::{Sample, SampleKey, Schema};
use std::io::{self, Write};

/// Whether every key was right.
pub(crate) fn print(out: &mut impl Write, paint: Paint, schemas: &[Schema]) -> io::Result<bool> {
    let (mut right, mut all) = (0, 0);
    let mut made = true;
    for schema in schemas {
        let (name, title) = (paint.bold(schema.name), schema.title);
        writeln!(out, "{name}: {title}")?;
        match (schema.samples)() {
            Ok(samples) => {
                let keys = || samples.iter().flat_map(|sample| &sample.keys);
                all += keys().count();
                right += keys().filter(|key| key.outcome.is_ok()).count();
                print_samples(out, paint, &samples)?;
            }
            Err(error) => {
                made = false;
                writeln!(out, "\n  {} {error}", paint.red("✗"))?;
            }
        }
        writeln!(out)?;
    }
    let fine = made && right == all;
    let summary = format!("{right} of {all} keys parse back to the parts that made them");
    let mark = if fine {
        paint.green("✓")
    } else {
        paint.red("✗")
    };
    writeln!(out, "{mark} {summary}")?;
    Ok(fine)
}

fn print_samples(out: &mut impl Write, paint: Paint, samples: &[Sample]) -> io::Result<()> {
    let mut table = "";
    for sample in samples {
        if sample.table.name != table {
            table = sample.table.name;
            let key = match sample.table.sk {
                Some(sk) => format!("{} + {}", sample.table.pk.name, sk.name),
                None => sample.table.pk.name.to_owned(),
            };
            writeln!(out, "\n  {} {}", paint.bold(table), paint.dim(&key))?;
        }
        writeln!(out, "    {}", sample.entity.entity)?;
        let width = |text: fn(&SampleKey) -> &str| {
            let widths = sample.keys.iter().map(|key| text(key).chars().count());
            widths.max().unwrap_or_default()
        };
        let widths = (width(|key| key.place), width(|key| &key.template));
        for key in &sample.keys {
            print_key(out, paint, key, widths)?;
        }
    }
    Ok(())
}

fn print_key(
    out: &mut impl Write,
    paint: Paint,
    key: &SampleKey,
    (place_width, template_width): (usize, usize),
) -> io::Result<()> {
    let place = format!("{:place_width$}", key.place);
    let template = paint.dim(&format!("{:template_width$}", key.template));
    write!(out, "      {place}  {template} → {}", key.key)?;
    match &key.outcome {
        Ok(()) => writeln!(out, " {}", paint.green("✓")),
        Err(why) => writeln!(out, " {} {why}", paint.red("✗")),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Paint, print};
    use dynamo_model_examples::exam::{User, user};
    use dynamo_model_examples::{Sample, Schema};

    fn failing(samples: fn() -> dynamo_model_examples::Result<Vec<Sample>>) -> String {
        let (name, title) = ("wrong", "a schema that fails");
        let mut out = Vec::new();
        let schema = Schema {
            name,
            title,
            samples,
            ..dynamo_model_examples::SCHEMAS[0]
        };
        assert!(!print(&mut out, Paint(false), &[schema]).unwrap());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_wrong_key_fails_the_tour() {
        let out = failing(|| Ok(vec![Sample::of(&user()?, |_| User::key("u2")).done()]));
        assert!(
            out.contains("USER#u1 + PROFILE ✗ parsed back, it is USER#u2"),
            "{out}"
        );
        assert!(out.contains("✗ 0 of 1 keys"), "{out}");
    }

    #[test]
    fn a_sample_that_cannot_be_made_fails_the_tour() {
        let out = failing(|| Err("no such day".into()));
        assert!(out.contains("✗ no such day"), "{out}");
    }
}
