"""The worker's main loop: one request at a time, each answered with a result or a failure."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from typing import Any

from trivet_worker import protocol
from trivet_worker.channel import Channel
from trivet_worker.contract import Unsupported
from trivet_worker.failures import failure_of
from trivet_worker.verbs.measure import Measurement
from trivet_worker.verbs.peak import Peak
from trivet_worker.verbs.probe import probe
from trivet_worker.verbs.script import script
from trivet_worker.verbs.trace import trace

Report = Callable[[str], None]
"""Takes a word on what the verb does now, such as "compile"."""
Verb = Callable[[dict[str, Any], Report], dict[str, Any]]
"""Takes a request's arguments; returns its result, in plain JSON values."""


def verbs() -> dict[str, Verb]:
    """Return what a worker can do, by name; "stop" is the loop's own."""
    measurement = Measurement()
    return {
        "probe": probe,
        "peak": Peak().measure,
        "trace": trace,
        "prepare": measurement.prepare,
        "run": measurement.run,
        "memory": measurement.memory,
        "repeat": measurement.repeat,
        "inspect": measurement.inspect,
        "script": script,
    }


def serve(channel: Channel, known: Mapping[str, Verb]) -> None:
    """Answer requests until "stop", or until the coordinator closes the channel."""
    for line in channel.lines():
        try:
            request = protocol.parse(line)
            identifier, name, arguments = request["id"], request["verb"], request["arguments"]
        except (protocol.ProtocolError, KeyError) as error:
            channel.send(protocol.failed(protocol.UNREADABLE, failure_of(error)))
            continue
        if name == "stop":
            channel.send(protocol.done(identifier, {}))
            return
        channel.send(_answer(channel, known, identifier, name, arguments))


def _answer(
    channel: Channel, known: Mapping[str, Verb], identifier: int, name: str, arguments: dict[str, Any]
) -> str:
    def report(what: str) -> None:
        channel.send(protocol.progress(identifier, what))

    try:
        if name not in known:
            message = f"This worker knows no verb {name!r}; it knows {', '.join(known)} and stop."
            raise Unsupported(message)
        return protocol.done(identifier, known[name](arguments, report))
    except (Exception, SystemExit) as error:  # a model file may do anything; the worker goes on all the same
        traceback.print_exc()
        return protocol.failed(identifier, failure_of(error))
