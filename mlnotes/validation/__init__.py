"""What every estimator asks of its input, and the sentence it answers with when that fails.

Each function takes what a user passed and returns a NumPy array of the promised kind, or raises an
error that says what was wrong and what to do. Nothing is ever repaired silently.
"""

from mlnotes.validation._arguments import (
    call_given,
    check_callable,
    check_count,
    check_flag,
    check_option,
    check_positive,
    check_random_state,
    check_scalar,
    check_value,
)
from mlnotes.validation._arrays import (
    Array as Array,
)
from mlnotes.validation._arrays import (
    check_distances,
    check_matrix,
    check_numbers,
    check_shapes_agree,
    check_square,
    check_vector,
    feature_names,
)
from mlnotes.validation._targets import (
    check_binary,
    check_categories,
    check_entries,
    check_labels,
    check_signs,
    check_target,
    check_weights,
    rows_that_count,
)

__all__ = [
    "call_given",
    "check_binary",
    "check_callable",
    "check_categories",
    "check_count",
    "check_distances",
    "check_entries",
    "check_flag",
    "check_labels",
    "check_matrix",
    "check_numbers",
    "check_option",
    "check_positive",
    "check_random_state",
    "check_scalar",
    "check_shapes_agree",
    "check_signs",
    "check_square",
    "check_target",
    "check_value",
    "check_vector",
    "check_weights",
    "feature_names",
    "rows_that_count",
]
