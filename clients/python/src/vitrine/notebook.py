from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from .client import Vitrine
from .local import open as open_local


class DatasetView(anywidget.AnyWidget):
    """The app in a notebook. ``selection`` is what is selected there, as the ``media_selection`` of edits and exports."""

    _esm = Path(__file__).parent / "widget.js"
    url = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(640).tag(sync=True)
    selection = traitlets.List().tag(sync=True)
    count = traitlets.Int(0).tag(sync=True)

    @property
    def media_ids(self) -> list[str]:
        """Ids of the items that are selected one by one; clusters and queries are in ``selection`` only."""
        parts = [part for part in self.selection if part["type"] == "media"]
        return [one for part in parts for one in part["payload"]["media_ids"]]


def show(
    dataset: str,
    query: list[dict[str, Any]] | None = None,
    *,
    text: str | None = None,
    client: Vitrine | None = None,
    height: int = 640,
) -> DatasetView:
    """Shows a dataset, named by its name or id, on a query: filters of VQL, or ``text``.

    ``client`` is the server (default: that of :func:`vitrine.open`). Its setting ``EMBED_ORIGINS`` must name the origin of the
    notebook, such as ``http://localhost:8888``.
    """
    server = client or open_local()
    found = server.find_dataset(dataset)
    return DatasetView(url=server.address(found["id"], query, text=text), height=height)
