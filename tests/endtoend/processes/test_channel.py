"""What passes through the channel, and what does not."""

import time

from stub_worker import LIMIT, failure_of, prepared
from trivet_worker.protocol import TIMED_OUT


class TestChannel:
    def test_a_framework_that_prints_all_the_time(self, staged, start):
        worker = prepared(start(staged), "garbage")
        assert worker.call("run", {"steps": 5}, seconds=LIMIT)["seconds"] > 0
        worker.stop()
        assert "garbage from C" in worker.log.read_text()

    def test_garbage_on_the_channel_itself_goes_to_the_log(self, stub, start, tmp_path):
        written = tmp_path / "written"
        worker = start(
            stub(f"""
            os.write(1, b"Welcome to the wrapper\\n\\xff\\xfe no text\\n{{}}\\n[1, 2]\\n")
            os.write(1, b'{{"trivet": 99, "id": 1, "event": "done", "result": {{}}}}\\n')
            os.write(1, b'{{"trivet": 1, "id": 77, "event": "done", "result": {{"wrong": 1}}}}\\n')
            for request in requests():
                os.write(1, b"x" * 300_000 + b"\\n")
                answer(request, right=request["arguments"]["n"])
                os.write(1, b"no end of line")
                open({str(written)!r}, "w").close()
                time.sleep(60)
            """)
        )
        assert worker.call("count", {"n": 3}, seconds=LIMIT) == {"right": 3}
        until = time.monotonic() + LIMIT
        while not written.exists():
            assert time.monotonic() < until
            time.sleep(0.01)
        worker.kill()
        log = worker.log.read_bytes()
        for words in (
            b"Welcome to the wrapper",
            b"\xff\xfe no text",
            b'"trivet": 99',
            b'"id": 77',
            b"x" * 300_000,
            b"no end of line",
        ):
            assert words in log

    def test_a_large_request_to_a_worker_that_does_not_read_ends_in_time(self, stub, start):
        worker = start(stub("time.sleep(600)"))
        assert failure_of(worker, "load", seconds=0.5, much="x" * 1_000_000).kind == TIMED_OUT

    def test_a_large_request_and_answer_arrive_whole(self, stub, start):
        worker = start(stub("for request in requests(): answer(request, **request['arguments'])"))
        assert worker.call("echo", {"much": "x" * 1_000_000}, seconds=LIMIT) == {"much": "x" * 1_000_000}

    def test_a_closed_channel_is_not_the_end(self, stub, start):
        worker = start(stub("os.close(1); time.sleep(600)"))
        assert failure_of(worker, "run", seconds=0.5).kind == TIMED_OUT

    def test_an_answer_given_just_before_the_end_counts(self, stub, start):
        worker = start(stub("for request in requests(): answer(request, last=True); os._exit(1)"))
        assert worker.call("run", seconds=LIMIT) == {"last": True}

    def test_one_that_prints_without_end_has_a_log_of_some_mebibytes(self, stub, start):
        worker = start(
            stub("""
            for request in requests():
                os.write(2, b"the first words\\n")
                for _ in range(40):
                    sys.stderr.write("all the same\\n" * 80_000)
                os.write(2, b"the last words\\n")
                answer(request)
            """)
        )
        worker.call("talk", seconds=LIMIT)
        worker.kill()
        log = worker.log.read_bytes()
        assert len(log) < 8.1 * 2**20
        assert log.startswith(b"the first words\n")
        assert log.endswith(b"the last words\n")
        assert log.count(b"trivet left out") == 1
