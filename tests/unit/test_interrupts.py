import signal
import subprocess
import sys
import textwrap

import pytest

from trivet.interrupts import Stopped, orderly


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_is_an_interrupt_with_its_shell_code(number):
    before = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    with pytest.raises(KeyboardInterrupt) as caught, orderly():
        signal.raise_signal(number)
    assert isinstance(caught.value, Stopped)
    assert caught.value.exit_code == 128 + number
    assert caught.value.name == number.name
    assert [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)] == before


CODE = """
    import signal, sys, time
    from trivet.interrupts import orderly
    {before}
    with orderly():
        try:
            print("up", flush=True)
            time.sleep({seconds})
        except KeyboardInterrupt:
            print("caught", flush=True)
            time.sleep(60)
"""


def start(before="", seconds=60.0):
    code = textwrap.dedent(CODE).format(before=before, seconds=seconds)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "up\n"
    return process


@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_second_signal_ends_at_once(second):
    with start() as process:
        process.send_signal(signal.SIGTERM)
        assert process.stdout.readline() == "caught\n"
        process.send_signal(second)
        assert process.wait(10) == -second


def test_what_is_ignored_stays_ignored():
    with start("signal.signal(signal.SIGHUP, signal.SIG_IGN)", seconds=0.5) as process:
        process.send_signal(signal.SIGHUP)
        assert process.wait(10) == 0
