"""A whole program as a CUDA graph: all launches for the cost of one, at addresses that stay the same.

Inputs outside the graph's own buffers are copied into them before each call. A caller that fills `buffers` in place and
passes them saves the copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from passnet.errors import UsageError, first_line
from passnet.use.model.copies import copy_of, written_once
from passnet.use.model.traced import Values

_WARM_UP = 3


@contextmanager
def tuned_convolutions(wanted: bool) -> Iterator[None]:
    """cuDNN times its algorithms for convolutions that run in the block, and a graph captured in it keeps them."""
    cudnn: Any = torch.backends.cudnn
    before = cudnn.benchmark
    cudnn.benchmark = before or wanted
    try:
        yield
    finally:
        cudnn.benchmark = before


class CapturedProgram:
    """The captured graph. `forward` replays it for inputs of the example's signature and does not check them.

    `buffers`: the places from which the graph reads its inputs, in order. Inputs that are no CUDA tensors are in the
    list unchanged. Parameters are read where they are. If one has moved, the program is called without the graph.
    """

    def __init__(
        self, program: Callable[..., Any], inputs: Values, parameters: Sequence[torch.Tensor], *, static: bool
    ) -> None:
        """Capture `program(*inputs)`. `static`: results are the graph's own memory, valid until the next call.

        Errors: UsageError for inputs that are not on a GPU, or a program that cannot be captured.
        """
        on_gpu = [value.is_cuda for value in (*inputs, *parameters) if isinstance(value, torch.Tensor)]
        if any(on_gpu) and any(
            isinstance(value, torch.Tensor) and not value.is_cuda and value.numel() for value in inputs
        ):
            what = "an input is on the CPU, and a CUDA graph would keep the example's value"
            raise UsageError(what, field="cuda_graph", hint="move it to the GPU, or leave the graph out")
        self.program = program
        self.static = static
        self.buffers = tuple(_buffer(value) for value in inputs)
        self.parameters = [parameter for parameter in parameters if parameter.is_cuda]
        if not any(on_gpu):
            raise UsageError("a CUDA graph needs a model on a GPU", field="cuda_graph", hint="leave it out")
        self._places = [i for i, value in enumerate(self.buffers) if isinstance(value, torch.Tensor) and value.is_cuda]
        self._addresses = [parameter.data_ptr() for parameter in self.parameters]
        self._graph = torch.cuda.CUDAGraph()
        self._results = self._capture()

    def forward(self, *inputs: Any) -> Any:
        """The program's results for these inputs."""
        if [parameter.data_ptr() for parameter in self.parameters] != self._addresses:
            return self.program(*inputs)
        for place in self._places:
            value, buffer = inputs[place], self.buffers[place]
            if value.data_ptr() != buffer.data_ptr():
                written_once(buffer).copy_(written_once(value), non_blocking=True)
        self._graph.replay()
        return self._results if self.static else _copied(self._results)

    def _capture(self) -> Any:
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]  # torch annotates nothing there
        side.wait_stream(torch.cuda.current_stream())
        try:
            with torch.no_grad(), torch.cuda.stream(side):
                for _ in range(_WARM_UP):
                    self.program(*self.buffers)
            torch.cuda.current_stream().wait_stream(side)
            # Threads of compilers may call CUDA meanwhile: that is no concern of this capture.
            with torch.no_grad(), torch.cuda.graph(self._graph, capture_error_mode="thread_local"):
                return self.program(*self.buffers)
        except RuntimeError as error:
            raise UsageError(
                f"the program cannot be captured as a CUDA graph: {first_line(error)}",
                field="cuda_graph",
                hint="leave it out",
            ) from error


def _buffer(value: Any) -> Any:
    """Memory of the same layout with the same values. Anything else than a CUDA tensor is constant."""
    return copy_of(value) if isinstance(value, torch.Tensor) and value.is_cuda else value


def _copied(results: Any) -> Any:
    if isinstance(results, torch.Tensor):
        return results.clone()
    if isinstance(results, (tuple, list)):
        return type(results)(_copied(value) for value in results)
    return results
