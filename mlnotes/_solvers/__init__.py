"""Solvers that take more than a screen, behind the estimators of the chapters.

They take arrays that an estimator has validated and return arrays; they warn about nothing and know
no chapter. What a chapter says in a box is a public function of its own module.
"""
