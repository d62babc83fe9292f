"""Applied passes with frozen launches and as a CUDA graph: the same results, and the user is told what is replayed."""

from __future__ import annotations

import shutil

import pytest
import torch

import passnet
from passnet.errors import UsageError
from tests.use.use_models import PASSES, WIDTH, Plain, example, network

needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device on this machine")


@pytest.fixture(scope="module")
def passes():
    return passnet.load_passes(PASSES)


def same(left, right):
    return left.keys() == right.keys() and all(torch.equal(left[name], right[name]) for name in left)


def test_both_calls_are_replayed_and_give_the_ordinary_bits(passes):
    model = network()
    with torch.no_grad():
        frozen, ordinary = passes.apply(model, (example(),)), passes.apply(model, (example(),), freeze=False)
        assert [call.frozen for call in frozen.calls] == [True, True]
        assert frozen.calls[0].rule == "bloom_gelu_cpp"
        assert frozen.calls[0].kernels
        assert ordinary.calls == ()
        x = torch.randn(4, WIDTH)
        assert same(frozen(x), ordinary(x))
    with torch.inference_mode():
        x = torch.randn(4, WIDTH)
        for _ in range(3):
            assert same(frozen(x), ordinary(x))


def test_parameters_that_moved_are_read_where_they_are(passes):
    model = network()
    with torch.no_grad():
        made = passes.apply(model, (example(),))
        model.second.bias.data = torch.randn(WIDTH)
        model.first.weight.copy_(torch.randn(WIDTH, WIDTH))
        found, wanted = made(example()), model(example())
        for name in wanted:
            torch.testing.assert_close(found[name], wanted[name], rtol=1e-5, atol=1e-5)


def test_the_reason_is_told_where_a_wrapper_is_called_as_it_is(tmp_path):
    shutil.copytree(PASSES, tmp_path / "passes")
    file = tmp_path / "passes" / "bloom_gelu_cpp.py"
    text = file.read_text()
    assert "    out = torch.empty_like(x)\n" in text
    file.write_text(
        text.replace("    out = torch.empty_like(x)\n", "    out = torch.empty_like(x)\n    x.data_ptr()\n")
    )
    with torch.no_grad():
        made = passnet.load_passes(tmp_path / "passes", policy=None).apply(network(), (example(),))
        assert made.replaced == 2
        assert not any(call.frozen for call in made.calls)
        assert all("reads data_ptr" in call.reason for call in made.calls)
        made(example())


def test_a_cuda_graph_needs_a_gpu(passes):
    with torch.no_grad(), pytest.raises(UsageError, match="needs a model on a GPU"):
        passes.apply(network(), (example(),), cuda_graph=True)


def test_without_a_match_there_is_nothing_to_capture(passes):
    with torch.no_grad():
        assert passes.apply(Plain(), (example(),), cuda_graph=True).captured is None


@pytest.mark.gpu
@needs_gpu
class TestOnAGpu:
    @pytest.fixture
    def model(self):
        return network().cuda()

    @pytest.fixture
    def on_gpu(self, passes):
        with torch.no_grad():
            yield passes

    def close(self, found, wanted):
        assert found.keys() == wanted.keys()
        for name in wanted:
            torch.testing.assert_close(found[name], wanted[name], rtol=1e-4, atol=1e-4)

    def test_frozen(self, on_gpu, model):
        made = on_gpu.apply(model, (example().cuda(),))
        assert [call.frozen for call in made.calls] == [True, True]
        for _ in range(3):
            x = torch.randn(4, WIDTH, device="cuda")
            self.close(made(x), model(x))

    def test_user_streams(self, on_gpu, model):
        made = on_gpu.apply(model, (example().cuda(),))
        side = torch.cuda.Stream()
        x = torch.randn(4, WIDTH, device="cuda")
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            torch.cuda._sleep(10_000_000)
            found = made(x)
            assert not side.query()
        side.synchronize()
        self.close(found, model(x))

    def test_a_graph_with_results_copied(self, on_gpu, model):
        made = on_gpu.apply(model, (example().cuda(),), cuda_graph=True)
        inputs = [torch.randn(4, WIDTH, device="cuda") for _ in range(3)]
        found = [made(x) for x in inputs]
        for mine, x in zip(found, inputs, strict=True):
            self.close(mine, model(x))

    def test_a_graph_with_results_left_where_they_are(self, on_gpu, model):
        made = on_gpu.apply(model, (example().cuda(),), cuda_graph="static")
        (buffer,) = made.captured.buffers
        first = made(torch.randn(4, WIDTH, device="cuda"))
        x = torch.randn(4, WIDTH, device="cuda")
        buffer.copy_(x)
        second = made(buffer)
        assert first["logits"].data_ptr() == second["logits"].data_ptr()
        self.close(second, model(x))

    def test_parameters_that_changed_or_moved(self, on_gpu, model):
        made = on_gpu.apply(model, (example().cuda(),), cuda_graph=True)
        x = torch.randn(4, WIDTH, device="cuda")
        model.first.weight.mul_(0.5)
        self.close(made(x), model(x))
        model.second.weight.data = torch.randn(WIDTH, WIDTH, device="cuda")
        self.close(made(x), model(x))

    def test_other_shapes_run_the_model(self, on_gpu, model):
        made = on_gpu.apply(model, (example().cuda(),), cuda_graph=True)
        x = torch.randn(7, WIDTH, device="cuda")
        self.close(made(x), model(x))
