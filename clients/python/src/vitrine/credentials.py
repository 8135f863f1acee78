from __future__ import annotations

import time
from collections.abc import Generator

import httpx
import jwt

LIFETIME_S = 600
# A token is replaced this long before it expires.
MARGIN_S = 60


class ApiKey(httpx.Auth):
    """Signs requests with short-lived tokens of an API key. Tokens are reused until shortly before they expire."""

    def __init__(self, api_key: str, api_secret: str) -> None:
        self._key = api_key
        self._secret = api_secret
        self._token = ""
        self._expires_at = 0

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        now = int(time.time())
        if now > self._expires_at - MARGIN_S:
            self._expires_at = now + LIFETIME_S
            claims = {"sub": self._key, "iss": "sdk", "iat": now, "exp": self._expires_at}
            self._token = jwt.encode(claims, self._secret, algorithm="HS256", headers={"kid": self._key})
        request.headers["authorization"] = f"Bearer {self._token}"
        yield request


class Token(httpx.Auth):
    """Sends a ready bearer token."""

    def __init__(self, token: str) -> None:
        self._token = token

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["authorization"] = f"Bearer {self._token}"
        yield request
