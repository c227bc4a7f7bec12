"""Items as PynamoDB stores them: plain attribute keys, several classes by a discriminator, versions and stamps."""

import os
import sys
from datetime import datetime, timedelta, timezone

from pynamodb.attributes import (
    BinaryAttribute,
    BooleanAttribute,
    DiscriminatorAttribute,
    JSONAttribute,
    ListAttribute,
    MapAttribute,
    NullAttribute,
    NumberAttribute,
    NumberSetAttribute,
    TTLAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
    UTCDateTimeAttribute,
    VersionAttribute,
)
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex
from pynamodb.models import Model


class StatusIndex(GlobalSecondaryIndex):
    class Meta:
        index_name = "status-index"
        projection = AllProjection()

    status = UnicodeAttribute(hash_key=True)
    created_at = UTCDateTimeAttribute(range_key=True)


class Address(MapAttribute):
    street = UnicodeAttribute()
    zip = UnicodeAttribute(null=True)


class Document(Model):
    class Meta:
        table_name = "interop-pynamodb"
        host = os.environ["DYNAMO_ENDPOINT"]
        region = "local"
        aws_access_key_id = "local"
        aws_secret_access_key = "local"
        billing_mode = "PAY_PER_REQUEST"

    cls = DiscriminatorAttribute()
    user_id = UnicodeAttribute(hash_key=True)
    doc_id = NumberAttribute(range_key=True)
    status = UnicodeAttribute()
    status_index = StatusIndex()
    created_at = UTCDateTimeAttribute()
    updated_at = UTCDateTimeAttribute()
    title = UnicodeAttribute()
    pages = NumberAttribute(default=0)
    price = NumberAttribute(null=True)
    published = BooleanAttribute(default=False)
    tags = UnicodeSetAttribute(null=True)
    marks = NumberSetAttribute(null=True)
    raw = BinaryAttribute(legacy_encoding=False, null=True)
    address = Address(null=True)
    history = ListAttribute(null=True)
    settings = JSONAttribute(null=True)
    nothing = NullAttribute(null=True)
    expires = TTLAttribute(null=True)
    version = VersionAttribute()


class Article(Document, discriminator="Article"):
    summary = UnicodeAttribute(null=True)


class Report(Document, discriminator="Report"):
    department = UnicodeAttribute()


CREATED = datetime(2025, 7, 1, 10, 20, 30, 456789, tzinfo=timezone.utc)


def common(number, status):
    return dict(
        doc_id=number,
        status=status,
        created_at=CREATED + timedelta(days=number),
        updated_at=CREATED + timedelta(days=number),
        title=f"Document {number}",
        pages=7,
        price=12.5,
        published=True,
        tags={"a", "b"},
        marks={1, 2.5},
        raw=b"\x00\xff",
        address=Address(street="St James 12"),
        history=[1, "two", {"three": 3}],
        settings={"theme": "dark", "size": 1.5},
        expires=datetime(2100, 1, 1, tzinfo=timezone.utc),
    )


def write():
    Document.create_table(wait=True)
    Article("ada", summary="On engines", **common(1, "draft")).save()
    Article("ada", summary="Note G", **common(2, "final")).save()
    Report("ada", department="mill", **common(3, "draft")).save()


def check():
    article = Document.get("ada", 1)
    assert isinstance(article, Article), article
    expected = common(1, "final")
    expected.update(pages=8, tags={"a", "b", "rust"}, doc_id=1)
    expected.pop("updated_at")
    for name, value in expected.items():
        found = getattr(article, name)
        if name == "address":
            found, value = found.as_dict(), value.as_dict()
        if name == "history":
            found = list(found)
        assert found == value, (name, found, value)
    assert article.summary == "On engines"
    assert article.version == 2, article.version
    assert article.updated_at > CREATED + timedelta(days=1), article.updated_at

    final = [it.doc_id for it in Document.status_index.query("final")]
    assert final == [1, 2, 4], final
    assert [it.doc_id for it in Document.status_index.query("draft")] == [3]
    new = Document.get("ada", 4)
    assert isinstance(new, Article) and new.title == "Document 4", new

    # Merged and put by us.
    kept, expected = Document.get("ada", 2), common(2, "final")
    expected.pop("updated_at")
    for name, value in expected.items():
        found = getattr(kept, name)
        if name == "address":
            found, value = found.as_dict(), value.as_dict()
        if name == "history":
            found = list(found)
        assert found == value, (name, found, value)
    assert kept.version == 3, kept.version

    # Its own lock holds for our version, and its next save counts on.
    article.update(actions=[Document.pages.set(9)])
    assert Document.get("ada", 1).version == 3
    report = Document.get("ada", 3)
    assert isinstance(report, Report) and report.department == "mill"


{"write": write, "check": check}[sys.argv[1]]()
