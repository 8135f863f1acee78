from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas


def frame_of(items: Iterable[dict[str, Any]]) -> pandas.DataFrame:
    """A data frame with a row per item, indexed by ``media_id``; lists such as ``labels`` stay lists."""
    frame = pandas.DataFrame(list(items))
    return frame.set_index("media_id") if "media_id" in frame else frame


def selection_of(items: pandas.DataFrame | Iterable[str]) -> list[dict[str, Any]]:
    """The ``media_selection`` of edits and exports for the rows of a data frame, or for ids."""
    ids = items.index if isinstance(items, pandas.DataFrame) else items
    return [{"type": "media", "payload": {"media_ids": [str(one) for one in ids]}}]
