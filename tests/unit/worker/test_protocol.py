import json
import math

import pytest

from trivet_worker import protocol


def test_a_request_comes_back_as_it_was_sent():
    line = protocol.request(3, "run", {"steps": 7})
    assert line.endswith("\n")
    assert line.count("\n") == 1
    assert protocol.parse(line) == {"trivet": 1, "id": 3, "verb": "run", "arguments": {"steps": 7}}


def test_a_message_with_line_breaks_stays_one_line():
    line = protocol.failed(1, protocol.Failure("failed", "one\ntwo", "Traceback\n  ..."))
    assert line.count("\n") == 1
    assert protocol.parse(line)["failure"]["message"] == "one\ntwo"


def test_numbers_that_are_not_finite_travel_as_null():
    result = {"loss": math.nan, "losses": [1.0, math.inf, (-math.inf,)], "rules": {"worst": math.nan}}
    line = protocol.done(1, result)

    def refuse(constant):
        pytest.fail(f"{constant} is no JSON")

    message = json.loads(line, parse_constant=refuse)
    assert message["result"] == {"loss": None, "losses": [1.0, None, [None]], "rules": {"worst": None}}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("WARNING: all is well", "not JSON"),
        ("[1, 2]", "not a trivet message"),
        ('{"event": "done"}', "not a trivet message"),
        ('{"trivet": 2, "id": 1}', "protocol version 2, expected 1"),
    ],
)
def test_a_line_that_is_no_message_is_refused(line, problem):
    with pytest.raises(protocol.ProtocolError, match=problem):
        protocol.parse(line)
