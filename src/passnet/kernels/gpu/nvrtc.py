"""A small compiler program around NVRTC: `python nvrtc.py LIBRARY SOURCE OUTPUT OPTION...`.

It imports nothing of ours. It runs as a child process like any other compiler, so that a time limit and a sandbox can
bound it.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path


class NvrtcError(Exception):
    """NVRTC refused the source. The message is its log."""


def compile_file(library: str, source: Path, output: Path, options: list[str]) -> None:
    """Compile `source` to the cubin `output`. Raises NvrtcError with the compiler's log."""
    for part in sorted(Path(library).parent.glob("libnvrtc-builtins.so*")):
        ctypes.CDLL(str(part))  # The name alone is found only if its directory is on the loader's path.
    nvrtc = ctypes.CDLL(library)
    program = ctypes.c_void_p()
    text = source.read_bytes()
    _check(nvrtc, nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, source.name.encode(), 0, None, None))
    arguments = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    if nvrtc.nvrtcCompileProgram(program, len(options), arguments) != 0:
        raise NvrtcError(_fetch(nvrtc, "ProgramLog", program).decode(errors="replace"))
    output.write_bytes(_fetch(nvrtc, "CUBIN", program))


def _fetch(nvrtc: ctypes.CDLL, what: str, program: ctypes.c_void_p) -> bytes:
    size = ctypes.c_size_t()
    _check(nvrtc, nvrtc[f"nvrtcGet{what}Size"](program, ctypes.byref(size)))
    buffer = ctypes.create_string_buffer(size.value)
    _check(nvrtc, nvrtc[f"nvrtcGet{what}"](program, buffer))
    return buffer.raw.rstrip(b"\0") if what == "ProgramLog" else buffer.raw


def _check(nvrtc: ctypes.CDLL, code: int) -> None:
    if code != 0:
        nvrtc.nvrtcGetErrorString.restype = ctypes.c_char_p
        raise NvrtcError(nvrtc.nvrtcGetErrorString(code).decode())


def main(arguments: list[str]) -> int:
    """Exit code 0 and a cubin, or exit code 1 and the log on the error stream."""
    library, source, output, *options = arguments
    try:
        compile_file(library, Path(source), Path(output), options)
    except (NvrtcError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
