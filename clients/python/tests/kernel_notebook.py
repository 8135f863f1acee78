"""Runs a notebook in a real kernel that shows a dataset of the server with the data folder ``TEST_DATA``."""

from __future__ import annotations

import nbformat
from nbclient import NotebookClient

CELLS = [
    """import os, vitrine
client = vitrine.find(os.environ["TEST_DATA"])
client.index("Notebook", os.environ["TEST_PHOTOS"])
view = vitrine.show("Notebook", [{"labels": {"op": "one_of", "value": ["blob"]}}], client=client)
view""",
    """view.set_state({"selection": [{"type": "media", "payload": {"media_ids": ["a", "b"]}}], "count": 2})
print(view.count, view.media_ids, view.url.partition("#")[2])""",
]

notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
NotebookClient(notebook, kernel_name="python3").execute()
shown, printed = notebook.cells
assert any("application/vnd.jupyter.widget-view+json" in output.get("data", {}) for output in shown.outputs), shown.outputs
text = printed.outputs[0]["text"]
assert text.startswith("2 ['a', 'b'] /dataset/") and "labels" in text, text
