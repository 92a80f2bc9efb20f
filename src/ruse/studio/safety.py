"""Who may ask, how much, and how often: looked at before anything else is, for pages, requests and WebSockets alike.

- Host: a page of another site can make a browser ask `127.0.0.1` under a name of its own; only our names are answered.
- Origin: what changes things, and every WebSocket, must come from our own page, or from no page at all.
- Token: needed by whoever asks a studio that other machines can reach. The page is opened with `?token=...` once, and a
  cookie remembers it.
- Size and rate: a request may be so large, and a visitor may ask so often.
"""

import hmac
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse, Response

from ruse.studio.state import StudioSettings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "ruse-token"
LOCAL = ("127.0.0.1", "localhost", "[::1]")
READING = ("GET", "HEAD")
REFUSED = 1008  # the code with which a WebSocket is closed
HEADERS = {
    b"content-security-policy": (
        b"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; "
        b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
}


class Safety:
    """Stands around the app, and lets through what may be asked."""

    def __init__(self, app: App, settings: StudioSettings) -> None:
        self.app = app
        self.settings = settings
        self.rates = Rates(settings.rate, settings.burst, settings.visitors)
        self.names = {name.casefold() for name in (*LOCAL, *settings.names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        answer = self.answer_instead(scope)
        if answer is None:
            await self.let_through(scope, receive, send)
        elif scope["type"] == "http":
            await answer(scope, receive, with_headers(send))
        else:
            await receive()  # "websocket.connect", which is then refused
            await send({"type": "websocket.close", "code": REFUSED})

    def answer_instead(self, scope: Scope) -> Response | None:
        """What is answered in the place of the app; None if it may be asked."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        if bare(host) not in self.names:
            return refusal(403, f"this studio does not answer to the name {host!r}; open it by the address it printed")
        is_reading = scope["type"] == "http" and scope["method"] in READING
        origin = headers.get("origin")
        if origin is not None and not is_reading and host_of(origin) != host:
            return refusal(403, f"the page {origin!r} may not ask this studio")
        if headers.get("sec-fetch-site") == "cross-site" and scope["path"].startswith("/api"):
            return refusal(403, "another page may not ask this studio")
        if self.settings.token is not None:
            asked = parse_qs(scope.get("query_string", b"").decode("latin-1"))
            shown = asked.pop("token", [""])[0]
            if is_reading and scope["path"] == "/" and self.fits(shown):
                query = f"?{urlencode(asked, doseq=True)}" if asked else ""
                page = RedirectResponse(f"./{query}", status_code=303)
                page.set_cookie(COOKIE, shown, httponly=True, samesite="strict", max_age=30 * 86400)
                return page
            if not any(map(self.fits, (shown, bearer(headers), cookie(headers)))):
                return refusal(401, "this studio asks for its token; open it by the address it printed")
        if not self.rates.allow(visitor_of(scope)):
            return refusal(429, "too many requests at once; wait a second")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:18]) > self.room(scope):
            return refusal(413, f"a request may have {self.room(scope):,} bytes")
        return None

    def fits(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), str(self.settings.token).encode())

    def room(self, scope: Scope) -> int:
        """How many bytes a request may bring."""
        brings_record = scope["path"].startswith("/api/records")
        return self.settings.record if brings_record else self.settings.body

    async def let_through(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Ask the app; a body without a length is counted as it comes, and so is what is said over a WebSocket."""
        room = self.room(scope)

        async def counted() -> Message:
            nonlocal room
            message = await receive()
            if message["type"] == "websocket.receive" and not self.rates.allow(visitor_of(scope)):
                await send({"type": "websocket.close", "code": REFUSED})
                return {"type": "websocket.disconnect", "code": REFUSED}
            if message["type"] == "http.request":
                room -= len(message.get("body", b""))
                if room < 0:  # inside of the app, which has the answer to it
                    raise HTTPException(413, f"a request may have {self.room(scope):,} bytes")
            return message

        await self.app(scope, counted, with_headers(send))


class Rates:
    """How often visitors have asked of late: each has a bucket that fills again at a steady rate."""

    def __init__(self, rate: float, burst: int, visitors: int) -> None:
        self.rate, self.burst, self.visitors = rate, burst, visitors
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allow(self, visitor: str, now: float | None = None) -> bool:
        """Whether there is something left for one more request."""
        now = time.monotonic() if now is None else now
        left, last = self.buckets.pop(visitor, (float(self.burst), now))
        left = min(float(self.burst), left + (now - last) * self.rate)
        allowed = left >= 1.0
        self.buckets[visitor] = (left - 1.0 if allowed else left, now)
        if len(self.buckets) > self.visitors:
            self.buckets.popitem(last=False)
        return allowed


def visitor_of(scope: Scope) -> str:
    """Who asks, by the address."""
    return str((scope.get("client") or ("",))[0])


def bare(host: str) -> str:
    """A host without its port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).casefold()


def host_of(origin: str) -> str | None:
    """The host of a page with its port; None of what is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:  # as of "http://["
        return None


def bearer(headers: dict[str, str]) -> str:
    return headers.get("authorization", "").removeprefix("Bearer ")


def cookie(headers: dict[str, str]) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def refusal(status: int, sentence: str) -> Response:
    return JSONResponse({"error": sentence}, status_code=status)


def with_headers(send: Send) -> Send:
    """Say of every answer that it is ours alone: no other page may show it in a frame, or run what is in it."""

    async def headed(message: Message) -> None:
        if message["type"] == "http.response.start":
            names = {name for name, _ in message.get("headers", [])}
            more = [(name, value) for name, value in HEADERS.items() if name not in names]
            message = {**message, "headers": [*message.get("headers", []), *more]}
        await send(message)

    return headed
