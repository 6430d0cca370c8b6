"""Validates SARIF logs against the object model of the standard (the package `sarif_om`, which is generated from the schema).

    python tests/dev/sarif.py [--schema SCHEMA.json] FILE.sarif...

Every object may have the properties of its class only, and has to have those that are required; on top of that come the rules of the standard about values that Provident's logs
have. With `--schema`, the logs are validated against that file too (by the package `jsonschema`): the standard's own schema, which the crate `serde-sarif` holds as
`src/schema.json`. Prints what is wrong; the exit status says whether anything is.
"""

import json
import re
import sys

import attr
import sarif_om

# Which class the objects of a property are of, for the properties that Provident writes.
CLASSES = {
    "SarifLog": {"runs": "Run"},
    "Run": {"tool": "Tool", "artifacts": "Artifact", "results": "Result"},
    "Tool": {"driver": "ToolComponent"},
    "ToolComponent": {"rules": "ReportingDescriptor"},
    "ReportingDescriptor": {
        "shortDescription": "MultiformatMessageString",
        "defaultConfiguration": "ReportingConfiguration",
    },
    "Artifact": {"location": "ArtifactLocation"},
    "Result": {"message": "Message", "locations": "Location", "codeFlows": "CodeFlow"},
    "Location": {"physicalLocation": "PhysicalLocation", "logicalLocations": "LogicalLocation", "message": "Message"},
    "PhysicalLocation": {"artifactLocation": "ArtifactLocation", "region": "Region"},
    "CodeFlow": {"threadFlows": "ThreadFlow"},
    "ThreadFlow": {"locations": "ThreadFlowLocation"},
    "ThreadFlowLocation": {"location": "Location"},
}
ENUMERATIONS = {
    ("Result", "kind"): {"notApplicable", "pass", "fail", "review", "open", "informational"},
    ("Result", "level"): {"none", "note", "warning", "error"},
    ("ReportingConfiguration", "level"): {"none", "note", "warning", "error"},
    ("Run", "columnKind"): {"utf16CodeUnits", "unicodeCodePoints"},
    ("SarifLog", "version"): {"2.1.0"},
}
URI_REFERENCE = re.compile(r"^([a-z][a-z0-9+.-]*:)?([A-Za-z0-9._~:/?#@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$")


def walk(kind, value, path, problems):
    if not isinstance(value, dict):
        problems.append("%s: not an object" % path)
        return
    known = {}
    for attribute in attr.fields(getattr(sarif_om, kind)):
        known[attribute.metadata["schema_property_name"]] = attribute.default is attr.NOTHING
    for name in sorted(name for name, required in known.items() if required and name not in value):
        problems.append("%s: %s lacks the required property %s" % (path, kind, name))
    for name, child in value.items():
        here = "%s.%s" % (path, name)
        if name not in known:
            problems.append("%s: %s has no such property" % (here, kind))
            continue
        allowed = ENUMERATIONS.get((kind, name))
        if allowed and child not in allowed:
            problems.append("%s: %r is not one of %s" % (here, child, sorted(allowed)))
        if name in ("startLine", "startColumn") and not (isinstance(child, int) and child >= 1):
            problems.append("%s: %r is no position" % (here, child))
        if name == "uri" and not URI_REFERENCE.match(child):
            problems.append("%s: %r is no URI reference" % (here, child))
        inner = CLASSES.get(kind, {}).get(name)
        children = child if isinstance(child, list) else [child]
        if inner:
            for i, element in enumerate(children):
                walk(inner, element, "%s[%d]" % (here, i), problems)
        elif any(isinstance(element, dict) for element in children):
            problems.append("%s: an object of a kind that this test does not know" % here)


def validate(log):
    problems = []
    walk("SarifLog", log, "log", problems)
    for run in log.get("runs", []):
        rules = run["tool"]["driver"].get("rules", [])
        for i, result in enumerate(run.get("results", [])):
            index = result.get("ruleIndex", -1)
            if not 0 <= index < len(rules) or rules[index]["id"] != result.get("ruleId"):
                problems.append("result %d: ruleIndex and ruleId do not fit" % i)
            if result.get("kind", "fail") != "fail" and result.get("level", "warning") != "none":
                problems.append("result %d: a level other than none needs the kind fail" % i)
            if not (result.get("message") or {}).get("text"):
                problems.append("result %d: there is no message" % i)
    return problems


def by_schema(file):
    """What a JSON schema says about a log."""
    import jsonschema

    schema = json.load(open(file))
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    validator = kind(schema, format_checker=kind.FORMAT_CHECKER)
    return lambda log: ["%s: %s" % (error.json_path, error.message[:200]) for error in validator.iter_errors(log)]


def main():
    names, failed = sys.argv[1:], False
    more = lambda log: []
    if names[:1] == ["--schema"] and len(names) > 1:
        more, names = by_schema(names[1]), names[2:]
    for name in names:
        log = json.load(open(name))
        problems = validate(log) + more(log)
        failed |= bool(problems)
        for problem in problems[:20]:
            print("%s: %s" % (name, problem))
    print("%d logs, %s" % (len(names), "with problems" if failed else "all valid"))
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
