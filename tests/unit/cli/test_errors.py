"""Wrong words end in one screen, with a hint and the documented exit code."""

import pytest

from made_up import made_up_run
from trivet.cli import main
from trivet_command import trivet


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (["compere"], 2, "Did you mean compare?"),
        (["compare", "resnet81"], 2, "Did you mean resnet18?"),
        (["compare", "-c", "torch:eagr"], 2, "Did you mean torch:eager?"),
        (["compare", "-c", "torch"], 2, "framework:variant"),
        (["compare", "--batch", "0"], 2, "--batch is 0; it must be 1 or more."),
        (["compare", "--batch", "many"], 2, "not a valid integer"),
        (["compare", "--threads", "0"], 2, "--threads is 0"),
        (["compare", "-c", ""], 2, "framework:variant"),
        (["compare", "--seed", "-1"], 2, "--seed is -1; it must be 0 or more."),
        (["compare", "--batch", "99999999999999999999"], 2, "or less"),
        (["compare", "--budget", "-1"], 2, "--budget is -1"),
        (["compare", "--margin", "0"], 2, "--margin is 0"),
        (["compare", "--python", "torch"], 2, "FRAMEWORK=PATH"),
        (["compare", "--python", "torch=/no/such/python"], 2, "/no/such/python"),
        (["compare", "--python", "torhc=/bin/sh"], 2, "Did you mean torch?"),
        (["compare", "--resume", "no-such-run"], 5, "no-such-run"),
        (["compare", "mlp", "--resume", "last"], 2, "--resume"),
        (["compare", "--precision", "bfloat16", "--resume", "last"], 2, "--precision cannot change it"),
        (["report", "no-such-run"], 5, "no-such-run"),
        (["runs", "remove", "no-such-run"], 5, "no-such-run"),
        (["runs", "remove", ""], 5, "No run is named"),
        (["report", ""], 5, "No run is named"),
        (["compare", "--resume", ""], 5, "No run is named"),
    ],
)
def test_wrong_words(arguments, code, expected):
    result = trivet(*arguments)
    assert result.returncode == code, result.stderr
    assert expected in result.stderr.replace("\n", " ")
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) < 20


def test_more_threads_than_cpus():
    result = trivet("compare", "--threads", "4096")
    assert result.returncode == 2
    assert "4096" in result.stderr


def test_a_gpu_that_is_not_there():
    result = trivet("compare", "linear", "-c", "numpy:plain", "--device", "cuda", CUDA_VISIBLE_DEVICES="")
    assert result.returncode == 6
    assert "no NVIDIA GPU" in result.stderr


def test_a_cache_that_cannot_be_used(tmp_path):
    (tmp_path / "file").write_text("")
    for cache in ("file", "file/below"):
        result = trivet("compare", "linear", "--quick", TRIVET_CACHE=str(tmp_path / cache))
        assert result.returncode == 4
        assert "Traceback" not in result.stderr
        assert "set TRIVET_CACHE to another folder" in result.stderr.replace("\n", " ")


@pytest.mark.parametrize(
    ("error", "code"), [(OSError(28, "No space left on device", "/x"), 74), (KeyError("odd"), 70)]
)
def test_what_nobody_expected_is_no_withheld_ranking(monkeypatch, capsys, error, code):
    def fail(**_: object):
        raise error

    monkeypatch.setattr(main.trivet, "main", fail)
    with pytest.raises(SystemExit) as ended:
        main.main()
    assert ended.value.code == code
    shown = capsys.readouterr().err
    assert "Traceback" not in shown
    assert ("/x: No space left on device" in shown) == (code == 74)


@pytest.mark.parametrize(
    ("page", "expected"),
    [("", "--page is empty"), (".", "--page . is a folder"), ("no/p.html", "no folder no")],
)
def test_a_page_that_cannot_be_written_is_named_as_given(tmp_path, page, expected):
    made_up_run(tmp_path / "runs", workloads=["mlp"], generations=1)
    result = trivet("report", "--page", page, TRIVET_RUNS=str(tmp_path / "runs"))
    assert result.returncode == 2
    assert expected in result.stderr
    assert "TRIVET_RUNS" not in result.stderr
