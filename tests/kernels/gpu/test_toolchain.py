"""What Triton knows of its installation is found out once, and without a GPU."""

from __future__ import annotations

import pytest
import torch

from passnet.kernels.gpu import toolchain


def test_the_answer_is_kept_and_cuda_is_not_touched() -> None:
    cache = pytest.importorskip("triton.runtime.cache")
    cache.triton_key.cache_clear()
    toolchain.remember(90)
    assert cache.triton_key.cache_info().currsize == 1
    assert not torch.cuda.is_initialized()


def test_another_version_of_triton_only_costs_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise OSError("no such file")

    fails.cache_info = None  # type: ignore[attr-defined]  # as functools gives it
    cache = pytest.importorskip("triton.runtime.cache")
    monkeypatch.setattr(cache, "triton_key", fails)
    monkeypatch.setattr(toolchain, "_MODULES", ("triton.no_such_module",))
    monkeypatch.setattr(toolchain, "_ANSWERS", (("triton.nowhere", "x", False), *toolchain._ANSWERS))
    toolchain.remember(90)


def test_a_processor_has_no_architecture() -> None:
    assert toolchain.arch_of("cpu") is None
