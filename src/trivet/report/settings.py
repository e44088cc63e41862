"""What is set for each contestant, side by side."""

from __future__ import annotations

import dataclasses

from trivet.model.result import Result

ABSENT = "–"


@dataclasses.dataclass(frozen=True, kw_only=True)
class SettingRow:
    """One setting.

    Attributes:
        name: of the setting or of the environment variable.
        values: one for each contestant, `ABSENT` where it has no such setting.
        differs: True if they are not all the same.
    """

    name: str
    values: tuple[str, ...]
    differs: bool


@dataclasses.dataclass(frozen=True, kw_only=True)
class SettingsTable:
    """All settings.

    Attributes:
        labels: of the contestants, in the order asked.
        rows: those that differ first, each group in the order in which contestants name them.
    """

    labels: tuple[str, ...]
    rows: tuple[SettingRow, ...]


def side_by_side(result: Result) -> SettingsTable:
    """Return the settings of a run's contestants; those of the first workload where workloads differ."""
    settings = {
        one.contestant: one.settings
        for workload in reversed(result.workloads)
        for one in workload.contestants
        if one.settings
    }
    labels = tuple(label for label in result.question["contestants"] if label in settings)
    names = dict.fromkeys(name for label in labels for name in settings[label])
    rows = [
        SettingRow(name=name, values=values, differs=len(set(values)) > 1)
        for name in names
        for values in [tuple(settings[label].get(name, ABSENT) for label in labels)]
    ]
    return SettingsTable(labels=labels, rows=tuple(sorted(rows, key=lambda row: not row.differs)))
