"""Derivatives: gradients, declared properties of functions, and proofs by the second derivative.

A gradient has its meaning from the kernel's proposition ``deriv``: g is the gradient of f at w if
t ↦ f(w + t h) has the derivative ⟨g, h⟩ at 0 for every h; for a number x, if f has the derivative g
at x; for a matrix W, if t ↦ f(W + t H) has the derivative tr GᵀH at 0 for every H;
for a member x[k] of a family, if t ↦ f with x[k] + t (or x[k] + t h) in its place does.
:func:`grad` finds g by the rules of differentiation and stands for it in terms; that it is the
gradient is proved in every derivation that uses it, and part of what its theorem says. Nothing here
is trusted.
"""

from .curvature import minimised_at as minimised_at
from .curvature import second_order as second_order
from .differentiation import prove_derivative as prove_derivative
from .gradients import FOUND as FOUND
from .gradients import Gradient as Gradient
from .gradients import grad as grad
from .gradients import is_found as is_found
from .gradients import proved as proved
from .gradients import renamed as renamed
from .gradients import under_index as under_index
from .properties import check_properties as check_properties
from .properties import chord_instances as chord_instances
from .properties import derivative as derivative
from .properties import property_of as property_of
from .properties import vector_convex as vector_convex
