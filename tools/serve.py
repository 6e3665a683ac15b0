"""Serve the built site on localhost."""

from __future__ import annotations

import argparse
import errno
import functools
import gzip
import http.server
import sys
from pathlib import Path

from tools.paths import SITE

COMPRESSED = {".html", ".css", ".js", ".mjs", ".json", ".svg", ".txt", ".ipynb"}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files, and the site's own page where there is none."""

    def do_GET(self) -> None:
        """Send text compressed, as the published site does, to whoever accepts that."""
        path = Path(self.translate_path(self.path))
        accepts = "gzip" in self.headers.get("Accept-Encoding", "")
        if not accepts or path.suffix not in COMPRESSED or not path.is_file():
            super().do_GET()
            return
        body = gzip.compress(path.read_bytes())
        self.send_response(http.HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer a missing page as the published site would."""
        page = Path(self.directory) / "404.html"
        if code != http.HTTPStatus.NOT_FOUND or not page.exists():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of each request."""


class Server(http.server.ThreadingHTTPServer):
    """Serves on localhost alone."""

    request_queue_size = 128  # a page asks for many files at once

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a browser that has broken off, as it does when a page is left."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def make_server(port: int, folder: Path = SITE, handler: type[Handler] = Handler) -> Server:
    """Return a server of a folder."""
    return Server(("127.0.0.1", port), functools.partial(handler, directory=str(folder)))


def main() -> int:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8000)
    port = parser.parse_args().port
    try:
        server = make_server(port)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        print(f"mlnotes: port {port} is taken: run 'make serve PORT={port + 1}'.", file=sys.stderr)
        return 1
    print(f"Serving the book at http://localhost:{port}/ (stop with Ctrl-C).", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
