"""The script that a framework's interpreter is started with: ``<python> [-I] <staged>/trivet_worker/bootstrap.py``.

``<staged>`` is a folder that holds nothing but a copy of this package. The order matters: the path first, so that no
module of this package can pass for a top-level one; then the streams and the lifeline; only then whatever may print,
take long, or start threads.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Serve the coordinator until it says stop or closes the channel."""
    own = Path(__file__).resolve().parent
    sys.path[:] = [str(own.parent), *(entry for entry in sys.path if Path(entry).resolve() != own)]

    from trivet_worker import lifeline
    from trivet_worker.channel import take_standard_streams

    channel = take_standard_streams()
    lifeline.hold()

    import faulthandler

    faulthandler.enable()

    from trivet_worker.serve import serve, verbs

    serve(channel, verbs())
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # all is answered; a framework's own teardown takes seconds at best, and hangs at worst


if __name__ == "__main__":
    main()
