"""Ctrl-C, and the signals by which batch systems and closing terminals stop a program, all end it in the same orderly way."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(KeyboardInterrupt):
    """A signal asked this process to end.

    Attributes:
        name: such as "SIGTERM".
        exit_code: 128 and the signal's number, as shells count.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.name = signal.Signals(number).name
        self.exit_code = 128 + number


@contextlib.contextmanager
def orderly() -> Iterator[None]:
    """Let the first signal raise `Stopped` in the main thread, and a second one end the process at once.

    A signal that is ignored stays so: `nohup` and shells that start programs in the background mean it.
    """
    before = {
        number: signal.signal(number, _stop)
        for number in _SIGNALS
        if signal.getsignal(number) not in (signal.SIG_IGN, None)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, _frame: FrameType | None) -> None:
    for one in _SIGNALS:
        if signal.getsignal(one) is _stop:
            signal.signal(one, signal.SIG_DFL)
    raise Stopped(number)
