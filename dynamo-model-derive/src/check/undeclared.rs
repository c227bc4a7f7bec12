//! The rules of attributes that no field declares: `#[dynamo(rest)]` and `#[dynamo(constant(…))]`.

use crate::ast::{Entity, Field, Stored};
use crate::ctxt::Ctxt;

/// An undeclared attribute is captured by one field only.
pub(super) fn one_rest(cx: &Ctxt, entity: &Entity<'_>) {
    let mut first: Option<&Field<'_>> = None;
    for field in &entity.fields {
        let Some(span) = field.rest else { continue };
        let name = &field.name;
        let flattened = entity
            .fields
            .iter()
            .find(|it| it.stored == Stored::Flattened && it.name != *name);
        let message = if let Some(first) = first {
            format!(
                "`{}` captures the undeclared attributes already; remove `rest` from `{name}`",
                first.name
            )
        } else if field.stored == Stored::Flattened {
            format!(
                "`rest` reads and writes `{name}` without serde's `flatten`; remove \
                 `#[serde(flatten)]`"
            )
        } else if field.stored == Stored::Skipped {
            format!("serde skips `{name}`, so it captures nothing; remove `#[serde(skip)]`")
        } else if field.function.is_some() || field.reads_with {
            format!(
                "`rest` is read and written by the library; remove serde's function from `{name}`"
            )
        } else if let Some(flattened) = flattened {
            format!(
                "`{}` is flattened, so serde gives it the attributes that `{name}` captures; \
                 remove one of the two",
                flattened.name
            )
        } else if let Some(other) = other_option(field) {
            format!(
                "`{name}` holds many attributes, so it cannot be `{other}`; remove `{other}` or \
                 `rest`"
            )
        } else {
            first = Some(field);
            rest_has_its_type(cx, field);
            continue;
        };
        first = first.or(Some(field));
        cx.error(span, message);
    }
}

/// Only `Rest` keeps all ten types. The compiler checks a type of another name, which may be an
/// alias.
fn rest_has_its_type(cx: &Ctxt, field: &Field<'_>) {
    let may_be_alias = match field.ty {
        syn::Type::Path(path) => !crate::attr::has_arguments(&path.path),
        _ => false,
    };
    if !may_be_alias || crate::ty::is_plain(field.ty) {
        let (name, ty) = (&field.name, crate::ty::text(field.ty));
        cx.error_on(
            field.ty,
            format!(
                "`{name}` captures attributes of all ten types, which `{ty}` cannot hold; declare \
                 it as `dynamo_model::value::Rest`"
            ),
        );
    }
}

/// An option of a single attribute does not fit a rest field.
fn other_option(field: &Field<'_>) -> Option<&'static str> {
    let options = [
        ("key_only", field.key_only),
        ("nested", field.nested),
        ("null", field.null),
        ("sensitive", field.sensitive),
        ("version", field.version),
        ("ttl", field.ttl),
        ("created_at", field.created_at),
        ("updated_at", field.updated_at),
    ];
    let mut options = options.into_iter();
    options.find_map(|(name, span)| span.map(|_| name))
}

/// An attribute has one value, so a constant cannot be a field or another constant.
pub(super) fn constants_are_distinct(cx: &Ctxt, entity: &Entity<'_>) {
    for (i, constant) in entity.constants.iter().enumerate() {
        let name = constant.name.value();
        let mut before = entity.constants[..i].iter();
        if before.any(|other| other.name.value() == name) {
            let message = format!("the constant `{name}` is declared twice; keep one");
            cx.error(constant.name.span(), message);
            continue;
        }
        let field = entity.fields.iter().find(|field| {
            let own = field.stored == Stored::Attribute && field.attribute == name;
            own || field.aliases.contains(&name)
        });
        if let Some(field) = field {
            let field = &field.name;
            cx.error(
                constant.name.span(),
                format!(
                    "`{name}` is the attribute of the field `{field}`; remove the constant, or \
                     rename the field"
                ),
            );
        }
    }
}
