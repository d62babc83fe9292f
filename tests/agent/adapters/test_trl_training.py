"""One step of the real GRPOTrainer: a tiny random model, made to speak a script, calls the tools and is rewarded."""

from __future__ import annotations

import importlib.resources
import json
from pathlib import Path
from typing import Any

import pytest
import torch

from passnet.dataset.models import torchvision_shim

torchvision_shim.prepare()
trl = pytest.importorskip("trl", reason="needs trl, the extra `trl`")

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers  # noqa: E402
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM  # noqa: E402

from passnet.agent.adapters.rollouts import RolloutSettings  # noqa: E402
from passnet.agent.adapters.trl import environment_factory, train_dataset  # noqa: E402
from passnet.agent.env.env import TOOLS  # noqa: E402
from passnet.agent.record.journal import read_episode  # noqa: E402
from passnet.agent.record.records import End  # noqa: E402
from tests.agent.agent_helpers import MANIFEST, FakeWorkbench, rule, task_copy  # noqa: E402

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>"]
BIAS = 50.0


def call(name: str, **arguments: Any) -> str:
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call><|im_end|>"


SCRIPT = [
    call("create", path="A.py", text=rule(1.5)),
    call("create", path=MANIFEST, text='["A"]'),
    call("evaluate"),
    call("submit"),
    "done<|im_end|>",
]


def tokenizer() -> PreTrainedTokenizerFast:
    """Byte pairs learned from what the model is going to see; a chat template that trl knows."""
    found = Tokenizer(models.BPE())
    found.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    found.decoder = decoders.ByteLevel()
    texts = [json.dumps([tool.schema for tool in TOOLS.values()]), *SCRIPT, rule(1.5)]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    found.train_from_iterator(
        texts * 4, trainers.BpeTrainer(vocab_size=3000, initial_alphabet=alphabet, special_tokens=SPECIAL)
    )
    made = PreTrainedTokenizerFast(tokenizer_object=found, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    template = importlib.resources.files("trl") / "chat_templates" / "qwen3.jinja"
    made.chat_template = template.read_text(encoding="utf-8")
    return made


class ScriptedModel(Qwen3ForCausalLM):
    """After the n-th beginning of its turn it all but surely says the n-th line of the script."""

    script: list[list[int]]
    turn: list[int]

    def forward(self, input_ids: torch.Tensor | None = None, **kwargs: Any) -> Any:
        found = super().forward(input_ids=input_ids, **kwargs)
        if input_ids is None or torch.is_grad_enabled():
            return found
        for row, ids in enumerate(input_ids.tolist()):
            found.logits[row, -1, self.wanted(ids)] += BIAS
        return found

    def wanted(self, ids: list[int]) -> int:
        size = len(self.turn)
        starts = [at + size for at in range(len(ids) - size + 1) if ids[at : at + size] == self.turn]
        line = self.script[min(len(starts), len(self.script)) - 1]
        return line[min(len(ids) - starts[-1], len(line) - 1)]


def model(words: PreTrainedTokenizerFast) -> ScriptedModel:
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(words), hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=1, head_dim=8, max_position_embeddings=16384, use_cache=False,
        eos_token_id=words.eos_token_id, pad_token_id=words.pad_token_id,
    )  # fmt: skip
    made = ScriptedModel(config)
    made.generation_config.use_cache = False
    made.script = [words.encode(line, add_special_tokens=False) for line in SCRIPT]
    made.turn = words.encode("<|im_start|>assistant\n", add_special_tokens=False)
    return made


@pytest.mark.slow
def test_a_step_of_training_is_rewarded_by_the_bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    torch.set_num_threads(1)
    words = tokenizer()
    bench = FakeWorkbench()
    trainer = trl.GRPOTrainer(
        model=model(words),
        processing_class=words,
        args=trl.GRPOConfig(
            output_dir=str(tmp_path / "out"), max_steps=1, num_generations=2, per_device_train_batch_size=2,
            max_completion_length=2500, report_to=[], use_cpu=True, logging_steps=1, save_strategy="no",
            bf16=False,
        ),
        train_dataset=train_dataset(task_copy(tmp_path)),
        environment_factory=environment_factory(
            RolloutSettings(records=tmp_path / "records"), lambda *_: bench
        ),
    )  # fmt: skip
    trainer.train()

    (logged,) = [row for row in trainer.state.log_history if "reward" in row]
    episodes = [read_episode(file) for file in sorted(tmp_path.glob("records/*/rollout-*/episode.jsonl"))]
    ends = [records[-1] for records in episodes]
    assert [end.exit_reason for end in ends if isinstance(end, End)] == ["submitted", "submitted"]
    assert all(end.score is not None and end.score > 1.0 for end in ends if isinstance(end, End))
    assert logged["reward"] == pytest.approx(sum(end.score for end in ends) / 2)
    assert logged["rewards/PassEnvironment/mean"] == pytest.approx(logged["reward"])
    assert logged["tools/call_frequency"] == 4
    assert logged["tools/failure_frequency"] == 0
