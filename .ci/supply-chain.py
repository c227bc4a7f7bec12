"""Checks `cargo metadata` on standard input by the rules in deny.toml, for the packages of a
`cargo tree` in a file; see `.ci/supply-chain`."""

import collections
import json
import re
import sys
import tomllib


def tree(metadata, lines):
    """Returns the packages of `cargo tree`, as `name vVERSION …`."""
    listed = {tuple(line.split()[:2]) for line in lines if line.strip()}
    return [it for it in metadata["packages"] if (it["name"], f"v{it['version']}") in listed]


def allowed(expression, licences):
    """Returns whether the allowed licences satisfy an SPDX expression with `OR` and `AND`."""
    expression = expression.replace("/", " OR ")
    text = ""
    for word in re.findall(r"[()]|[^\s()]+", expression):
        if word in ("(", ")"):
            text += word
        elif word in ("OR", "AND"):
            text += f" {word.lower()} "
        elif word == "WITH":
            # An exception only grants more; the plain licence must be allowed too.
            text += " and "
        else:
            text += str(word in licences)
    # Contains only True, False, and, or and brackets.
    return eval(text, {"__builtins__": {}})


def main():
    with open("deny.toml", "rb") as file:
        rules = tomllib.load(file)
    packages = tree(json.load(sys.stdin), open(sys.argv[1]))
    problems = []
    licences = set(rules["licenses"]["allow"])
    exceptions = {it["crate"]: set(it["allow"]) for it in rules["licenses"].get("exceptions", [])}
    for package in packages:
        name = f"{package['name']}@{package['version']}"
        more = exceptions.get(package["name"], set())
        if not allowed(package["license"] or "none", licences | more):
            problems.append(f"{name}: the licence {package['license']} is not among those in deny.toml")
        if not (package["source"] or "registry+").startswith("registry+"):
            problems.append(f"{name}: comes from {package['source']}")
    registries = {package["source"] for package in packages} - {None}
    if len(registries) > 1:
        problems.append(f"{len(registries)} registries: {', '.join(sorted(registries))}")

    versions = collections.defaultdict(set)
    for package in packages:
        versions[package["name"]].add(package["version"])
    skipped = {it["crate"] for it in rules["bans"]["skip"]}
    for name, found in sorted(versions.items()):
        rest = [version for version in found if f"{name}@{version}" not in skipped]
        if len(found) > 1 and len(rest) > 1:
            problems.append(f"{name}: in {len(found)} versions, {', '.join(sorted(found))}")
    known = {f"{name}@{version}" for name, found in versions.items() for version in found}
    problems += [f"{name}: skipped in deny.toml, but no longer a dependency" for name in skipped - known]

    for problem in problems:
        print(problem)
    print(f"{len(packages)} packages, {len(problems)} problems")
    sys.exit(bool(problems))


main()
