"""Special registers of PTX, as the assembler that comes with Triton knows them."""

import codecs
import re
import subprocess
from pathlib import Path

import pytest

from passnet.kernels.policy.registers import PLACES, SPECIAL, foreign_register

nvidia = pytest.importorskip("triton.backends.nvidia")
ASSEMBLER = Path(nvidia.__path__[0]) / "bin" / "ptxas"
READS = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry reads() {
    .reg .b64 %wide;
    .reg .b32 %word;
    mov.u64 %wide, NAME;
    mov.u32 %word, NAME;
    ret;
}
"""


def assembles(text: str, directory: Path) -> bool:
    (directory / "reads.ptx").write_text(text)
    command = [ASSEMBLER, "-arch=sm_90", "reads.ptx", "-o", "reads.cubin"]
    return subprocess.run(command, cwd=directory, capture_output=True, check=False).returncode == 0


def test_the_assembler_knows_no_other_special_registers(tmp_path: Path) -> None:
    """It holds some of their names in another spelling."""
    written = {name.decode() for name in re.findall(rb"(?<=\0)%[a-z_]{4,}[a-z0-9_]*(?=\0)", ASSEMBLER.read_bytes())}
    names = written | {codecs.encode(name, "rot13") for name in written}
    assert {"%gridid", "%clock64", "%current_graph_exec", "%laneid", "%smid"} <= names
    others = [name for name in names if not SPECIAL.match(name)]
    reads = {line for line in READS.splitlines() if "NAME" in line}
    ways = [READS.replace(line, "") for line in reads]
    assert assembles(ways[0].replace("NAME", "7"), tmp_path)
    assert [name for name in others for way in ways if assembles(way.replace("NAME", name), tmp_path)] == []


@pytest.mark.parametrize("name", ["%gridid", "%clock64", "%envreg31", "%pm0", "%pm7_64", "%warpid", "%unheard_of"])
def test_what_is_no_register_of_a_text_is_found(name: str) -> None:
    assert name not in PLACES
    own = '.reg .pred %p<3>;\n.reg .b64 \t%rd<2>, %SP;\nmov.u64 %rd1, %SP;\n.file 1 "a%20b"\n'
    assert foreign_register(f"{own}mov.u32 %rd0, %tid.x;\nmov.u64 %rd1, {name};") == name
    assert foreign_register(f"{own}mov.u32 %rd1, %nctaid.y; // {name}\nmov.u32 %rd1, %laneid; /* {name} */") is None


def test_a_declaration_makes_no_special_register_a_texts_own() -> None:
    assert foreign_register(".reg .b32 %gridid<1>; mov.u64 %gridid0, %gridid;") == "%gridid"
    assert foreign_register(".reg .b32 %clock; mov.u32 %clock, 1;") == "%clock"
