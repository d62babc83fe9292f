"""Families: one word for one family whatever the library calls it, and sources found by name."""

import pytest

from passnet.dataset.layout import family_of_name
from passnet.dataset.models import registry
from passnet.dataset.models.factory_source import FactorySource
from passnet.dataset.models.families import _ALIASES, _STARTS, normalise, of_model
from passnet.errors import UsageError


@pytest.mark.parametrize(
    ("words", "family"),
    [
        (("vit", "ViT", "vision_transformer", "deit", "vit-mae"), "vit"),
        (("resnet", "ResNeXt", "wide_resnet"), "resnet"),
        (("swin", "swin_transformer"), "swin"),
        (("swinv2", "swin_transformer_v2"), "swinv2"),
        (("mobilenet_v2", "mobilenetv2"), "mobilenetv2"),
        (("a_new_model",), "anewmodel"),
        (("gemma3", "gemma3_text", "gemma3_vision"), "gemma3"),
        (("speech_to_text",), "speechtotext"),
        (("clip_vision_model", "clip"), "clip"),
        (("aimv2", "aimv2_vision_model", "sapiens2", "dinov3_vit"), "vit"),
        (("sam2_hiera_det_model", "sam2", "sam_hq_vision_model"), "sam"),
        (("timm_wrapper", "timm_backbone"), "resnet"),
        (("dinov3_convnext",), "convnext"),
        (("GraphSAGE", "SAGE"), "sage"),
    ],
)
def test_spellings_of_one_family_meet(words, family):
    assert {normalise(word) for word in words} == {family}


def test_normalising_is_idempotent():
    for word in [*_ALIASES, *_STARTS.values(), "vision_transformer", "Some Model-X"]:
        assert normalise(normalise(word)) == normalise(word)


def test_no_spelling_belongs_to_two_families():
    spellings = [spelling for family, others in _ALIASES.items() for spelling in {*others.split(), family}]
    assert len(spellings) == len(set(spellings))


@pytest.mark.parametrize(
    ("name", "home", "family"),
    [
        ("mnasnet_100", "efficientnet", "mnasnet"),
        ("mobilenetv2_100", "efficientnet", "mobilenetv2"),
        ("efficientnetv2_s", "efficientnet", "efficientnet"),
        ("resnet50", "resnet", "resnet"),
        ("convnextv2_atto", "convnext", "convnextv2"),
        ("unheard_of", "own_file", "ownfile"),
    ],
)
def test_the_name_tells_before_the_file(name, home, family):
    assert of_model(name, home) == family


def test_every_source_has_the_name_it_is_found_by():
    for name in registry.NAMES:
        assert registry.source(name).library == name


def test_a_factory_is_a_source():
    assert isinstance(registry.source("package.module:make"), FactorySource)


def test_an_unknown_source_is_a_usage_error():
    with pytest.raises(UsageError, match=r"unknown source of models 'keras'.*timm"):
        registry.source("keras")


@pytest.mark.parametrize(
    ("origin", "family"),
    [
        ("samples/timm/resnet18", "resnet"),
        ("samples/torchvision/resnext50_32x4d", "resnet"),
        ("samples/transformers-auto-model/someone_tiny-random-bert", "bert"),
        ("samples/transformers-auto-model/someone/bert_uncased_small", "bert"),
        ("samples/transformers-auto-model/opus-mt-en-es", "opus"),
        ("samples/timm/tiny", "tiny"),
        ("samples/timm/1234", ""),
    ],
)
def test_a_name_tells_the_family(origin: str, family: str) -> None:
    assert family_of_name(origin) == family
