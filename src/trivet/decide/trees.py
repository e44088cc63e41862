"""Finds, reads and checks decision trees. trivet's own lie in ``trees/``; a team's lie anywhere."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from trivet.catalog import nearest
from trivet.decide.problems import Problems
from trivet.decide.reading import read_leaves, read_node, read_questions, read_top
from trivet.decide.tree import Tree, TreeNode
from trivet.errors import UsageError
from trivet.model.decision import Leaf

FOLDER = Path(__file__).parent / "trees"
DEFAULT = "trivet"


def names() -> tuple[str, ...]:
    """Return the names of the trees that ship with trivet."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def load(name_or_path: str | Path) -> Tree:
    """Return a tree, checked.

    Args:
        name_or_path: "trivet", "article", or the path of a file.

    Raises:
        UsageError: there is no such tree, or its file is damaged: says everything that is wrong, with the lines.
    """
    path = _find(str(name_or_path))
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path} cannot be read: {getattr(error, 'strerror', None) or error}."
        raise UsageError(message, "Give a text file in UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        message = f"{path} is not valid TOML: {error}."
        raise UsageError(message, "docs/choose.md says how a tree is written.") from error
    problems = Problems(str(path), text)
    if not read_top(data, problems):
        problems.settle()
    known = read_questions(data, problems)
    leaves = read_leaves(data, problems)
    found = {name: read_node(name, entry, known, problems) for name, entry in data["node"].items()}
    nodes = {name: node for name, node in found.items() if node is not None}
    _check_ways(data["start"], nodes, leaves, [*data["node"], *data["leaf"]], problems)
    problems.settle()
    order = ways(data["start"], nodes)
    asked = dict.fromkeys(nodes[name].question for name in order if nodes[name].question)
    return Tree(
        name=path.stem,
        file=str(path),
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        title=data["title"],
        source=data.get("source", ""),
        start=data["start"],
        margin=float(data["margin"]),
        questions={name: known[name] for name in asked},
        nodes=nodes,
        leaves=leaves,
    )


def ways(start: str, nodes: Mapping[str, TreeNode]) -> list[str]:
    """Return the nodes that can be reached, those nearer to the start first."""
    found, coming = [], [start]
    while coming:
        name = coming.pop(0)
        if name in nodes and name not in found:
            found.append(name)
            coming += [branch.next for branch in nodes[name].branches]
    return found


def _find(name: str) -> Path:
    shipped = FOLDER / f"{name}.toml"
    if name in names():
        return shipped
    path = Path(name).expanduser()
    if not path.is_file():
        message = f"There is no tree {name!r}, and no such file.{nearest(name, names())}"
        raise UsageError(message, f"Known: {', '.join(names())}; or give the path of a file.")
    return path


def _check_ways(
    start: str,
    nodes: Mapping[str, TreeNode],
    leaves: Mapping[str, Leaf],
    ids: Iterable[str],
    problems: Problems,
) -> None:
    """Note ways that lead nowhere or in a circle, and places that no way leads to."""
    known = list(ids)
    if start not in known:
        problems.add(f"start is {start!r}, which is no node.{nearest(start, known)}", (), "start")
        return
    lost = False
    for node in nodes.values():
        for branch in node.branches:
            if branch.next and branch.next not in known:
                lost = True
                message = (
                    f"next is {branch.next!r}, which is no node and no leaf.{nearest(branch.next, known)}"
                )
                problems.add(message, ("node", node.id), "next", f'"{branch.next}"')
    circle = _circle(start, nodes, (), set())
    if circle:
        problems.add(
            f"the way leads in a circle: {' > '.join(circle)}.",
            ("node", circle[-2]),
            "next",
            f'"{circle[-1]}"',
        )
    if lost or len(nodes) + len(leaves) < len(known):
        return  # What cannot be reached is then a consequence, and not worth a message of its own.
    reached = ways(start, nodes)
    ends = {branch.next for name in reached for branch in nodes[name].branches} | {start}
    for name in nodes:
        if name not in reached:
            problems.add(f"no way leads to the node {name!r}.", ("node", name))
    for name in leaves:
        if name not in ends:
            problems.add(f"no way leads to the leaf {name!r}.", ("leaf", name))


def _circle(
    name: str, nodes: Mapping[str, TreeNode], path: tuple[str, ...], safe: set[str]
) -> tuple[str, ...]:
    """Return a way that comes back to where it was, () if there is none; `safe` are nodes known to lead to none."""
    if name in path:
        return (*path[path.index(name) :], name)
    if name not in nodes or name in safe:
        return ()
    for following in dict.fromkeys(branch.next for branch in nodes[name].branches):
        if circle := _circle(following, nodes, (*path, name), safe):
            return circle
    safe.add(name)
    return ()
