"""Find a Chromium: the tests look at pages with it, and Lighthouse measures them."""

from __future__ import annotations

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
REMEDY = "no Chromium or Chrome found: install one, or name it in the variable CHROMIUM"
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def find() -> str | None:
    """Return the path of the browser that is named in CHROMIUM, or of the first that is found."""
    names = (os.environ.get("CHROMIUM", ""), *NAMES)
    return next((path for name in names if name and (path := shutil.which(name))), None)
