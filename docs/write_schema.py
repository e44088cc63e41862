"""Writes the schemas from the types. Run it after every change of `trivet.model.result` or `.diff`; a test compares."""  # noqa: INP001 - a script, in no package

import json
from pathlib import Path

from trivet.store.schema import diff_schema, result_schema

for name, schema in (("result", result_schema()), ("diff", diff_schema())):
    path = Path(__file__).with_name(f"{name}.schema.json")
    path.write_text(json.dumps(schema, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
