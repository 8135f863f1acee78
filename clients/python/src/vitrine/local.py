from __future__ import annotations

import atexit
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

from .client import Vitrine
from .errors import VitrineError

STOP_LIMIT_S = 30


def default_data_folder() -> Path:
    """``VITRINE_DATA``, else the platform's folder for application data."""
    if data := os.environ.get("VITRINE_DATA"):
        return Path(data)
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming") / "Vitrine"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Vitrine"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "vitrine"


def find(data: str | Path | None = None) -> Vitrine | None:
    """A client of the server that uses a data folder, or None if none does."""
    try:
        # The server writes this file, which only its user can read, when it listens.
        address = json.loads((Path(data or default_data_folder()) / "address").read_text("utf-8"))
    except OSError:
        return None
    client = Vitrine(address["base_url"], token=address["key"])
    try:
        # A server that was killed leaves its file.
        client.api.healthcheck()
    except VitrineError:
        client.close()
        return None
    return client


def open(data: str | Path | None = None, *, command: list[str] | None = None) -> Vitrine:
    """Opens the server that uses a data folder, or starts one if there is none; it is stopped by ``close``, or when Python exits.

    ``command`` starts a server (default: ``VITRINE_COMMAND``, else ``vitrine serve``). Raises ``unavailable`` when none can be
    started.
    """
    if running := find(data):
        return running
    folder = Path(data or default_data_folder()).resolve()
    words = command or shlex.split(os.environ.get("VITRINE_COMMAND", "vitrine serve"))
    arguments = [*words, "--port", "0", "--data", str(folder)]
    try:
        server = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        raise VitrineError("unavailable", 0, f'No server could be started with "{words[0]}": {error}') from error
    assert server.stdout and server.stderr
    for line in server.stdout:
        if line.startswith("vitrine listening on "):
            break
    client = find(folder) if server.poll() is None else None
    if client is None:
        server.kill()
        raise VitrineError("unavailable", 0, f'No server could be started with "{words[0]}": {server.stderr.read().strip()}')
    close_connections = client._close

    def stop() -> None:
        atexit.unregister(stop)
        close_connections()
        server.terminate()
        server.wait(STOP_LIMIT_S)
        for pipe in (server.stdout, server.stderr):
            if pipe:
                pipe.close()

    atexit.register(stop)
    client._close = stop
    return client
