"""The kernel: what one has to trust, small enough to read in an hour.

A theorem of the book is found by search, which may be clever and wrong, and written down as a
certificate. :func:`check` reads the certificate and says what it proves. Nothing here knows how it
was found: the modules use the standard library only. Read them in this order: ``terms`` (what
statements are made of), ``normal`` (when two terms are the same by calculation),
``rules`` (how theorems give theorems), ``certificates`` (how a proof is read).
"""

from .certificates import Checked, axiom_statements, axioms, check
from .terms import Refused, Term

__all__ = ["Checked", "Refused", "Term", "axiom_statements", "axioms", "check"]
