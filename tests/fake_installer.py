"""The program that plays uv or pip; `fake_installers` puts it in place."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

NOTED = ("UV_", "PIP_", "PYTHON", "SSL_", "VIRTUAL_ENV", "ALL_PROXY")


def play() -> int:
    """Be an installer."""
    folder = Path(os.environ["TRIVET_FAKE"])
    name, arguments = Path(sys.argv[0]).stem, sys.argv[1:]
    note = {
        "installer": name,
        "arguments": arguments,
        "folder": str(Path.cwd()),
        "variables": {key: value for key, value in os.environ.items() if key.startswith(NOTED)},
        "pid": os.getpid(),
    }
    with (folder / "calls.jsonl").open("a") as file:
        file.write(json.dumps(note) + "\n")
    rules = folder / "rules.json"
    for rule in json.loads(rules.read_text()) if rules.exists() else []:
        if rule["installer"] == name and rule["match"] in " ".join(arguments):
            sys.stdout.write(rule["text"] + "\n")
            sys.stdout.flush()
            time.sleep(rule["seconds"])
            if rule["status"]:
                return rule["status"]
    if arguments[0] == "venv":
        return subprocess.run(
            [sys.executable, "-m", "venv", "--without-pip", arguments[-1]], check=False
        ).returncode
    if "install" not in arguments:
        return 0
    python = Path(arguments[arguments.index("--python") + 1])
    site = next((python.parent.parent / "lib").glob("python*/site-packages"))
    for text in (argument for argument in arguments if argument[0] != "-" and "==" in argument):
        package, version = text.split(",")[0].split("==")
        package = package.partition("[")[0]
        made = site / f"{package.replace('-', '_')}-{version}.dist-info"
        made.mkdir()
        (made / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
        (site / f"{package.replace('-', '_')}.py").write_text("")
    return 0


if __name__ == "__main__":
    sys.exit(play())
