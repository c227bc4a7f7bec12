"""Items as boto3's resource stores what a program gives it: every type, under keys that the program builds."""

import os
import sys
from decimal import Decimal

import boto3
from boto3.dynamodb.types import Binary

dynamodb = boto3.resource(
    "dynamodb",
    endpoint_url=os.environ["DYNAMO_ENDPOINT"],
    region_name="local",
    aws_access_key_id="local",
    aws_secret_access_key="local",
)
NAME = "interop-boto3"

SENSOR = {
    "PK": "SENSOR#s1",
    "SK": "STATE",
    "id": "s1",
    "label": "North",
    "reads": 7,
    "exact": Decimal("1234567890123456789012345678901234.5678"),
    "tiny": Decimal("1E-30"),
    "on": False,
    "nothing": None,
    "raw": Binary(b"\x00\xff"),
    "names": {"x", "y"},
    "numbers": {Decimal("1"), Decimal("2.50")},
    "blobs": {Binary(b"\x01"), Binary(b"\x02\x03")},
    "nested": {"list": [1, "two", None, {"deep": {Decimal("3")}}], "empty": {}, "none": []},
    "ttl": 4102444800,
}


def write():
    table = dynamodb.create_table(
        TableName=NAME,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK")
        ],
        KeySchema=[
            {"AttributeName": "PK", "KeyType": "HASH"},
            {"AttributeName": "SK", "KeyType": "RANGE"},
        ],
    )
    table.wait_until_exists()
    table.put_item(Item=SENSOR)


def check():
    table = dynamodb.Table(NAME)
    found = table.get_item(Key={"PK": "SENSOR#s1", "SK": "STATE"})["Item"]
    expected = dict(SENSOR, label="South", reads=8)
    assert found == expected, {
        name: (found.get(name), expected.get(name))
        for name in found.keys() | expected.keys()
        if found.get(name) != expected.get(name)
    }


{"write": write, "check": check}[sys.argv[1]]()
