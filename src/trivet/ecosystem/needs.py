"""Which framework each needed library brings along: asked live of the user's own package index."""

from __future__ import annotations

import contextlib
import dataclasses
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from trivet import catalog
from trivet.ecosystem import kept, metadata
from trivet.ecosystem.asking import Index, Release, Resolved, today
from trivet.ecosystem.distributions import Distributions, distributions
from trivet.ecosystem.extras import look_into
from trivet.ecosystem.metadata import Metadata
from trivet.ecosystem.need import CONCLUSIVE, Need, State, from_plain
from trivet.ecosystem.ways import ways_to
from trivet.ecosystem.wording import Yanked, unreachable
from trivet.environments.failures import DiskFull, IndexUnreachable, InstallFailed, NoWheel, VersionNotFound
from trivet.errors import UsageError

_AT_ONCE = 4
_RENAMED = re.compile(
    r"(?:renamed|moved|been (?:replaced|superseded|succeeded)) (?:to|as|by|into)\s+(?:the\s+)?[\[`'\"*]*([A-Za-z0-9][\w.-]*\w)",
    re.IGNORECASE,
)
_STATES: Mapping[type[InstallFailed], State] = {
    IndexUnreachable: "unreachable",
    Yanked: "yanked",
    NoWheel: "no wheels",
    VersionNotFound: "unknown",
}


def needs(
    requirements: Sequence[str],
    *,
    python: str,
    platform: str = "",
    offline: bool = False,
    report: Callable[[str], None] = lambda _: None,
) -> list[Need]:
    """Return what the user's index says of each library, in the order asked.

    Once the index does not answer, nothing more is asked of it. A kept answer, marked as such and with its date, stands
    in where the index is out of reach or trivet is offline.

    Args:
        requirements: names, or requirements such as "keras-hub[nlp]>=0.20".
        python: such as "3.11".
        platform: as uv's ``--python-platform`` names it; "" for this machine.
        offline: ask nobody.
        report: told about each library as its answer comes.

    Raises:
        UsageError: a requirement is none.
        BrokenEnvironment: uv is missing, or the cache folder cannot be used.
    """
    wanted = [_parsed(text) for text in requirements]
    index = Index.of_user(python, platform)
    if offline:
        return [_kept_or(_not_asked(text, index), index) for text in requirements]
    lost = threading.Event()
    asker = _Asker(index=index, known=distributions(catalog.frameworks().values()), lost=lost)
    with ThreadPoolExecutor(max_workers=_AT_ONCE) as pool:
        found = []
        for need in pool.map(asker.ask, requirements, wanted):
            if need.state in CONCLUSIVE:
                kept.keep("need", need.requirement, dataclasses.asdict(need), index)
            report(f"{need.requirement}: {need.state}")
            found.append(need if need.state in CONCLUSIVE else _kept_or(need, index))
    return found


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Asker:
    """Asks one index about one library after the other.

    Attributes:
        index: the user's.
        known: which distributions belong to which framework.
        lost: set as soon as the index is out of reach.
    """

    index: Index
    known: Distributions
    lost: threading.Event

    def ask(self, text: str, wanted: Requirement) -> Need:
        """Return what the index says of a library; failures are states."""
        need = _empty(text, wanted, self.index)
        if self.lost.is_set():
            return dataclasses.replace(need, state="unreachable", problem=unreachable("").message)
        try:
            releases = self.index.releases(text)
            newest = max(releases, key=lambda release: Version(release.version))
            need = dataclasses.replace(need, newest=newest.version, released=newest.date, asked=today())
            resolved = self.index.resolve(text)
        except DiskFull:
            raise
        except InstallFailed as error:
            state = _STATES.get(type(error), "unsolvable")
            if state == "unreachable":
                self.lost.set()
            asked = today() if state in CONCLUSIVE else ""
            here = False if state == "no wheels" else None
            return dataclasses.replace(
                need, state=state, problem=error.message, asked=asked, wheels_here=here
            )
        return self._answered(need, wanted, releases, resolved)

    def _answered(
        self, need: Need, wanted: Requirement, releases: list[Release], resolved: Mapping[str, Resolved]
    ) -> Need:
        version = resolved[need.name].version
        ways = ways_to(need.name, resolved, self.known)
        said = self._metadata(need.name, version, releases)
        problem = ""
        unresolved: tuple[str, ...] = ()
        if said is None:
            problem = (
                "The index does not give its metadata apart from the wheel, so its extras are not known."
            )
        else:
            inside = look_into(
                said, need.name, version, resolved, asked=wanted.extras, index=self.index, known=self.known
            )
            unresolved, problem = inside.unknown, inside.problem
            ways += inside.ways
        return dataclasses.replace(
            need,
            state="answered",
            version=version,
            wheels_here=True,
            ways=tuple(sorted(ways, key=lambda way: (bool(way.extra), way.framework, way.extra))),
            companions=self.known.free_companions(need.name, resolved),
            extras_told=said is not None,
            renamed_to="" if said is None else _successor(need.name, said, resolved),
            unresolved=unresolved,
            problem=problem,
        )

    def _metadata(self, name: str, version: str, releases: Iterable[Release]) -> Metadata | None:
        files = [file for release in releases if release.version == version for file in release.files]
        if not files:
            try:
                files = [f for release in self.index.releases(f"{name}=={version}") for f in release.files]
            except InstallFailed:
                return None
        return metadata.read(files[0].place, self.index.variables) if files else None


def _parsed(text: str) -> Requirement:
    try:
        requirement = Requirement(text)
    except InvalidRequirement as error:
        message = f"{text!r} is not the name of a library, nor a requirement: {str(error).splitlines()[0]}."
        raise UsageError(
            message, "Write it as pip takes it, such as transformers or 'keras-hub>=0.20'."
        ) from error
    if requirement.url:
        message = f"{text!r} names an address; only what lies in an index can be asked for."
        raise UsageError(message, "Give its name.")
    return requirement


def _empty(text: str, wanted: Requirement, index: Index) -> Need:
    return Need(
        name=canonicalize_name(wanted.name),
        requirement=text,
        python=index.python,
        platform=index.platform,
        state="not asked",
    )


def _not_asked(text: str, index: Index) -> Need:
    problem = "Nothing is kept of an earlier answer, and trivet was told to stay offline."
    return dataclasses.replace(_empty(text, _parsed(text), index), problem=problem)


def _kept_or(need: Need, index: Index) -> Need:
    found = _find(need.requirement, index)
    if found is None:
        return need
    return dataclasses.replace(found, problem=" ".join(filter(None, (found.problem, _why_kept(need)))))


def _find(requirement: str, index: Index) -> Need | None:
    """Return the kept answer, marked as such; None where there is none, or it is of another shape."""
    data = kept.find("need", requirement, index)
    with contextlib.suppress(TypeError, KeyError):
        return None if data is None else dataclasses.replace(from_plain(data), kept=True)
    return None


def _why_kept(need: Need) -> str:
    return need.problem if need.state == "unreachable" else ""


def _successor(name: str, said: Metadata, resolved: Mapping[str, Resolved]) -> str:
    """Return the library that a release's own words name as its successor, "" where they name none.

    Words such as "KerasHub" are taken for the dependency "keras-hub".
    """
    match = _RENAMED.search(said.words)
    if match is None:
        return ""
    plain = re.sub(r"[-_.]", "", match[1]).lower()
    mine = [package for package, entry in resolved.items() if name in entry.parents]
    for package in mine:
        if package.replace("-", "") == plain:
            return package
    return ""
