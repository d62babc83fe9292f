#!/usr/bin/env bash
# Writes cuda.txt and cpu.txt anew: every package that a user of all shared extras has, with its exact version.
# Needs uv. cpu.txt is the same resolution without what only a CUDA build of torch needs, and without Triton.
set -euo pipefail
cd "$(dirname "$0")/.."
extras=(triton numba data models model mcp serve)
uv pip compile pyproject.toml "${extras[@]/#/--extra=}" --constraint constraints.txt --python-version 3.11 \
    --python-platform x86_64-manylinux_2_28 --quiet --no-header --no-annotate --output-file requirements/cuda.txt
grep -vE '^(nvidia-|cuda-|triton==)' requirements/cuda.txt > requirements/cpu.txt
