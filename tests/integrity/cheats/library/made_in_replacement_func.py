"""Defines the wrapper inside `replacement_func`, where functions of the module are not.

Class: D8
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: source policy
Ends as: integrity:library_call
"""

from base import pattern, replacement_args


def replacement_func():
    def wrapper(x, w, b):
        y = x * w + b
        return 0.5 * y * (1 + (y * 0.7071067811865476).erf())

    return wrapper
