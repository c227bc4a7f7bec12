"""Puts the IAM policies into a CloudFormation template, so that cfn-lint checks them."""

import json
import pathlib
import sys

folder, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
resources = {}
for file in sorted(folder.glob("*/*-policy.json")):
    name = f"{file.parent.name}-{file.stem}".title().replace("-", "")
    policy = json.loads(file.read_text())
    # IAM's size limit ignores white space.
    size = len(json.dumps(policy, separators=(",", ":")))
    assert size <= 6144, f"{file} has {size} characters, and a managed policy takes 6144"
    resources[name] = {"Type": "AWS::IAM::ManagedPolicy", "Properties": {"PolicyDocument": policy}}
target.write_text(json.dumps({"AWSTemplateFormatVersion": "2010-09-09", "Resources": resources}))
