"""Client of Vitrine: datasets of images and videos over its HTTP API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .client import Vitrine
from .errors import VitrineError
from .local import find, open
from .streams import Event

if TYPE_CHECKING:
    from .notebook import DatasetView

__all__ = ["Event", "Vitrine", "VitrineError", "find", "open", "selection_of", "show"]


def show(dataset: str, query: list[dict[str, Any]] | None = None, **options: Any) -> DatasetView:
    """Shows a dataset in a notebook; see :func:`vitrine.notebook.show`. Needs anywidget."""
    from .notebook import show as show_dataset

    return show_dataset(dataset, query, **options)


def selection_of(items: Any) -> list[dict[str, Any]]:
    """The ``media_selection`` of edits and exports for the rows of a data frame, or for ids. Needs pandas."""
    from .frames import selection_of as selection

    return selection(items)
