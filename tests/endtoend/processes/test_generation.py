"""A whole generation of real workers, some of which misbehave."""

import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

from numpy_contestants import numpy_entry
from stub_worker import GONE_SECONDS, LIMIT, TESTS, gone
from trivet.launch.stage import Staged
from trivet.measure.entry import Limits, Setting
from trivet.measure.generation import measure_generation
from trivet_worker.protocol import FAILED, OUT_OF_MEMORY, TIMED_OUT


class TestGeneration:
    def setting(self, staged: Staged, tmp_path: Path) -> Setting:
        return Setting(
            workload="mlp",
            number=0,
            staged=staged,
            cpus=(),
            run=tmp_path / "run",
            caches=tmp_path / "caches",
            scratch=tmp_path / "scratch",
            began=time.monotonic(),
        )

    def test_some_fail_and_the_rest_is_measured(self, staged, tmp_path):
        entries = [
            numpy_entry("numpy:plain"),
            numpy_entry("numpy:crash"),
            numpy_entry("numpy:greedy", greedy_at_step=1),
            numpy_entry("numpy:hang", hang_at_step=40),
            numpy_entry("numpy:garbage"),
        ]
        generation = measure_generation(
            entries,
            self.setting(staged, tmp_path),
            limits=Limits(prepare_seconds=LIMIT, run_seconds=15.0, run_factor=10.0),
        )
        assert {label: failure.status for label, failure in generation.failures.items()} == {
            "numpy:crash": FAILED,
            "numpy:greedy": OUT_OF_MEMORY,
            "numpy:hang": TIMED_OUT,
        }
        for label in ("numpy:plain", "numpy:garbage"):
            rounds = {taken.round for taken in generation.slices if taken.contestant == label and taken.clean}
            assert rounds >= {0, 1, 2}
            assert generation.memory[label]["host_peak_bytes"] > 2**20
            assert generation.startups[label].cold
        assert not generation.guarded  # no mask, so nothing could be watched
        assert (tmp_path / "run" / generation.failures["numpy:crash"].log).is_file()

    def test_an_interrupt_leaves_nobody(self, staged, tmp_path):
        code = textwrap.dedent(f"""
        import sys, time
        from pathlib import Path
        sys.path.insert(0, {str(TESTS)!r})
        from numpy_contestants import numpy_entry
        from trivet.launch.stage import Staged
        from trivet.measure.entry import Setting, launch
        from trivet.measure.generation import measure_generation
        folder = Path({str(tmp_path)!r})
        setting = Setting(workload="mlp", number=0, staged=Staged(folder=Path({str(staged.folder)!r}), digest=""),
                          cpus=(), run=folder, caches=folder / "c", scratch=folder / "s", began=0.0)
        def watched(*arguments):
            worker = launch(*arguments)
            print(worker.pid, flush=True)
            return worker
        measure_generation([numpy_entry("numpy:plain"), numpy_entry("numpy:plain#2")], setting, launch=watched)
        """)
        with subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            pids = [int(process.stdout.readline()) for _ in range(2)]
            process.send_signal(signal.SIGINT)
            assert b"KeyboardInterrupt" in process.stderr.read()
            process.wait(GONE_SECONDS)
            assert gone(*pids)
