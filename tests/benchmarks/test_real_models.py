"""The models of `whole_models_best.py --real`: which are drawn, what they are given, and what is begun in the time."""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

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


@pytest.mark.slow
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
    known = {
        "run": run,
        "real": True,
        "seed": 11,
        "device": "cpu",
        "only": "*",
        "model": [],
        "minutes": 1.0,
        "seconds": 200.0,
    }
    return argparse.Namespace(**(known | fields))


def test_factories_are_a_module_beside_the_answers(best: ModuleType, tmp_path: Path) -> None:
    given = options(tmp_path, only="resnet50*, opt*")
    found = dict(best.specs(given))
    assert len(found) == 12 and found["resnet50-b1-float32"] == "whole_models_factories:model_0"
    chosen = [name.partition("-")[0] for name in found if best.wanted(name, given)]
    assert chosen == ["resnet50", "opt_125m"]
    file = tmp_path / "whole_models_factories.py"
    assert "def model_0(): return made('resnet50', 1, 'float32')" in file.read_text()
    compile(file.read_text(), "factories", "exec")
    written = file.stat().st_mtime_ns
    list(best.specs(given))
    assert file.stat().st_mtime_ns == written, "another process may be reading it"


def answer(ratio: float, **lacking: str) -> dict[str, object]:
    names = {name.replace("_", "-"): why for name, why in lacking.items()}
    return {
        "best": {"form": "inductor", "us": 10.0, "speedup_over_eager": 2.0, "speedup_over_best_torch_compile": ratio,
                 "best_torch_compile": "torch.compile"},
        "minutes": 1.0, "modes_without_time": names,
    }  # fmt: skip


def test_a_model_with_a_mode_that_was_not_measured_is_in_no_figure(best: ModuleType) -> None:
    rows = {"a": answer(1.5, reduce_overhead="the time was over"), "b": answer(1.2), "c": {"best": None}}
    assert best.ratios(rows) == [1.2]
    assert (best.gmean(rows), best.least(rows)) == (pytest.approx(1.2), 1.2)
    assert best.gmean({"a": rows["a"]}) is None


def test_answers_of_another_process_are_in_the_result(
    best: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes with other models share a directory. Whoever comes last writes what all have found."""
    given = options(tmp_path, revision="0" * 40, threads=1, author="none", static=False, out=tmp_path / "results",
                    only="opt*", model=[])  # fmt: skip
    saved: list[dict[str, Any]] = []
    monkeypatch.setattr(best, "arguments", lambda: given)
    monkeypatch.setattr(best, "of_one_revision", lambda run, revision: None)
    monkeypatch.setattr(best, "save", lambda options, file, kind, device, found: saved.append(found))
    monkeypatch.setattr(best, "command", lambda *given: pytest.fail("no model is begun"))
    given.seconds = 1.0
    (tmp_path / "resnet50-b1-float32.json").write_text(json.dumps(answer(1.4, max_autotune="it took too long")))
    best.main()
    assert list(saved[-1]["models"]) == ["resnet50-b1-float32"] == saved[-1]["not_against_every_mode"]
    assert len(saved[-1]["not_measured"]) == 11
    assert saved[-1]["gmean_over_best_torch_compile"] is None


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
