"""Policies of different types in a chain, so that a kernel can call the one that plays."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ruse.compile import compiled
from ruse.compile.files.mistakes import raised
from ruse.errors import RuseError
from ruse.protocol.game import Game

LARGEST = 1 << 20  # integers that a policy may remember


@compiled("watch_each", "decide_as")
class Policies(NamedTuple):
    """A policy, and the others. Each has a memory of the same size, one behind the other."""

    policy: Any
    rest: Any  # the others, as Policies; a NoPolicy after the last

    @classmethod
    def of(cls, policies: Sequence[Any]) -> "Policies":
        chain: Any = NoPolicy()
        for policy in reversed(policies):
            chain = cls(policy, chain)
        return chain  # type: ignore[no-any-return]

    def listed(self) -> list[Any]:
        """All of them in order. Never compiled."""
        return [self.policy, *self.rest.listed()]

    def watch_each(self, game, seen, me, memory, size):
        self.policy.watch(game, seen, me, memory[:size])
        self.rest.watch_each(game, seen, me, memory[size:], size)

    def decide_as(self, which, game, seen, me, memory, size, count, u):
        if which == 0:
            return self.policy.decide(game, seen, me, memory[:size], count, u)
        return self.rest.decide_as(which - 1, game, seen, me, memory[size:], size, count, u)

    def __repr__(self) -> str:
        return ", ".join(map(repr, self.listed()))


@compiled("watch_each", "decide_as")
class NoPolicy(NamedTuple):
    """The end of a chain."""

    nothing: int = 0

    def listed(self) -> list[Any]:
        return []

    def watch_each(self, game, seen, me, memory, size):
        pass

    def decide_as(self, which, game, seen, me, memory, size, count, u):
        return -1


def policy_name(policy: Any) -> str:
    """What a policy is called where it is chosen."""
    with blaming(policy):
        return str(getattr(policy, "name", type(policy).__name__))


def memory_of(policies: Sequence[Any], game: Game) -> int:
    """The largest memory that one of the policies has in a game."""
    return max(_remembered(policy, game) for policy in policies)


def _remembered(policy: Any, game: Game) -> int:
    with blaming(policy):
        size = policy.memory_size(game)
    if not isinstance(size, int | np.integer) or not 0 <= size <= LARGEST:
        raise RuseError(
            f"memory_size() of the policy {policy_name(policy)} must return a whole number from 0 to {LARGEST:,}, "
            f"not {size!r:.80}"
        )
    return int(size)


@contextmanager
def blaming(part: Any) -> Iterator[None]:
    """Whatever the part's own code raises is told as its fault, in one sentence."""
    try:
        yield
    except RuseError:
        raise
    except (Exception, SystemExit) as error:
        raise RuseError(f"{type(part).__qualname__} has failed: {fault_in(error)}") from error


def fault_in(error: BaseException) -> str:
    """What somebody's code has raised, and where."""
    words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return raised(error) or " ".join(words.split())
