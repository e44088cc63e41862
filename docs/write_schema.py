"""Writes `result.schema.json` from the types. Run it after every change of `trivet.model.result`; a test compares."""  # noqa: INP001 - a script, in no package

import json
from pathlib import Path

from trivet.store.schema import result_schema

path = Path(__file__).with_name("result.schema.json")
path.write_text(json.dumps(result_schema(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
