"""The part of a decision record that trivet reads again: one fenced TOML block with a checksum over all that it holds."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from typing import Any

from trivet import toml_text
from trivet.decide.decision import Decision, evidence_sha256, sha256
from trivet.errors import UsageError
from trivet.model.evidence import Evidence
from trivet.version import __version__

FORMAT = 1
_MARK = "# read by `trivet choose --recheck`; an edit makes it invalid"
_FENCE = re.compile(rf"^```toml\n{re.escape(_MARK)}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TOP = ("format", "trivet", "decided", "tree", "tree_sha256", "workload", "frameworks", "choice", "open")
_AGAIN = "Restore the file from version control, or decide anew with `trivet choose --record`."


@dataclasses.dataclass(frozen=True, kw_only=True)
class Recorded:
    """What a record says was decided, and on what.

    Attributes:
        decided: ISO date.
        tree: as the user named it then.
        tree_sha256: its hash then.
        workload: whose runs counted, "" for any.
        frameworks: that were in question.
        choice: the framework, "" for undecided.
        open: frameworks that were left in question.
        answers: question -> answer as TOML has it.
        evidence: that the recommendation rested on, in its order.
    """

    decided: str
    tree: str
    tree_sha256: str
    workload: str
    frameworks: tuple[str, ...]
    choice: str
    open: tuple[str, ...]
    answers: dict[str, Any]
    evidence: tuple[Evidence, ...]


def write(decision: Decision) -> str:
    """Return a decision as a fenced block, its last line with its end."""
    outcome = decision.recommendation.outcome
    top: dict[str, toml_text.Value] = {
        "format": FORMAT,
        "trivet": __version__,
        "decided": decision.today,
        "tree": decision.tree,
        "tree_sha256": decision.tree_sha256,
        "workload": decision.workload,
        "frameworks": tuple(decision.titles),
        "choice": outcome.choice,
        "open": outcome.open,
    }
    text = f"\n[answers]\n{toml_text.table(decision.answers)}"
    for piece in decision.used:
        fields = {name: entry for name, entry in dataclasses.asdict(piece).items() if entry not in (None, "")}
        text += f"\n[[evidence]]\n{toml_text.table({**fields, 'sha256': evidence_sha256(piece)})}"
    body = toml_text.table(top) + text
    checksum = toml_text.table({"sha256": _checksum(tomllib.loads(body))})
    return f"```toml\n{_MARK}\n{checksum}{body}```\n"


def read(text: str, where: str) -> Recorded:
    """Return what a record's block holds.

    Args:
        text: the whole record.
        where: the file, for messages.

    Raises:
        UsageError: there is no such block, or several; it was edited or damaged, or is of a newer format.
    """
    blocks = _FENCE.findall(text)
    if len(blocks) != 1:
        message = f"{where} holds {len(blocks)} blocks that `trivet choose --record` wrote; expected one."
        raise UsageError(message, _AGAIN)
    try:
        data = tomllib.loads(blocks[0])
    except tomllib.TOMLDecodeError as error:
        message = f"The TOML block of {where} is damaged: {error}."
        raise UsageError(message, _AGAIN) from error
    version = data.get("format")
    if isinstance(version, int) and version > FORMAT:
        message = f"{where} has format {version}; this trivet reads formats up to {FORMAT}."
        raise UsageError(message, "It was written by a newer trivet: update this one.")
    if data.pop("sha256", None) != _checksum(data) or version != FORMAT:
        message = f"The TOML block of {where} is not what trivet wrote: its checksum does not fit."
        raise UsageError(message, f"The text around it may be edited, the block may not. {_AGAIN}")
    return _recorded(data)


def _recorded(data: dict[str, Any]) -> Recorded:
    assert all(name in data for name in _TOP)  # the checksum fits
    return Recorded(
        decided=data["decided"],
        tree=data["tree"],
        tree_sha256=data["tree_sha256"],
        workload=data["workload"],
        frameworks=tuple(data["frameworks"]),
        choice=data["choice"],
        open=tuple(data["open"]),
        answers=data["answers"],
        evidence=tuple(_piece(entry) for entry in data.get("evidence", ())),
    )


def _piece(entry: dict[str, Any]) -> Evidence:
    fields = {name: value for name, value in entry.items() if name != "sha256"}
    return Evidence(**{"value": None, **fields})


def _checksum(data: dict[str, Any]) -> str:
    try:
        return sha256(data)
    except (TypeError, ValueError):  # an edit put something into it that JSON has not, such as a date
        return ""
