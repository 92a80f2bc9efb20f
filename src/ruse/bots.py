"""Bots, and who may sit where."""

from ruse.play.bots.bot import Bot, CompiledBot, RandomBot, Seat, StrategyBot, WatchingBot
from ruse.play.bots.names import bot
from ruse.training.terms.teachers import Teachers

__all__ = ["Bot", "CompiledBot", "RandomBot", "Seat", "StrategyBot", "Teachers", "WatchingBot", "bot"]
