"""Where everything in the picture of a tree lies: nodes from top to bottom, the answers of each beside or below it.

As a rule every node has a row of its own. A line leads on to the next row; an answer that leads elsewhere has a line of its
own, in a lane at the right. A tree that forks so much that there would be too many lanes is drawn in layers, each node
below all that lead to it.
"""

from __future__ import annotations

import dataclasses
import graphlib
import textwrap
from collections.abc import Mapping, Sequence

from trivet.model.decision import Branch, Node, Question, ReadyTree
from trivet.report.decision.answering import branch_words
from trivet.report.decision.picture import Box, Chip, Edge, Picture, Pill

_LETTER = 7.6
"""Width of a letter in pixels at the picture's size of type, rather too wide than too narrow."""

_LINE, _PAD, _GAP, _LANE = 17, 8, 24, 14
_PILL, _CHIP, _SPACE = 25, 26, 6
_BOX, _NARROWEST, _LANES = 290, 150, 8


def lay_out(
    tree: ReadyTree, questions: Mapping[str, Question], initials: Mapping[str, str], *, width: float
) -> Picture:
    """Return the picture of a tree.

    Args:
        tree: without cycles.
        questions: by id.
        initials: framework -> the letters that stand for it.
        width: that it should have, in pixels; it gets wider where boxes side by side need it.
    """
    layers = _layers(tree)
    rows = [[name] for layer in layers for name in layer]
    if len(_passing(tree, rows)) <= _LANES or width < 2 * _BOX:
        layers = rows
    passing = _passing(tree, layers)
    most = max(len(layer) for layer in layers)
    room = max(width - _LANE * len(passing), most * (_NARROWEST + _GAP) - _GAP)
    blocks = _Blocks(tree=tree, questions=questions, initials=initials, beside=most == 1 and room >= 2 * _BOX)
    boxes: dict[str, Box] = {}
    pills: dict[str, list[Pill]] = {}
    bottoms: dict[str, float] = {}
    y = 1.0
    for layer in layers:
        cell = (room - _GAP * (len(layer) - 1)) / len(layer)
        for place, name in enumerate(layer):
            box, its = blocks.place(name, x=place * (cell + _GAP), y=y, width=cell)
            boxes[name], pills[name] = box, its
            bottoms[name] = max([box.y + box.height, *(pill.y + pill.height for pill in its)])
        y = max(bottoms[name] for name in layer) + _GAP
    lanes = {name: room + _LANE * (place + 0.5) for place, name in enumerate(passing)}
    edges = [
        edge
        for name in tree.nodes
        for edge in _edges(tree.nodes[name], boxes, pills[name], lanes, blocks.beside, bottoms[name], layers)
    ]
    return Picture(
        width=room + _LANE * len(passing),
        height=y - _GAP + 1,
        boxes=tuple(boxes.values()),
        pills=tuple(pill for its in pills.values() for pill in its),
        edges=tuple(edges),
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Blocks:
    """Places nodes with their answers."""

    tree: ReadyTree
    questions: Mapping[str, Question]
    initials: Mapping[str, str]
    beside: bool

    def place(self, name: str, *, x: float, y: float, width: float) -> tuple[Box, list[Pill]]:
        """Return a node's box and pills within a column."""
        leaf = self.tree.leaves.get(name)
        wide = min(width, _BOX)
        left = x if self.beside else x + (width - wide) / 2
        text = leaf.text if leaf else self.tree.nodes[name].text
        lines = tuple(textwrap.wrap(text, max(8, int((wide - 2 * _PAD) / _LETTER)))) or ("",)
        height = len(lines) * _LINE + 2 * _PAD
        box = Box(id=name, leaf=leaf is not None, x=left, y=y, width=wide, height=height, lines=lines)
        if leaf:
            return box, []
        node = self.tree.nodes[name]
        if self.beside:
            start = _BOX + _GAP
            return box, self._pills(node, start, y + (_LINE + 2 * _PAD - _PILL) / 2, width - start)
        return box, _centred(self._pills(node, x, y + height + _SPACE, width), x, width)

    def _pills(self, node: Node, left: float, top: float, width: float) -> list[Pill]:
        """Return a node's answers, flowing from left to right and down."""
        found: list[Pill] = []
        x, y = left, top
        for places in _alike(node, self.initials):
            branches = [node.branches[place] for place in places]
            title = self._words(node, branches)
            marks = _marks(branches[0], self.initials)
            chips = len(marks) * (_CHIP + 3)
            label = textwrap.shorten(title, max(6, int((width - 24 - chips) / _LETTER)), placeholder=" …")
            wide = min(width, len(label) * _LETTER + chips + 22)
            if x > left and x + wide > left + width:
                x, y = left, y + _PILL + _SPACE
            start = x + wide - chips - 6
            found.append(
                Pill(
                    node=node.id,
                    branches=places,
                    x=x,
                    y=y,
                    width=wide,
                    height=_PILL,
                    label=label,
                    title=title,
                    chips=tuple(
                        Chip(x=start + number * (_CHIP + 3), framework=framework, label=mark)
                        for number, (framework, mark) in enumerate(marks.items())
                    ),
                )
            )
            x += wide + _SPACE
        return found

    def _words(self, node: Node, branches: Sequence[Branch]) -> str:
        answer = branch_words(self.questions.get(node.question), node, branches)
        weights = ", ".join(f"{dimension} ×{factor:g}" for dimension, factor in branches[0].weights.items())
        return f"{answer}: {weights}" if weights else answer


def _centred(pills: Sequence[Pill], left: float, width: float) -> list[Pill]:
    """Return pills with each of their rows in the middle of a column."""
    found = []
    for pill in pills:
        end = max(one.x + one.width for one in pills if one.y == pill.y)
        shift = (left + width - end) / 2
        chips = tuple(dataclasses.replace(chip, x=chip.x + shift) for chip in pill.chips)
        found.append(dataclasses.replace(pill, x=pill.x + shift, chips=chips))
    return found


def _alike(node: Node, initials: Mapping[str, str]) -> list[tuple[int, ...]]:
    """Return the places of branches in the order in which they are drawn, stretches of a number that do the same together."""

    def does(place: int) -> object:
        branch = node.branches[place]
        return branch.above is None, branch.next, branch.weights, _marks(branch, initials)

    places = range(len(node.branches))
    named = [(place,) for place in places if node.branches[place].answer]
    unknown = [
        (place,) for place in places if not node.branches[place].answer and node.branches[place].above is None
    ]
    stretches = [place for place in places if node.branches[place].above is not None]
    runs: list[tuple[int, ...]] = []
    for place in sorted(stretches, key=lambda place: node.branches[place].above or 0.0):
        if runs and does(runs[-1][-1]) == does(place):
            runs[-1] = (*runs[-1], place)
        else:
            runs.append((place,))
    return [*named, *runs, *unknown]


def initials(titles: Mapping[str, str]) -> dict[str, str]:
    """Return framework -> the fewest first letters of its title that tell it from the others."""
    found = {}
    for name, title in titles.items():
        others = [other for key, other in titles.items() if key != name]
        length = next(
            (n for n in range(1, len(title)) if not any(o.startswith(title[:n]) for o in others)), len(title)
        )
        found[name] = title[:length]
    return found


def _marks(branch: Branch, initials: Mapping[str, str]) -> dict[str, str]:
    """Return framework -> its mark, for each that a branch does something to."""
    found = {}
    for framework, letters in initials.items():
        effects = [effect for effect in branch.effects if effect.framework == framework]
        points = sum(effect.points for effect in effects)
        if any(effect.out for effect in effects):
            found[framework] = f"{letters}×"
        elif points:
            found[framework] = f"{letters}{'+' if points > 0 else '−'}"
    return found


def _layers(tree: ReadyTree) -> list[list[str]]:
    """Return nodes and leaves by their longest way from the start."""
    before: dict[str, dict[str, None]] = {tree.start: {}}
    for node in tree.nodes.values():
        for branch in node.branches:
            before.setdefault(branch.next, {})[node.id] = None
    depth: dict[str, int] = {}
    for name in graphlib.TopologicalSorter(before).static_order():
        depth[name] = max((depth[one] + 1 for one in before.get(name, ())), default=0)
    layers: list[list[str]] = [[] for _ in range(max(depth.values()) + 1)]
    for name, number in depth.items():
        layers[number].append(name)
    place: dict[str, float] = {}
    for layer in layers:
        # Each below the middle of those that lead to it, so that few lines cross.
        above = {name: [place[one] for one in before.get(name, ())] for name in layer}
        layer.sort(key=lambda name: sum(above[name]) / len(above[name]) if above[name] else 0.0)
        place |= {name: (number + 1) / (len(layer) + 1) for number, name in enumerate(layer)}
    return layers


def _passing(tree: ReadyTree, layers: Sequence[Sequence[str]]) -> list[str]:
    """Return where lines end that pass by a layer, from top to bottom."""
    layer_of = {name: number for number, layer in enumerate(layers) for name in layer}
    ends = {
        branch.next
        for node in tree.nodes.values()
        for branch in node.branches
        if layer_of[branch.next] > layer_of[node.id] + 1
    }
    return sorted(ends, key=lambda name: layer_of[name])


def _edges(
    node: Node,
    boxes: Mapping[str, Box],
    pills: Sequence[Pill],
    lanes: Mapping[str, float],
    beside: bool,
    bottom: float,
    layers: Sequence[Sequence[str]],
) -> list[Edge]:
    """Return the lines that leave a node: one to the next row for all answers that lead there, one for each other answer."""
    box = boxes[node.id]
    row = next(number for number, layer in enumerate(layers) if node.id in layer)
    following = layers[row + 1]
    found = []
    for target in dict.fromkeys(branch.next for branch in node.branches):
        leading = tuple(place for place, branch in enumerate(node.branches) if branch.next == target)
        to = (boxes[target].x + boxes[target].width / 2, boxes[target].y)
        lane = None if target in following else lanes[target]
        if lane is None and (len(following) == 1 or len(leading) == len(node.branches)):
            start = (box.x + box.width / 2, box.y + box.height if beside else bottom)
            found.append(Edge(source=node.id, target=target, branches=leading, path=_line(start, to, None)))
            continue
        for pill in pills:
            if node.branches[pill.branches[0]].next == target:
                start = (pill.x + pill.width / 2, pill.y + pill.height)
                found.append(
                    Edge(source=node.id, target=target, branches=pill.branches, path=_line(start, to, lane))
                )
    return found


def _line(start: tuple[float, float], end: tuple[float, float], lane: float | None) -> str:
    """Return a line that leaves downwards and arrives from above."""
    (x, y), (to_x, to_y) = start, end
    if lane is not None:
        return f"M{x:g} {y:g}v3H{lane:g}V{to_y - 10:g}H{to_x:g}V{to_y:g}"
    middle = (y + to_y) / 2
    return f"M{x:g} {y:g}C{x:g} {middle:g} {to_x:g} {middle:g} {to_x:g} {to_y:g}"
