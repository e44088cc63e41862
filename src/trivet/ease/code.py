"""Counts what there is to write and to know, in trivet's own native files, from their syntax trees.

*Lines* are lines of code: blank ones, comments and docstrings are left out.

*Symbols* are the distinct names of the framework that the code uses, each as the whole dotted path that its imports make
of it: ``F.relu`` is ``torch.nn.functional.relu``. A module that only leads to a name is not counted beside it.

*Concepts* are distinct pairs of a role and a namespace. The role is how a symbol is used: as a base class, a decorator,
a context manager, a call, or a mere name (an annotation, a constant, an argument). The namespace is its path without the
last part. So ``nn.Linear(...)`` and ``nn.BatchNorm2d(...)`` are one concept, calling what ``torch.nn`` offers, and to
inherit from ``nn.Module`` is another.

What counts as the framework's: every import that is neither Python's own nor numpy's nor trivet's.
"""

from __future__ import annotations

import ast
import dataclasses
import io
import sys
import tokenize
from collections.abc import Mapping
from pathlib import Path

from trivet import catalog
from trivet.errors import UsageError

_NOT_COUNTED = {*sys.stdlib_module_names, "numpy", "trivet", "trivet_worker"}
_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Count:
    """What was counted in one file, or in several.

    Attributes:
        lines: of code.
        symbols: the framework's names, sorted.
        concepts: "role namespace", sorted, such as "base class torch.nn".
    """

    lines: int
    symbols: tuple[str, ...]
    concepts: tuple[str, ...]


def of_workload(name: str) -> dict[str, Count]:
    """Return framework -> the count of a workload's native model, for each framework that has one.

    Raises:
        UsageError: there is no such workload, or a model's file is not Python.
    """
    models = catalog.workload(name).models
    return {
        framework: count({models[framework].name: _read(models[framework])})
        for framework in catalog.frameworks()
        if framework in models
    }


def count(files: Mapping[str, str]) -> Count:
    """Return the count of some files together; symbols and concepts that several use count once.

    Args:
        files: name -> Python source.

    Raises:
        UsageError: one of them is not Python.
    """
    lines, symbols, concepts = 0, set[str](), set[str]()
    for name, source in files.items():
        try:
            tree = ast.parse(source)
        except SyntaxError as error:
            message = f"{name}, line {error.lineno}: {error.msg}."
            raise UsageError(message, "Only Python can be counted.") from error
        lines += len(code_lines(source, tree))
        uses = _Uses(tree)
        symbols |= {path for path, _ in uses.found}
        concepts |= {f"{role} {path.rpartition('.')[0]}" for path, role in uses.found}
    return Count(lines=lines, symbols=tuple(sorted(symbols)), concepts=tuple(sorted(concepts)))


def code_lines(source: str, tree: ast.AST) -> set[int]:
    """Return the numbers of the lines that hold code.

    Args:
        source: Python.
        tree: the same, parsed.
    """
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return lines - _docstring_lines(tree)


def _docstring_lines(tree: ast.AST) -> set[int]:
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in node.body:  # attributes are documented by a string below them
                if _is_text(statement):
                    lines.update(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    return lines


def _is_text(node: ast.stmt) -> bool:
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


class _Uses(ast.NodeVisitor):
    """Collects (path, role) of every use of a framework's name."""

    def __init__(self, tree: ast.AST) -> None:
        self.found: set[tuple[str, str]] = set()
        self._names: dict[str, str] = {}
        self._roles: dict[ast.AST, str] = {}
        for node in ast.walk(tree):
            self._note_import(node)
            self._note_roles(node)
        self.visit(tree)

    def _note_import(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _counts(alias.name):
                    bound = alias.asname or alias.name.partition(".")[0]
                    self._names[bound] = alias.name if alias.asname else bound
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level and _counts(node.module):
            for alias in node.names:
                self._names[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def _note_roles(self, node: ast.AST) -> None:
        if isinstance(node, ast.Call):
            self._roles.setdefault(node.func, "call")
        elif isinstance(node, ast.ClassDef):
            self._roles.update(dict.fromkeys(node.bases, "base class"))
        elif isinstance(node, ast.With):
            for item in node.items:
                self._roles[_callee(item.context_expr)] = "context manager"
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            self._roles.update({_callee(decorator): "decorator" for decorator in node.decorator_list})

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Note a dotted name."""
        path = self._path(node)
        if path:
            self.found.add((path, self._roles.get(node, "name")))
        else:
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        """Note a plain name."""
        if node.id in self._names:
            self.found.add((self._names[node.id], self._roles.get(node, "name")))

    def _path(self, node: ast.expr) -> str:
        """Return the whole path that a chain of attributes stands for, "" if it begins with none of the imports."""
        if isinstance(node, ast.Name):
            return self._names.get(node.id, "")
        if isinstance(node, ast.Attribute):
            start = self._path(node.value)
            return f"{start}.{node.attr}" if start else ""
        return ""


def _counts(module: str) -> bool:
    return module.partition(".")[0] not in _NOT_COUNTED


def _callee(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
