"""Who is done first with a training: start-up and speed of two frameworks, set against each other conservatively.

With x the items over b's throughput, S a cold start-up and r the ratio of a's throughput over b's, a finishes before b by
the ratio

    F(x) = (S_b + x) / (S_a + x / r).

Of every interval the end is taken that makes F smallest. F is monotone in x, so it crosses a number once at most, and the
edges between bands are known exactly.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence

from trivet import figures
from trivet.decide.known import Filled, Known, Missing, missing
from trivet.decide.rules.bands import MARGIN, band, reached
from trivet.decide.tree import Rule
from trivet.decide.words import listed
from trivet.model.decision import Effect, Reason
from trivet.model.evidence import Evidence

FASTER = "faster"
"""The value of a verdict that says so."""

_THROUGHPUT, _START = "performance.throughput", "performance.startup_cold"
_RATIO, _VERDICT = "performance.ratio", "performance.verdict"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Race:
    """One contestant against another.

    Attributes:
        speed: r, the least that the evidence allows.
        ours, theirs: cold start-ups in seconds: our longest, their shortest.
        per_hour: x of an hour of training.
        faster: the run's own verdict says so.
        evidence: all it rests on.
    """

    speed: float
    ours: float
    theirs: float
    per_hour: float
    faster: bool
    evidence: tuple[Evidence, ...]

    def ratio(self, hours: float) -> float:
        """Return how many times sooner we are done, at least, with a training of that length."""
        x = hours * self.per_hour
        return (self.theirs + x) / (self.ours + x / self.speed)

    def crossing(self, ratio: float) -> float | None:
        """Return the length in hours at which the ratio is a given one; None if there is none above 0."""
        slope = 1 - ratio / self.speed
        lost = ratio * self.ours - self.theirs
        if slope == 0 or lost / slope <= 0:
            return None
        return lost / slope / self.per_hour


@dataclasses.dataclass(frozen=True, kw_only=True)
class Stretch:
    """Lengths of training for which the effects are the same.

    Attributes:
        above: hours from which on they hold.
        effects: on frameworks.
    """

    above: float
    effects: tuple[Effect, ...]


def fill_speed(rule: Rule, known: Known) -> Filled:
    """Return an advantage for each framework with a contestant that is faster than all of the other one's.

    Args:
        rule: of kind "speed".
        known: the evidence.
    """
    races = _races(known, with_start=False)
    effects = []
    for (a, b), field in races.items():
        counts = [min(band(rule.bands, race.speed) if race.faster else 0 for race in one) for one in field]
        effects += _advantage(
            rule, known, a, b, field, counts, "{b} trains less than 1/{ratio} as much in the same time"
        )
    return Filled(effects=tuple(effects), missing=missing(known, [_THROUGHPUT]))


def stretches(rule: Rule, known: Known) -> tuple[list[Stretch], Filled]:
    """Return the effects for every length of training, and what evidence is lacking.

    Args:
        rule: of kind "training".
        known: the evidence.
    """
    races = _races(known, with_start=True)
    every = [race for field in races.values() for one in field for race in one]
    crossings = {race.crossing(beyond) for race in every for beyond, _ in rule.bands}
    edges = [0.0, *sorted(edge for edge in crossings if edge is not None)]
    found: list[Stretch] = []
    for low, high in itertools.pairwise([*edges, 2 * edges[-1] + 1]):
        effects = tuple(_at(rule, known, races, (low + high) / 2))
        if not found or found[-1].effects != effects:
            found.append(Stretch(above=low, effects=effects))
    unknown = tuple(name for name in known.frameworks if _unstarted(known, name))
    lacking = (Missing(claim=_START, frameworks=unknown),) if unknown else ()
    return found, Filled(missing=(*missing(known, [_THROUGHPUT]), *lacking))


def _unstarted(known: Known, framework: str) -> bool:
    """Say whether the start-up of one of a framework's contestants, or of all, is not known."""
    started = {piece.contestant for piece in known.of(_START, framework)}
    return not started or any(piece.contestant not in started for piece in known.of(_THROUGHPUT, framework))


_Field = Sequence[Sequence[Race]]
"""For each of our contestants, its races against all of theirs."""


def _at(rule: Rule, known: Known, races: Mapping[tuple[str, str], _Field], hours: float) -> list[Effect]:
    effects = []
    for (a, b), field in races.items():
        counts = [min(band(rule.bands, race.ratio(hours)) for race in one) for one in field]
        effects += _advantage(
            rule,
            known,
            a,
            b,
            field,
            counts,
            "{b} takes more than {ratio} times as long for a training of this length",
        )
    return effects


def _advantage(
    rule: Rule, known: Known, a: str, b: str, field: _Field, counts: Sequence[int], words: str
) -> list[Effect]:
    """Return what a gains over b by its best contestant."""
    best = max(counts)
    if best == 0:
        return []
    races = field[counts.index(best)]
    ratio, points = reached(rule, best)
    who = known.who(races[0].evidence[0])
    ahead = "faster" if all(race.faster for race in races) else "done sooner"
    text = f"{who} is {ahead}: {words.format(b=known.title(b), ratio=ratio)}. {_measured(races)}"
    return [
        known.aged(
            Effect(
                framework=a,
                over=b,
                points=points,
                dimension=rule.dimension,
                role=role,
                reason=Reason(text=text),
            ),
            [piece for race in races for piece in race.evidence],
        )
        for role in rule.roles
    ]


def _measured(races: Sequence[Race]) -> str:
    """Return the numbers behind an advantage: how fast against each of theirs, and start-ups where the speeds do not decide."""
    speeds = []
    for race in races:
        ratio = race.evidence[2]
        speeds.append(
            f"{figures.number(_number(ratio))} ({figures.interval(_low(ratio), _high(ratio))}) times as fast as "
            f"{ratio.against}"
        )
    text = f"It trains {listed(speeds)}"
    starts = [race.evidence[4:] for race in races]
    if all(race.faster for race in races) or not all(starts):
        return f"{text}."
    ours = figures.number(_number(starts[0][0]))
    theirs = [f"{figures.number(_number(their))} s ({their.contestant})" for _, their in starts]
    return f"{text}, and starts in {ours} s, against {listed(theirs)}."


def _races(known: Known, *, with_start: bool) -> dict[tuple[str, str], _Field]:
    """Return for every two frameworks the races of those contestants that can be set against all of the other's."""
    speeds = {piece.contestant: piece for piece in known.all(_THROUGHPUT)}
    starts = {piece.contestant: piece for piece in known.all(_START)}
    ratios = {(piece.contestant, piece.against): piece for piece in known.all(_RATIO)}
    verdicts = {(piece.contestant, piece.against): piece for piece in known.all(_VERDICT)}
    found: dict[tuple[str, str], _Field] = {}
    for a, b in itertools.permutations(known.frameworks, 2):
        field = []
        for ours in (one for one in speeds.values() if one.framework == a):
            theirs = [one for one in speeds.values() if one.framework == b]
            races = [
                _race(ours, one, next(iter(speeds.values())), starts, ratios, verdicts, with_start=with_start)
                for one in theirs
            ]
            complete = [race for race in races if race is not None]
            if complete and len(complete) == len(races):
                field.append(complete)
        if field:
            found[a, b] = field
    return found


def _race(
    ours: Evidence,
    theirs: Evidence,
    first: Evidence,
    starts: Mapping[str, Evidence],
    ratios: Mapping[tuple[str, str], Evidence],
    verdicts: Mapping[tuple[str, str], Evidence],
    *,
    with_start: bool,
) -> Race | None:
    pair = (ours.contestant, theirs.contestant)
    if pair not in ratios or pair not in verdicts:
        return None
    if with_start and not (pair[0] in starts and pair[1] in starts):
        return None
    pieces = [ours, theirs, ratios[pair], verdicts[pair]]
    faster = verdicts[pair].value == FASTER
    speed = _low(ratios[pair])
    if not faster:
        speed = min(
            speed, MARGIN
        )  # What the run has not decided is no advantage, wherever its interval lies.
    start_a = start_b = 0.0
    if with_start:
        pieces += [starts[pair[0]], starts[pair[1]]]
        start_a, start_b = _high(starts[pair[0]]), _low(starts[pair[1]])
    # The longer the training, the larger F, or the smaller: then the scale that makes it shorter, or longer, is taken.
    scale = _high(theirs) if start_a * speed > start_b else _low(theirs)
    return Race(
        speed=speed,
        ours=start_a,
        theirs=start_b,
        per_hour=3600 * _number(first) / scale,
        faster=faster,
        evidence=tuple(pieces),
    )


def _number(piece: Evidence) -> float:
    assert isinstance(piece.value, int | float)
    return float(piece.value)


def _low(piece: Evidence) -> float:
    return _number(piece) if piece.low is None else piece.low


def _high(piece: Evidence) -> float:
    return _number(piece) if piece.high is None else piece.high
