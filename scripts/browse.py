#!/usr/bin/env python3
"""Looks at a site as its readers do, in Chromium without a window, from the files as they lie:

    browse.py DIRECTORY WORD=PAGE…

No page may complain on the console, lack a picture, or have a link that leads to nothing in the site; and the search
for each WORD is to find that PAGE. `--picture URL FILE` only takes a picture of a page, as a PNG."""

import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

BROWSERS = ["chromium-headless-shell", "chromium"]
LOOK = """(() => ({
    missing: [...document.images].filter(i => !i.complete || !i.naturalWidth).map(i => i.getAttribute('src')),
    links: [...document.links].map(a => a.href), ids: [...document.querySelectorAll('[id]')].map(e => e.id)
}))()"""
FOUND = """new Promise(done => { const look = () => {
    const links = [...document.querySelectorAll('#search-results li a')].map(a => a.href);
    if (document.querySelector('#search-results .search-summary')?.textContent.match(/finished|found/i)) done(links);
    else setTimeout(look, 50);
}; look(); })"""


class Browser:
    """Chromium, which is spoken to through two pipes."""

    def __init__(self, program, profile):
        commands, self.commands = os.pipe()
        answers, written = os.pipe()

        def descriptors():
            for place, descriptor in enumerate([os.dup(commands), os.dup(written)], 3):
                os.dup2(descriptor, place)

        # (As root it has no sandbox of its own.)
        self.process = subprocess.Popen(
            [program, "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", f"--user-data-dir={profile}", "--window-size=1280,1000"],
            preexec_fn=descriptors, close_fds=False, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        os.close(commands)
        os.close(written)
        self.answers = os.fdopen(answers, "rb")
        self.number, self.session, self.said = 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log":
            self.call(f"{domain}.enable")

    def message(self):
        text = bytearray()
        while (letter := self.answers.read(1)) != b"\0":
            if not letter:
                sys.exit("the browser has ended")
            text += letter
        return json.loads(text)

    def event(self, message):
        """Keeps what a page complains of."""
        about, parameters = message.get("method"), message.get("params", {})
        if about == "Runtime.exceptionThrown":
            self.said.append(parameters["exceptionDetails"].get("exception", {}).get("description", "an exception"))
        elif about == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.said.append(" ".join(str(a.get("value", a.get("description"))) for a in parameters["args"]))
        elif about == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.said.append(parameters["entry"]["text"] + " " + parameters["entry"].get("url", ""))

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.commands, json.dumps(request).encode() + b"\0")
        while (message := self.message()).get("id") != self.number:
            self.event(message)
        if "error" in message:
            sys.exit(f"{method}: {message['error']}")
        return message["result"]

    def visit(self, url):
        self.said = []
        if failed := self.call("Page.navigate", url=url).get("errorText"):
            sys.exit(f"{url}: {failed}")
        while (message := self.message()).get("method") != "Page.loadEventFired":
            self.event(message)

    def ask(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            sys.exit(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def close(self):
        self.call("Browser.close")
        self.process.wait()


def complaints(browser, directory, searches):
    ids, links = {}, set()
    for page in sorted(directory.rglob("*.html")):
        browser.visit(page.as_uri())
        seen = browser.ask(LOOK)
        ids[page.as_uri()] = set(seen["ids"])
        links |= {(page.relative_to(directory), link) for link in seen["links"]}
        yield from (f"{page.relative_to(directory)}: no picture {picture}" for picture in seen["missing"])
        yield from (f"{page.relative_to(directory)} says: {text}" for text in browser.said)
    for page, link in sorted(links):
        target, _, fragment = link.partition("#")
        if not target.startswith("file:"):
            continue
        path = pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(target).path))
        if not path.is_file() or fragment and target in ids and urllib.parse.unquote(fragment) not in ids[target]:
            yield f"{page}: leads nowhere: {link.replace(directory.as_uri(), '')}"
    for word, page in searches:
        browser.visit(f"{(directory / 'search.html').as_uri()}?q={urllib.parse.quote(word)}")
        found = browser.ask(FOUND)
        if not any(link.startswith(f"{directory.as_uri()}/{page}") for link in found):
            yield f"the search for {word} does not find {page}, but {found[:5]}"
        yield from (f"the search for {word} says: {text}" for text in browser.said)
    print(len(ids), "pages,", len(links), "links,", len(searches), "searches")


def chromium():
    program = next((name for name in BROWSERS if subprocess.run(["which", name], capture_output=True).stdout), None)
    if not program:
        sys.exit("there is no Chromium here")
    return program


def main():
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(chromium(), profile)
        if sys.argv[1] == "--picture":
            browser.visit(sys.argv[2])
            browser.ask("new Promise(done => setTimeout(done, 1000))")  # for what scripts show
            picture = browser.call("Page.captureScreenshot", format="png")["data"]
            pathlib.Path(sys.argv[3]).write_bytes(base64.b64decode(picture))
            found = []
        else:
            searches = [argument.split("=", 1) for argument in sys.argv[2:]]
            found = list(complaints(browser, pathlib.Path(sys.argv[1]).resolve(), searches))
        browser.close()
    for complaint in found:
        print(complaint)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
