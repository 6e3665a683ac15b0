"""How each theorem of the book is known: proved, tested or cited, as reported by the cell that ran.

A chapter's cell ends with :func:`proved`, :func:`tested` or :func:`cited`, which does the work and
returns an :class:`Entry`; one that shows a slip of the sources ends with :func:`erratum`. The book
collects them from the outputs of its executed cells, so that no page can claim a check that did not
run. In the same way :func:`glue` hands a value to the sentences of the page.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = [
    "ERRATUM_MIME_TYPE",
    "MIME_TYPE",
    "Entry",
    "Erratum",
    "cited",
    "erratum",
    "glue",
    "proved",
    "tested",
]

MIME_TYPE = "application/vnd.mlnotes.ledger+json"
"""Under this type an entry stands in the output of a cell."""

ERRATUM_MIME_TYPE = "application/vnd.mlnotes.erratum+json"
"""Under this type a shown slip of the sources stands in the output of a cell."""


@dataclass(frozen=True)
class Entry:
    """How one labelled statement of the book is known.

    Attributes
    ----------
    label : str
        The label of the statement on its page.
    status : str
        ``"proved"``, ``"uncertified"``, ``"tested"`` or ``"cited"``.
    scope : str
        For what it was proved or tested.
    title : str
        A name for it.
    statement : str
        What was proved or stated, in LaTeX; empty for what was tested or cited.
    hypotheses : list of str
        From what, in LaTeX.
    names : list of str
        What the author calls each hypothesis.
    trivial : list of bool
        Which of them only say that a size is positive or an index in its range.
    quantities : dict
        The definitions of named quantities, in LaTeX, by name.
    problems : dict
        The optimisation problems among the hypotheses, in LaTeX, by name.
    assumptions : list of str
        What is taken for granted besides.
    steps : list of dict
        The lines of the derivation, each with its method and scope.
    lines : str
        The lines as one LaTeX display.
    seconds : float
        How long the check took; for a theorem, how long the kernel read its certificate.
    source : str
        Where the derivation or the test is written.
    reference : str
        The key of the bibliography; only for what is cited.
    reason : str
        Why it is not proved here; only for what is cited.
    """

    label: str
    status: str
    scope: str
    title: str = ""
    statement: str = ""
    hypotheses: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    trivial: list[bool] = field(default_factory=list)
    quantities: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    assumptions: list[str] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    lines: str = ""
    seconds: float = 0.0
    source: str = ""
    reference: str = ""
    reason: str = ""

    def __repr__(self) -> str:
        return f"{self.label}: {self.status} ({self.scope or self.reference})"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle: dict[str, Any] = {"text/plain": repr(self), MIME_TYPE: asdict(self)}
        if self.lines:
            bundle["text/latex"] = f"$$\n{self.lines}\n$$"
        return bundle


def proved(label: str) -> Entry:
    """Have the kernel check the certificate of a theorem and report what it proves.

    Parameters
    ----------
    label : str
        The label under which ``mlnotes.theorems.proves`` registered the derivation.

    Returns
    -------
    Entry
        Its status is ``"proved"`` if there is a certificate, which then proves every line, and
        ``"uncertified"`` if there is none yet.

    Examples
    --------
    >>> from mlnotes import ledger
    >>> ledger.proved("lem-norm-growth")
    lem-norm-growth: proved (any dimension)
    """
    from mlnotes.proof.rendering import aligned
    from mlnotes.theorems import derivation

    derive = derivation(label)
    theorem = derive()
    facts = theorem.as_dict()
    return Entry(
        label=label,
        status=facts["mark"],
        scope=facts["scope"],
        title=facts["title"],
        statement=facts["statement"] or r"\bot",
        hypotheses=[h["latex"] for h in facts["stated"]],
        names=[h["name"] for h in facts.get("stated", ())],
        trivial=[h["trivial"] for h in facts.get("stated", ())],
        quantities=facts.get("quantities", {}),
        problems={name: theorem.part(name) for name in theorem.problems},
        assumptions=facts["assumptions"],
        steps=facts["steps"],
        lines=aligned(theorem),
        seconds=round(theorem.check_seconds, 4),
        source=derive.__module__,
    )


def tested(
    label: str, check: Callable[[Any], object], cases: Iterable[Any], *, scope: str
) -> Entry:
    """Run a check on every case and report how many there were.

    Parameters
    ----------
    label : str
        The label of the statement on its page.
    check : callable
        Raises an error, or returns something false other than None, on a case for which the
        statement fails.
    cases : iterable
        What to try it on.
    scope : str
        What the cases are, in words: "200 random data sets of 50 points".

    Returns
    -------
    Entry
        Its status is ``"tested"``.

    Examples
    --------
    >>> from mlnotes import ledger
    >>> ledger.tested("thm-squares", lambda x: x * x >= 0, range(-3, 4), scope="small integers")
    thm-squares: tested (small integers, 7 cases)
    """
    started = time.perf_counter()
    count = 0
    for case in cases:
        verdict = check(case)
        if verdict is not None and not verdict:
            raise AssertionError(f"{label} fails for {case!r}")
        count += 1
    if count == 0:
        raise ValueError(f"{label}: there was no case to test; pass at least one.")
    return Entry(
        label=label,
        status="tested",
        scope=f"{scope}, {count} cases",
        seconds=round(time.perf_counter() - started, 3),
        source=getattr(check, "__module__", ""),
    )


def cited(label: str, reference: str, reason: str) -> Entry:
    """Report that a statement is proved elsewhere.

    Parameters
    ----------
    label : str
        The label of the statement on its page.
    reference : str
        The key of the bibliography, with the place if it is long: ``"hastie2009"``.
    reason : str
        Why the book does not prove it.

    Returns
    -------
    Entry
        Its status is ``"cited"``.

    Examples
    --------
    >>> from mlnotes import ledger
    >>> ledger.cited("thm-clt", "billingsley1995", "needs characteristic functions")
    thm-clt: cited (billingsley1995)
    """
    if not reference or not reason:
        raise ValueError(f"{label}: a citation needs a reference and a reason.")
    return Entry(label=label, status="cited", scope="", reference=reference, reason=reason)


@dataclass(frozen=True)
class Erratum:
    """What a cell showed about a statement that a source prints.

    Attributes
    ----------
    id : str
        The name of the erratum in the list of errata.
    counterexample : dict
        The values for which the proof engine refuted the printed statement; empty where the cell
        itself chose the data.
    message : str
        What the engine said of the printed statement; empty likewise.
    corrected : str
        How the corrected statement is known: ``"proved"`` or ``"holds"``, or empty where the cell
        does not look at it.
    """

    id: str
    counterexample: dict[str, str] = field(default_factory=dict)
    message: str = ""
    corrected: str = ""

    def __repr__(self) -> str:
        lines = [self.message] if self.message else []
        lines.append(f"{self.id}: what is printed fails" + _CORRECTED[self.corrected])
        return "\n".join(lines)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"text/plain": repr(self), ERRATUM_MIME_TYPE: asdict(self)}


_CORRECTED = {
    "": ".",
    "holds": "; corrected, it holds here.",
    "proved": "; corrected, it is proved.",
}


def erratum(id: str, *, printed: object, corrected: object = None) -> Erratum:
    """Show that what a source prints is wrong, and that its correction is right.

    Parameters
    ----------
    id : str
        The name of the erratum in the list of errata.
    printed : bool or callable
        The truth value of the printed statement on the data of the cell, which must be false. Or a
        function without arguments that hands the statement to the proof engine, which must refute
        it: the function must raise ``WrongStep``.
    corrected : bool, Theorem or callable, optional
        The truth value of the corrected statement on the same data, which must be true; or a
        theorem; or a function without arguments that must return one of these two.

    Returns
    -------
    Erratum
        With the counterexample, if the engine found it.

    Raises
    ------
    AssertionError
        If the printed statement stands up or the corrected one does not: then there is no such
        erratum.

    Examples
    --------
    >>> from mlnotes import ledger
    >>> from mlnotes.proof import Derivation, dot, norm2, vectors
    >>> ledger.erratum("erratum-square-root", printed=(-3) ** 2 == -9, corrected=(-3) ** 2 == 9)
    erratum-square-root: what is printed fails; corrected, it holds here.

    The engine looks for its own counterexample:

    >>> u, v = vectors("u v")
    >>> def printed():
    ...     return Derivation("a slip").start(norm2(u + v)).equals(norm2(u) + norm2(v))
    >>> def corrected():
    ...     line = norm2(u) + 2 * dot(u, v) + norm2(v)
    ...     return Derivation("mended").start(norm2(u + v)).equals(line).qed()
    >>> shown = ledger.erratum("erratum-cross-term", printed=printed, corrected=corrected)
    >>> sorted(shown.counterexample), shown.corrected
    (['u', 'v'], 'proved')
    """
    counterexample, message = _refuted(id, printed)
    return Erratum(id, counterexample, message, _upheld(id, corrected))


def _refuted(id: str, printed: object) -> tuple[dict[str, str], str]:
    """Return the engine's counterexample and its words, both empty for a false truth value."""
    if not callable(printed):
        if _truth(id, printed):
            raise AssertionError(f"{id}: what is printed holds on these data, so they show nothing")
        return {}, ""
    from mlnotes.proof import Unproved, WrongStep

    try:
        printed()
    except WrongStep as wrong:
        return {str(name): str(value) for name, value in wrong.counterexample.items()}, str(wrong)
    except Unproved as unknown:
        raise AssertionError(f"{id}: what is printed was not refuted: {unknown}") from unknown
    raise AssertionError(f"{id}: the engine accepts what is printed")


def _upheld(id: str, corrected: object) -> str:
    """Return how the corrected statement is known."""
    if corrected is None:
        return ""
    from mlnotes.proof import ProofError, Theorem

    if callable(corrected) and not isinstance(corrected, Theorem):
        try:
            corrected = corrected()
        except ProofError as error:
            raise AssertionError(f"{id}: the correction does not stand up: {error}") from error
        if corrected is None:
            raise TypeError(f"{id}: the function for the correction must return what it showed")
    if isinstance(corrected, Theorem):
        if corrected.mark != "proved":
            raise AssertionError(f"{id}: the correction is {corrected.mark}, not proved")
        return "proved"
    if not _truth(id, corrected):
        raise AssertionError(f"{id}: the correction fails on these data as well")
    return "holds"


def _truth(id: str, value: object) -> bool:
    """Return a truth value of Python, NumPy or SymPy as a bool; nothing else has one."""
    if type(value).__name__ not in ("bool", "bool_", "BooleanTrue", "BooleanFalse"):
        raise TypeError(
            f"{id}: pass whether the statement holds, True or False, not {value!r}; for an array "
            "say all or any."
        )
    return bool(value)


def glue(name: str, value: object, display: bool = True) -> None:
    """Let the sentences of a page quote a value, as ``{glue:text}`` followed by its name.

    It does what the function of the same name in MyST-NB does, whose records it writes; but MyST-NB
    builds pages, and a notebook of the book has to run where only this package is. Outside of a
    notebook the record is printed.

    Parameters
    ----------
    name : str
        The name by which sentences quote the value, used once in a page.
    value : object
        The value, quoted as it prints itself; a string without its quotation marks.
    display : bool, default=True
        Whether the cell shows it too.

    Examples
    --------
    >>> from mlnotes.ledger import glue
    >>> glue("mistakes", 3)
    {'text/plain': '3'}
    """
    import IPython.display

    show: Callable[..., object] = IPython.display.display
    prefix = "" if display else "application/papermill.record/"
    record = {"scrapbook": {"name": name, "mime_prefix": prefix}}
    show({f"{prefix}text/plain": repr(value)}, raw=True, metadata=record)
