"""Real models at their own size with random weights, for `whole_models_best.py --real`. Nothing is downloaded.

    python benchmarks/real_models.py --check [--only "gcn*"]    # builds each, calls it, and traces it as one graph
    python benchmarks/real_models.py --list [--seed 11]         # what is measured

Six models are fixed, one for each kind; six are drawn by the seed from all others. Batch and dtype go round.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from typing import Any

import torch
from torch import nn
from torch.utils import _pytree as pytree

from passnet.dataset.models import torchvision_shim
from passnet.use.model.traced import flattened

Made = tuple[nn.Module, tuple[Any, ...], dict[str, Any]]
Factory = Callable[[int], Made]
SEED, DRAWN = 11, 6


@dataclass(frozen=True)
class RealModel:
    """A model of the list, with the batch and the dtype in which it is measured."""

    name: str
    batch: int
    dtype: str

    @property
    def label(self) -> str:
        return f"{self.name}-b{self.batch}-{self.dtype}"


# --- pictures ----------------------------------------------------------------------------------------------------


def _timm(name: str, pixels: int, batch: int) -> Made:
    import timm

    return timm.create_model(name), (torch.randn(batch, 3, pixels, pixels),), {}


def _torchvision(name: str, batch: int) -> Made:
    import torchvision

    segments = name.startswith(("deeplab", "fcn"))
    options = {"weights_backbone": None} if segments else {}
    return torchvision.models.get_model(name, weights=None, **options), (torch.randn(batch, 3, 224, 224),), {}


# --- text and sound ----------------------------------------------------------------------------------------------


def _transformers(kind: str, options: dict[str, Any], tokens: int, batch: int) -> Made:
    """`kind`: as in `KindConfig` and `KindModel`."""
    import transformers

    config = getattr(transformers, f"{kind}Config")(**options)
    if hasattr(config, "use_cache"):
        config.use_cache = False
    model = getattr(transformers, f"{kind}EncoderModel" if kind == "T5" else f"{kind}Model")(config)
    return model, (), {"input_ids": torch.randint(0, config.vocab_size, (batch, tokens))}


def _pictures_of_transformers(kind: str, options: dict[str, Any], pixels: int, batch: int) -> Made:
    import transformers

    model = getattr(transformers, f"{kind}Model")(getattr(transformers, f"{kind}Config")(**options))
    return model, (), {"pixel_values": torch.randn(batch, 3, pixels, pixels)}


def _whisper_encoder(batch: int) -> Made:
    """Whisper tiny: 30 seconds of sound as 80 bands."""
    import transformers
    from transformers.models.whisper.modeling_whisper import WhisperEncoder

    sizes = {"d_model": 384, "encoder_layers": 4, "encoder_attention_heads": 6, "encoder_ffn_dim": 1536}
    return WhisperEncoder(transformers.WhisperConfig(**sizes)), (torch.randn(batch, 80, 3000),), {}


def _sound(kind: str, batch: int) -> Made:
    """One second of sound."""
    import transformers

    model = getattr(transformers, f"{kind}Model")(getattr(transformers, f"{kind}Config")())
    return model, (torch.randn(batch, 16000),), {}


# --- diffusion ---------------------------------------------------------------------------------------------------


class DiTBlock(nn.Module):
    """A block of a diffusion transformer: attention and a perceptron, scaled and shifted by the time step."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        from timm.layers import Mlp
        from timm.models.vision_transformer import Attention

        self.before_attention = nn.LayerNorm(width, elementwise_affine=False, eps=1e-6)
        self.attention = Attention(width, num_heads=heads, qkv_bias=True)
        self.before_mlp = nn.LayerNorm(width, elementwise_affine=False, eps=1e-6)
        self.mlp = Mlp(width, 4 * width, act_layer=partial(nn.GELU, approximate="tanh"))
        self.modulation = nn.Sequential(nn.SiLU(), nn.Linear(width, 6 * width))

    def forward(self, x: torch.Tensor, when: torch.Tensor) -> torch.Tensor:
        shift, scale, gate, shift_mlp, scale_mlp, gate_mlp = self.modulation(when).unsqueeze(1).chunk(6, dim=-1)
        x = x + gate * self.attention(self.before_attention(x) * (1 + scale) + shift)
        return x + gate_mlp * self.mlp(self.before_mlp(x) * (1 + scale_mlp) + shift_mlp)


class DiT(nn.Module):
    """DiT-S/2 on 32 x 32 latents: 12 blocks of 384."""

    def __init__(self, width: int = 384, depth: int = 12, heads: int = 6) -> None:
        super().__init__()
        self.patches = nn.Conv2d(4, width, 2, stride=2)
        self.place = nn.Parameter(0.02 * torch.randn(1, 256, width))
        self.when = nn.Sequential(nn.Linear(256, width), nn.SiLU(), nn.Linear(width, width))
        self.blocks = nn.ModuleList(DiTBlock(width, heads) for _ in range(depth))
        self.last = nn.LayerNorm(width, elementwise_affine=False, eps=1e-6)
        self.out = nn.Linear(width, 32)

    def forward(self, latents: torch.Tensor, steps: torch.Tensor) -> torch.Tensor:
        half = torch.arange(128, device=steps.device, dtype=torch.float32)
        angles = steps[:, None].float() * torch.exp(half * (-9.21034 / 128))
        when = self.when(torch.cat([angles.cos(), angles.sin()], dim=-1).to(latents.dtype))
        x = self.patches(latents).flatten(2).transpose(1, 2) + self.place
        for block in self.blocks:
            x = block(x, when)
        x = self.out(self.last(x)).reshape(-1, 16, 16, 2, 2, 8)
        return x.permute(0, 5, 1, 3, 2, 4).reshape(-1, 8, 32, 32)


class UNetBlock(nn.Module):
    """Two convolutions with group norms, with the time step added between them."""

    def __init__(self, inside: int, out: int, when: int) -> None:
        super().__init__()
        self.first = nn.Sequential(nn.GroupNorm(32, inside), nn.SiLU(), nn.Conv2d(inside, out, 3, padding=1))
        self.when = nn.Sequential(nn.SiLU(), nn.Linear(when, out))
        self.second = nn.Sequential(nn.GroupNorm(32, out), nn.SiLU(), nn.Conv2d(out, out, 3, padding=1))
        self.straight = nn.Conv2d(inside, out, 1) if inside != out else nn.Identity()

    def forward(self, x: torch.Tensor, when: torch.Tensor) -> torch.Tensor:
        inner = self.first(x) + self.when(when)[:, :, None, None]
        return self.straight(x) + self.second(inner)


class UNet(nn.Module):
    """The U-Net of denoising diffusion (DDPM) on 32 x 32 pictures, without its attention: 128, 256, 256, 256."""

    def __init__(self, widths: Sequence[int] = (128, 256, 256, 256)) -> None:
        super().__init__()
        when = 4 * widths[0]
        self.when = nn.Sequential(nn.Linear(widths[0], when), nn.SiLU(), nn.Linear(when, when))
        self.begin = nn.Conv2d(3, widths[0], 3, padding=1)
        pairs = list(zip((widths[0], *widths), widths, strict=False))
        self.down = nn.ModuleList(UNetBlock(inside, out, when) for inside, out in pairs)
        self.smaller = nn.ModuleList(nn.Conv2d(out, out, 3, stride=2, padding=1) for out in widths[:-1])
        self.middle = UNetBlock(widths[-1], widths[-1], when)
        self.up = nn.ModuleList(UNetBlock(2 * out, inside, when) for inside, out in reversed(pairs))
        self.end = nn.Sequential(nn.GroupNorm(32, widths[0]), nn.SiLU(), nn.Conv2d(widths[0], 3, 3, padding=1))

    def forward(self, x: torch.Tensor, steps: torch.Tensor) -> torch.Tensor:
        half = torch.arange(64, device=steps.device, dtype=torch.float32)
        angles = steps[:, None].float() * torch.exp(half * (-9.21034 / 64))
        when = self.when(torch.cat([angles.cos(), angles.sin()], dim=-1).to(x.dtype))
        x, kept = self.begin(x), []
        for level, block in enumerate(self.down):
            x = block(x, when)
            kept.append(x)
            x = self.smaller[level](x) if level < len(self.smaller) else x
        x = self.middle(x, when)
        for level, block in enumerate(self.up):
            x = nn.functional.interpolate(x, scale_factor=2.0, mode="nearest") if level else x
            x = block(torch.cat([x, kept.pop()], dim=1), when)
        return self.end(x)


def _dit(batch: int) -> Made:
    return DiT(), (torch.randn(batch, 4, 32, 32), torch.randint(0, 1000, (batch,))), {}


def _unet(batch: int) -> Made:
    return UNet(), (torch.randn(batch, 3, 32, 32), torch.randint(0, 1000, (batch,))), {}


# --- graphs ------------------------------------------------------------------------------------------------------


def _geometric(kind: str, batch: int) -> Made:
    """As large as Cora: 2,708 nodes with 1,433 features, 10,556 edges. A batch: so many such graphs side by side."""
    from torch_geometric.nn import models

    made = getattr(models, kind)(1433, 64, 2, 7)
    edges = torch.cat([torch.randint(0, 2708, (2, 10556)) + 2708 * each for each in range(batch)], dim=1)
    return made, (torch.randn(2708 * batch, 1433), edges), {}


# --- the list ----------------------------------------------------------------------------------------------------

_LLAMA = {
    "vocab_size": 32000, "hidden_size": 768, "intermediate_size": 2048, "num_hidden_layers": 12,
    "num_attention_heads": 12, "num_key_value_heads": 4,
}  # fmt: skip
FIXED: dict[str, Factory] = {
    "resnet50": partial(_timm, "resnet50", 224),
    "bert_base": partial(_transformers, "Bert", {}, 128),
    "dit_s2": _dit,
    "gcn": partial(_geometric, "GCN"),
    "whisper_tiny_encoder": _whisper_encoder,
    "tv_efficientnet_b0": partial(_torchvision, "efficientnet_b0"),
}
OTHERS: dict[str, Factory] = {
    "convnext_tiny": partial(_timm, "convnext_tiny", 224),
    "vit_small": partial(_timm, "vit_small_patch16_224", 224),
    "mobilenetv3_large": partial(_timm, "mobilenetv3_large_100", 224),
    "swin_tiny": partial(_timm, "swin_tiny_patch4_window7_224", 224),
    "regnety_016": partial(_timm, "regnety_016", 224),
    "mixer_b16": partial(_timm, "mixer_b16_224", 224),
    "densenet121": partial(_timm, "densenet121", 224),
    "poolformer_s12": partial(_timm, "poolformer_s12", 224),
    "coatnet_0": partial(_timm, "coatnet_0_rw_224", 224),
    "tv_resnet18": partial(_torchvision, "resnet18"),
    "tv_deeplabv3": partial(_torchvision, "deeplabv3_resnet50"),
    "tv_shufflenet": partial(_torchvision, "shufflenet_v2_x1_0"),
    "tv_vit_b_16": partial(_torchvision, "vit_b_16"),
    "gpt2": partial(_transformers, "GPT2", {}, 128),
    "t5_small_encoder": partial(_transformers, "T5", {}, 128),
    "distilbert": partial(_transformers, "DistilBert", {}, 128),
    "llama_12": partial(_transformers, "Llama", _LLAMA, 128),
    "opt_125m": partial(_transformers, "OPT", {}, 128),
    "segformer_b0": partial(_pictures_of_transformers, "Segformer", {}, 512),
    "dinov2_base": partial(_pictures_of_transformers, "Dinov2", {}, 224),
    "wav2vec2_base": partial(_sound, "Wav2Vec2"),
    "wav2vec2_conformer": partial(_sound, "Wav2Vec2Conformer"),
    "hubert_base": partial(_sound, "Hubert"),
    "ddpm_unet": _unet,
    "graph_sage": partial(_geometric, "GraphSAGE"),
    "gat": partial(_geometric, "GAT"),
    "gin": partial(_geometric, "GIN"),
}
ALL = FIXED | OTHERS
_ON_GPU, _ON_CPU = ("float16", "bfloat16"), ("float32", "bfloat16")


def chosen(seed: int, device: str) -> list[RealModel]:
    """The fixed models and those that the seed draws, in turns. Batch and dtype go round, so that each pair occurs."""
    drawn = random.Random(seed).sample(sorted(OTHERS), DRAWN)
    names = [name for pair in zip(FIXED, drawn, strict=True) for name in pair]
    dtypes = _ON_GPU if device == "cuda" else _ON_CPU
    return [RealModel(name, (1, 8)[index // 2 % 2], dtypes[index % 2]) for index, name in enumerate(names)]


def made(name: str, batch: int, dtype: str) -> Made:
    """The model in evaluation mode and its call, on the CPU. Whole numbers stay what they are."""
    torchvision_shim.prepare()  # timm and transformers import torchvision
    torch.manual_seed(SEED)
    model, args, kwargs = ALL[name](batch)
    kind = getattr(torch, dtype)

    def cast(value: Any) -> Any:
        return value.to(kind) if isinstance(value, torch.Tensor) and value.is_floating_point() else value

    return model.eval().to(kind), tuple(map(cast, args)), {key: cast(value) for key, value in kwargs.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="build each model, call it once, and trace it")
    parser.add_argument("--list", action="store_true", help="the models that are measured")
    parser.add_argument("--only", default="*", metavar="PATTERN")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    options = parser.parse_args()
    if options.list:
        for each in chosen(options.seed, options.device):
            print(each.label)
    if options.check:
        failed = [name for name in ALL if fnmatch(name, options.only) and not checked(name, options.device)]
        if failed:
            raise SystemExit(f"cannot be built: {', '.join(failed)}")


def checked(name: str, device: str) -> bool:
    """Whether a model is built and runs. Says what it is, or why not."""
    began = time.monotonic()
    try:
        model, args, kwargs = made(name, 1, "bfloat16")
        model.to(device)
        moved = [value.to(device) if isinstance(value, torch.Tensor) else value for value in args]
        named = {key: value.to(device) for key, value in kwargs.items()}
        with torch.no_grad():
            results = pytree.tree_leaves(model(*moved, **named))
        finite = all(bool(value.isfinite().all()) for value in results if isinstance(value, torch.Tensor))
        operations = len(flattened(model, tuple(moved), named).module.graph.nodes)
    except Exception as error:  # noqa: BLE001  libraries raise anything; the others are checked all the same
        print(f"{name}: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}", flush=True)
        return False
    millions = sum(parameter.numel() for parameter in model.parameters()) / 1e6
    what = f"{millions:.1f} million parameters, {operations} operations" + ("" if finite else ", NOT FINITE")
    print(f"{name}: {what}, {time.monotonic() - began:.1f} s", flush=True)
    return finite


if __name__ == "__main__":
    main()
