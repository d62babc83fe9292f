"""Sources: seeded, seasoned, in the dtype asked for, and a clear line when a library is missing."""

import importlib.util
import subprocess
import sys

import pytest
import torch

from passnet.dataset.bundle.sources import BundleSource
from passnet.dataset.models import building, registry, torchvision_shim
from passnet.errors import UsageError
from tests.dataset.dataset_toys import TOY, Residual


@pytest.mark.parametrize("name", registry.NAMES)
def test_every_source_is_found_by_its_name(name):
    assert registry.source(name).library == name


def test_builds_are_equal_and_leave_the_random_state_alone():
    torch.manual_seed(5)
    before = torch.random.get_rng_state()
    one, two = (TOY.build(torch.float32, image=8).state_dict() for _ in range(2))
    assert torch.equal(torch.random.get_rng_state(), before)
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_seasoning_leaves_no_constant_and_keeps_variances_positive():
    torch.manual_seed(0)
    model = Residual(16)
    kept = model.conv.weight.clone()
    building.season(model)
    state = {name: value for name, value in model.state_dict().items() if value.is_floating_point()}
    assert all(float(value.std()) > 0.01 for value in state.values())
    assert float(model.norm.running_var.min()) > 0
    assert torch.equal(model.conv.weight, kept)


def test_half_precision_leaves_batch_norms_in_float32():
    state = TOY.build(torch.float16, image=8).state_dict()
    assert state["conv.weight"].dtype == torch.float16
    assert {value.dtype for name, value in state.items() if name.startswith("norm.running")} == {torch.float32}
    assert state["norm.weight"].dtype == torch.float32


def test_arguments_are_seeded_and_follow_the_shape():
    image = TOY.arguments((2, 8), torch.float16)["x"]
    assert (tuple(image.shape), image.dtype) == ((2, 3, 8, 8), torch.float16)
    assert torch.equal(image, TOY.arguments((2, 8), torch.float16)["x"])
    ids = BundleSource("transformers", "Bert", {"vocab_size": 50}).arguments((2, 9), torch.float16)["input_ids"]
    assert (tuple(ids.shape), ids.dtype) == ((2, 9), torch.int64)
    assert 0 <= int(ids.min()) <= int(ids.max()) < 50


@pytest.mark.parametrize("library", ["timm", "transformers"])
def test_a_missing_library_is_one_clear_line(library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UsageError, match=f"{library}, which cannot be imported"):
        BundleSource(library, "x").build(torch.float32, image=8)


def test_importing_the_package_imports_no_torch():
    code = "import sys, passnet.dataset; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("schema", torchvision_shim.SCHEMAS, ids=lambda schema: schema.partition("(")[0])
def test_the_schemas_of_the_shim_are_schemas(schema):
    parsed = torch._C.parse_schema(f"torchvision::{schema}")
    assert len(parsed.arguments) >= 3
    assert len(parsed.returns) >= 1


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("timm") is None, reason="timm is not installed")
def test_timm_can_be_imported_after_the_shim():
    code = (
        "from passnet.dataset.models import torchvision_shim\n"
        "torchvision_shim.prepare()\n"
        "import timm, torch\n"
        "assert hasattr(torch.ops.torchvision, 'nms')\n"
        "assert torchvision_shim.prepare() is torchvision_shim.prepare()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
