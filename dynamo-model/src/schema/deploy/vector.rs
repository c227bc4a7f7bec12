//! Vector indexes in requests and descriptions of tables.

use super::{Comparison, definition, index_title, projection, shown_index};
use crate::schema::create::{CreateTable, CreateVector};
use crate::schema::{TableSchema, VectorIndexSchema};
use aws_sdk_dynamodb::error::BuildError;
use aws_sdk_dynamodb::operation::update_table::builders::UpdateTableFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, CreateVectorIndexAction, DeleteVectorIndexAction, SearchSchemaElement,
    SearchSchemaElementType, TableDescription, VectorAttributeDefinition, VectorDistanceFunction,
    VectorIndex, VectorIndexDescription, VectorIndexUpdate,
};

/// The index as CreateTable has it.
pub(super) fn index(index: &CreateVector) -> Result<VectorIndex, BuildError> {
    VectorIndex::builder()
        .index_name(index.name)
        .vector_attribute(attribute(index)?)
        .set_search_schema(search_schema(index)?)
        .projection(projection(index.projection, index.non_key_attributes))
        .dimensions(dimensions(index))
        .distance_function(VectorDistanceFunction::from(index.distance))
        .build()
}

/// Adds an index to a table. Defines the attributes of its search schema: DynamoDB knows those of
/// the others.
pub(super) fn add(
    request: UpdateTableFluentBuilder,
    table: &TableSchema,
    name: &str,
) -> Result<UpdateTableFluentBuilder, BuildError> {
    let create = CreateTable::of(table);
    let Some(index) = create.vectors.iter().find(|it| it.name == name) else {
        return Ok(request);
    };
    let is_searched = |name: &str| index.search_schema.iter().any(|(it, _)| *it == name);
    let definitions = create.attribute_definitions.iter();
    let definitions = definitions.filter(|it| is_searched(it.name));
    let definitions: Vec<_> = definitions.map(definition).collect::<Result<_, _>>()?;
    let action = CreateVectorIndexAction::builder()
        .index_name(index.name)
        .vector_attribute(attribute(index)?)
        .set_search_schema(search_schema(index)?)
        .projection(projection(index.projection, index.non_key_attributes))
        .dimensions(dimensions(index))
        .distance_function(VectorDistanceFunction::from(index.distance));
    let update = VectorIndexUpdate::builder().create(action.build()?);
    Ok(request
        .set_attribute_definitions((!definitions.is_empty()).then_some(definitions))
        .vector_index_updates(update.build()))
}

/// Removes an index from a table.
pub(super) fn remove(
    request: UpdateTableFluentBuilder,
    name: &str,
) -> Result<UpdateTableFluentBuilder, BuildError> {
    let delete = DeleteVectorIndexAction::builder().index_name(name);
    let update = VectorIndexUpdate::builder().delete(delete.build()?);
    Ok(request.vector_index_updates(update.build()))
}

fn attribute(index: &CreateVector) -> Result<VectorAttributeDefinition, BuildError> {
    VectorAttributeDefinition::builder()
        .attribute_name(index.attribute)
        .build()
}

fn search_schema(index: &CreateVector) -> Result<Option<Vec<SearchSchemaElement>>, BuildError> {
    let element = |(name, role): &(&'static str, &'static str)| {
        SearchSchemaElement::builder()
            .attribute_name(*name)
            .search_schema_element_type(SearchSchemaElementType::from(*role))
            .build()
    };
    let elements = index.search_schema.iter().map(element);
    let elements = elements.collect::<Result<Vec<_>, _>>()?;
    Ok((!elements.is_empty()).then_some(elements))
}

/// At most 4096.
fn dimensions(index: &CreateVector) -> i64 {
    i64::try_from(index.dimensions).unwrap_or(i64::MAX)
}

/// Compares each declared index with the deployed one of its name.
pub(super) fn compare(table: &TableSchema, deployed: &TableDescription, out: &mut Comparison) {
    let mut indexes = shown(deployed);
    for index in table.vectors {
        let deployed = indexes.iter().position(|(name, _)| *name == index.name);
        let deployed = deployed.map(|at| indexes.remove(at).1);
        let title = index_title(index.name);
        out.same(
            &title,
            &declared(index),
            deployed.as_deref().unwrap_or("none"),
        );
    }
    for (name, deployed) in indexes {
        out.more(index_title(&name), "none", deployed);
    }
}

/// `vectors meaning, 1536 by COSINE, HASH tenant (S), INLINE_FILTER category (S), ALL`
pub(in crate::schema) fn declared(index: &VectorIndexSchema) -> String {
    let create = CreateVector::of(index);
    let types = index.search_attributes().map(|it| it.key_type.as_str());
    let schema = create.search_schema.iter().zip(types);
    let schema = schema.map(|((name, role), kind)| format!("{role} {name} ({kind})"));
    let head = shown_head(
        index.attribute,
        dimensions(&create),
        create.distance,
        schema.collect(),
    );
    let projection = projection(create.projection, create.non_key_attributes);
    shown_index(head, Some(&projection))
}

/// The deployed indexes: name and the rest.
pub(in crate::schema) fn shown(deployed: &TableDescription) -> Vec<(String, String)> {
    let definitions = deployed.attribute_definitions();
    let indexes = deployed.vector_indexes().iter();
    let shown = indexes.map(|index| {
        let name = index.index_name().unwrap_or_default().to_owned();
        (name, shown_deployed(index, definitions))
    });
    shown.collect()
}

fn shown_deployed(index: &VectorIndexDescription, definitions: &[AttributeDefinition]) -> String {
    let schema = index.search_schema().iter().map(|element| {
        let name = element.attribute_name();
        let role = element.search_schema_element_type().as_str();
        let definition = definitions.iter().find(|it| it.attribute_name() == name);
        let kind = definition.map_or("?", |it| it.attribute_type().as_str());
        format!("{role} {name} ({kind})")
    });
    let attribute = index.vector_attribute();
    let distance = index.distance_function();
    let head = shown_head(
        attribute.map_or("?", VectorAttributeDefinition::attribute_name),
        index.dimensions().unwrap_or_default(),
        distance.map_or("?", VectorDistanceFunction::as_str),
        schema.collect(),
    );
    shown_index(head, index.projection())
}

/// The order of a search schema has no meaning.
fn shown_head(attribute: &str, dimensions: i64, distance: &str, mut schema: Vec<String>) -> String {
    schema.sort();
    let mut text = format!("vectors {attribute}, {dimensions} by {distance}");
    for element in schema {
        text += ", ";
        text += &element;
    }
    text
}
