"""Drives a headless Chromium over its debugging pipe: no driver, no network, only the standard library."""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import time
from pathlib import Path
from typing import Any

PATIENCE_S = 120  # on a busy machine a browser starts slowly


class Browser:
    """One page. Everything that the console or the page complains about is in `errors`."""

    def __init__(self, program: str, profile: Path) -> None:
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        arguments = [
            program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--remote-debugging-pipe", f"--user-data-dir={profile}", "--window-size=1200,1400", "--hide-scrollbars",
        ]  # fmt: skip

        # The browser expects its two pipes as descriptors 3 and 4. Duplicates beyond them come first, as one of
        # the pipes may be 3 or 4 itself.
        def place_pipes() -> None:
            a, b = os.dup(to_browser), os.dup(from_browser)
            os.dup2(a, 3)
            os.dup2(b, 4)

        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(arguments, close_fds=False, preexec_fn=place_pipes, **quiet)
        os.close(to_browser)
        os.close(from_browser)
        self._buffer, self._number, self._session = b"", 0, ""
        self._events: list[str] = []
        self.errors: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def _message(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))
            data = os.read(self._read, 1 << 16) if ready else b""
            if not data:
                raise TimeoutError("the browser does not answer")
            self._buffer += data
        head, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(head)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        method, about = message.get("method", ""), message.get("params", {})
        self._events.append(method)
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(about["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
            self.errors.append(json.dumps(about["args"]))
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.errors.append(about["entry"]["text"])

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        request: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            request["sessionId"] = self._session
        os.write(self._write, json.dumps(request).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE_S
        while True:
            message = self._message(deadline)
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                result: dict[str, Any] = message["result"]
                return result
            self._note(message)

    def open(self, path: Path, hash: str = "") -> None:
        """Loads the page, also where only the hash differs from what is open."""
        for url in ("about:blank", path.as_uri() + hash):
            self._events.clear()
            self.call("Page.navigate", url=url)
            deadline = time.monotonic() + PATIENCE_S
            while "Page.loadEventFired" not in self._events:
                self._note(self._message(deadline))

    def value(self, expression: str) -> Any:
        """The value of the expression, or the value that a promise resolves to."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def hover(self, x: float, y: float) -> None:
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        # A page that redraws under the mouse gets the move once more, with a later frame: on a busy machine that is
        # after the next lines of a test.
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def press(self, key: str) -> None:
        """A key by its name, such as ArrowLeft."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key)

    def resize(self, width: int, height: int) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def prefer(self, scheme: str) -> None:
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)
        os.close(self._write)


def choose(browser: Browser, name: str, value: str, event: str = "change") -> None:
    """Sets a control by its id, as its user would."""
    browser.value(f"e = document.getElementById('{name}'), e.value = {value!r}, e.dispatchEvent(new Event('{event}'))")


def middle(browser: Browser, selector: str) -> tuple[float, float]:
    x, y = browser.value(
        f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])"
        f"(document.querySelector({selector!r}).getBoundingClientRect())"
    )
    return x, y
