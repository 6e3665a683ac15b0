"""Linear regression against scikit-learn's, by the mean squared residual."""

from sklearn.linear_model import LinearRegression

from benchmarks.cases import Case
from mlnotes.data import make_contaminated
from mlnotes.least_squares import LeastSquares


def problem(n, d):
    sample = make_contaminated(n, d, contamination=0.0, random_state=0)
    return sample.X, sample.y


def mean_squared_residual(model, X, y):
    return float(((y - model.predict(X)) ** 2).mean())


CASES = [
    Case(
        estimator=LeastSquares,
        problem=problem,
        objective=mean_squared_residual,
        counterpart=LinearRegression,
    )
]
