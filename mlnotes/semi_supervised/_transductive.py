"""The transductive support vector machine."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import Anything, Integer, Optional, Real
from mlnotes._laws import Laws
from mlnotes.base import BinaryClassifier, LinearClassifier
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.semi_supervised._base import PartlyLabelled
from mlnotes.support_vector_machines import LinearSVM
from mlnotes.validation import Array, check_binary


class TransductiveSVM(LinearClassifier, PartlyLabelled, BinaryClassifier):
    r"""The transductive support vector machine: unlabelled samples outside the margin too.

    It looks for small values of :math:`\frac12\lVert\theta\rVert^2+C\sum_i\max(0,1-y_if(x_i))+
    C'\sum_u\max(0,1-|f(z_u)|)`, which is not convex (``lem-semi-tsvm-not-convex``). With guessed
    labels it is a support vector machine: guesses and hyperplane are improved in turn, which never
    raises the objective (``thm-semi-tsvm-descent``) and ends at guesses that repeat, not always at
    the least objective. Cheap slack for unlabelled samples, made dearer stage by stage, lets the
    labelled ones speak first. There is no ``sample_weight``: two prices say how much either sort of
    sample counts. See the chapter :doc:`/book/semi_supervised`.

    Parameters
    ----------
    C : float
        The price of slack of a labelled sample.
    C_unlabelled : float, optional
        The price of slack of an unlabelled sample. If it is left out, the price that gives both
        sums the same total weight: C times the number of labelled over that of unlabelled samples.
    annealing : int
        How often the price of unlabelled slack is doubled until it is ``C_unlabelled``.
    max_iter : int
        The greatest number of support vector machines trained at one price.
    unlabelled : object, default=-1
        The value in ``y`` that means "no label", not NaN; None says that every value is a label.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights :math:`\theta`.
    intercept_ : float
        The offset :math:`\theta_0`.
    objectives_ : ndarray
        The objective of each support vector machine at the full price; it never rises.
    transduction_ : ndarray of shape (n_samples,)
        The labels given and guessed.
    n_iter_ : int
        How many support vector machines were trained.
    converged_ : bool
        Whether the guesses came to rest at every price.
    classes_ : ndarray of shape (2,)
        The labels, without ``unlabelled``, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[-2.0, 0.0], [2.0, 1.0], [-1.0, 3.0], [-1.0, -3.0], [1.0, 3.0], [1.0, -3.0]]
    >>> model = TransductiveSVM(C=10.0).fit(X, [0, 1, -1, -1, -1, -1])
    >>> model.transduction_, model.coef_.round(6) + 0.0
    (array([0, 1, 0, 0, 1, 1]), array([1., 0.]))
    """

    _constraints: ClassVar = {
        "C": Real(least=1e-100, most=1e100),
        "C_unlabelled": Optional(Real(least=1e-100, most=1e100)),
        "annealing": Integer(0, 60),
        "max_iter": Integer(1),
        "unlabelled": Anything(),
    }
    # What the support vector machine obeys.
    _laws: ClassVar = Laws("rows", "columns", "origin", "labels", grid={"C": [1.0, 0.1]})

    objectives_: Array
    transduction_: NDArray[Any]
    n_iter_: int
    converged_: bool

    def __init__(
        self,
        *,
        C: float = 1.0,
        C_unlabelled: float | None = None,
        annealing: int = 10,
        max_iter: int = 100,
        unlabelled: Any = -1,
    ) -> None:
        self.C = C
        self.C_unlabelled = C_unlabelled
        self.annealing = annealing
        self.max_iter = max_iter
        self.unlabelled = unlabelled

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Find a hyperplane far from labelled and unlabelled samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, of two classes, or ``unlabelled``.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        codes = self._fit_partial_codes(y, len(points))
        labelled = codes >= 0
        if len(self.classes_) > 2:
            check_binary(codes[labelled], int(labelled.sum()), owner=type(self).__name__)
        signs = np.where(codes == 1, 1.0, -1.0)
        hidden = points[~labelled]
        machine = LinearSVM(C=self.C, tol=1e-9).fit(points[labelled], signs[labelled])
        self.n_iter_, self.converged_ = 1, True
        objectives = [machine.objective_]
        for price in self._prices(labelled):
            weights = np.where(labelled, 1.0, price)
            objectives, guesses = [], np.zeros(len(hidden))
            for _ in range(int(self.max_iter)):
                before, guesses = (
                    guesses,
                    np.where(machine.decision_function(hidden) > 0, 1.0, -1.0),
                )
                if np.array_equal(guesses, before):
                    break
                signs[~labelled] = guesses
                machine.fit(points, signs, sample_weight=weights)
                self.n_iter_ += 1
                objectives.append(machine.objective_)
            else:
                self.converged_ = False
        self._set_weights(machine.coef_, machine.intercept_)
        self.objectives_ = np.array(objectives)
        self.transduction_ = self.classes_[(signs > 0).astype(np.intp)]
        if not self.converged_:
            warn_at_caller(
                f"{type(self).__name__} still changed its guesses after {self.max_iter} support "
                "vector machines; raise max_iter.",
                ConvergenceWarning,
            )
        return self

    def _prices(self, labelled: NDArray[np.bool_]) -> Array:
        """Return the prices of unlabelled slack in units of C, cheap ones first."""
        known, hidden = int(labelled.sum()), int((~labelled).sum())
        if not hidden:
            return np.empty(0)
        price = known / hidden if self.C_unlabelled is None else self.C_unlabelled / self.C
        return np.asarray(price * 2.0 ** -np.arange(float(self.annealing), -1.0, -1.0))
