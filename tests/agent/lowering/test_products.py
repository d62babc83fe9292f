"""Estimates of products: which settings are taken, and where a kernel of ours is made."""

import math

import pytest
import torch

from passnet.agent.lowering.convolutions import Convolution
from passnet.agent.lowering.launch_model import LaunchSettings
from passnet.agent.lowering.products import ProductSizes


def of_points(batch, outputs, channels, points, dtype):
    return Convolution((batch, channels, points, 1), (outputs, channels, 1, 1), (1, 1), (0, 0), (1, 1), 1, dtype)


def of_windows(batch, outputs, channels, side, dtype, groups=1):
    weight = (outputs, channels // groups, 3, 3)
    return Convolution((batch, channels, side, side), weight, (1, 1), (1, 1), (1, 1), groups, dtype)


@pytest.mark.parametrize(
    ("convolution", "expected"),
    [
        (of_points(4, 64, 128, 256, torch.bfloat16), True),
        (of_points(4, 64, 32, 256, torch.float32), True),
        (of_points(16, 768, 3072, 16, torch.bfloat16), False),  # deep
        (of_points(16, 1024, 2048, 256, torch.bfloat16), False),  # arithmetic
        (of_points(16, 128, 64, 16, torch.float64), False),
        (of_points(1, 128, 64, 1, torch.float16), False),  # no matrix
        (of_windows(16, 64, 3, 64, torch.float16), True),
        (of_windows(2, 256, 256, 56, torch.float16), False),
        (of_windows(2, 256, 256, 32, torch.float16, groups=32), True),
        (of_windows(2, 512, 512, 28, torch.float32, groups=4), False),
        (of_windows(16, 256, 256, 64, torch.float32, groups=256), True),  # a sum over each window
        (of_windows(16, 256, 256, 64, torch.float64, groups=256), False),
    ],
)
def test_a_kernel_is_made_where_it_was_seen_to_gain(convolution, expected):
    assert convolution.is_worth_a_kernel(is_followed=False) is expected


def test_what_follows_counts_for_a_kernel():
    close = of_points(16, 64, 128, 4096, torch.bfloat16)
    assert not close.is_worth_a_kernel(is_followed=False)
    assert close.is_worth_a_kernel(is_followed=True)


def test_settings_for_which_there_is_no_room_are_never_first():
    sizes = ProductSizes(1, 4096, 4096, 4096, 4)
    assert sizes.us(LaunchSettings((("XBLOCK", 128), ("YBLOCK", 128), ("R0_BLOCK", 128)), 4, 5)) == math.inf
    assert sizes.us(LaunchSettings((("XBLOCK", 256), ("YBLOCK", 256), ("R0_BLOCK", 16)), 2, 1)) == math.inf
    assert sizes.us(LaunchSettings((("XBLOCK", 64), ("YBLOCK", 64), ("R0_BLOCK", 32)), 4, 3)) < math.inf


def test_loads_ahead_of_four_bytes_each_are_not_chosen_for_windows():
    sizes = ProductSizes(16, 64, 4096, 576, 4, is_gathered=True)
    ahead, at_once = (
        LaunchSettings((("YBLOCK", 32), ("XBLOCK", 32), ("R0_BLOCK", 64)), 4, stages) for stages in (3, 1)
    )
    assert sizes.us(at_once) < sizes.us(ahead)


def test_own_settings_have_the_parameters_of_the_kernel():
    found = ProductSizes(1, 64, 64, 64, 2).own_settings(["XBLOCK", "YBLOCK"])
    assert len(found) > 1
    assert all([name for name, _ in settings.values] == ["XBLOCK", "YBLOCK"] for settings in found)
    assert {settings.stages for settings in found} == {1}
