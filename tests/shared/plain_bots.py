"""Bots in plain Python."""

from ruse.play.bots.bot import Seat


class Uniform:
    """Plays at random, in plain Python."""

    def act(self, seat: Seat) -> int:
        return int(seat.u * len(seat.actions))
