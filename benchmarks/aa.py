"""A/A: eager judged as if it were a candidate. How far from 1.0 does the bench put two identical programs?

    python benchmarks/aa.py [--device cuda]

Prints the median ratio, the share of graphs within 1 % and 3 % of 1.0 and the share whose interval holds 1.0.
"""

from __future__ import annotations

import common


def main() -> None:
    options = common.arguments(__doc__ or "")
    records = common.run(options, "eager")
    timed = [record for record in records if record.timing is not None]
    ratios = [record.timing.speedup for record in timed if record.timing]
    holds = [t.speedup_ci[0] <= 1.0 <= t.speedup_ci[1] for t in (r.timing for r in timed) if t]
    result = {
        "graphs": len(records),
        "timed": len(timed),
        "not_timed": {f"{r.task}/{r.graph}": r.detail for r in records if r.timing is None},
        "ratio": common.quantiles(ratios),
        "within_1_percent": sum(abs(r - 1) <= 0.01 for r in ratios) / len(ratios),
        "within_3_percent": sum(abs(r - 1) <= 0.03 for r in ratios) / len(ratios),
        "interval_holds_1": sum(holds) / len(holds),
        "seconds_per_graph": sum(r.seconds for r in records) / len(records),
        "rows": [
            {
                "graph": f"{r.task}/{r.graph}",
                "ratio": t.speedup,
                "interval": t.speedup_ci,
                "control": t.control_ratio,
                "eager_us": t.eager_us,
                "processes": [(p.ratio, p.control_ratio) for p in t.processes],
            }
            for r in timed
            if (t := r.timing)
        ],
    }
    for key in ("graphs", "timed", "ratio", "within_1_percent", "within_3_percent", "interval_holds_1"):
        print(f"{key}: {result[key]}")
    print(f"seconds per graph: {result['seconds_per_graph']:.2f}")
    common.write(options, "aa", result)


if __name__ == "__main__":
    main()
