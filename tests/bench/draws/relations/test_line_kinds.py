"""Lines with tones, echoes, levels, slopes and spikes are what they are called."""

from __future__ import annotations

from random import Random

import pytest
import torch

from passnet.bench.draws.relations.field_kinds import FieldBlock
from passnet.bench.draws.relations.line_kinds import as_usual, echoes, hidden, levels, slopes, spikes, tones, uneven

ROWS = FieldBlock((64, 512), (1,), None)
PICTURES = FieldBlock((12, 48, 64), (1, 2), None)


def drawn(kind: object, block: FieldBlock, seed: int) -> torch.Tensor:
    made = kind(block, torch.Generator().manual_seed(seed), Random(seed))  # type: ignore[operator]
    assert made.shape == block.shape
    return made.double()  # type: ignore[no-any-return]


@pytest.mark.parametrize("seed", range(3))
def test_the_power_of_a_tone_is_at_a_few_frequencies(seed: int) -> None:
    power = torch.fft.rfft(drawn(tones, ROWS, seed)).abs().square().sort(-1, descending=True).values
    assert float((power[:, :16].sum(-1) / power.sum(-1)).min()) > 0.6
    white = torch.fft.rfft(torch.randn(64, 512)).abs().square().sort(-1, descending=True).values
    assert float((white[:, :16].sum(-1) / white.sum(-1)).max()) < 0.5
    waves = torch.fft.fft2(drawn(tones, PICTURES, seed)).abs().square().flatten(1).sort(-1, descending=True).values
    assert float((waves[:, :64].sum(-1) / waves.sum(-1)).min()) > 0.5


def test_tones_of_rows_differ() -> None:
    places = torch.fft.rfft(drawn(tones, ROWS, 1)).abs().argmax(-1)
    assert len(set(places.tolist())) > 40
    assert int(places.min()) < 50 and int(places.max()) > 200


@pytest.mark.parametrize("seed", range(3))
def test_an_echo_is_seen_at_its_lag_alone(seed: int) -> None:
    rows = drawn(echoes, ROWS, seed)
    spectra = torch.fft.rfft(rows).abs().square()
    lags = torch.fft.irfft(spectra)
    known = (lags / lags[:, :1])[:, 1:257].abs().sort(-1, descending=True).values
    assert float(known[:, 0].min()) > 0.3 > 0.25 > float(known[:, 2].max())


@pytest.mark.parametrize("block", [ROWS, PICTURES])
def test_levels_are_few_and_in_regions(block: FieldBlock) -> None:
    made = drawn(levels, block, 4)
    lines = made.flatten(1)
    exact = [line for line in lines if len(line.unique()) <= 6]
    assert len(lines) / 4 < len(exact) < len(lines), "some have noise besides"
    assert min(len(line.unique()) for line in exact) > 1
    same = torch.stack([line.reshape(block.shape[1:]) for line in exact]).diff(dim=-1) == 0
    assert float(same.double().mean()) > 0.8


def test_slopes_rise_or_fall_in_all_steps() -> None:
    made = drawn(slopes, ROWS, 5)
    steps = made.diff(dim=-1)
    rises = (steps > 0).all(-1)
    assert bool((rises | (steps < 0).all(-1)).all()) and 10 < int(rises.sum()) < 54
    assert abs(float(made.mean())) < 0.05 and abs(float(made.std()) - 1) < 0.05
    pictures = drawn(slopes, PICTURES, 5).diff(dim=-1)
    assert bool((pictures.sum((-1, -2)).abs() > 10).all())


def test_spikes_are_rare_and_far() -> None:
    lines = drawn(spikes, ROWS, 6)
    found = (lines.abs() > 0.01).sum(-1)
    assert int(found.min()) >= 1 and int(found.max()) < 24
    assert len(set(found.tolist())) > 3


def test_what_is_usual_has_the_order_of_a_field_and_normal_numbers() -> None:
    field = drawn(tones, ROWS, 7)
    made = as_usual(ROWS, field, torch.Generator().manual_seed(1)).double()
    assert torch.equal(made.argsort(-1), field.argsort(-1))
    assert float(((made**4).mean(-1) / made.square().mean(-1).square()).min()) > 2
    assert float(((field**4).mean(-1) / field.square().mean(-1).square()).min()) < 2


def test_mixtures_have_lines_of_several_kinds() -> None:
    rows = drawn(uneven, ROWS, 8)
    steps = rows.diff(dim=-1)
    rising = ((steps > 0).all(-1) | (steps < 0).all(-1)).sum()
    silent = (rows.abs() < 0.5).double().mean(-1) > 0.9
    assert 8 < int(rising) < 40 and 8 < int(silent.sum()) < 40
    own = drawn(hidden, ROWS, 8)
    fourth = (own**4).mean(-1) / own.square().mean(-1).square()
    assert 40 < int((fourth > 2.3).sum()) < 64, "most have the usual numbers"
