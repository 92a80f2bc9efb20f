"""Files of tables that nobody can have written: the table as far as it makes sense, or a sentence."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import settings_in
from fastapi.testclient import TestClient

from ruse.studio.app import create_app


@pytest.mark.parametrize(
    ("forged", "status"),
    [
        ({"moves": [99]}, 400),  # a move that the game does not have there
        ({"moves": [0] * 40}, 400),  # beyond its end
        ({"deal": 1, "seat": 9, "names": []}, 400),
        # What is no line of a table is as if it were not there, and what comes after it.
        ({"moves": [-1]}, 200),
        ({"deal": 1, "seat": -9, "names": []}, 200),
        ({"deal": True, "seat": 0, "names": []}, 200),
        ({"over": 0, "payoffs": [None, None]}, 200),
        ({"over": 0, "payoffs": [float("nan"), 1]}, 200),
    ],
)
def test_a_forged_line_ends_in_a_sentence(
    client: TestClient, tmp_path: Path, forged: dict[str, Any], status: int
) -> None:
    view = client.post("/api/tables", json={"game": "kuhn", "against": ["random"], "seed": 3}).json()
    path = tmp_path / "runs" / ".games" / "open" / f"{view['id']}.jsonl"
    path.write_bytes(path.read_bytes() + json.dumps(forged).encode() + b"\n")
    with TestClient(create_app(settings_in(tmp_path)), base_url="http://127.0.0.1") as again:
        assert again.get("/api/tables").status_code == 200
        answer = again.get(f"/api/tables/{view['id']}")
        assert answer.status_code == status, answer.text
        assert status == 200 or "\n" not in answer.json()["error"]
