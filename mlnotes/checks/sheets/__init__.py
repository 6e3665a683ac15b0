"""The tasks of each assignment: numbers drawn for a student, and what is checked.

A module has two functions. ``numbers(random)`` draws what differs between students, and
``tasks(numbers)`` returns the tasks. Neither knows a solution: derivations are checked by the proof
engine, programs by properties and against the package. The text, the model answers and the rubric
stand in ``book/assignments/``.
"""
