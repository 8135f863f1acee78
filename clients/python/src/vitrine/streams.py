from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import httpx

from .errors import VitrineError
from .transport import Transport

REOPEN_S = 1.0
MAX_REOPEN_S = 30.0
# The server sends a ping every three seconds.
TIMEOUT = httpx.Timeout(15)


class Event(NamedTuple):
    name: str
    data: dict[str, Any]


def read_events(transport: Transport, path: str) -> Iterator[Event]:
    """Yields server-sent events except pings. A broken connection is opened again, and events that the server can repeat follow."""
    last_id: str | None = None
    delay_s = REOPEN_S
    while True:
        headers = {"accept": "text/event-stream", **({"last-event-id": last_id} if last_id else {})}
        try:
            response = transport.send("GET", path, stream=True, headers=headers, timeout=TIMEOUT)
            try:
                for name, data, event_id in parse_events(response.iter_lines()):
                    delay_s = REOPEN_S
                    last_id = event_id or last_id
                    if name != "ping":
                        yield Event(name, json.loads(data))
            finally:
                response.close()
        except httpx.TransportError:
            pass
        except VitrineError as error:
            if not error.is_transient:
                raise
        time.sleep(delay_s)
        delay_s = min(2 * delay_s, MAX_REOPEN_S)


def parse_events(lines: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yields name, data and id of the events of a stream (HTML, section 9.2.6)."""
    name, data, event_id = "message", [], ""
    for line in lines:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if line == "":
            if data:
                yield name, "\n".join(data), event_id
            name, data = "message", []
        elif field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif field == "id":
            event_id = value
