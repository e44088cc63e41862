"""A package index on the loopback address, of made-up distributions: it serves metadata, and notes who wants a wheel."""

from __future__ import annotations

import hashlib
import http.server
import io
import json
import threading
import zipfile


class LoopbackIndex:
    """Serves PEP 691 pages with PEP 658 metadata; `wheel_requests` must stay empty."""

    def __init__(self) -> None:
        self.projects: dict[str, list[dict]] = {}
        self.files: dict[str, tuple[bytes, bytes]] = {}
        self.wheel_requests: list[str] = []
        self.status = 200  # another one is the answer to everything
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/simple"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def add(
        self,
        name,
        version="1.0",
        *,
        needs=(),
        extras=(),
        summary="",
        tag="py3-none-any",
        yanked=False,
        uploaded="2026-10-01",
    ):
        file = f"{name.replace('-', '_')}-{version}-{tag}.whl"
        lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", f"Summary: {summary}"]
        lines += [f"Provides-Extra: {extra}" for extra in extras]
        lines += [f"Requires-Dist: {text}" for text in needs]
        metadata = ("\n".join(lines) + "\n").encode()
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as wheel:
            wheel.writestr(f"{name.replace('-', '_')}-{version}.dist-info/METADATA", metadata)
        self.files[file] = (buffer.getvalue(), metadata)
        self.projects.setdefault(name, []).append(
            {
                "filename": file,
                "url": f"/files/{file}",
                "hashes": {"sha256": hashlib.sha256(buffer.getvalue()).hexdigest()},
                "core-metadata": {"sha256": hashlib.sha256(metadata).hexdigest()},
                **({"upload-time": f"{uploaded}T00:00:00Z"} if uploaded else {}),
                "yanked": yanked,
            }
        )

    def _handler(index):  # noqa: N805 - the handler has a self of its own
        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

            def do_GET(self):
                name = self.path.strip("/").rsplit("/", 1)[-1]
                if index.status != 200:
                    self.send_error(index.status)
                elif self.path.startswith("/simple/") and name in index.projects:
                    page = {"meta": {"api-version": "1.1"}, "name": name, "files": index.projects[name]}
                    self.send(json.dumps(page).encode(), "application/vnd.pypi.simple.v1+json")
                elif name.removesuffix(".metadata") in index.files and name.endswith(".metadata"):
                    self.send(index.files[name.removesuffix(".metadata")][1], "text/plain")
                elif name in index.files:
                    index.wheel_requests.append(name)
                    self.send_error(403)
                else:
                    self.send_error(404)

            do_HEAD = do_GET  # noqa: N815 - the name that http.server looks for

            def send(self, data, kind):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        return Handler
