"""The models of `whole_models_best.py --real`: which are drawn, what they are given, and what is begun in the time."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
import torch

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def real(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import real_models

    return real_models


@pytest.fixture
def best(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import whole_models_best

    return whole_models_best


def test_half_of_the_models_are_drawn_and_batches_and_dtypes_are_spread(real: ModuleType) -> None:
    models = real.chosen(11, "cuda")
    assert models == real.chosen(11, "cuda") != real.chosen(12, "cuda")
    names = [each.name for each in models]
    assert len(set(names)) == 12
    assert sum(name in real.FIXED for name in names) == 6
    spread = Counter((each.batch, each.dtype) for each in models)
    assert set(spread) == {(batch, dtype) for batch in (1, 8) for dtype in ("float16", "bfloat16")}
    assert {each.dtype for each in real.chosen(11, "cpu")} == {"float32", "bfloat16"}


@pytest.mark.parametrize("name", ["ddpm_unet"])
def test_a_model_of_our_own_making_runs_and_is_the_same_each_time(real: ModuleType, name: str) -> None:
    model, args, kwargs = real.made(name, 2, "bfloat16")
    again, same, _ = real.made(name, 2, "bfloat16")
    assert all(torch.equal(a, b) for a, b in zip(args, same, strict=True))
    assert args[1].dtype == torch.int64, "whole numbers stay"
    with torch.no_grad():
        result = model(*args, **kwargs)
        assert torch.equal(result, again(*args))
    assert result.shape == args[0].shape and result.dtype == torch.bfloat16 and bool(result.isfinite().all())


def options(run: Path, **fields: object) -> argparse.Namespace:
    known = {"run": run, "real": True, "seed": 11, "device": "cpu", "only": "*", "minutes": 1.0, "seconds": 200.0}
    return argparse.Namespace(**(known | fields))


def test_factories_are_a_module_beside_the_answers(best: ModuleType, tmp_path: Path) -> None:
    found = list(best.specs(options(tmp_path, only="resnet50*")))
    assert found == [("resnet50-b1-float32", "whole_models_factories:model_0")]
    text = (tmp_path / "whole_models_factories.py").read_text()
    assert "def model_0(): return made('resnet50', 1, 'float32')" in text
    compile(text, "factories", "exec")


def test_no_model_is_begun_that_could_not_end(
    best: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    begun: list[str] = []

    def row(name: str, spec: str, given: argparse.Namespace) -> dict[str, object]:
        begun.append(name)
        now[0] += 70.0
        return {"best": None, "failed": "planted"}

    given = options(tmp_path, revision="0" * 40, threads=1, author="none", static=False, out=tmp_path / "results")
    monkeypatch.setattr(best, "arguments", lambda: given)
    monkeypatch.setattr(best, "row", row)
    best.main()
    assert len(begun) == 2, "a third could last to 140 + 92 s"


def test_a_mode_without_time_is_shown(best: ModuleType) -> None:
    found = {
        "best": {"form": "inductor", "us": 10.0, "speedup_over_eager": 2.0, "speedup_over_best_torch_compile": 1.1,
                 "best_torch_compile": "torch.compile"},
        "minutes": 1.0, "modes_without_time": {"torch.compile max-autotune": "it took longer than 45 s"},
    }  # fmt: skip
    assert "NOT MEASURED: torch.compile max-autotune: it took longer than 45 s" in best.shown("a", found)
