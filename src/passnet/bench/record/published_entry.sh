#!/bin/sh
# Evaluates this task with PassNet and leaves validation.log and aggregated_score.json in one directory.
# PASSNET_OUTPUT_PATH: that directory. PASSNET_DEVICE: cpu or cuda.
set -eu
sample=$(cd "$(dirname "$0")" && pwd)
out=${PASSNET_OUTPUT_PATH:-/tmp/workspace_pass_bench_test}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passnet eval "$sample" --device "${PASSNET_DEVICE:-@DEVICE@}" --compiler @COMPILER@ --policy @POLICY@ --runs "$work" --run task
passnet export "$work/task" --out "$work/out" --logs-only
mkdir -p "$out"
rm -f "$out/validation.log" "$out/aggregated_score.json"
cp "$work/out/samples/"*/validation.log "$work/out/samples/"*/aggregated_score.json "$out/"
