"""The feed: one WebSocket a page, over which it hears what is new.

A page says `{"listen": "runs"}` or `{"listen": "metrics/NAME", "since": 120}`, and hears `{"topic", "since", "data"}`
whenever there is something new; `since` is what it says to go on from there after a broken connection. What is new is
found by the source of the topic's first word: a plain function, asked several times a second in a thread while anybody
listens. Areas add theirs with `Feed.source`.
"""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any, NamedTuple

from anyio import to_thread
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, Field, ValidationError

from ruse.errors import RuseError
from ruse.studio.answers import said_on_a_page
from ruse.studio.state import Studio

log = logging.getLogger(__name__)

PAUSE = 0.35  # seconds between two looks at a topic
TOPICS = 24  # that one page listens to at once
MESSAGE = 4096  # bytes of what a page says
FORM = "a message to the feed is listen or leave, with since"

router = APIRouter(prefix="/api/feed", tags=["feed"])


class News(NamedTuple):
    """What is new on a topic, and the number to go on from."""

    since: int
    data: Any


Source = Callable[[str, int], News | None]  # the rest of the topic's name and the number to go on from


class FeedAsk(BaseModel):
    """What a page says: either of the two."""

    listen: str | None = Field(None, max_length=300)
    leave: str | None = Field(None, max_length=300)
    since: int = Field(0, ge=0, le=2**53)


class FeedSaid(BaseModel):
    """What it hears."""

    topic: str
    since: int
    data: Any
    error: str | None = None


class FeedTopics(BaseModel):
    """The feed in words: it is a WebSocket at this same address, which OpenAPI cannot describe."""

    topics: list[str]
    asked: FeedAsk
    said: FeedSaid


class Feed:
    """The sources of a studio, and how many pages listen."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.sources: dict[str, Source] = {}
        self.pages = 0

    def source(self, word: str, find: Source) -> None:
        """Let pages listen to `word`, and to `word/...`."""
        self.sources[word] = find

    def news(self, topic: str, since: int) -> News | None:
        word, _, rest = topic.partition("/")
        if word not in self.sources:
            raise RuseError(f"there is nothing to hear of {topic!r}")
        return self.sources[word](rest, since)


@router.get("")
def words_of_the_feed() -> FeedTopics:
    """What is said over the WebSocket at this address."""
    return FeedTopics(
        topics=["runs", "metrics/RUN", "arena/ID"],
        asked=FeedAsk(listen="metrics/RUN", leave=None, since=0),
        said=FeedSaid(topic="metrics/RUN", since=1, data=[]),
    )


@router.websocket("")
async def listening(socket: WebSocket) -> None:
    """Tell a page what is new, as long as it is there."""
    studio: Studio = socket.app.state.studio
    feed = studio.of(Feed)
    if feed.pages >= studio.settings.feeds:
        await socket.close(code=1013)
        return
    await socket.accept()
    feed.pages += 1
    topics: dict[str, int] = {}
    woken = asyncio.Event()
    telling = asyncio.create_task(tell(socket, feed, topics, woken))
    try:
        while True:
            await hear(socket, topics)
            woken.set()
    except (WebSocketDisconnect, RuntimeError):  # the second: the connection was lost while something was said
        pass
    finally:
        feed.pages -= 1
        telling.cancel()


async def hear(socket: WebSocket, topics: dict[str, int]) -> None:
    """One message of a page. What is no such message is answered, and changes nothing."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text") or ""
    try:
        if not text or len(text) > MESSAGE:
            raise RuseError(f"a message to the feed is a text of up to {MESSAGE} letters")
        asked = FeedAsk.model_validate_json(text)
        if not asked.listen and not asked.leave:
            raise RuseError(FORM)
        if asked.listen and asked.listen not in topics and len(topics) >= TOPICS:
            raise RuseError(f"a page listens to {TOPICS} topics at most")
    except (ValidationError, RuseError) as error:
        sentence = str(error) if isinstance(error, RuseError) else FORM
        await socket.send_text(said("", 0, None, sentence))
        return
    if asked.listen:
        topics[asked.listen] = asked.since
    if asked.leave:
        topics.pop(asked.leave, None)


async def tell(socket: WebSocket, feed: Feed, topics: dict[str, int], woken: asyncio.Event) -> None:
    """Say what is new, again and again."""
    while True:
        for topic, since in list(topics.items()):
            try:
                found = await to_thread.run_sync(feed.news, topic, since)
            except RuseError as error:
                topics.pop(topic, None)
                await socket.send_text(said(topic, since, None, said_on_a_page(error)))
                continue
            except Exception:  # a source that fails must not silence the others
                log.exception("the source of %s failed", topic)
                topics.pop(topic, None)
                await socket.send_text(said(topic, since, None, "this cannot be told just now; see the studio's log"))
                continue
            if found is not None and topics.get(topic) == since:
                topics[topic] = found.since
                await socket.send_text(said(topic, found.since, found.data))
        woken.clear()
        try:
            await asyncio.wait_for(woken.wait(), PAUSE)
        except TimeoutError:
            continue


def said(topic: str, since: int, data: Any, error: str | None = None) -> str:
    return json.dumps({"topic": topic, "since": since, "data": data, "error": error}, allow_nan=False)
