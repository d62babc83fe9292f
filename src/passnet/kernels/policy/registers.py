"""Special registers of PTX: what instructions may read beside their operands."""

from __future__ import annotations

import re

from passnet.op_classes import word_set

# Where a thread is in its launch. Triton reads these itself.
PLACES = frozenset(
    f"%{name}"
    for name in word_set(
        "tid ntid ctaid nctaid laneid lanemask_eq lanemask_le lanemask_lt lanemask_ge lanemask_gt is_explicit_cluster "
        "clusterid nclusterid cluster_ctaid cluster_nctaid cluster_ctarank cluster_nctarank"
    )
)
# How the names of all of them begin. The others are clocks and counters, or say which launch, graph or processor it is.
SPECIAL = re.compile(
    r"%(?:aggr_smem|atexit_|clock|cluster|ctaid|current_graph|devtool_|dynamic_smem|envreg|globaltimer|gridid"
    r"|is_explicit|lane(?:id|mask)|nclusterid|nctaid|nsmid|ntid|nwarpid|pm\d|reserved_smem|smid|stack(?:end|init)|tid"
    r"|total_smem|warpid)"
)
COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|(?P<open>\Z))", re.DOTALL)
_TEXT = re.compile(r'"[^"\n]*"')
_DECLARED = re.compile(r"\.reg\s+(?:\.\w+\s+)+([^;]*);")
_NAME = re.compile(r"%\w+")
_DIGITS = "0123456789"


def foreign_register(text: str) -> str | None:
    """The first name in a text of PTX that is no register of its own, nor a place of a thread. None without one."""
    code = _TEXT.sub(" ", COMMENT.sub(" ", text))
    own = {name for names in _DECLARED.findall(code) for name in _NAME.findall(names)} - PLACES
    own = {name for name in own if not SPECIAL.match(name)}
    known = PLACES | own
    return next((name for name in _NAME.findall(code) if name not in known and name.rstrip(_DIGITS) not in own), None)
