"""The table of bundled tasks: the operators, their model and their shapes."""

from __future__ import annotations

from dataclasses import dataclass

from passnet.dataset.bundle.sources import BundleSource

# The default initial weights are very small. Activations then stay where GELU, SiLU or tanh are nearly straight lines,
# and a pass without the curve would look right. Activations of trained models leave that range.
_TEXT = {"vocab_size": 1024, "attn_implementation": "eager", "initializer_range": 0.1}
_DECODER = {**_TEXT, "hidden_size": 256, "num_hidden_layers": 2, "num_attention_heads": 8, "use_cache": False}
_GROUPED = {**_DECODER, "num_key_value_heads": 2, "intermediate_size": 512}
_TOKENS = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}

# Layers, widths, vocabularies and image sizes are shrunk. Head and window sizes and all others keep the models' values.
RESNET = BundleSource("timm", "resnet18")
MOBILENET = BundleSource("timm", "mobilenetv3_small_100")
EFFICIENTNET = BundleSource("timm", "efficientnet_b0")
CONVNEXT = BundleSource("timm", "convnext_atto")
CONVNEXT_V2 = BundleSource("timm", "convnextv2_atto")
DEIT = BundleSource("timm", "deit_tiny_patch16_224", {"img_size": 224})
SWIN = BundleSource("timm", "swin_tiny_patch4_window7_224", {"img_size": 112, "embed_dim": 48})
POOLFORMER = BundleSource("timm", "poolformer_s12")
BERT = BundleSource(
    "transformers",
    "Bert",
    {**_TEXT, "hidden_size": 256, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 512},
)
GPT2 = BundleSource(
    "transformers",
    "GPT2",
    {**_TEXT, "n_embd": 192, "n_layer": 2, "n_head": 4, "use_cache": False, "bos_token_id": 1, "eos_token_id": 2},
)
BLOOM = BundleSource(
    "transformers", "Bloom", {**_TEXT, "hidden_size": 192, "n_layer": 2, "n_head": 4, "use_cache": False}
)
LLAMA = BundleSource("transformers", "Llama", _GROUPED)
GEMMA2 = BundleSource("transformers", "Gemma2", {**_GROUPED, "head_dim": 32, "initializer_range": 0.5})
PHI3 = BundleSource("transformers", "Phi3", {**_GROUPED, **_TOKENS})
T5 = BundleSource(
    "transformers",
    "T5",
    {
        "vocab_size": 1024,
        "attn_implementation": "eager",
        "d_model": 128,
        "d_kv": 32,
        "num_layers": 2,
        "num_heads": 4,
        "d_ff": 256,
    },
    model_class="T5EncoderModel",
)
MAMBA = BundleSource(
    "transformers", "Mamba", {"vocab_size": 1024, "hidden_size": 64, "num_hidden_layers": 2, "use_cache": False}
)


@dataclass(frozen=True)
class BundledTask:
    """One task: the first occurrence of `ops` in the model, captured once per dtype and shape.

    Shapes are (batch, pixels of a side) for images and (batch, tokens) for text: a small one that launches and
    dispatch decide, and a larger one that memory traffic decides.
    """

    name: str
    source: BundleSource
    ops: tuple[str, ...]
    shapes: tuple[tuple[int, int], ...]


def _ops(text: str) -> tuple[str, ...]:
    """Operator names, `.m` standing for the method `Tensor.m`."""
    return tuple(f"Tensor{op}" if op.startswith(".") else op for op in text.split())


_ROTATE = "mul getitem getitem neg cat mul add"

TASKS: tuple[BundledTask, ...] = (
    BundledTask("resnet18_bn_add_relu", RESNET, _ops("batch_norm iadd relu"), ((1, 112), (8, 112))),
    BundledTask("mobilenetv3_bn_hardswish_mean", MOBILENET, _ops("batch_norm hardswish .mean"), ((1, 224), (8, 224))),
    BundledTask("efficientnet_bn_silu_mean", EFFICIENTNET, _ops("batch_norm silu .mean"), ((1, 96), (8, 96))),
    BundledTask("convnext_scale_residual", CONVNEXT, _ops("dropout .reshape .mul add"), ((1, 160), (8, 160))),
    BundledTask(
        "convnextv2_gelu_grn",
        CONVNEXT_V2,
        _ops("gelu dropout .norm .mean add truediv .view .view mul addcmul add"),
        ((1, 64), (8, 64)),
    ),
    BundledTask("deit_cat_pos_norm", DEIT, _ops("cat add dropout layer_norm"), ((1, 224), (8, 224))),
    BundledTask(
        "swin_reverse_roll_add",
        SWIN,
        _ops(".view .view .permute .contiguous .view getitem .contiguous roll add"),
        ((1, 112), (8, 112)),
    ),
    BundledTask(
        "swin_masked_softmax",
        SWIN,
        _ops("add .view .unsqueeze .unsqueeze add .view softmax dropout"),
        ((1, 112), (4, 112)),
    ),
    BundledTask("poolformer_pool_scale_add", POOLFORMER, _ops("avg_pool2d sub .view mul add"), ((1, 64), (4, 64))),
    BundledTask(
        "bert_embeddings",
        BERT,
        _ops("embedding embedding add embedding add layer_norm dropout"),
        ((1, 16), (4, 128)),
    ),
    BundledTask("bert_add_norm", BERT, _ops("dropout add layer_norm"), ((1, 128), (8, 128))),
    BundledTask("gpt2_gelu_new", GPT2, _ops("mul pow mul add mul tanh add mul"), ((1, 16), (4, 64))),
    BundledTask("bloom_gelu", BLOOM, _ops("mul mul mul mul add mul tanh add mul"), ((1, 16), (4, 64))),
    BundledTask("llama_rotary", LLAMA, _ops(f".unsqueeze .unsqueeze {_ROTATE} {_ROTATE}"), ((1, 16), (4, 128))),
    BundledTask("llama_residual_rmsnorm", LLAMA, _ops("add .to .pow .mean add rsqrt mul .to mul"), ((1, 16), (4, 128))),
    BundledTask(
        "gemma2_rmsnorm_residual",
        GEMMA2,
        _ops(".float .pow .mean add rsqrt mul .float add mul .type_as add"),
        ((1, 16), (4, 128)),
    ),
    BundledTask("gemma2_softcap", GEMMA2, _ops("mul truediv tanh mul"), ((1, 32), (4, 128))),
    BundledTask("phi3_swiglu", PHI3, _ops(".chunk getitem getitem silu mul"), ((1, 64), (4, 128))),
    BundledTask("t5_biased_softmax", T5, _ops("mul add softmax dropout"), ((1, 64), (4, 128))),
    BundledTask(
        "mamba_discretise",
        MAMBA,
        _ops("getitem getitem mul exp getitem getitem .float mul getitem .float mul"),
        ((1, 16), (4, 64)),
    ),
)
