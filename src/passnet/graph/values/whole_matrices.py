"""Finds the inputs behind what a graph makes of whole matrices: singular values, determinants, factors, covariances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passnet.graph.text.program import refs_of
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.constants import constants
from passnet.graph.values.inputs import hardened
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

_OF_MATRICES = word_set("""
cholesky cholesky_ex cond corrcoef cov det eig eigh eigvals eigvalsh inv inv_ex inverse lstsq matrix_exp matrix_norm
matrix_power matrix_rank logdet nuclear_norm pinv pinverse qr slogdet solve solve_ex svd svdvals
""")
_ATEN = "linalg_"


def whole_matrices(graph: Graph) -> list[int]:
    """Inputs of floats, of two dimensions or more, from which such a matrix follows. In order."""
    known = constants(graph)
    behind = {index: {index} for index in hardened(graph) if graph.specs[index].is_inexact and index not in known}
    found = set[int]()
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        refs = [ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))]
        behind[place] = set[int]().union(*(behind.get(ref, set()) for ref in refs))
        if plain_name(op).removeprefix(_ATEN) in _OF_MATRICES:
            found |= behind[place]
    return sorted(index for index in found if len(graph.specs[index].shape) > 1)
