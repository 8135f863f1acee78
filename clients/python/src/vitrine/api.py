from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote, urlencode

from .transport import Transport

# Queries longer than this are sent in a body, where the operation allows it. Proxies limit addresses to 8 kB or less.
MAX_QUERY_LENGTH = 4000


@cache
def routes() -> Mapping[str, Mapping[str, Any]]:
    """How each operation is sent, written by ``npm run generate:clients`` from the OpenAPI document."""
    return json.loads(files(__package__).joinpath("operations.json").read_text("utf-8"))


class Api:
    """One method per operation of the API, named by its ``operationId``, with keyword arguments.

    Answers are the parsed JSON; operations that answer with a file return its bytes.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *routes()]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        route = routes().get(name)
        if route is None:
            raise AttributeError(f"There is no operation {name}")
        method = _method(self._transport, name, route)
        # Later calls find the method without this one.
        self.__dict__[name] = method
        return method


def _method(transport: Transport, name: str, route: Mapping[str, Any]) -> Callable[..., Any]:
    signature = _signature(route)

    def call(**fields: Any) -> Any:
        signature.bind(**fields)
        method, path, options = build_request(route, fields)
        response = transport.send(method, f"/api/v1{path}", **options)
        match route["reply"]:
            case "json":
                return response.json()
            case "text":
                return response.text
            case "file":
                return response.content
            case _:
                return None

    call.__name__ = name
    call.__qualname__ = f"Api.{name}"
    call.__doc__ = route["summary"] + "."
    call.__signature__ = signature  # type: ignore[attr-defined]
    return call


def _signature(route: Mapping[str, Any]) -> inspect.Signature:
    only = inspect.Parameter.KEYWORD_ONLY
    required = [inspect.Parameter(name, only) for name in route["required"]]
    optional = [inspect.Parameter(name, only, default=None) for name in route["optional"]]
    return inspect.Signature([*required, *optional])


def build_request(route: Mapping[str, Any], fields: Mapping[str, Any]) -> tuple[str, str, dict[str, Any]]:
    """Splits the fields of an operation into method, path with query string, and the body as options of httpx."""
    rest = {name: value for name, value in fields.items() if value is not None}
    path = route["path"]
    for name in [*rest]:
        if f"{{{name}}}" in path:
            path = path.replace(f"{{{name}}}", quote(str(rest.pop(name)), safe=""))
    body = route.get("body")
    in_query = {name: v for name, v in rest.items() if body is None or name in route.get("query", ())}
    in_body = {name: v for name, v in rest.items() if name not in in_query}
    query = urlencode({name: _text(value) for name, value in in_query.items()})
    if route.get("also_by_post") and len(query) > MAX_QUERY_LENGTH:
        return "POST", path, {"json": rest}
    options: dict[str, Any] = {}
    if body == "json":
        options["json"] = in_body
    elif body == "form":
        # All fields are parts of one multipart body; httpx opens nothing itself.
        options["files"] = [
            (name, part if isinstance(part, tuple) else (None, _text(part)))
            for name, value in in_body.items()
            for part in (value if isinstance(value, list) else [value])
        ]
    return route["method"], f"{path}?{query}" if query else path, options


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value) if isinstance(value, list | dict | tuple) else str(value)
