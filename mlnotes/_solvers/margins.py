"""What the solvers of support vector machines share: offsets, prices of slack, and their scale."""

from __future__ import annotations

import math

import numpy as np

from mlnotes._numerics import norm
from mlnotes.validation import Array


def best_offsets(scores: Array, labels: Array, prices: Array) -> tuple[float, float]:
    r"""Return the ends of the interval of best offsets for finite prices of slack.

    The cost :math:`\sum_iC_i\max(0,1-y_i(s_i+\theta_0))` is convex and piecewise linear. Far to the
    left its slope is :math:`-\sum_{y_i=+1}C_i`, and it grows by :math:`C_i` at :math:`y_i-s_i`, so
    that sorting these places finds where it vanishes.
    """
    kinks = labels - scores
    order = kinks.argsort()
    # The slope right of each kink, from the end at which no terms much above it are added up;
    # rounding must not hide that it is zero.
    positive = labels > 0
    rising, falling = prices[~positive].sum(), prices[positive].sum()
    if falling <= rising:
        slopes = np.cumsum(prices[order]) - falling
    else:
        slopes = rising - np.append(np.cumsum(prices[order[:0:-1]])[::-1], 0.0)
    flat = 1e-12 * min(rising, falling)
    first, last = int((slopes >= -flat).argmax()), int((slopes > flat).argmax())
    return float(kinks[order[first]]), float(kinks[order[last]])


def middle_offset(scores: Array, labels: Array) -> float:
    """Return the offset that leaves both classes the same room: the only one of a hard margin."""
    return -0.5 * float(scores[labels > 0].min() + scores[labels < 0].max())


def multiplier_bound(prices: Array, labels: Array | None) -> float:
    r"""Return what all multipliers of a class sum to at most; without an offset, all of both.

    With one, :math:`\sum_i\alpha_iy_i=0`, so that the class of the lower total price decides. No
    multiplier is then above that total, whatever the price of its own point.
    """
    if labels is None:
        return float(prices.sum())
    return float(min(prices[labels > 0].sum(), prices[labels < 0].sum()))


def proportional_factor(total: float, square: float) -> float:
    r"""Return the factor up to which multipliers and weights are proportional to the prices.

    Let T be the ``total`` that the multipliers of a class sum to at most, and :math:`R^2` the
    largest ``square`` of a distance from the origin: then :math:`\lVert\theta\rVert\le2TR`. The
    best offset is where a point of the dearer class has margin 1, so that no margin of the cheaper
    class is above :math:`-1+4TR^2`. While :math:`TR^2\le\frac14` all points of that class pay in
    full, and lower prices change the KKT conditions by a factor alone. (Without an offset no
    margin is above :math:`TR^2`, and all points pay.)

    A gap that is small beside the objective, nearly all of which is slack then, says nothing about
    the weights. At prices multiplied by this factor it does.
    """
    # Points that do not differ have no weights to speak of.
    return 0.25 / max(total * square, 1e-250) if square > 0 else 1.0


def hinge(margins: Array) -> Array:
    """Return the slack of each margin."""
    return np.maximum(0.0, 1.0 - margins)


def root_mean_square(points: Array) -> float:
    """Return the root mean square of the coordinates, 1 if all vanish."""
    return norm(points.ravel()) / math.sqrt(points.size) or 1.0
