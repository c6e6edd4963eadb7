"""Serves the site on this machine, and opens it in a browser: `make web`."""

import sys
import webbrowser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from scripts.site.__main__ import SITE

PORT = 8000


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and prints no line for each of them."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def serve() -> None:
    """Serve until Ctrl-C, on port 8000 or, if something else uses it, on a free one."""
    handler = partial(Quiet, directory=str(SITE))
    try:
        server = ThreadingHTTPServer(("127.0.0.1", PORT), handler)
    except OSError:
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    with server:
        address = f"http://127.0.0.1:{server.server_port}/"
        print(f"The site is at {address}; Ctrl-C stops it.", flush=True)
        webbrowser.open(address)
        server.serve_forever()


if __name__ == "__main__":
    try:
        serve()
    except KeyboardInterrupt:
        sys.exit(0)
