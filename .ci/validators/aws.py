"""Checks the inputs of `aws dynamodb` commands against the SDK's model of the API, and SAM against
its schema."""

import json
import pathlib
import sys
import warnings

import botocore.loaders
import botocore.model
import botocore.validate
from samtranslator.validator.validator import SamTemplateValidator

warnings.filterwarnings("ignore", category=DeprecationWarning)

folder = pathlib.Path(sys.argv[1])
api = botocore.loaders.create_loader().load_service_model("dynamodb", "service-2")
service = botocore.model.ServiceModel(api)
wrong = []

for file in sorted(folder.glob("*/create-table.json")):
    for operation, inputs in json.loads(file.read_text()).items():
        shape = service.operation_model(operation).input_shape
        for parameters in inputs:
            report = botocore.validate.ParamValidator().validate(parameters, shape)
            if report.has_errors():
                wrong.append(f"{file}: {operation}: {report.generate_report()}")
            for name in parameters.keys() - shape.members.keys():
                wrong.append(f"{file}: {operation} has no `{name}`")

for file in sorted(folder.glob("*/sam.json")):
    errors = SamTemplateValidator.validate(json.loads(file.read_text()))
    if errors:
        wrong.append(f"{file}: {errors}")

if wrong:
    sys.exit("\n".join(wrong))
