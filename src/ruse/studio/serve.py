"""Run a studio: a server on this machine, and the browser that opens it."""

import asyncio
import logging
import os
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from fastapi import FastAPI

from ruse.errors import RuseError
from ruse.studio.app import create_app
from ruse.studio.state import StudioSettings

HERE = ("127.0.0.1", "localhost", "::1")
EVERY = ("0.0.0.0", "::")  # all addresses of this machine, and none that can be typed
ELSEWHERE = ("192.0.2.1", 9)  # an address for documents: nothing is ever sent to it
TRIED = 20  # ports after the one that is usual
SOON = 0.5  # seconds that answers take which nobody is told of
MESSAGE = 1 << 16  # bytes of a message over a WebSocket
UNANSWERED = "the studio ends in some seconds, though something is still being answered; what was played is on disk"
NO_TEXT = "Invalid UTF-8 sequence received from client"  # what the server's log says of that
LEFT = "timeout graceful shutdown exceeded"  # with which a request ends that is not done when the server ends


def safe_for(host: str, settings: StudioSettings) -> StudioSettings:
    """The settings for a host: one that other machines can reach gets a token."""
    settings = settings._replace(host=host)
    if host in HERE:
        return settings
    names = [host] if host not in EVERY else addresses()
    return settings._replace(token=settings.token or secrets.token_urlsafe(24), names=(*settings.names, *names))


def addresses() -> list[str]:
    """The names and addresses of this machine, as others may write them."""
    name = socket.gethostname()
    found = {name, socket.getfqdn()}
    with suppress(OSError):
        found |= {str(info[4][0]) for info in socket.getaddrinfo(name, None)}
    # Many a machine takes its own name for a loopback address; which one others see is told by a way to them.
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        way.connect(ELSEWHERE)
        found.add(str(way.getsockname()[0]))
    return sorted(f"[{one}]" if ":" in one else one for one in found)


def listening_socket(host: str, port: int | None, usual: int) -> socket.socket:
    """A socket on a port: the one that was asked for, or else the usual one or the next that is free."""
    wanted = [port] if port is not None else [*range(usual, usual + TRIED), 0]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    trouble: OSError | None = None
    for number in wanted:
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, number))
            made.listen(128)
            return made
        except (OSError, OverflowError) as error:
            made.close()
            if isinstance(error, OverflowError):
                raise RuseError(f"--port must be from 0 to 65535, got {number}") from error
            trouble = error
    reason = trouble.strerror if trouble else "no port is free"
    raise RuseError(f"cannot listen at {host}:{port}: {reason}; give another --port, or leave it out")


def serve(
    settings: StudioSettings, *, port: int | None, open_browser: bool, tell: Callable[[str], None]
) -> None:  # fmt: skip
    """Serve until it is interrupted. `tell` is given the address once it can be asked."""
    with listening_socket(settings.host, port, settings.port) as bound:
        number = bound.getsockname()[1]
        settings = settings._replace(port=number)
        rest = f":{number}/" + (f"?token={settings.token}" if settings.token else "")
        server = server_of(create_app(settings))
        tell(f"http://{typed_host(settings.host)}{rest}")
        if open_browser:
            threading.Timer(0.4, open_page, [f"http://{own_host(settings.host)}{rest}"]).start()
        run_until_ended(server, bound)


def run_until_ended(server: uvicorn.Server, bound: socket.socket) -> None:
    """Serve, and come back when the server has ended, whatever is still being answered then.

    A thread cannot be ended from without, and `asyncio.run` would wait for each: for a bot that never answers.
    """
    loop = (server.config.get_loop_factory() or asyncio.new_event_loop)()
    try:
        loop.run_until_complete(server.serve(sockets=[bound]))
        raise KeyboardInterrupt  # it was ended all the same where that was to be ignored, as in the background
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())  # and what is still to be called: idle threads then end


def is_trouble(record: logging.LogRecord) -> bool:
    """Whether a line of the log is of something else than a request that was left behind when the server ended, or a
    page that sent what is no text, and hears so by the number with which its WebSocket is closed.
    """
    error = record.exc_info[1] if record.exc_info else None
    told = f"{record.getMessage()} {error}"
    return LEFT not in told and NO_TEXT not in told


def typed_host(host: str) -> str:
    """What others type to reach a studio that listens at this host."""
    name = socket.gethostname() if host in EVERY else host
    return f"[{name}]" if ":" in name else name


def own_host(host: str) -> str:
    """What the browser of this machine is given, which need not know this machine's name."""
    return "127.0.0.1" if host == "0.0.0.0" else "[::1]" if host == "::" else typed_host(host)


class Ending(uvicorn.Server):
    """A server that says so if it has to wait when it ends."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        waiting = asyncio.get_running_loop().call_later(SOON, self.say_why)
        try:
            await super().shutdown(sockets)
        finally:
            waiting.cancel()

    def say_why(self) -> None:
        if self.server_state.tasks:
            print(f"ruse: {UNANSWERED}", file=sys.stderr, flush=True)


def server_of(app: FastAPI) -> uvicorn.Server:
    """A server for an application, on a socket that `run` is given."""
    logging.getLogger("uvicorn.error").addFilter(is_trouble)
    return Ending(uvicorn.Config(
        app, log_level="warning", ws="websockets-sansio", ws_max_size=MESSAGE, timeout_graceful_shutdown=2,
        server_header=False, h11_max_incomplete_event_size=1 << 16,
    ))  # fmt: skip


def open_page(address: str) -> None:
    """Open it in a browser, if there is one that has windows: others would take the terminal."""
    if sys.platform.startswith("linux") and not any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY"))):
        return
    with suppress(webbrowser.Error, OSError):
        webbrowser.open(address)
