"""Runs a wrapper once on plain tensors and records what it did, or says why that cannot be replayed.

Three observers surround the call. Torch's function mode sees which properties of tensors are read, its dispatch mode
sees operators, and `observe_launches` sees kernels. A wrapper may read only what follows from dtypes, shapes, strides
and devices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from passnet.kernels.compilation.prototypes import Prototype
from passnet.kernels.compilation.registry import Function, PreparedLaunch
from passnet.kernels.replay import plan as steps
from passnet.kernels.replay.allowlist import FILLED, METADATA
from passnet.kernels.replay.frozen_launch import cuda_launch, triton_launch
from passnet.kernels.replay.observe_launches import watched
from passnet.kernels.replay.plan import (
    Address,
    Arguments,
    Constant,
    KeptState,
    NotFrozen,
    ReplayPlan,
    ReplayView,
    Wrapper,
)
from passnet.kernels.replay.side_effects import Supervision
from passnet.op_classes import ATEN_VIEWS, EMPTY, FULL

_DEVICES = frozenset({"cpu", "cuda"})


def record(function: Wrapper, args: Arguments, inputs: Sequence[torch.Tensor]) -> tuple[ReplayPlan, Any]:
    """Call `function(*args)` and return its plan beside its result. `inputs`: the tensors among `args`, in order.

    The call is really made. Errors: NotFrozen with the reason, or any error of the wrapper itself.
    """
    recorder, result = _Recorder(inputs), None
    with torch.no_grad(), watched(recorder), _Reads(recorder), _Operators(recorder):
        result = recorder.supervise(function, args)
    # Reported apart from the exception, because a wrapper may catch an exception that is raised in it.
    if recorder.refusal is not None:
        raise recorder.refusal
    if not recorder.bases:
        raise NotFrozen("takes no tensor and allocates none")
    recorder.plan.result = recorder.result(result)
    return recorder.plan, result


class _Recorder:
    """The plan so far. Every tensor is kept until the end, so that its memory shows which base it belongs to."""

    def __init__(self, inputs: Sequence[torch.Tensor]) -> None:
        devices = {tensor.device for tensor in inputs}
        if len(devices) > 1:
            raise NotFrozen(f"its tensors are on {len(devices)} devices")
        self.plan = ReplayPlan(len(inputs), torch.device("cpu"))  # until there is a tensor
        self.bases: list[torch.Tensor] = []
        self.numbers: dict[int, int] = {}
        self.kept: list[Any] = []
        self.refusal: NotFrozen | None = None
        self.quiet = False
        self.stream = 0
        for tensor in inputs:
            self.add_base(tensor)

    def _current_stream(self) -> int:
        index = self.plan.device.index
        return int(torch.cuda.current_stream(index).cuda_stream) if self.plan.device.type == "cuda" else 0

    # --- refusing --------------------------------------------------------------------------------------------

    def refuse(self, reason: str, kind: type[NotFrozen] = NotFrozen) -> None:
        refusal = kind(reason)
        self.refusal = self.refusal or refusal
        raise refusal

    @contextmanager
    def aside(self) -> Iterator[None]:
        before, self.quiet = self.quiet, True
        try:
            yield
        finally:
            self.quiet = before

    def supervise(self, function: Wrapper, args: Arguments) -> Any:
        """Makes the call and watches what else it calls. None once there is a reason."""
        with suppress(NotFrozen), Supervision(self.refuse, lambda: self.quiet or self.refusal is not None):
            return function(*args)

    # --- naming tensors --------------------------------------------------------------------------------------

    def add_base(self, tensor: torch.Tensor) -> int:
        if tensor.layout is not torch.strided or tensor.device.type not in _DEVICES:
            self.refuse(f"has a tensor of layout {tensor.layout} on {tensor.device}")
        if not self.bases:  # The device of the first argument. Without arguments, that of the first allocation.
            self.plan.device = tensor.device
            self.stream = self._current_stream()
        number = len(self.bases)
        self.bases.append(tensor)
        self.kept.append(tensor)
        self.numbers[tensor.untyped_storage()._cdata] = number
        return number

    def base_of(self, tensor: torch.Tensor) -> int:
        number = self.numbers.get(tensor.untyped_storage()._cdata)
        if number is None:
            self.refuse("uses a tensor that is neither an argument nor allocated in the call", KeptState)
        assert number is not None
        return number

    def address(self, tensor: torch.Tensor) -> Address:
        base = self.base_of(tensor)
        if tensor.device != self.plan.device:
            self.refuse(f"hands a kernel memory of {tensor.device}, and its first tensor is on {self.plan.device}")
        offset = tensor.data_ptr() - self.bases[base].data_ptr() if tensor.numel() else 0
        return Address(base, offset)

    def view(self, tensor: torch.Tensor) -> ReplayView:
        base = self.base_of(tensor)
        whole = self.bases[base]
        if tensor.dtype != whole.dtype or tensor.is_conj() or tensor.is_neg():
            self.refuse("returns or fills memory viewed as another dtype")
        offset = (tensor.data_ptr() - whole.data_ptr()) // whole.element_size() if tensor.numel() else 0
        return ReplayView(base, tuple(tensor.shape), tensor.stride(), offset, tensor.dtype)

    def argument(self, value: Any, whom: str) -> Address | Constant:
        return self.address(value) if isinstance(value, torch.Tensor) else Constant.of(value, whom)

    def result(self, value: Any) -> steps.Result:
        if value is None:
            return None
        if type(value) in (tuple, list):
            return steps.Many(type(value), tuple(self.result(item) for item in value))
        if type(value) in (torch.Tensor, torch.nn.Parameter):
            # A replay gives plain tensors, so it would hide what the wrapper's own calls give.
            if value.requires_grad or (value.is_inference() and not torch.is_inference_mode_enabled()):
                raise NotFrozen("returns a tensor of its own inference mode, or one that requires gradients")
            return self.view(value)
        raise NotFrozen(f"returns a {type(value).__name__}")

    # --- operators -------------------------------------------------------------------------------------------

    def operator(self, packet: str, args: Arguments, kwargs: dict[str, Any], result: Any) -> None:
        """One operator that ran."""
        self.kept.append(result)
        space, _, name = packet.partition(".")
        if space != "aten":
            self.refuse(f"calls {packet}, which is no allocation, view or copy")
        elif name in EMPTY or name in FILLED or name in FULL:
            self.allocated(name, args, kwargs, result)
        elif name in ("zero_", "fill_"):
            value = 0 if name == "zero_" else args[1]
            self.filled(args[0], value)
        elif name == "clone":
            base = self.add_base(result)
            clone = steps.Clone(base, self.view(args[0]), self.view(result), kwargs.get("memory_format"))
            self.plan.steps.append(clone)
        elif name == "_local_scalar_dense":
            self.refuse("reads a value of a tensor (item, float, bool, comparison)")
        elif name not in ATEN_VIEWS:
            self.refuse(f"calls {packet}, which is no allocation, view or copy")

    def allocated(self, name: str, args: Arguments, kwargs: dict[str, Any], result: torch.Tensor) -> None:
        base = self.add_base(result)
        if result.device.type == "cpu" and result.is_pinned():
            self.refuse("allocates pinned memory")
        allocate = steps.Allocate(base, tuple(result.shape), result.stride(), result.dtype, result.device)
        self.plan.steps.append(allocate)
        if name in FILLED:
            self.filled(result, FILLED[name])
        elif name in FULL:
            self.filled(result, kwargs["fill_value"] if "fill_value" in kwargs else args[-1])

    def filled(self, tensor: torch.Tensor, value: Any) -> None:
        target = self.view(tensor)
        if target.base < self.plan.inputs:
            self.refuse("fills an argument")
        self.plan.steps.append(steps.Fill(target, Constant.of(value, "a fill")))

    # --- kernels (the observer of `observe_launches`) --------------------------------------------------------

    def cpp(self, prototype: Prototype, replay: Function, args: Sequence[object]) -> None:
        if "void" not in prototype.returns.split():
            self.refuse(f"{prototype.name} returns a number, and the rest may depend on it")
        given = tuple(self.argument(value, prototype.name) for value in args)
        self.plan.steps.append(steps.HostCall(prototype.name, replay, given))

    def cuda(self, launch: PreparedLaunch, args: Arguments) -> None:
        self.at_stream(launch.name, self._current_stream())
        addresses = tuple(self.address(value) for value in args if isinstance(value, torch.Tensor))
        launcher = cuda_launch(launch.name, launch.record, args)
        self.plan.steps.append(steps.DeviceLaunch(launcher, addresses, aligned=False))

    def triton(self, kernel: Any, launch: Arguments) -> None:
        grid, stream, packed, args = launch[:3], launch[3], launch[5], launch[9:]
        self.at_stream(kernel.name, int(stream))
        addresses = tuple(self.address(value) for value in args if isinstance(value, torch.Tensor))
        if grid[0] * grid[1] * grid[2]:
            launcher = triton_launch(kernel, grid, packed, args, self.plan.device.index or 0)
            self.plan.steps.append(steps.DeviceLaunch(launcher, addresses, aligned=True))

    def at_stream(self, name: str, stream: int) -> None:
        if stream != self.stream:
            self.refuse(f"launches {name} on a stream of its own")


class _Reads(TorchFunctionMode):
    """Refuses reads of a tensor beyond its metadata."""

    def __init__(self, recorder: _Recorder) -> None:
        super().__init__()
        self.recorder = recorder

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        name = _name(func)
        # Anything that returns a tensor is an operator, or only another name for known memory.
        if not self.recorder.quiet and name not in METADATA and not _has_tensor(result):
            self.recorder.refuse(f"reads {name} of a tensor, which does not follow from its dtype, shape and stride")
        return result


class _Operators(TorchDispatchMode):
    """Hands every operator to the recorder."""

    def __init__(self, recorder: _Recorder) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch annotates it so
        self.recorder = recorder

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if not self.recorder.quiet:
            with self.recorder.aside():
                self.recorder.operator(str(getattr(func, "overloadpacket", func)), args, kwargs or {}, result)
        return result


def _name(function: Any) -> str:
    """`shape` for the getter of `Tensor.shape`, else the function's own name."""
    name = str(getattr(function, "__name__", type(function).__name__))
    return str(getattr(function.__self__, "__name__", name)) if name == "__get__" else name


def _has_tensor(value: object) -> bool:
    if isinstance(value, (tuple, list)):
        return any(_has_tensor(item) for item in value)
    return isinstance(value, torch.Tensor)
