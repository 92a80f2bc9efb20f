"""Memory that can be had now: what the machine has free, or less where a container or a service may not take it all."""

import os
from pathlib import Path

UNKNOWN = 1 << 63  # half of the 64-bit address space, where the system does not tell
CACHE = ("inactive_file", "total_inactive_file")  # what the group's files take, and give back when it is needed


def free_memory(root: Path = Path("/")) -> int:
    """Bytes of memory that this process can have now."""
    return min(free_in_machine(root), free_in_groups(root))


def free_in_machine(root: Path) -> int:
    try:
        fields = dict(line.split(":") for line in (root / "proc/meminfo").read_text().splitlines())
        return int(fields["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        pages = getattr(os, "sysconf", lambda _: -1)("SC_PHYS_PAGES")
        return pages * os.sysconf("SC_PAGE_SIZE") if pages > 0 else UNKNOWN


def free_in_groups(root: Path) -> int:
    """What the control groups of Linux leave, of either version: the least of this process's group and those above."""
    try:
        lines = [line.split(":", 2) for line in (root / "proc/self/cgroup").read_text().splitlines()]
    except OSError:
        return UNKNOWN
    found = UNKNOWN
    for _, kinds, path in (line for line in lines if len(line) == 3):
        if kinds == "":
            top, most, used = root / "sys/fs/cgroup", "memory.max", "memory.current"
        elif "memory" in kinds.split(","):
            top, most, used = root / "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
        else:
            continue
        group = top / path.lstrip("/")
        # In a container the path may be one of the machine's, which is not here: the top is the container's then.
        for folder in {group, *group.parents, top}:
            if folder == top or top in folder.parents:
                found = min(found, left_in(folder, most, used))
    return found


def left_in(folder: Path, most: str, used: str) -> int:
    """What one group leaves; as good as no end if it has no limit."""
    try:
        limit = int((folder / most).read_text())
        taken = int((folder / used).read_text())
        told = dict(line.split(maxsplit=1) for line in (folder / "memory.stat").read_text().splitlines())
        return max(limit - taken + max(int(told.get(name, 0)) for name in CACHE), 0)
    except (OSError, ValueError):  # "max" is no number
        return UNKNOWN
