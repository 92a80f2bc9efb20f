"""Tokens: a cluster may ask for one (Ray 2.52 and later), and tells so at once to whoever asks it a small question.

Ray itself tries for half a minute, and says that nobody answers. It takes a token from $RAY_AUTH_TOKEN, from the file
that $RAY_AUTH_TOKEN_PATH names, or from ~/.ray/auth_token, if $RAY_AUTH_MODE is `token`. `ray start --head` asks for
one as soon as there is one on that machine; those who join must be told to bring it.
"""

import importlib
import os
import secrets
import sys
from pathlib import Path
from typing import Any

from ruse.errors import RuseError

MODE, TOKEN, TOKEN_FILE = "RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"
# Questions that need no answer: who may not ask them is told so. A server that has none of them is no reason to stop.
OF_HEAD, OF_CLIENTS = "/ray.rpc.NodeInfoGcsService/CheckAlive", "/ray.rpc.RayletDriver/ClusterInfo"
PATIENCE = 5.0  # seconds for an answer


def must_be_let_in(on: str, address: str, question: str, *, brings_its_own: bool = False) -> None:
    """Raise if the cluster at an address asks for a token and would not be given it.

    One that was found on this machine is brought its token whether or not that was asked for (Ray 2.59 and later).
    """
    if not is_turned_away(address, question):
        return
    is_brought = os.environ.get(MODE, "token" if brings_its_own else "").casefold() == "token"
    token, where = token_here()
    if not is_brought or token is None:
        raise RuseError(
            f"{on} asks for a token: set {MODE}=token, and the cluster's own token as {TOKEN} or in {token_file()} "
            "(on its head `ray get-auth-token` shows it)"
        )
    if is_turned_away(address, question, token):
        raise RuseError(f"{on} refuses the token in {where}; on the cluster's head `ray get-auth-token` shows its own")


def is_turned_away(address: str, question: str, token: str | None = None) -> bool:
    """Whether the cluster refuses to answer for want of its token."""
    try:
        grpc: Any = importlib.import_module("grpc")
    except ImportError:  # without Ray's own client
        return False
    bringing = [] if token is None else [("authorization", f"Bearer {token}")]
    with grpc.insecure_channel(address, options=[("grpc.enable_http_proxy", 0)]) as channel:
        try:
            channel.unary_unary(question)(b"", metadata=bringing, timeout=PATIENCE)
        except grpc.RpcError as error:
            return bool(error.code() is grpc.StatusCode.UNAUTHENTICATED)
    return False


def token_here() -> tuple[str | None, str]:
    """The token that Ray would bring, and where it has it from."""
    if token := os.environ.get(TOKEN):
        return token, f"${TOKEN}"
    try:
        token = token_file().read_text().strip()
    except (OSError, ValueError):
        token = ""
    return token or None, str(token_file())


def token_file() -> Path:
    return Path(os.environ.get(TOKEN_FILE) or "~/.ray/auth_token").expanduser()


def ask_for_own_token() -> None:
    """Let a cluster that this process is about to start ask for a token that nobody else knows, and that is in no file.

    Its ports are open to the network, and whoever gets in may run anything. Too late if Ray has looked before.
    """
    if MODE not in os.environ and "ray" not in sys.modules:
        os.environ[MODE], os.environ[TOKEN] = "token", secrets.token_hex(32)
