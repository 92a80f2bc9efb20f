"""The API as it is documented, asked what nobody would: by schemathesis, from OpenAPI."""

from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, settings

from ruse.studio.app import create_app
from ruse.studio.state import StudioSettings

schemathesis = pytest.importorskip("schemathesis")

pytestmark = pytest.mark.slow

SLOW = ("/api/forms/fits", "/api/forms/size", "/api/forms/start")  # ask another process
OPERATIONS = [
    (method.upper(), path) for path, item in create_app().openapi()["paths"].items() for method in item
]  # fmt: skip


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    runs: Path = tmp_path_factory.mktemp("fuzz")
    return create_app(StudioSettings(runs=runs, burst=10**9, names=("testserver",)))


@pytest.mark.filterwarnings("ignore")  # schemathesis's own
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_the_api_keeps_its_word(app: FastAPI, method: str, path: str) -> None:
    """No request makes it fail, and each answer is of the form that is documented."""
    operation = schemathesis.openapi.from_dict(app.openapi())[path][method]

    with TestClient(app, raise_server_exceptions=False) as client:

        @given(case=operation.as_strategy())
        @settings(
            max_examples=8 if path in SLOW else 40, deadline=None, phases=[Phase.generate], derandomize=True,
            database=None, suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        def ask(case: Any) -> None:
            body = (
                {} if not isinstance(case.body, dict | list | str | int | float | bool | None) else {"json": case.body}
            )
            query = {name: str(value) for name, value in (case.query or {}).items()}
            answer = client.request(method, case.formatted_path, params=query, **body)
            told = operation.definition.raw["responses"]
            assert str(answer.status_code) in told, f"{answer.status_code}: {answer.text}"
            assert answer.status_code < 500, answer.text
            if answer.headers.get("content-type") == "application/json":
                assert answer.status_code == 200 or isinstance(answer.json()["error"], str)

        ask()
