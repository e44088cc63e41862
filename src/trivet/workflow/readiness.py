"""Stages 1 to 3: an environment for every contestant, and a framework in it that imports and sees the device."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
from collections.abc import Callable

from trivet import catalog
from trivet.environments.build import ensure
from trivet.environments.failures import DiskFull, NotOffered, NoWheel, VersionNotFound
from trivet.environments.own import own
from trivet.environments.plan import plan_for
from trivet.errors import BrokenEnvironment, UsageError
from trivet.folders import cache_folder, make_cache
from trivet.launch.probe import probe
from trivet.launch.stage import Staged
from trivet.launch.worker import WorkerFailed
from trivet.model.contestant import Contestant
from trivet.model.environment import Environment
from trivet.model.measurement import Failure
from trivet.parity.tracing import Entrant
from trivet.store.atomic import write_atomically
from trivet.store.events import Failed, Probed, Ready
from trivet.store.run import Run
from trivet_worker import protocol


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Place:
    """Contestants that share an environment."""

    environment: Environment
    contestants: tuple[Contestant, ...]


def make_ready(run: Run, staged: Staged, say: Callable[[str], None]) -> list[Entrant]:
    """Build or find the environments, probe them, and return who can take part, in the order asked.

    Whoever cannot is stored as failed, and the others go on.

    Raises:
        UsageError: a version was asked for that does not exist.
        DiskFull: an environment does not fit on the disk.
    """
    out = {event.contestant for event in run.failures if not event.workload}
    places: dict[str, _Place] = {}
    for contestant in run.question.contestants:
        if contestant.label in out:
            continue
        environment = _environment(run, contestant, say)
        if environment is None:
            continue
        key = environment.plan.digest + environment.python
        others = places[key].contestants if key in places else ()
        places[key] = _Place(environment=environment, contestants=(*others, contestant))
    entrants = [entrant for place in places.values() for entrant in _probed(run, staged, place, say)]
    order = [contestant.label for contestant in run.question.contestants]
    return sorted(entrants, key=lambda entrant: order.index(entrant.label))


def _environment(run: Run, contestant: Contestant, say: Callable[[str], None]) -> Environment | None:
    question, info = run.question, catalog.framework(contestant.framework)
    try:
        python = question.pythons.get(info.environment)
        if python is not None and contestant.version is None:
            return own(info, python)
        plan = plan_for(
            info, version=contestant.version, accelerator="cuda" if question.device == "cuda" else "cpu"
        )
        return ensure(plan, report=say)
    except VersionNotFound as error:
        if contestant.version is None:
            _fail(run, contestant, protocol.FAILED, "environment", error.message)
            return None
        # The user's own word: stop before anything is measured, as for any other name that does not exist.
        raise UsageError(error.message, error.remedy) from error
    except DiskFull:
        raise  # room can be made, and then the run goes on; a stored failure would stand
    except (NotOffered, NoWheel) as error:
        _fail(run, contestant, protocol.UNSUPPORTED, "environment", error.message)
    except BrokenEnvironment as error:
        _fail(run, contestant, protocol.FAILED, "environment", f"{error.message} {error.remedy}".strip())
    return None


def _probed(run: Run, staged: Staged, place: _Place, say: Callable[[str], None]) -> list[Entrant]:
    """Probe an environment, once for all contestants of a framework in it."""
    known = run.probes
    entrants = []
    for name in dict.fromkeys(contestant.framework for contestant in place.contestants):
        info = catalog.framework(name)
        contestants = [contestant for contestant in place.contestants if contestant.framework == name]
        labels = tuple(contestant.label for contestant in contestants)
        if labels[0] not in run.environments:
            run.append(Ready(contestants=labels, environment=place.environment))
        if labels[0] not in known:
            say(f"{info.title} {place.environment.plan.version}: asking which devices it sees")
            try:
                facts = _facts(run, staged, place.environment, name, labels[0])
            except WorkerFailed as error:
                for contestant in contestants:
                    _fail(run, contestant, error.failure.kind, "probe", error.failure.message)
                continue
            run.append(Probed(contestants=labels, facts=facts))
        entrants += [
            Entrant(contestant=contestant, framework=info, environment=place.environment)
            for contestant in contestants
        ]
    return entrants


def _facts(
    run: Run, staged: Staged, environment: Environment, framework: str, label: str
) -> dict[str, object]:
    """Return the probe's answer; one of trivet's own environments is asked once for each machine and code."""
    question = run.question
    kept = None
    if not environment.own:
        parts = [environment.plan.digest, environment.packages, staged.digest, framework]
        parts += [run.header.machine.digest, question.device, question.precision]
        name = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]
        kept = cache_folder() / "probes" / f"{name}.json"
        # A probe that cannot be read is asked again.
        with contextlib.suppress(OSError, ValueError):
            found = json.loads(kept.read_text(encoding="utf-8"))
            if isinstance(found, dict):
                return found
    facts = probe(
        environment,
        catalog.framework(framework),
        device=question.device,
        staged=staged,
        precision=question.precision,
        log=run.logs / f"probe-{label.split(':', maxsplit=1)[0]}-{environment.plan.version}.txt",
    )
    if kept is not None:
        # Only the next run would gain by it: a full disk is no reason to end this one.
        with contextlib.suppress(OSError, BrokenEnvironment):
            make_cache(kept.parent)
            write_atomically(kept, json.dumps(facts).encode())
    return facts


def _fail(run: Run, contestant: Contestant, status: str, stage: str, message: str) -> None:
    run.append(
        Failed(
            contestant=contestant.label,
            workload="",
            failure=Failure(status=status, stage=stage, message=message),
        )
    )
