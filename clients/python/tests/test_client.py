"""Tests against a real server, whose address, data folder, photos and start command the environment names."""

from __future__ import annotations

import inspect
import os
import shlex
import tempfile
import threading
import unittest
import zipfile
from pathlib import Path

import vitrine
from vitrine.api import build_request, routes
from vitrine.streams import parse_events

DATA = os.environ["TEST_DATA"]
PHOTOS = Path(os.environ["TEST_PHOTOS"])
COMMAND = shlex.split(os.environ["TEST_COMMAND"])


class Requests(unittest.TestCase):
    def test_long_queries_move_into_a_body(self) -> None:
        vql = [{"labels": {"op": "one_of", "value": [f"label {at}" for at in range(1000)]}}]
        method, path, options = build_request(routes()["list_items"], {"dataset_id": "a/b", "vql": vql})
        self.assertEqual((method, path, options), ("POST", "/explore/a%2Fb/items", {"json": {"vql": vql}}))

    def test_events_are_parsed(self) -> None:
        lines = ["event: ping", "data: {}", "", ": comment", "id: 7", "event: notification", "data: [1,", "data: 2]", ""]
        self.assertEqual(list(parse_events(lines)), [("ping", "{}", ""), ("notification", "[1,\n2]", "7")])


class Client(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.client = vitrine.open(DATA)
        cls.dataset = cls.client.index("From Python", PHOTOS)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.client.close()

    def test_a_folder_is_indexed(self) -> None:
        self.assertEqual((self.dataset["status_new"], self.dataset["n_images"]), ("READY", 3))
        self.assertEqual(self.client.find_dataset("From Python")["id"], self.dataset["id"])

    def test_a_query_has_an_address(self) -> None:
        client = vitrine.Vitrine("http://127.0.0.1:2080/")
        self.assertEqual(client.address("x"), "http://127.0.0.1:2080/#/dataset/x")
        query = [{"media_type": {"op": "is", "value": "image"}}]
        self.assertEqual(
            client.address("x", query, text="red car"),
            "http://127.0.0.1:2080/#/dataset/x?text=red+car&vql="
            "%5B%7B%22media_type%22%3A+%7B%22op%22%3A+%22is%22%2C+%22value%22%3A+%22image%22%7D%7D%5D",
        )

    def test_operations_say_their_parameters(self) -> None:
        signature = inspect.signature(self.client.api.update_dataset)
        self.assertEqual([*signature.parameters], ["dataset_id", "display_name", "description"])
        self.assertIn("list_items", dir(self.client.api))
        with self.assertRaises(TypeError):
            self.client.api.get_dataset(dataset="x")

    def test_errors_have_code_and_fields(self) -> None:
        with self.assertRaises(vitrine.VitrineError) as raised:
            self.client.api.list_items(dataset_id=self.dataset["id"], page_size=100_000)
        self.assertEqual((raised.exception.code, [*raised.exception.fields]), ("invalid_input", ["page_size"]))
        with self.assertRaises(vitrine.VitrineError) as raised:
            vitrine.Vitrine("http://127.0.0.1:9").api.healthcheck()
        self.assertEqual(raised.exception.code, "unreachable")

    def test_items_are_a_data_frame_that_selects(self) -> None:
        frame = self.client.items(self.dataset["id"], sort_by="name")
        self.assertEqual(frame["file_name"].tolist(), [f"image-{at:05}.jpg" for at in (1, 2, 3)])
        self.client.api.edit_labels(
            dataset_id=self.dataset["id"], media_selection=vitrine.selection_of(frame.head(2)), add=["blob"]
        )
        vql = [{"labels": {"op": "one_of", "value": ["blob"]}}]
        self.assertEqual(len(self.client.items(self.dataset["id"], vql=vql)), 2)
        nothing = self.client.items(self.dataset["id"], vql=[{"labels": {"op": "one_of", "value": ["none"]}}])
        self.assertEqual(len(nothing), 0)

    def test_files_are_uploaded_and_refused_ones_named(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a").mkdir()
            (Path(folder) / "a" / "1.jpg").write_bytes((PHOTOS / "image-00001.jpg").read_bytes())
            (Path(folder) / "notes.txt").write_text("no image")
            sent: list[int] = []
            outcome = self.client.upload("Uploaded", folder, on_progress=sent.append)
        self.assertEqual((outcome["accepted"], sent), (1, [2]))
        self.assertEqual([one["file_name"] for one in outcome["refused"]], ["notes.txt"])
        self.client.wait_for_task(outcome["task_id"])
        self.assertEqual(self.client.wait_for_dataset(outcome["dataset_id"])["n_images"], 1)

    def test_an_export_is_written_to_a_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = self.client.export(self.dataset["id"], Path(folder) / "out.zip", include_images=True)
            with zipfile.ZipFile(file) as archive:
                self.assertEqual(len([name for name in archive.namelist() if name.startswith("images/")]), 3)

    def test_changes_are_streamed(self) -> None:
        events = self.client.events()
        stop = threading.Event()

        def change() -> None:
            with vitrine.find(DATA) as client:
                while not stop.wait(0.05):
                    client.api.update_dataset(dataset_id=self.dataset["id"], description="changed")

        thread = threading.Thread(target=change)
        thread.start()
        try:
            event = next(one for one in events if one.name == "dataset_changed")
        finally:
            stop.set()
            thread.join()
            events.close()
        self.assertEqual(event.data, {"dataset_id": self.dataset["id"]})


class LocalServer(unittest.TestCase):
    def test_one_is_started_where_none_runs_and_stopped(self) -> None:
        with tempfile.TemporaryDirectory() as data:
            with vitrine.open(data, command=COMMAND) as client:
                self.assertEqual(client.api.list_datasets(), [])
            self.assertIsNone(vitrine.find(data))

    def test_the_reason_is_given_where_none_can_be_started(self) -> None:
        with tempfile.TemporaryDirectory() as data:
            with self.assertRaisesRegex(vitrine.VitrineError, "no/such/program"):
                vitrine.open(data, command=["/no/such/program"])


if __name__ == "__main__":
    unittest.main()
