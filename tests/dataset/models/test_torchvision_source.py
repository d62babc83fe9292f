"""The torchvision adapter: images, clips, pairs of frames, lists to detect in; suppression of boxes of its own."""

from importlib.util import find_spec

import pytest
import torch

from passnet.dataset.capture.model import capture_model
from passnet.dataset.models import building
from passnet.dataset.models.building import quiet
from passnet.dataset.models.torchvision_source import TorchvisionSource, _suppress

pytestmark = pytest.mark.skipif(find_spec("torchvision") is None, reason="torchvision is not installed")
SOURCE = TorchvisionSource()


def test_all_models_are_named_with_families_shared_with_timm():
    names = SOURCE.names()
    assert len(names) > 100
    assert SOURCE.family("resnext50_32x4d") == SOURCE.family("quantized_resnet18") == "resnet"
    assert SOURCE.family("vit_b_16") == "vit"
    assert SOURCE.family("swin_v2_t") == "swinv2"
    assert SOURCE.family("fasterrcnn_resnet50_fpn") == SOURCE.family("maskrcnn_resnet50_fpn") == "rcnn"


@pytest.mark.parametrize(
    ("name", "shape"),
    [("resnet18", (2, 3, 112, 112)), ("vit_b_32", (2, 3, 224, 224)), ("r3d_18", (2, 3, 8, 56, 56))],
)
def test_inputs_are_as_small_as_the_model_allows(monkeypatch, name, shape):
    # Whether a size is fixed shows when the model runs, so even the large one is made real here.
    monkeypatch.setattr(building, "MAX_REAL_PARAMETERS", 10**8)
    with quiet():
        case = SOURCE.build(name, "real")
    assert tuple(case.args[0].shape) == shape


def test_flow_models_see_two_frames():
    with quiet():
        case = SOURCE.build("raft_small", "real")
    assert [tuple(value.shape) for value in case.args] == [(2, 3, 128, 128)] * 2


@pytest.mark.slow
def test_a_classifier_is_captured_whole():
    record, (graph,) = capture_model(SOURCE, "shufflenet_v2_x0_5")
    assert record.complete
    assert graph.meta["source"] == "torchvision"


def test_detection_is_real_only():
    assert SOURCE.methods("ssdlite320_mobilenet_v3_large") == ("real",)


def overlap(left, right):
    width = max(0.0, min(left[2], right[2]) - max(left[0], right[0]))
    height = max(0.0, min(left[3], right[3]) - max(left[1], right[1]))
    area = [(box[2] - box[0]) * (box[3] - box[1]) for box in (left, right)]
    return width * height / (area[0] + area[1] - width * height)


def test_suppression_keeps_the_best_of_those_that_overlap():
    generator = torch.Generator().manual_seed(3)
    corners = torch.rand(40, 2, generator=generator)
    boxes = torch.cat([corners, corners + 0.1 + torch.rand(40, 2, generator=generator) * 0.5], dim=1)
    scores = torch.rand(40, generator=generator)
    kept = _suppress(boxes, scores, 0.5).tolist()
    expected: list[int] = []
    for index in sorted(range(40), key=lambda place: -float(scores[place])):
        if all(overlap(boxes[index].tolist(), boxes[other].tolist()) <= 0.5 for other in expected):
            expected.append(index)
    assert kept == expected
    assert 1 < len(kept) < 40


def test_nothing_to_suppress():
    assert _suppress(torch.empty(0, 4), torch.empty(0), 0.5).shape == (0,)
