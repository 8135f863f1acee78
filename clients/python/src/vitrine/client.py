from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from .api import Api
from .credentials import ApiKey, Token
from .errors import VitrineError
from .streams import Event, read_events
from .transport import DEFAULT_URL, Transport

if TYPE_CHECKING:
    import pandas

FIRST_POLL_S = 0.05
MAX_POLL_S = 1.0
UPLOAD_FILES = 50
UPLOAD_BYTES = 64 * 1024 * 1024

# Operations that answer in pages: the field with the entries, the parameter of the page, its first value, and the page size.
PAGED = {
    "list_items": ("items", "page_number", 0, 500),
    "list_arrivals": ("items", "page_number", 0, 500),
    "get_cluster": ("items", "page_number", 0, 500),
    "explore": ("clusters", "page_number", 0, 100),
    "list_duplicates": ("groups", "page_number", 0, 100),
    "list_file_errors": ("file_errors", "page_number", 0, 500),
    "list_annotation_problems": ("annotation_problems", "page_number", 0, 500),
    "list_snapshot_changes": ("changes", "page_number", 0, 500),
    "list_tasks": ("tasks", "page", 1, 50),
}

Progress = Callable[[dict[str, Any]], object]


class Vitrine:
    """A Vitrine server. ``api`` has every operation; the other methods combine operations, wait for slow work, page through lists
    and read streams."""

    def __init__(
        self,
        base_url: str = DEFAULT_URL,
        *,
        api_key: str | None = None,
        api_secret: str | None = None,
        token: str | None = None,
    ) -> None:
        auth = ApiKey(api_key, api_secret) if api_key and api_secret else Token(token) if token else None
        self._transport = Transport(base_url, auth)
        self._close: Callable[[], object] = self._transport.close
        self.api = Api(self._transport)

    @property
    def base_url(self) -> str:
        return self._transport.base_url

    def __enter__(self) -> Vitrine:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes connections, and stops the server if :func:`vitrine.open` started it."""
        self._close()

    def find_dataset(self, named: str) -> dict[str, Any]:
        """Finds a dataset by its id or its name. Raises ``not_found``, and ``conflict`` when several have the name."""
        datasets = self.api.list_datasets()
        found = [one for one in datasets if one["id"] == named] or [one for one in datasets if one["display_name"] == named]
        if not found:
            raise VitrineError("not_found", 404, f'There is no dataset "{named}"')
        if len(found) > 1:
            raise VitrineError("conflict", 409, f'Several datasets are named "{named}"; use the id')
        return found[0]

    def address(self, dataset_id: str, query: list[dict[str, Any]] | None = None, *, text: str | None = None) -> str:
        """The address of a query in the app: filters of VQL, or ``text``."""
        asked = {**({"text": text} if text else {}), **({"vql": json.dumps(query)} if query else {})}
        return f"{self.base_url}/#/dataset/{dataset_id}" + (f"?{urlencode(asked)}" if asked else "")

    def index(
        self, name: str, path: str | Path, *, on_progress: Progress | None = None, **options: Any
    ) -> dict[str, Any]:
        """Creates a dataset from a folder of the server or of object storage, and waits until it is indexed."""
        created = self.api.create_dataset(dataset_name=name, bucket_path=str(path), **options)
        return self.wait_for_dataset(created["dataset_id"], on_progress=on_progress)

    def upload(
        self, name: str, folder: str | Path, *, on_progress: Callable[[int], object] | None = None
    ) -> dict[str, Any]:
        """Creates a dataset from the files of a folder of this computer. Returns when they are sent and indexing has started."""
        root = Path(folder)
        dataset_id = self.api.new_dataset(dataset_name=name)["dataset_id"]
        transaction_id = self.api.open_transaction(dataset_id=dataset_id)["trans_id"]
        target = {"dataset_id": dataset_id, "transaction_id": transaction_id}
        outcome: dict[str, Any] = {"accepted": 0, "refused": []}
        n_sent = 0
        for batch in _batches(sorted(path for path in root.rglob("*") if path.is_file())):
            sent = self._send(target, root, batch)
            outcome["accepted"] += sent["accepted"]
            outcome["refused"] += sent["refused"]
            n_sent += len(batch)
            if on_progress:
                on_progress(n_sent)
        return {**outcome, **self.api.process_files(**target)}

    def _send(self, target: dict[str, Any], root: Path, batch: list[Path]) -> dict[str, Any]:
        parts = [(path.relative_to(root).as_posix(), path.read_bytes()) for path in batch]
        try:
            return self.api.upload_files(**target, files=parts)
        except VitrineError as error:
            # A request without any usable file is refused as a whole. Other requests may contain usable files.
            if error.code != "invalid_request":
                raise
            return {"accepted": 0, "refused": [{"file_name": name, "reason": error.detail} for name, _ in parts]}

    def wait_for_dataset(self, dataset_id: str, *, on_progress: Progress | None = None) -> dict[str, Any]:
        """Waits until a dataset is neither indexed nor changed. Raises ``failed`` when its status is ERROR."""
        dataset = _poll(
            lambda: self.api.get_dataset(dataset_id=dataset_id),
            lambda state: state["status_new"] not in ("INDEXING", "READ ONLY"),
            on_progress,
        )
        if dataset["status_new"] == "ERROR":
            raise VitrineError("failed", 200, dataset["fatal_error_msg"] or "It failed")
        return dataset

    def wait_for_task(self, task_id: str, *, on_progress: Progress | None = None) -> dict[str, Any]:
        """Waits until a task has ended. Raises ``failed`` or ``aborted`` when it did not complete; ``not_found``."""
        task = _poll(lambda: self._find_task(task_id), lambda state: state["end_time"] is not None, on_progress)
        if task["status"] != "COMPLETED":
            raise VitrineError(task["status"].lower(), 200, task["error_message"] or task["status_message"])
        return task

    def _find_task(self, task_id: str) -> dict[str, Any]:
        for task in self.each("list_tasks", with_service=True):
            if task["task_id"] == task_id:
                return task
        raise VitrineError("not_found", 404, "There is no such task")

    def export(self, dataset_id: str, to: str | Path, *, on_progress: Progress | None = None, **query: Any) -> Path:
        """Exports matching items, or those of ``media_selection``, into a ZIP file. ``export_format`` is ``json`` unless given."""
        query = {"export_format": "json", **query}
        start = self.api.export_entities_async if "media_selection" in query else self.api.export_dataset_async
        started = start(dataset_id=dataset_id, **query)
        ended = _poll(
            lambda: (
                started
                if started["status"] == "REJECTED"
                else self.api.get_export_status(dataset_id=dataset_id, export_task_id=started["id"])
            ),
            lambda state: state["status"] not in ("INIT", "IN_PROGRESS"),
            on_progress,
        )
        if ended["status"] != "COMPLETED":
            raise VitrineError(ended["status"].lower(), 200, ended["result_message"])
        file = Path(to)
        response = self._transport.send("GET", ended["download_uri"], stream=True)
        try:
            with file.open("wb") as out:
                for chunk in response.iter_bytes():
                    out.write(chunk)
        finally:
            response.close()
        return file

    def download(self, url: str) -> bytes:
        """Fetches a URL that an answer has: an original or a thumbnail."""
        return self._transport.send("GET", url).content

    def each(self, operation: str, **query: Any) -> Iterator[dict[str, Any]]:
        """Yields every entry of an operation that answers in pages, such as ``each("list_items", dataset_id=…)``."""
        entries, page, first, size = PAGED[operation]
        asked = {} if operation == "explore" else {"page_size": size}
        while True:
            found = getattr(self.api, operation)(**query, **asked, **{page: first})[entries]
            yield from found
            if len(found) < size:
                return
            first += 1

    def items(self, dataset_id: str, **query: Any) -> pandas.DataFrame:
        """Matching items as a data frame, indexed by ``media_id``. Needs pandas."""
        from .frames import frame_of

        return frame_of(self.each("list_items", dataset_id=dataset_id, **query))

    def events(self) -> Iterator[Event]:
        """Changes of datasets, tasks, views and models, without end. An event may be missed: read the state after it."""
        return read_events(self._transport, "/api/v1/events")

    def notifications(self) -> Iterator[dict[str, Any]]:
        """New notifications, such as alerts of views, without end. Those missed by a broken connection follow."""
        for name, data in read_events(self._transport, "/api/v1/notifications/stream"):
            if name == "notification":
                yield data


def _poll(
    read: Callable[[], dict[str, Any]], is_final: Callable[[dict[str, Any]], bool], on_progress: Progress | None
) -> dict[str, Any]:
    delay_s = FIRST_POLL_S
    while True:
        state = read()
        if on_progress:
            on_progress(state)
        if is_final(state):
            return state
        time.sleep(delay_s)
        delay_s = min(1.5 * delay_s, MAX_POLL_S)


def _batches(paths: Iterable[Path]) -> Iterator[list[Path]]:
    """Requests of up to 50 files or 64 MB. A larger file is sent alone."""
    batch: list[Path] = []
    n_bytes = 0
    for path in paths:
        size = path.stat().st_size
        if batch and (len(batch) == UPLOAD_FILES or n_bytes + size > UPLOAD_BYTES):
            yield batch
            batch, n_bytes = [], 0
        batch.append(path)
        n_bytes += size
    if batch:
        yield batch
