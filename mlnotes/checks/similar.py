"""Answers that are alike across names: listed for the instructor, and never held against anyone.

Two answers are compared by what is left when comments, layout and the choice of names are taken
away: the share of their runs of five tokens that they have in common. Short answers are alike
because there is one way to write them; it takes a person to tell.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import keyword
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

# Characters of an answer that are looked at; tokens of a run, and of an answer at the least.
LONGEST, RUN, SHORTEST = 20_000, 5, 8
# From which similarity on two answers are listed.
ALIKE = 0.8
TOKEN = re.compile(r"[^\W\d]\w*|\d[\d_.]*|\S")
KNOWN = frozenset({*keyword.kwlist, *dir(builtins)})


class Alike(NamedTuple):
    """Answers that are alike.

    Attributes
    ----------
    task : str
        What they answer.
    similarity : float
        The least share of runs that two of them have in common.
    names : tuple of str
        Whose they are.
    """

    task: str
    similarity: float
    names: tuple[str, ...]


def normal_code(source: str) -> str:
    r"""Return the tokens of a program with names numbered as they come; nothing for a stub.

    Examples
    --------
    >>> from mlnotes.checks.similar import normal_code
    >>> normal_code("def f(x):  # mine\n    return x + x")
    'def v0 ( v1 ) : return v1 + v1'
    >>> normal_code("def f(x):\n    '''To do.'''")
    ''
    """
    try:
        tree = ast.parse(source[:LONGEST])
        if all(map(_says_nothing, tree.body)):
            return ""
        text = ast.unparse(_without_docstrings(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        text = source[:LONGEST]
    names: dict[str, str] = {}
    tokens = [
        names.setdefault(token, f"v{len(names)}") if _is_own_name(token) else token
        for token in TOKEN.findall(text)
    ]
    return " ".join(tokens)


def normal_text(text: str) -> str:
    """Return the words of a text."""
    return " ".join(re.findall(r"\w+", text[:LONGEST].lower()))


def _is_own_name(token: str) -> bool:
    return token.isidentifier() and token not in KNOWN


def _says_nothing(statement: ast.stmt) -> bool:
    """Say whether a statement is what a student was given: an import, a stub, lines left out."""
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.Pass)):
        return True
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Dict):
        values = statement.value.values
        return all(isinstance(v, ast.Constant) and v.value is ... for v in values)
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return all(map(_says_nothing, statement.body))
    return False


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
    return tree


def alike(answers: Sequence[tuple[str, Mapping[str, str]]]) -> list[Alike]:
    """Return which answers are alike across names, the most similar first.

    Parameters
    ----------
    answers : sequence of (str, mapping)
        Each name with its answers in normal form, by task.
    """
    tasks = dict.fromkeys(task for _, found in answers for task in found)
    listed = [one for task in tasks for one in _alike_in(task, answers)]
    return sorted(listed, key=lambda one: -one.similarity)


def _alike_in(task: str, answers: Sequence[tuple[str, Mapping[str, str]]]) -> Iterator[Alike]:
    groups: dict[str, list[str]] = defaultdict(list)
    for name, found in answers:
        text = found.get(task, "")
        if len(text.split()) >= SHORTEST and name not in groups[text]:
            groups[text].append(name)
    for names in groups.values():
        if len(names) > 1:
            yield Alike(task, 1.0, tuple(names))
    runs = {text: _runs(text) for text, names in groups.items() if names}
    for one, other in itertools.combinations(runs, 2):
        similarity = _jaccard(runs[one], runs[other])
        both = tuple(dict.fromkeys([*groups[one], *groups[other]]))
        if similarity >= ALIKE and len(both) > 1:
            yield Alike(task, similarity, both)


def _runs(text: str) -> frozenset[int]:
    tokens = text.split()
    return frozenset(hash(tuple(tokens[k : k + RUN])) for k in range(max(1, len(tokens) - RUN + 1)))


def _jaccard(one: frozenset[int], other: frozenset[int]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)
