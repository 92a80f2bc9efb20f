"""Clusters that ask for a token: who lacks it, or has another, is told so at once, in one sentence."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ruse.errors import RuseError
from ruse.spread import connect, tokens
from ruse.spread.tokens import OF_CLIENTS, OF_HEAD, ask_for_own_token, must_be_let_in, token_here

ASKS = r" asks for a token: set RAY_AUTH_MODE=token, and the cluster's own token as RAY_AUTH_TOKEN or in .*auth_token "


@pytest.fixture(autouse=True)
def no_token(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in (tokens.MODE, tokens.TOKEN, tokens.TOKEN_FILE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def asking() -> Iterator[str]:
    """Something that turns away whoever does not bring `secret`, as both of Ray's servers do."""
    grpc: Any = pytest.importorskip("grpc")

    def answer(_: bytes, context: Any) -> bytes:
        if ("authorization", "Bearer secret") not in context.invocation_metadata():
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "InvalidAuthToken")
        return b""

    class Asked(grpc.GenericRpcHandler):  # type: ignore[misc]
        def service(self, call: Any) -> Any:
            return grpc.unary_unary_rpc_method_handler(answer) if call.method in (OF_HEAD, OF_CLIENTS) else None

    server = grpc.server(ThreadPoolExecutor(1), handlers=[Asked()])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(0).wait()


def test_who_lacks_the_token_is_told_what_to_do(asking: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for question in (OF_HEAD, OF_CLIENTS):
        with pytest.raises(RuseError, match=f"^ray://x:1{ASKS}"):
            must_be_let_in("ray://x:1", asking, question)
    monkeypatch.setenv(tokens.MODE, "token")  # and there is none
    with pytest.raises(RuseError, match=f"^ray://x:1{ASKS}"):
        must_be_let_in("ray://x:1", asking, OF_CLIENTS)
    monkeypatch.setenv(tokens.TOKEN, "secret")
    must_be_let_in("ray://x:1", asking, OF_CLIENTS)
    monkeypatch.setenv(tokens.TOKEN, "another")
    with pytest.raises(RuseError, match=r"^ray://x:1 refuses the token in \$RAY_AUTH_TOKEN; on the cluster's head"):
        must_be_let_in("ray://x:1", asking, OF_CLIENTS)
    monkeypatch.setenv(tokens.MODE, "disabled")
    with pytest.raises(RuseError, match=f"^ray{ASKS}"):
        must_be_let_in("ray", asking, OF_HEAD, brings_its_own=True)


def test_a_cluster_of_this_machine_is_brought_its_token(asking: str, tmp_path: Path) -> None:
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray" / "auth_token").write_text("secret\n")
    must_be_let_in("ray", asking, OF_HEAD, brings_its_own=True)
    with pytest.raises(RuseError, match=f"^ray{ASKS}"):  # an address that was typed gets it if it is told to
        must_be_let_in("ray", asking, OF_HEAD)


def test_who_does_not_know_the_question_turns_nobody_away(asking: str) -> None:
    must_be_let_in("ray", asking, "/ray.rpc.Another/Question")


def test_where_a_token_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert token_here() == (None, str(tmp_path / ".ray" / "auth_token"))
    (tmp_path / "mine").write_text(" secret \n")
    monkeypatch.setenv(tokens.TOKEN_FILE, str(tmp_path / "mine"))
    assert token_here() == ("secret", str(tmp_path / "mine"))
    (tmp_path / "mine").write_bytes(b"\xff\xfe")
    assert token_here() == (None, str(tmp_path / "mine"))
    monkeypatch.setenv(tokens.TOKEN, "other")
    assert token_here() == ("other", "$RAY_AUTH_TOKEN")


def test_a_cluster_that_is_started_here_has_a_token_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setenv(tokens.MODE, "disabled")
    ask_for_own_token()
    assert token_here()[0] is None, "it was said that there is to be none"
    monkeypatch.delenv(tokens.MODE)
    ask_for_own_token()
    assert token_here()[0] is None, "Ray has looked before"
    monkeypatch.delitem(sys.modules, "ray")
    monkeypatch.setenv(tokens.TOKEN, "")  # so that it is as before afterwards
    ask_for_own_token()
    assert len(token_here()[0] or "") == 64


def test_what_names_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "head")
    with pytest.raises(RuseError, match=r"^\$RAY_ADDRESS names a cluster as HOST:PORT, .*, not 'head'$"):
        connect.cluster_here()
    monkeypatch.setenv("RAY_ADDRESS", "local")
    assert connect.cluster_here() is None
