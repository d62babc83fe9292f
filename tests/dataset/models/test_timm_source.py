"""The timm adapter: every name has a family, layers and images shrink, large models fall back to fake tensors."""

from importlib.util import find_spec

import pytest
import torch

from passnet.dataset.capture.model import capture_model
from passnet.dataset.models import building
from passnet.dataset.models.building import TooLarge, quiet
from passnet.dataset.models.timm_source import TimmSource, fewer_layers, image_sides

pytestmark = pytest.mark.skipif(find_spec("timm") is None, reason="timm is not installed")
SOURCE = TimmSource()


def test_the_whole_registry_is_named_and_has_families():
    names = SOURCE.names()
    assert len(names) > 1000
    assert list(names) == sorted(names)
    families = {name: SOURCE.family(name) for name in names}
    assert families["resnet50"] == families["seresnext50_32x4d"] == "resnet"
    assert families["vit_base_patch16_224"] == "vit"
    assert families["convnextv2_atto"] != families["convnext_atto"]
    assert 60 < len(set(families.values())) < 150


@pytest.mark.parametrize(("side", "sides"), [(224, (112, 96, 224)), (256, (128, 112, 256)), (32, (32,))])
def test_smaller_images_come_first(side, sides):
    assert image_sides(side) == sides


def test_sides_fit_patches_of_fourteen():
    assert any(side % 14 == 0 and side < 518 for side in image_sides(518))


def test_counts_of_layers_shrink_and_nothing_else():
    given = {"depths": (3, 3, 9, 3), "depth": 12, "layers": [1, 2, 4], "num_heads": (3, 6, 12), "embed_dim": 96}
    small = {"depths": (2, 2, 2, 2), "depth": 3, "layers": [1, 2, 2], "num_heads": (3, 6, 12), "embed_dim": 96}
    assert fewer_layers(given) == small


def test_blocks_of_efficient_networks_shrink_per_stage():
    stages = [[{"block": "a"}], [{"block": "b"}] * 5]
    assert fewer_layers({"block_args": stages}) == {"block_args": [[{"block": "a"}], [{"block": "b"}] * 2]}


@pytest.mark.parametrize("name", ["lcnet_035", "vit_tiny_patch16_224", "repvgg_a0", "efficientnet_b0"])
def test_models_are_small_and_run(name):
    with quiet():
        case = SOURCE.build(name, "real")
    blocks = sum("block" in type(module).__name__.lower() for module in case.model.modules())
    assert blocks < 30
    assert case.args[0].shape[0] == 2
    assert case.args[0].shape[-1] < 224
    assert all(parameter.device.type == "cpu" for parameter in case.model.parameters())


def test_no_parameter_is_constant():
    with quiet():
        case = SOURCE.build("lcnet_035", "real")
    assert all(bool((p != p.flatten()[0]).any()) for p in case.model.parameters() if p.numel() > 1)


def test_the_same_name_gives_the_same_weights():
    with quiet():
        first, second = SOURCE.build("lcnet_035", "real"), SOURCE.build("lcnet_035", "real")
    for left, right in zip(first.model.parameters(), second.model.parameters(), strict=True):
        assert torch.equal(left, right)
    assert torch.equal(first.args[0], second.args[0])


@pytest.mark.slow
def test_a_model_beyond_the_limit_is_not_built_for_real(monkeypatch):
    monkeypatch.setattr(building, "MAX_REAL_PARAMETERS", 1000)
    with quiet(), pytest.raises(TooLarge, match="more than 1000"):
        SOURCE.build("lcnet_035", "real")
    record, graphs = capture_model(SOURCE, "lcnet_035")
    assert (record.method, record.outcome) == ("fake", "captured")
    assert [(attempt.method, attempt.stage) for attempt in record.attempts] == [("real", "build")]
    assert graphs[0].meta["capture_method"] == "fake"


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["swin_tiny_patch4_window7_224", "convnext_atto", "mobilenetv3_small_100", "xcit_nano_12_p8_224"]
)
def test_well_known_models_are_captured_whole(name):
    record, _ = capture_model(SOURCE, name)
    assert record.complete
    assert record.method == "real"
    assert all(count.failed == 0 for count in record.gates.values())
