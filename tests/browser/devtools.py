"""Controls headless Chromium over the Chrome DevTools Protocol: JSON messages that end with a zero byte, over two pipes."""

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# How long an answer may take, in seconds.
PATIENCE = 60
# Switches off what the browser does unasked, and what needs hardware that the machine may not have.
FLAGS = [
    "--headless", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio",
    "--no-first-run", "--no-default-browser-check", "--disable-extensions", "--disable-sync", "--disable-background-networking",
    "--disable-component-update", "--disable-breakpad", "--force-device-scale-factor=1", "--font-render-hinting=none",
]  # fmt: skip


class DevtoolsError(Exception):
    """The browser did not answer, or answered with an error."""


class Browser:
    """A browser with its own profile, which is deleted at the end."""

    def __init__(self, program):
        # A stop signal must also end the browser.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        self.home = tempfile.mkdtemp(prefix="tabuleiro-browser.")
        # The sandbox does not start in a process of root.
        flags = FLAGS + (["--no-sandbox"] if os.geteuid() == 0 else [])
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        # Keeps 3 and 4 free, which become the browser's ends.
        passed = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (theirs_in, theirs_out)]
        self.log = open(os.path.join(self.home, "log"), "wb+")
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{passed[0]} 4>&{passed[1]} {passed[0]}<&- {passed[1]}>&-', "bash", program, *flags]
            + [f"--user-data-dir={self.home}/profile", "about:blank"],
            pass_fds=passed, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True,
            env={**os.environ, "HOME": self.home},
        )  # fmt: skip
        for end in (theirs_in, theirs_out, *passed):
            os.close(end)
        self.reading, self.writing = ours_in, ours_out
        self.rest = b""
        self.last_id = 0
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # The browser ends when its pipes are closed.
        os.close(self.writing)
        os.close(self.reading)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, 9)
            self.process.wait()
        self.log.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def said(self):
        """Returns the end of its standard error."""
        self.log.seek(0)
        return self.log.read()[-2000:].decode(errors="replace").strip()

    def call(self, method, session=None, **parameters):
        """Calls a method of the protocol and returns the answer."""
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        whole = json.dumps(message).encode() + b"\0"
        try:
            while whole:
                whole = whole[os.write(self.writing, whole) :]
        except BrokenPipeError:
            raise DevtoolsError(f"the browser is gone: {self.said()}") from None
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self.read(deadline, method)
            if answer.get("id") != self.last_id:
                self.events.append(answer)
            elif "error" in answer:
                raise DevtoolsError(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def read(self, deadline, awaited):
        """Returns the next message."""
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.reading], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise DevtoolsError(f"no answer within {PATIENCE} s: {awaited}")
            piece = os.read(self.reading, 1 << 20)
            if not piece:
                raise DevtoolsError(f"the browser is gone: {self.said()}")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)


class Tab:
    """A page of a browser, with its console messages and requests."""

    def __init__(self, browser):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.shown = {}
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def open(self, url):
        """Loads a page."""
        self.take_events()
        error = self.call("Page.navigate", url=url).get("errorText")
        if error:
            raise DevtoolsError(f"{url}: {error}")
        deadline = time.monotonic() + PATIENCE
        while not any(event.get("method") == "Page.loadEventFired" for event in self.browser.events):
            self.browser.events.append(self.browser.read(deadline, f"{url} is loaded"))

    def take_events(self):
        """Returns the events since the last call, as pairs of a name and its parameters."""
        events, self.browser.events = self.browser.events, []
        return [(event["method"], event["params"]) for event in events if event.get("sessionId") == self.session]

    def view(self, width, height, mobile=False, media="screen", scheme="light"):
        """Shows the page on a screen or on paper of that size."""
        settings = {
            "Emulation.setDeviceMetricsOverride": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile},
            "Emulation.setEmulatedMedia": {"media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]},
        }
        for method, parameters in settings.items():
            # Setting the same value again would repeat the layout.
            if self.shown.get(method) != parameters:
                self.call(method, **parameters)
                self.shown[method] = parameters

    def evaluate(self, script):
        """Returns the result of a script as a Python value. The page's policy does not apply to the script."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise DevtoolsError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def accessible(self):
        """Returns the accessibility tree, which screen readers use, as tuples of role, name, description and properties."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        value = lambda node, key: node.get(key, {}).get("value", "")
        properties = lambda node: {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
        return [
            (value(node, "role"), value(node, "name"), value(node, "description"), properties(node))
            for node in nodes
            if not node.get("ignored")
        ]

    def picture(self, x, y, width, height):
        """Returns a part of the page as a PNG."""
        clip = {"x": x, "y": y, "width": width, "height": height, "scale": 1}
        answer = self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
        return base64.b64decode(answer["data"])
