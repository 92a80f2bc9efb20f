"""The API as it is documented, asked what nobody would: by schemathesis, from OpenAPI."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from ruse.studio.app import create_app
from ruse.studio.state import StudioSettings

schemathesis = pytest.importorskip("schemathesis")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> object:
    runs: Path = tmp_path_factory.mktemp("fuzz")
    app = create_app(StudioSettings(runs=runs, burst=10**9, names=("testserver",)))
    return schemathesis.openapi.from_asgi("/openapi.json", app)


schema = schemathesis.pytest.from_fixture("api")


@schema.parametrize()
@settings(
    max_examples=15, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), derandomize=True
)  # fmt: skip
def test_the_api_keeps_its_word(case: object) -> None:
    """No request makes it fail, and each answer is of the form that is documented."""
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    checks = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
    case.call_and_validate(checks=checks)  # type: ignore[attr-defined]
