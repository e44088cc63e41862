"""The picture of a tree: what there is to draw, and where."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True, kw_only=True)
class Box:
    """A node, or a leaf.

    Attributes:
        id: of the node or leaf.
        leaf: True for a leaf.
        x, y, width, height: in pixels.
        lines: its text, wrapped.
    """

    id: str
    leaf: bool
    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Chip:
    """What a branch does to one framework, in short.

    Attributes:
        x: of its left side.
        framework: whom it is about.
        label: such as "J+", or "T×" for one that is out.
    """

    x: float
    framework: str
    label: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Pill:
    """One answer at a node; or several that follow each other and do the same, of a number.

    Attributes:
        node: its node.
        branches: their places among the node's branches.
        x, y, width, height: in pixels.
        label: the answer, cut where there is no room.
        title: the answer in full.
        chips: its effects.
    """

    node: str
    branches: tuple[int, ...]
    x: float
    y: float
    width: float
    height: float
    label: str
    title: str
    chips: tuple[Chip, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Edge:
    """A line from a node to what comes next.

    Attributes:
        source: node.
        target: node or leaf.
        branches: of the source that lead along it.
        path: as SVG draws it.
    """

    source: str
    target: str
    branches: tuple[int, ...]
    path: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Picture:
    """A tree, laid out.

    Attributes:
        width, height: in pixels.
        boxes, pills, edges: all there is to draw.
    """

    width: float
    height: float
    boxes: tuple[Box, ...]
    pills: tuple[Pill, ...]
    edges: tuple[Edge, ...]
