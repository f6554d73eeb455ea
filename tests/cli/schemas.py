"""Check JSON files against the schemas: python3 schemas.py SCHEMAS FILE.json...

With UPDATE=1 the schemas are made from the files instead: which fields there are, of which types,
and which of them are always there. Read the difference before you keep it.
"""
import json
import os
import sys


def described(value):
    if isinstance(value, dict):
        return {"type": ["object"], "properties": {k: described(v) for k, v in value.items()},
                "required": sorted(value)}
    if isinstance(value, list):
        merged = None
        for item in value:
            merged = joined(merged, described(item))
        return {"type": ["array"], **({"items": merged} if merged else {})}
    kinds = [(bool, "boolean"), (int, "integer"), (float, "number"), (str, "string")]
    return {"type": [next((word for kind, word in kinds if isinstance(value, kind)), "null")]}


def joined(a, b):
    if a is None or b is None:
        return a or b
    kinds = set(a["type"]) | set(b["type"])
    if "number" in kinds:
        kinds.discard("integer")
    out = {"type": sorted(kinds)}
    if "object" in kinds:
        keys = list(a.get("properties", {})) + [k for k in b.get("properties", {})
                                                if k not in a.get("properties", {})]
        out["properties"] = {k: joined(a.get("properties", {}).get(k),
                                       b.get("properties", {}).get(k)) for k in keys}
        needed = [set(x["required"]) for x in (a, b) if "required" in x]
        out["required"] = sorted(set.intersection(*needed))
    items = joined(a.get("items"), b.get("items"))
    if items:
        out["items"] = items
    return out


def tidied(schema):
    if schema.get("type") == ["null"]:
        del schema["type"]  # nothing but null was seen: it may be anything
    if len(schema.get("type", [])) == 1:
        schema["type"] = schema["type"][0]
    for inner in schema.get("properties", {}).values():
        tidied(inner)
    if "items" in schema:
        tidied(schema["items"])
    return schema


def update(folder, values):
    schemas = {}
    for value in values:
        schemas[value["schema"]] = joined(schemas.get(value["schema"]), described(value))
    for name, schema in schemas.items():
        whole = {"$schema": "https://json-schema.org/draft/2020-12/schema",
                 "title": name, **tidied(schema)}
        whole["properties"]["schema"] = {"const": name}
        whole["properties"]["version"] = {"const": 2}
        whole["properties"]["command"] = {"type": ["string", "null"]}
        with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as out:
            json.dump(whole, out, indent=1)
            out.write("\n")


def undescribed(schema, value, place=""):
    """Fields that the schema does not name; later versions may add some, this one has none."""
    if isinstance(value, dict) and "properties" in schema:
        for key, inner in value.items():
            if key not in schema["properties"]:
                yield f"{place}/{key}"
            else:
                yield from undescribed(schema["properties"][key], inner, f"{place}/{key}")
    if isinstance(value, list) and "items" in schema:
        for item in value:
            yield from undescribed(schema["items"], item, place)


def check(folder, files, values):
    from jsonschema import Draft202012Validator

    wrong, seen = 0, set()
    for path, value in zip(files, values):
        with open(os.path.join(folder, value["schema"] + ".json"), encoding="utf-8") as text:
            schema = json.load(text)
        Draft202012Validator.check_schema(schema)
        seen.add(value["schema"] + ".json")
        for error in Draft202012Validator(schema).iter_errors(value):
            print(f"{path}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
            wrong = 1
        for place in sorted(set(undescribed(schema, value))):
            print(f"{path}: {place}: the schema does not name it")
            wrong = 1
        if list(value)[:4] != ["schema", "version", "program", "command"]:
            print(f"{path}: does not begin with schema, version, program, command")
            wrong = 1
        if not str(value["command"]).startswith("prvcut "):
            print(f"{path}: the command is not what was typed: {value['command']}")
            wrong = 1
    for unseen in sorted(set(os.listdir(folder)) - seen):
        print(f"{unseen}: no JSON of that schema was seen")
        wrong = 1
    return wrong


def main():
    folder, files = sys.argv[1], sys.argv[2:]
    values = []
    for path in files:
        with open(path, encoding="utf-8") as text:
            values.append(json.load(text))
    if os.environ.get("UPDATE"):
        update(folder, values)
        return 0
    return check(folder, files, values)


sys.exit(main())
