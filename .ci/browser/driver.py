"""A browser over the WebDriver protocol, with the standard library alone."""

import base64
import json
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"down": "\ue015", "enter": "\ue007", "escape": "\ue00c", "tab": "\ue004", "end": "\ue010"}

# Chromium would otherwise ask its own servers for components and settings.
FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--force-prefers-reduced-motion",
]


class Browser:
    def __init__(self, width=1600, height=1000, dark=False):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = next(line.split("port ")[1].strip(" .\n") for line in self.process.stdout
                    if "successfully on port" in line)
        self.base = f"http://127.0.0.1:{port}"
        options = {"args": FLAGS + [f"--user-data-dir={self.profile.name}",
                                    f"--window-size={width},{height}"],
                   "binary": "/usr/bin/chromium"}
        always = {"browserName": "chrome", "goog:chromeOptions": options,
                  "unhandledPromptBehavior": "ignore"}
        answer = self._send("POST", "/session", {"capabilities": {"alwaysMatch": always}})
        self.session = f"/session/{answer['sessionId']}"
        if dark:
            self.emulate("dark")
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._send("DELETE", self.session)
        finally:
            self.process.terminate()
            self.process.wait()

    def _send(self, method, path, body=None):
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.base + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"].split("\n")[0]) from None

    def send(self, method, path, body=None):
        return self._send(method, self.session + path, body)

    def resize(self, width, height):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.command("Emulation.setDeviceMetricsOverride", metrics)

    def command(self, name, parameters):
        return self.send("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def emulate(self, scheme):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.command("Emulation.setEmulatedMedia", {"features": [feature]})

    def open(self, url):
        self.send("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        return self.send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, css, text=None, seconds=20):
        """The first visible element with this selector and text; waits for it."""
        script = """
            const [css, text] = arguments;
            return [...document.querySelectorAll(css)].find(
              (it) => it.checkVisibility() && (text === null || it.textContent.includes(text))) ?? null;
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.run(script, css, text)
            if found:
                return found[ELEMENT]
            time.sleep(0.05)
        raise AssertionError(f"no `{css}` with {text!r} in: {self.text('main')[:600]}")

    def click(self, css, text=None):
        element = {ELEMENT: self.find(css, text)}
        self.run("arguments[0].scrollIntoView({ block: 'nearest' })", element)
        self.send("POST", f"/element/{element[ELEMENT]}/click")

    def type(self, css, text):
        element = self.find(css)
        self.send("POST", f"/element/{element}/clear")
        self.send("POST", f"/element/{element}/value", {"text": text})

    def press(self, key):
        actions = [{"type": "keyDown", "value": KEYS[key]}, {"type": "keyUp", "value": KEYS[key]}]
        self.send("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def choose(self, css, value):
        element = {ELEMENT: self.find(css)}
        self.run("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'))",
                 element, value)

    def text(self, css):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", css)

    def count(self, css):
        return self.run("return document.querySelectorAll(arguments[0]).length", css)

    def picture(self, path):
        self.run("for (const it of document.querySelectorAll('.grid')) it.scrollLeft = 0")
        time.sleep(0.15)
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.send("GET", "/screenshot")))
