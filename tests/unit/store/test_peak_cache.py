import dataclasses
from pathlib import Path

from numpy_contestants import this_environment
from trivet.model.measurement import PeakReading
from trivet.store.peak_cache import PeakCache

READING = PeakReading(
    framework="numpy",
    version="2.4.6",
    precision="float32",
    device="cpu",
    operations={"matrix product 2048": 2e11, "matrix product 1024": 1e11},
)


def cache(root: Path, **changes: object) -> PeakCache:
    place = {"machine": "m", "cpus": (0, 1), "device": "cpu", "precision": "float32"}
    return PeakCache.under(root, **{**place, **changes})


def test_what_is_kept_is_found_again(tmp_path):
    environment = this_environment()
    assert cache(tmp_path).find(environment, "numpy", disturbed_too=True) is None
    assert cache(tmp_path).readings() == []
    cache(tmp_path).keep(environment, READING)
    assert cache(tmp_path).find(environment, "numpy", disturbed_too=False) == READING
    assert cache(tmp_path).find(environment, "numpy", disturbed_too=True) == READING
    assert cache(tmp_path).readings() == [READING]


def test_a_disturbed_one_will_do_for_a_quick_run_only(tmp_path):
    environment = this_environment()
    disturbed = dataclasses.replace(READING, disturbed=("matrix product 1024",))
    cache(tmp_path).keep(environment, disturbed)
    assert cache(tmp_path).find(environment, "numpy", disturbed_too=True) == disturbed
    assert cache(tmp_path).find(environment, "numpy", disturbed_too=False) is None


def test_another_machine_mask_precision_or_package_has_its_own(tmp_path):
    environment = this_environment()
    cache(tmp_path).keep(environment, READING)
    for changes in ({"machine": "n"}, {"cpus": (0,)}, {"device": "cuda"}, {"precision": "bfloat16"}):
        assert cache(tmp_path, **changes).readings() == []
    assert cache(tmp_path, cpus=(2, 3)).readings() == [READING]
    other = dataclasses.replace(environment, packages={"numpy": "3.0"})
    assert cache(tmp_path).find(other, "numpy", disturbed_too=False) is None
    cache(tmp_path).keep(other, READING)
    assert cache(tmp_path).readings() == [READING, READING]


def test_a_damaged_file_is_as_good_as_none(tmp_path):
    environment = this_environment()
    cache(tmp_path).keep(environment, READING)
    (path,) = cache(tmp_path).folder.iterdir()
    for text in ("{", "[]", '{"framework": "numpy"}', '{"disturbed": []}'):
        path.write_text(text)
        assert cache(tmp_path).find(environment, "numpy", disturbed_too=False) is None
        assert cache(tmp_path).readings() == []
