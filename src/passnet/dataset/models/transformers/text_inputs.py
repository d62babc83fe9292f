"""Inputs of text models and of models that read numbers: tokens, masks, boxes, time series, trajectories."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from passnet.dataset.models.transformers.wanted import DECODER_LENGTH, SAMPLES, Rule, Wanted


def vocabulary(wanted: Wanted) -> int:
    """The number of ordinary tokens: special ones stand at the end of a shrunk vocabulary and mean something."""
    size = wanted.text_number("text_vocab_size", "vocab_size", default=1000)
    special = [
        value
        for scope in wanted.scopes
        for name, value in vars(scope).items()
        if type(value) is int and "token" in name and size // 2 < value < size
    ]
    return min([size, *special])


def tokens(wanted: Wanted, *shape: int) -> torch.Tensor:
    """Random ordinary tokens. The first few numbers are special in most vocabularies."""
    return torch.randint(3, max(4, vocabulary(wanted)), (wanted.batch, *shape))


def mask(wanted: Wanted, length: int) -> torch.Tensor:
    """Ones, and zeros for padding at the end of the first row."""
    ones = torch.ones(wanted.batch, length, dtype=torch.int64)
    ones[0, -2:] = 0
    return ones


def floats(wanted: Wanted, *shape: int) -> torch.Tensor:
    """Normal numbers with a batch dimension."""
    return torch.randn(wanted.batch, *shape)


def _attention_mask(wanted: Wanted) -> torch.Tensor:
    """One entry a token. Where sound is the only input of an encoder, one a sample or frame."""
    reads_sound = wanted.sounds and (wanted.asks("decoder_input_ids") or not wanted.asks("input_ids"))
    if not reads_sound:
        return mask(wanted, wanted.length)
    length = SAMPLES if wanted.asks("input_values") else wanted.spectrogram[1]
    return torch.ones(wanted.batch, length, dtype=torch.int64)


def _boxes(wanted: Wanted) -> torch.Tensor:
    """Boxes as x0, y0, x1, y1 with the corners in order."""
    corner = torch.randint(0, 400, (wanted.batch, wanted.length, 2))
    return torch.cat([corner, corner + torch.randint(1, 400, corner.shape)], dim=-1)


def _token_types(wanted: Wanted) -> torch.Tensor:
    kinds = wanted.number("type_vocab_size", default=1)
    return torch.randint(0, max(1, min(kinds, 2)), (wanted.batch, wanted.length))


def _past(wanted: Wanted) -> int:
    """Time steps that a forecaster reads, including those of its longest lag."""
    return wanted.number("context_length", default=12) + wanted.number("lags_sequence", default=0)


def _past_values(wanted: Wanted) -> torch.Tensor:
    if wanted.asks("past_time_features"):
        return floats(wanted, _past(wanted))
    channels = [wanted.number("num_input_channels", default=1)] if wanted.has("num_input_channels") else []
    return floats(wanted, _past(wanted), *channels)


def _future(wanted: Wanted) -> int:
    return wanted.number("prediction_length", default=DECODER_LENGTH)


def _time_features(wanted: Wanted) -> int:
    return wanted.number("num_time_features", default=1)


RULES: Mapping[str, Rule] = {
    "input_ids": lambda wanted: tokens(wanted, wanted.length),
    "attention_mask": _attention_mask,
    "decoder_input_ids": lambda wanted: tokens(wanted, DECODER_LENGTH),
    "decoder_attention_mask": lambda wanted: mask(wanted, DECODER_LENGTH),
    "token_type_ids": _token_types,
    "qformer_input_ids": lambda wanted: tokens(wanted, wanted.length),
    "bbox": _boxes,
    "query_embeds": lambda wanted: floats(wanted, wanted.length, wanted.number("hidden_size", default=1)),
    "inputs_embeds": lambda wanted: floats(wanted, wanted.length, wanted.number("hidden_size", default=1)),
    "latents": lambda wanted: floats(wanted, wanted.number("latent_dim", "hidden_size", default=1), DECODER_LENGTH),
    # Trajectories of reinforcement learning.
    "states": lambda wanted: floats(wanted, wanted.length, wanted.number("state_dim", default=1)),
    "actions": lambda wanted: floats(wanted, wanted.length, wanted.number("act_dim", default=1)),
    "rewards": lambda wanted: floats(wanted, wanted.length, 1),
    "returns_to_go": lambda wanted: floats(wanted, wanted.length, 1),
    "timesteps": lambda wanted: torch.arange(wanted.length).repeat(wanted.batch, 1),
    # Time series.
    "past_values": _past_values,
    "past_time_features": lambda wanted: floats(wanted, _past(wanted), _time_features(wanted)),
    "past_values_padding": lambda wanted: torch.zeros(wanted.batch, _past(wanted), dtype=torch.int64),
    "freq": lambda wanted: torch.zeros(wanted.batch, 1, dtype=torch.int64),
    "past_observed_mask": lambda wanted: torch.ones_like(_past_values(wanted)),
    "future_values": lambda wanted: floats(wanted, _future(wanted)),
    "future_time_features": lambda wanted: floats(wanted, _future(wanted), _time_features(wanted)),
}
