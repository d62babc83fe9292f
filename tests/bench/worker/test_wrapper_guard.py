"""The run-time guard and the controller's watch: what each notes, and what honest code never sets off."""

from __future__ import annotations

import operator
import platform
import sys
import weakref
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, cast

import pytest
import torch

from passnet.bench.isolation import seccomp
from passnet.bench.outcome.integrity_checks import BY_NAME, CHECKS, explain
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.timing import observe
from passnet.bench.timing.blocks import Block
from passnet.bench.wire import places
from passnet.bench.wire.replies import BlockDone, OutputFacts
from passnet.bench.worker import calls, wrapper_guard
from passnet.bench.worker.argument_windows import ArgumentWindows
from passnet.bench.worker.wrapper_guard import Guard, laziness, output_facts, poisoned
from passnet.rewrite import POLICY, as_operators, load_rules, read_pass_set, rewrite
from passnet.rewrite.rules import kept_memory
from passnet.score import Outcome
from tests.rewrite.helpers import capture, rule_of


def guard_round(wrapper: Callable[..., Any]) -> Guard:
    """A guard over a graph that only calls the wrapper on one input."""
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    node = graph.call_function(wrapper, (x,))
    graph.output((node,))
    return Guard.round(torch.fx.GraphModule({}, graph), {node.name: ()})


def noted(
    wrapper: Callable[..., Any], *, calls: int = 2, facts: OutputFacts | None = None, share: float = 1.0
) -> set[str]:
    made = guard_round(wrapper)
    call = made.caller(share, facts or OutputFacts(), [256])
    for _ in range(calls):
        call(torch.ones(8, 8))
    return {name for name, _ in made.take_notes()}


KEPT = torch.zeros(8, 8)


@pytest.mark.parametrize(
    ("wrapper", "note"),
    [
        (lambda x: x + 1, "library_call"),
        (lambda x: torch.empty_like(x).copy_(x), "library_call"),
        (lambda x: torch.empty_like(x).fill_(float(x.sum())), "library_call"),
        (lambda x: x, "output_alias"),
        (lambda x: x.view(-1), "output_alias"),
        (lambda x: KEPT, "output_reuse"),
        (lambda x: torch.empty(1, 8).expand(8, 8), "lazy_output"),
        (lambda x: torch.empty(15).as_strided((8, 8), (1, 1)), "lazy_output"),
        (lambda x: torch.empty(150).as_strided((8, 8), (10, 10)), "lazy_output"),
        (lambda x: torch.nn.Parameter(torch.empty(8, 8)), "tensor_subclass"),
        (torch.inference_mode()(torch.empty_like), "tensor_subclass"),
        (lambda x: torch.empty_like(x, requires_grad=True), "tensor_subclass"),
        (lambda x: torch.empty_like(x, requires_grad=True).view(-1), "tensor_subclass"),
    ],
)
def test_what_is_noted(wrapper: Callable[..., Any], note: str) -> None:
    assert note in noted(wrapper)
    assert note in BY_NAME


@pytest.mark.parametrize(
    "wrapper",
    [
        torch.empty_like,
        lambda x: torch.zeros(x.shape, dtype=x.dtype, device=x.device),
        lambda x: torch.full_like(x, 0.5),
        lambda x: x.new_empty(x.shape).view(-1).view(8, 8),
        lambda x: x.t().contiguous(),
        lambda x: torch.empty(2, 8, 8).unbind(0)[1],
        lambda x: torch.empty_strided((8, 8), (1, 8)),
        lambda x: torch.empty_strided((8, 0), (0, 1)),
        lambda x: torch.empty(x[2:4].shape[0], *x.unsqueeze(0).stride()[:1]),
    ],
)
def test_what_is_not_noted(wrapper: Callable[..., Any]) -> None:
    assert noted(wrapper, calls=6) == set()


def over(*tensors: torch.Tensor) -> torch.Tensor:
    """Writes as native code does: no version counter moves."""
    for tensor in tensors:
        tensor.detach().numpy()[-1] = 7
    return torch.empty(8, 8)


def notes_of_arguments(*written: int, given: Callable[[torch.Tensor], tuple[Any, ...]]) -> list[str]:
    graph = torch.fx.Graph()
    args = graph.call_function(given, (graph.placeholder("x"),))
    items = [graph.call_function(operator.getitem, (args, index)) for index in range(2)]
    node = graph.call_function(lambda pair, first, number: over(pair[0]), ((items[1], 3), items[0], 2))
    graph.output((node,))
    made = Guard.round(torch.fx.GraphModule({}, graph), {node.name: written})
    call = made.caller(1.0, OutputFacts(), [256])
    for _ in range(3):
        call(torch.ones(8, 8))
    return [text for name, text in made.take_notes() if name == "argument_mutation"]


@pytest.mark.parametrize(
    ("written", "given", "place"),
    [
        ((), lambda x: (x + 1, x + 2), 0),
        ((0,), lambda x: (x + 1, x + 2), None),
        ((2,), lambda x: (x + 1, x + 2), 0),
        ((2,), lambda x: (x + 1).split(4), None),
        ((), lambda x: (x + 1, (x + 1).to(torch.uint8)[1:, 1:]), 0),
    ],
    ids=["no one", "its own", "another", "in its memory", "odd bytes"],
)
def test_only_what_the_pattern_writes_is_written(
    written: tuple[int, ...], given: Callable[[torch.Tensor], tuple[Any, ...]], place: int | None
) -> None:
    found = notes_of_arguments(*written, given=given)
    assert bool(found) == (place is not None)
    assert all(f"argument {place};" in text for text in found)


@pytest.mark.parametrize(("behaves", "noted"), [(0, set()), (2, {"output_alias"}), (99, set())])
def test_results_of_an_operator_share_no_memory_after_others_did_not(behaves: int, noted: set[str]) -> None:
    """Where the first call's results share memory, those of all calls are copied."""
    calls = []

    def wrapper(x: torch.Tensor) -> torch.Tensor:
        calls.append(1)
        return x.clone() if len(calls) <= behaves else x

    rule = rule_of(lambda x: x.exp().neg(), wrapper)
    result = rewrite(capture(lambda x: x.exp().neg() + 1, torch.ones(8, 8)), [rule])
    made = as_operators(result, [rule])
    guard = Guard.inside(made.module.forward, made.operators)
    call = guard.caller(1.0, OutputFacts(), [256])
    for _ in range(4):
        call(torch.ones(8, 8))
    assert {name for name, _ in guard.take_notes()} - {"library_call"} == noted


def test_a_part_of_a_large_argument_is_looked_at() -> None:
    windows, large = ArgumentWindows(), torch.zeros(3 << 20, dtype=torch.uint8)
    found = []
    for _ in range(64):
        windows.keep((large,), ())
        large[: large.numel() // 2] += 1
        found.append(windows.changed())
    assert [0] in found
    windows.keep((large, torch.empty(0), 3, None), ())
    assert windows.changed() == []


@pytest.mark.parametrize(
    ("given", "wanted", "note"),
    [
        *((torch.int64, small, {"library_call"}) for small in (torch.int16, torch.int8, torch.uint8)),
        (torch.int32, torch.int16, {"library_call"}),
        (torch.int8, torch.uint8, {"library_call"}),
        (torch.uint8, torch.int8, {"library_call"}),
        (torch.int64, torch.int32, set()),
        (torch.uint8, torch.int16, set()),
        (torch.int8, torch.int64, set()),
        (torch.bool, torch.uint8, set()),
        (torch.uint8, torch.bfloat16, set()),
        (torch.float32, torch.float16, set()),
    ],
)
def test_a_conversion_to_fewer_bits_is_arithmetic(given: torch.dtype, wanted: torch.dtype, note: set[str]) -> None:
    made = torch.ones(8, 8, dtype=given)
    assert noted(lambda x: made.to(wanted)) == note


def test_eager_decides_what_outputs_may_share() -> None:
    x = torch.ones(4)
    facts = output_facts([x.view(2, 2), x[:1].expand(4)], [x.view(2, 2), x[:1].expand(4)], [x])
    assert facts == OutputFacts((0, 1), (4, 1), (0, 0))
    equal = x.clone()
    again = output_facts([x.view(2, 2), x + 1], [equal.view(2, 2), equal + 1], [x])
    assert again == OutputFacts((0,), (4, 4), (0, 1))
    assert noted(lambda x: x, facts=OutputFacts(shared=(0,))) == set()
    assert noted(lambda x: torch.empty(1, 8).expand(8, 8), facts=OutputFacts(places=(8,))) == set()
    assert noted(lambda x: torch.empty(1, 1).expand(8, 8), facts=OutputFacts(places=(8,))) == {"lazy_output"}
    with torch.inference_mode():
        made = torch.empty(4)
    assert output_facts([x, made], [equal, made], []).unready == (1,)
    assert noted(torch.inference_mode()(torch.empty_like), facts=OutputFacts(unready=(0,))) == set()


@dataclass
class Shown:
    """A tensor whose strides no operator of torch makes: native code wrote them."""

    steps: tuple[int, ...]
    base: torch.Tensor = field(default_factory=lambda: torch.empty(4, 8))
    shape = (4, 8)

    def stride(self) -> tuple[int, ...]:
        return self.steps

    def __getattr__(self, name: str) -> Any:
        return getattr(self.base, name)


def test_what_reaches_beyond_its_memory_is_lazy() -> None:
    def lazy(*steps: int) -> str | None:
        return laziness(cast(torch.Tensor, Shown(steps)), 32)

    assert lazy(8, 1) is None and lazy(1, 4) is None
    assert lazy(0, 1) == "lies in 8 places; eager's lies in 32"
    for steps in ((2**62, 1), (-(2**62), 1), (9, 1), (-8, 1)):
        assert lazy(*steps) == "reaches beyond its own memory"
    assert laziness(torch.empty(4, 8)[1:, 2:], 18) is None


def noted_of_two(wrapper: Callable[[torch.Tensor], object], *memories: int) -> set[str]:
    """What is noted of a wrapper with two results, where eager's lie in these memories."""
    graph = torch.fx.Graph()
    node = graph.call_function(wrapper, (graph.placeholder("x"),))
    graph.output(tuple(graph.call_function(operator.getitem, (node, index)) for index in (0, 1)))
    made = Guard.round(torch.fx.GraphModule({}, graph), {node.name: ()})
    made.caller(1.0, OutputFacts(memories=memories), [256])(torch.ones(8, 8))
    return {name for name, _ in made.take_notes()}


@pytest.mark.parametrize(
    "twice",
    [
        lambda out: (out, out),
        lambda out: (out, out.t()),
        lambda out: (out[:5], out[4:]),
        lambda out: (out[:, 1::2], out[:, ::3]),
    ],
)
def test_outputs_that_share_memory_are_noted(
    twice: Callable[[torch.Tensor], tuple[torch.Tensor, torch.Tensor]],
) -> None:
    assert noted_of_two(lambda x: twice(torch.empty_like(x))) == {"output_alias"}
    assert noted_of_two(lambda x: twice(torch.empty_like(x)), 0, 1) == {"output_alias"}
    assert noted_of_two(lambda x: twice(torch.empty_like(x)), 0, 0) == set()


@pytest.mark.parametrize(
    "apart",
    [
        lambda out: out.unbind(1),
        lambda out: (out[:5], out[5:]),
        lambda out: (out[:, 1::2], out[:, ::2]),
        lambda out: (out[:0], out),
    ],
)
def test_outputs_beside_each_other_are_not_noted(
    apart: Callable[[torch.Tensor], tuple[torch.Tensor, torch.Tensor]],
) -> None:
    assert noted_of_two(lambda x: apart(torch.empty_like(x))) == set()


def _levels_left() -> int:
    """How much deeper the caller may recurse."""
    try:
        return _levels_left() + 1
    except RecursionError:
        return 0


def test_nobody_feels_by_the_depth_of_the_stack_that_he_is_watched() -> None:
    felt: list[int] = []

    def wrapper(x: torch.Tensor) -> torch.Tensor:
        felt.append(_levels_left())
        return torch.empty_like(x)

    def observed(
        _: str, function: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object]
    ) -> object:
        with wrapper_guard.UNFELT:
            return function(*args, **kwargs)

    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.output((graph.call_function(wrapper, (x,)),))
    plain, made, given = torch.fx.GraphModule({}, graph).forward, guard_round(wrapper), torch.ones(8, 8)
    all_calls, no_calls = (made.caller(share, OutputFacts(), [256]) for share in (1.0, 0.0))
    before = sys.getrecursionlimit()
    for call in (plain, all_calls, all_calls, no_calls, made.observed(observed), poisoned(plain, [256])):
        call(given)
    assert len(set(felt)) == 1, felt
    assert sys.getrecursionlimit() == before
    with pytest.raises(ZeroDivisionError):
        guard_round(lambda x: x.shape[0] // 0).caller(1.0, OutputFacts(), [256])(given)
    assert sys.getrecursionlimit() == before


def test_overwritten_memory_does_not_say_that_a_call_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    overwritten: list[bool] = []
    watched: list[bool] = []

    def wrapper(x: torch.Tensor) -> torch.Tensor:
        watched.append(torch._C._len_torch_dispatch_stack() > 0)
        return torch.empty_like(x)

    monkeypatch.setattr(wrapper_guard, "poison_heap", lambda *_: overwritten.append(True))
    call, seen = guard_round(wrapper).caller(0.5, OutputFacts(), [256]), set()
    for _ in range(200):
        overwritten.clear()
        call(torch.ones(8, 8))
        seen.add((bool(overwritten), watched[-1]))
    assert len(seen) == 4, f"{seen}: whoever reads memory before it writes there knows which calls are watched"


def test_errors_of_watched_operators_keep_nothing_alive() -> None:
    gone: list[bool] = []

    def wrapper(x: torch.Tensor) -> torch.Tensor:
        memory = torch.empty(8)
        seen = weakref.ref(memory)
        try:
            memory.view(7)
        except RuntimeError as error:
            del memory
            gone.append(seen() is None and error.__traceback__ is not None)
        return torch.empty_like(x)

    assert noted(wrapper, calls=3) == set()
    assert gone == [True] * 3


def test_no_call_of_a_block_comes_to_the_end_of_its_stack_soon() -> None:
    """There a plain operator runs, and one under a recorder does not."""
    assert calls._LEVELS >= 1_000_000


def _kept_by(tmp_path: Path, statement: str) -> set[str]:
    """What is noted of a loaded pass whose wrapper keeps something."""
    head = "import torch\ndef pattern(x):\n    return torch.relu(x)\ndef replacement_args(x):\n    return (x,)\n"
    body = f"@torch.fx.wrap\ndef f(x):\n    {statement}\n    return torch.empty_like(x)\n"
    body += "def replacement_func():\n    return f\n"
    (tmp_path / "A.py").write_text(f"{head}KEPT = {{}}\n{body}")
    (tmp_path / "sorted_output_pass_rule_names.json").write_text('["A"]')
    (rule,) = load_rules(read_pass_set(tmp_path), "cpu").rules
    return noted(rule.function)


def test_what_a_pass_keeps_is_noted(tmp_path: Path) -> None:
    assert _kept_by(tmp_path, "KEPT[x.shape] = torch.empty(x.shape)") == {"kept_state"}
    assert _kept_by(tmp_path, "KEPT[x.shape] = (x.numel(), 'route')") == set()


def test_caches_of_typing_are_no_place_to_keep_things() -> None:
    def wrapper(x: torch.Tensor) -> torch.Tensor:
        _ = Annotated[int, len(x.shape)]
        return torch.empty_like(x)

    assert noted(wrapper) == {"kept_state"}


def _swapped(owner: Any, name: str, value: Any) -> set[str]:
    """What a guard notes whose wrapper computes, after something that it relies on was exchanged."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, value)
        return noted(lambda x: x + 1)


class _Everything(frozenset[str]):
    def __contains__(self, item: object) -> bool:
        return True


def test_a_table_that_is_exchanged_disarms_nothing() -> None:
    assert _swapped(wrapper_guard, "ALLOWED_OPERATORS", _Everything()) == {"library_call", "guard_changed"}
    assert _swapped(wrapper_guard, "address", lambda tensor: id(tensor)) >= {"library_call", "guard_changed"}


@pytest.mark.parametrize(
    ("owner", "name", "value"),
    [
        (wrapper_guard, "_Recorder", lambda name, notes: nullcontext()),
        (wrapper_guard, "held_memory", lambda modules: []),
        (wrapper_guard, "places_of", lambda tensor: tensor.numel()),
        (places, "share", lambda one, other: False),
        (places, "shares_memory", lambda one, other, max_work: False),
        (OutputFacts, "lie_apart", lambda self, one, other: False),
        (Guard, "_record", lambda self, name, function, args, kwargs: function(*args, **kwargs)),
        (Guard, "_look_over", lambda self, outputs, inputs, expected: None),
        (wrapper_guard._Recorder, "__torch_dispatch__", lambda self, func, types, args=(), kwargs=None: func(*args)),
        (torch.Tensor, "untyped_storage", lambda self, real=torch.Tensor.untyped_storage: real(self)),
        (kept_memory, "_memory", lambda value, foreign: None),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_the_guard_relies_on_is_sealed(owner: Any, name: str, value: Any) -> None:
    assert "guard_changed" in _swapped(owner, name, value)


def test_a_seal_sees_code_and_cells_that_are_exchanged() -> None:
    def make(kept: list[int]) -> Callable[[], int]:
        return lambda: len(kept)

    module = ModuleType("sealed")
    setattr(module, "f", make([1]))  # noqa: B010 - a module has no such attribute by its type
    changed = wrapper_guard.seal(module)
    assert changed() == []
    vars(module)["f"].__closure__[0].cell_contents = []
    assert changed() == ["sealed.f"]
    again = wrapper_guard.seal(module)
    vars(module)["f"].__code__ = make([2]).__code__.replace(co_name="other")
    assert again() == ["sealed.f"]


def test_nothing_honest_breaks_the_seal() -> None:
    assert wrapper_guard.guard_changed() == []
    torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
    assert wrapper_guard.guard_changed() == []


def test_calls_that_are_not_looked_at_run_as_they_are() -> None:
    assert noted(lambda x: x + 1, share=0.0) == set()


def test_notes_become_one_verdict() -> None:
    observe.look_at_notes(())
    done = BlockDone(notes=(("library_call", "a" * 1000), ("output_alias", "b")))
    with pytest.raises(Verdict) as caught:
        observe.look_at_notes(done.notes)
    assert caught.value.outcome is Outcome.INTEGRITY
    assert [finding.exploit for finding in caught.value.findings] == ["library_call", "output_alias"]
    assert len(caught.value.findings[0].evidence) <= 300


@pytest.mark.parametrize(
    ("claimed", "agrees"), [(1000.0, True), (650.0, True), (5900.0, True), (10.0, False), (30_000.0, False)]
)
def test_a_worker_whose_clock_is_another(claimed: float, agrees: bool) -> None:
    """A controller that was interrupted for long knows only that between 0.9 and 4 ms passed."""
    seen = observe.Observations()
    for _ in range(5):
        seen.block(Block(10.0, span_us=(900.0, 4000.0), reply=BlockDone(span_us=claimed)))
    if agrees:
        seen.decide()
    else:
        with pytest.raises(Verdict, match="clock"):
            seen.decide()


def test_one_odd_block_is_no_finding() -> None:
    seen = observe.Observations()
    for claimed in (1000.0, 1.0, 1.0, 1000.0):
        seen.block(Block(10.0, span_us=(900.0, 1100.0), reply=BlockDone(span_us=claimed)))
    seen.decide()


def test_every_check_has_a_reason_and_is_explained() -> None:
    assert len(BY_NAME) == len(CHECKS)
    assert all(check.reason and check.closes for check in CHECKS)
    assert all(explain(check.name) for check in CHECKS)
    assert all(explain(f"policy:{rule.name}") for rule in POLICY)
    assert explain("no such class") is None


@pytest.mark.parametrize("gpu", [False, True])
@pytest.mark.parametrize("own", [(), ("files", "ipc")])
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_is_whole(machine: str, own: tuple[str, ...], gpu: bool) -> None:
    """Every jump lands inside, the last instruction decides, and it fits the kernel's limit."""
    steps = list(seccomp.program(machine, gpu=gpu, own=own))
    assert len(steps) < 4096
    assert all(len(step) == 8 for step in steps)
    for index, step in enumerate(steps):
        code, if_true, if_false = int.from_bytes(step[:2], "little"), step[2], step[3]
        if code & 0x07 == 0x05:
            assert index + 1 + max(if_true, if_false) < len(steps)
    assert steps[-1][0] == 0x06
    assert platform.system() == "Linux"


@pytest.mark.parametrize(
    "allocate",
    [
        lambda x: torch.empty(4608, dtype=torch.int64),
        lambda x: x.new_empty(4608, dtype=torch.int64),
        lambda x: torch.empty_strided((4608,), (1,), dtype=torch.int64),
        lambda x: torch.empty_like(x, dtype=torch.int64),
    ],
    ids=["empty", "new_empty", "empty_strided", "empty_like"],
)
def test_memory_of_any_size_is_poisoned(allocate: Callable[[torch.Tensor], torch.Tensor]) -> None:
    """An output that is the same in every call would else be found in the memory of the call before."""
    call = poisoned(lambda x: (allocate(x),), [64])
    for _ in range(3):
        right = torch.arange(4608)
        del right
        (found,) = call(torch.ones(4608))
        assert bool((found == -1).all())
    (found,) = poisoned(lambda x: (allocate(x),), [64], 0)(torch.ones(4608))
    assert not found.any()
