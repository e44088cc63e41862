import dataclasses
import json

from trivet.measure import machine as machine_module
from trivet.measure.machine import read_machine
from trivet.model.machine import Gpu, Machine


def test_this_machine_can_be_read_and_stored():
    found = read_machine((0,))
    assert found.cpus == (0,)
    assert found.logical_cpus >= 1
    assert found.memory_bytes > 2**27
    assert found.cpu
    assert found.system
    json.dumps(dataclasses.asdict(found))


def test_no_names_of_host_or_user_are_recorded(monkeypatch):
    monkeypatch.setattr(machine_module.platform, "node", lambda: "secret-host")
    assert "secret-host" not in json.dumps(dataclasses.asdict(read_machine(())))


def test_digest_changes_with_the_hardware_and_not_with_the_weather():
    found = read_machine((0,))
    assert (
        dataclasses.replace(found, load=9.9, clock_mhz=1.0, kernel="9.9", cpus=(0, 1)).digest == found.digest
    )
    gpu = Gpu(name="G", memory_bytes=1, driver="1")
    for change in ({"cpu": "another"}, {"cpu_quota": 2.0}, {"gpus": (gpu,)}, {"memory_bytes": 2**40}):
        assert dataclasses.replace(found, **change).digest != found.digest
    newer = dataclasses.replace(gpu, driver="2")
    assert dataclasses.replace(found, gpus=(gpu,)).digest == dataclasses.replace(found, gpus=(newer,)).digest


def test_hints_of_containers_and_virtual_machines(monkeypatch):
    monkeypatch.setenv("SLURM_JOB_ID", "1")
    assert "slurm job" in machine_module._virtual(set())
    assert "virtual machine" in machine_module._virtual({"hypervisor"})
    assert "virtual machine" not in machine_module._virtual(set())


def test_it_is_a_plain_value():
    assert isinstance(read_machine(()), Machine)
