from __future__ import annotations

from typing import Any

import httpx

from .errors import VitrineError, error_of

DEFAULT_URL = "http://127.0.0.1:2080"
TIMEOUT = httpx.Timeout(60, connect=10)


class Transport:
    """Sends requests with the caller's credentials. Raises :class:`VitrineError`."""

    def __init__(self, base_url: str, auth: httpx.Auth | None) -> None:
        self.base_url = base_url.rstrip("/")
        self._auth = auth
        self._http = httpx.Client(timeout=TIMEOUT, follow_redirects=True)

    def send(self, method: str, path: str, *, stream: bool = False, **options: Any) -> httpx.Response:
        """``path`` is below the address of the server, or a whole URL that the server returned."""
        url = self.base_url + path if path.startswith("/") else path
        # Signed URLs of another host work without credentials, which must not reach it.
        auth = self._auth if url.startswith(self.base_url + "/") else None
        request = self._http.build_request(method, url, **options)
        try:
            response = self._http.send(request, auth=auth, stream=stream)
        except httpx.TransportError as error:
            raise VitrineError("unreachable", 0, f"Vitrine does not answer at {self.base_url}") from error
        if response.is_error:
            raise error_of(response)
        return response

    def close(self) -> None:
        self._http.close()
