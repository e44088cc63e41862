import json
import os
from types import SimpleNamespace

import pytest

from trivet_worker import modules
from trivet_worker.channel import Channel
from trivet_worker.contract import Unsupported
from trivet_worker.serve import serve


def _raising(error):
    def verb(arguments, report):
        raise error

    return verb


def _echo(arguments, report):
    report("echo")
    return arguments


VERBS = {
    "echo": _echo,
    "exit": _raising(SystemExit(3)),
    "unsupported": _raising(Unsupported("bfloat16 cannot be had: no such kernel.")),
    "hungry": _raising(MemoryError("Unable to allocate 1 EiB")),
    "wrong": _raising(ValueError("first line\nsecond line")),
    "long": _raising(ValueError("x" * 1000)),
    "bare": _raising(ZeroDivisionError()),
    "unspeakable": lambda arguments, report: {"object": object()},
}


@pytest.fixture
def ask():
    """Send lines to a serving loop, close the channel, and return the events."""

    def _ask(*lines):
        to_worker, from_worker = os.pipe(), os.pipe()
        os.write(to_worker[1], "".join(line + "\n" for line in lines).encode())
        os.close(to_worker[1])
        serve(Channel(to_worker[0], from_worker[1]), VERBS)
        os.close(from_worker[1])
        with os.fdopen(from_worker[0]) as events:
            return [json.loads(line) for line in events]

    return _ask


def _request(verb, identifier=1, **arguments):
    return json.dumps({"trivet": 1, "id": identifier, "verb": verb, "arguments": arguments})


def test_progress_and_result_carry_the_requests_id(ask):
    events = ask(_request("echo", 7, word="good day"))
    assert events == [
        {"trivet": 1, "id": 7, "event": "progress", "what": "echo"},
        {"trivet": 1, "id": 7, "event": "done", "result": {"word": "good day"}},
    ]


@pytest.mark.parametrize(
    ("verb", "kind", "message"),
    [
        ("exit", "failed", "SystemExit: 3"),
        ("unsupported", "unsupported", "bfloat16 cannot be had: no such kernel."),
        ("hungry", "out_of_memory", "MemoryError: Unable to allocate 1 EiB"),
        ("wrong", "failed", "ValueError: first line"),
        ("bare", "failed", "ZeroDivisionError"),
        ("sing", "unsupported", "This worker knows no verb 'sing'"),
        ("unspeakable", "failed", "TypeError: Object of type object is not JSON serializable"),
    ],
)
def test_an_exception_becomes_a_failure_and_the_worker_goes_on(ask, verb, kind, message):
    failed, done = ask(_request(verb, 1), _request("echo", 2))[0::2]
    assert (failed["id"], failed["event"], failed["failure"]["kind"]) == (1, "failed", kind)
    assert failed["failure"]["message"].startswith(message)
    assert "Traceback" in failed["failure"]["traceback"]
    assert (done["id"], done["event"]) == (2, "done")


def test_a_frameworks_own_memory_error_is_known_by_its_adapter(ask, monkeypatch):
    adapter = SimpleNamespace(out_of_memory=lambda error: "first line" in str(error))
    monkeypatch.setattr(modules, "imported_adapters", lambda: [adapter])
    kinds = [event["failure"]["kind"] for event in ask(_request("wrong"), _request("long"))]
    assert kinds == ["out_of_memory", "failed"]


def test_a_long_message_is_shortened(ask):
    message = ask(_request("long"))[0]["failure"]["message"]
    assert len(message) == 300
    assert message.endswith("x…")


@pytest.mark.parametrize("line", ["garbage", '{"trivet": 1, "id": 4}', "[]", "", '{"trivet": 9}'])
def test_a_line_that_is_no_request_is_answered_as_unreadable(ask, line):
    failed, _, done = ask(line, _request("echo", 2))
    assert (failed["id"], failed["event"]) == (-1, "failed")
    assert done["event"] == "done"


def test_stop_is_answered_and_ends_the_loop(ask):
    events = ask(_request("stop", 1), _request("echo", 2))
    assert events == [{"trivet": 1, "id": 1, "event": "done", "result": {}}]
