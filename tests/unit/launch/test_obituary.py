import signal

import pytest

from trivet.launch import obituary
from trivet_worker.protocol import FAILED, OUT_OF_MEMORY, TIMED_OUT

DUMP = [
    "loading",
    "Fatal Python error: Segmentation fault",
    "",
    "Current thread 0x1 (most recent call first):",
    '  File "x.py", line 1 in step',
    "",
    "Extension modules: numpy (total: 1)",
]


@pytest.mark.parametrize(
    ("number", "word"),
    [
        (signal.SIGSEGV, "segmentation fault"),
        (signal.SIGILL, "instruction that this CPU does not have"),
        (signal.SIGABRT, "abort"),
        (signal.SIGKILL, "if nobody killed it, memory ran out"),
        (signal.SIGUSR1, "SIGUSR1"),
    ],
)
def test_signals_are_named(number, word):
    failure = obituary.ended("run", -number, log_tail=[], out_of_memory=False)
    assert failure.kind == FAILED
    assert word in failure.message
    assert "'run'" in failure.message


def test_an_unknown_signal_number_is_told():
    assert "exit code -200" in obituary.ended("run", -200, log_tail=[], out_of_memory=False).message


def test_a_kill_while_the_kernel_killed_for_memory_is_out_of_memory():
    failure = obituary.ended("run", -signal.SIGKILL, log_tail=[], out_of_memory=True)
    assert failure.kind == OUT_OF_MEMORY


def test_another_signal_while_the_kernel_killed_for_memory_is_not():
    assert obituary.ended("run", -signal.SIGSEGV, log_tail=[], out_of_memory=True).kind == FAILED


@pytest.mark.parametrize(
    "words",
    ["terminate called after throwing an instance of 'std::bad_alloc'", "RESOURCE_EXHAUSTED: no room"],
)
def test_last_words_about_memory_count(words):
    failure = obituary.ended("run", -signal.SIGABRT, log_tail=["start", words], out_of_memory=False)
    assert failure.kind == OUT_OF_MEMORY
    assert failure.traceback.splitlines()[-1] == words


def test_exit_codes_and_last_words_are_told():
    failure = obituary.ended(
        "prepare", 3, log_tail=["first", "ImportError: no wheel", ""], out_of_memory=False
    )
    assert failure.message == (
        "The worker ended during 'prepare' with exit code 3. Its last words: ImportError: no wheel"
    )


def test_the_dump_of_a_dying_interpreter_is_no_last_word():
    failure = obituary.ended("run", -signal.SIGSEGV, log_tail=DUMP, out_of_memory=False)
    assert failure.message.endswith("Its last words: loading")
    assert "line 1 in step" in failure.traceback


def test_time_out_names_verb_and_limit():
    failure = obituary.timed_out("run", 2.5, log_tail=[])
    assert failure.kind == TIMED_OUT
    assert "'run' within 2.5 s" in failure.message


def test_the_kernels_count_is_a_number():
    assert obituary.out_of_memory_kills() >= 0


def test_memory_that_ran_out_is_seen_before_the_stacks_of_many_threads():
    log = ["terminate called after throwing an instance of 'std::bad_alloc'", "Fatal Python error: Aborted"]
    stacks = ['  File "threading.py", line 1 in wait'] * 40
    failure = obituary.ended(
        "prepare", -signal.SIGABRT, log_tail=stacks[-20:], log=[*log, *stacks], out_of_memory=False
    )
    assert failure.kind == OUT_OF_MEMORY
    assert "std::bad_alloc" in failure.message
