from __future__ import annotations

import httpx


class VitrineError(Exception):
    """A failed call. ``code`` is the code that the server sent, or ``unreachable`` if there was no answer (``status`` 0)."""

    def __init__(self, code: str, status: int, detail: str, fields: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.status = status
        self.detail = detail
        self.fields = fields or {}

    @property
    def is_transient(self) -> bool:
        """Whether the same call may succeed a moment later."""
        return self.status in (0, 429, 503)


def error_of(response: httpx.Response) -> VitrineError:
    """The error of an answer."""
    response.read()
    try:
        body = response.json()
    except ValueError:
        # A proxy answered with a page of its own.
        body = {}
    if not isinstance(body, dict):
        body = {}
    detail = body.get("detail")
    return VitrineError(
        str(body.get("code", "internal")),
        response.status_code,
        detail if isinstance(detail, str) else f"The server answered {response.status_code}",
        body.get("fields"),
    )
