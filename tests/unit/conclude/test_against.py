"""A made-up run beside the article's table, and beside another run: every verdict, with why."""

import dataclasses
import json

import pytest

from made_up import MACHINE, made_up_run
from trivet.conclude import conclude
from trivet.conclude.against import set_against
from trivet.conclude.claims_of_run import open_tables, tables_of
from trivet.console.against import render_markdown, render_text
from trivet.model.machine import Gpu
from trivet.report import bundle
from trivet.report.build import render

LIKE_THE_ARTICLE = {"torch:eager": 100.0, "tensorflow:graph": 92.0, "jax:jit": 112.0}


def against(folder, **shape):
    options = {"workloads": ["mlp"], "generations": 8, "process_sd": 0.005, **shape}
    result = conclude(made_up_run(folder, **options))
    return result, set_against(result, open_tables("article"))


def verdicts(found, quantity, workload=0):
    return {
        one.claim.split(" (")[0]: one.verdict
        for one in found.workloads[workload].judgements
        if one.quantity == quantity
    }


def why(found, words):
    (judgement,) = [one for one in found.workloads[0].judgements if one.claim.startswith(words)]
    return judgement.why


def test_a_run_that_is_like_the_article(tmp_path):
    _, found = against(tmp_path, speeds=LIKE_THE_ARTICLE)
    assert verdicts(found, "speed") == {
        "PyTorch trains 1.08x as fast as TensorFlow": "holds",
        "JAX trains 1.07x as fast as PyTorch": "holds",
        "JAX trains 1.15x as fast as TensorFlow": "holds",
    }
    assert verdicts(found, "start-up") == {
        "PyTorch starts before TensorFlow": "holds",
        "PyTorch starts before JAX": "holds",
        "TensorFlow starts before JAX": "undecided",  # 7.2 s and 8.7 s, of one process each
    }
    assert set(verdicts(found, "memory").values()) == {"does not hold here", "holds"}
    assert verdicts(found, "memory")["PyTorch needs less memory than TensorFlow"] == "holds"
    assert verdicts(found, "break-even")["JAX is ahead of PyTorch after 231 000 images"] == "holds"
    assert verdicts(found, "break-even")["PyTorch is ahead of TensorFlow from the start"] == "holds"
    assert set(verdicts(found, "scaling").values()) == {"cannot be tested here"}
    assert set(verdicts(found, "figures").values()) == {"cannot be tested here"}


def test_the_other_way_round_and_too_far(tmp_path):
    speeds = {"torch:eager": 100.0, "tensorflow:graph": 97.0, "jax:jit": 50.0}
    _, found = against(tmp_path, speeds=speeds)
    assert verdicts(found, "speed")["JAX trains 1.07x as fast as PyTorch"] == "does not hold here"
    assert "torch:eager is the faster one, 2.0" in why(found, "JAX trains 1.07x as fast as PyTorch")
    assert (
        verdicts(found, "break-even")["JAX is ahead of PyTorch after 231 000 images"] == "does not hold here"
    )
    _, found = against(tmp_path, speeds={**speeds, "jax:jit": 200.0})
    assert "the order is right, but 1.07x lies outside" in why(found, "JAX trains 1.07x as fast as PyTorch")


def test_undecided_where_the_run_is(tmp_path):
    _, found = against(
        tmp_path, speeds={"torch:eager": 100.0, "jax:jit": 106.0}, generations=3, process_sd=0.04
    )
    assert verdicts(found, "speed")["JAX trains 1.07x as fast as PyTorch"] == "undecided"
    assert verdicts(found, "break-even")["JAX is ahead of PyTorch after 231 000 images"] == "undecided"


def test_one_generation_is_provisional(tmp_path):
    speeds = {"torch:eager": 100.0, "jax:jit": 300.0}
    _, found = against(tmp_path, speeds=speeds, generations=1, quick=True)
    (judgement,) = [
        one for one in found.workloads[0].judgements if one.claim.startswith("JAX trains 1.07x as fast as P")
    ]
    assert (judgement.verdict, judgement.provisional) == ("does not hold here", True)
    assert "assumed" in judgement.why
    assert "does not hold here (provisional)" in render_markdown(found)


def test_the_fastest_of_a_framework_stands_for_it_but_start_up_is_of_the_variant_named(tmp_path):
    speeds = {"torch:eager": 50.0, "torch:compile": 100.0, "jax:jit": 112.0}
    _, found = against(tmp_path, speeds=speeds)
    assert "torch:compile" in why(found, "JAX trains 1.07x as fast as PyTorch")
    assert why(found, "PyTorch starts before JAX").startswith("torch:eager")
    _, found = against(tmp_path, speeds={"torch:compile": 100.0, "jax:jit": 112.0})
    assert verdicts(found, "start-up")["PyTorch starts before JAX"] == "cannot be tested here"
    assert why(found, "PyTorch starts before JAX") == "torch:eager was not measured."


def test_what_the_gate_withholds_or_nobody_measured_tests_nothing(tmp_path):
    _, found = against(
        tmp_path, speeds={"torch:eager": 100.0, "torch:compile": 90.0, "jax:jit": 112.0}, unequal=["jax:jit"]
    )
    assert verdicts(found, "speed")["JAX trains 1.07x as fast as PyTorch"] == "cannot be tested here"
    assert "the parity gate found a difference" in why(found, "JAX trains 1.07x as fast as PyTorch")
    assert "No contestant of TensorFlow was measured." in why(found, "PyTorch trains 1.08x")


def test_another_setting_is_said(tmp_path):
    _, found = against(tmp_path, speeds=LIKE_THE_ARTICLE, batch=64)
    (workload,) = found.workloads
    assert [one.name for one in workload.elsewhere] == ["workload", "batch", "precision", "device"]
    assert {(one.name, one.there, one.here) for one in workload.versions} == {
        ("PyTorch", "2.1", "2.13.0"),
        ("TensorFlow", "2.13", "2.21.0"),
        ("JAX", "0.4.20", "0.10.2"),
    }
    assert "not the table's own setting" in workload.meaning


def test_its_own_setting_tests_the_figures(tmp_path):
    gpu = Gpu(name="NVIDIA A100-SXM4-80GB", memory_bytes=80 * 2**30, driver="570")
    run = made_up_run(
        tmp_path,
        workloads=["resnet50"],
        speeds={"torch:eager": 2470 / 256, "tensorflow:graph": 1720 / 256, "jax:jit": 1980 / 256},
        machine=dataclasses.replace(MACHINE, gpus=(gpu,)),
        batch=256,
        generations=8,
        process_sd=0.005,
    )
    result = conclude(run)
    asked = {**result.question, "device": "cuda", "precision": "bfloat16"}
    result = dataclasses.replace(
        result,
        question=asked,
        workloads=tuple(dataclasses.replace(one, batch=256) for one in result.workloads),
    )
    found = set_against(result, open_tables("article"))
    assert found.workloads[0].elsewhere == ()
    assert "the table's own setting, in other versions" in found.workloads[0].meaning
    assert {
        one.claim.split()[0]: one.verdict
        for one in found.workloads[0].judgements
        if one.quantity == "figures"
    } == {
        "PyTorch": "does not hold here",
        "TensorFlow": "holds",
        "JAX": "holds",
    }


def test_a_run_against_another(tmp_path):
    old = conclude(made_up_run(tmp_path, workloads=["mlp", "resnet18"]))
    new = conclude(made_up_run(tmp_path, workloads=["mlp", "resnet50"], seed=1))
    found = set_against(new, tables_of(old))
    assert [one.workload for one in found.workloads] == ["mlp"]
    assert "resnet50 is not in the run" in found.notes[0]
    assert set(verdicts(found, "speed").values()) == {"holds"}
    assert found.workloads[0].elsewhere == ()
    assert verdicts(found, "figures") == {}


@pytest.mark.parametrize("shape", [{}, {"quick": True, "generations": 1}, {"unequal": ["jax:jit"]}])
def test_the_table_fits_80_columns_without_colour(tmp_path, shape):
    _, found = against(tmp_path, workloads=["mlp", "resnet18"], **shape)
    text = render_text(found)
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "\x1b" not in text
    flat = " ".join(text.split())
    assert "2470 images/s" in flat
    assert "2375" in flat


def test_the_page_has_a_section_only_if_asked(tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "script", lambda: "/* charts */")
    result, found = against(tmp_path, speeds=LIKE_THE_ARTICLE)
    page = render(result, against=found)
    assert 'id="against"' in page
    for judgement in found.workloads[0].judgements:
        assert f'data-verdict="{judgement.verdict}"' in page
        assert judgement.claim in page
    assert 'id="against"' not in render(result)


def test_it_is_plain_json(tmp_path):
    _, found = against(tmp_path, speeds=LIKE_THE_ARTICLE)
    assert json.loads(json.dumps(dataclasses.asdict(found), allow_nan=False))["format"] == 1
