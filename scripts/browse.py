#!/usr/bin/python3
"""Reads a site as its readers do, in Chromium without a window, from a server on this machine:

    browse.py DIRECTORY WORDS=PAGE…

No page may complain on the console, lack a picture, or have a link that leads to nothing in the site. PAGE must be the
first result of a search for WORDS, and the results must show an excerpt with one of them. `--picture URL FILE WIDTH`
only takes a picture of a page, as a PNG."""

import contextlib
import functools
import http.server
import pathlib
import sys
import threading
import urllib.parse

from selenium import webdriver

LOOK = """(() => ({
    missing: [...document.images].filter(i => !i.complete || !i.naturalWidth).map(i => i.getAttribute('src')),
    links: [...document.links].map(a => a.href), ids: [...document.querySelectorAll('[id]')].map(e => e.id)
}))()"""
# The links of the results in their order, and the excerpts. The search reads the pages for these after it is finished.
# A function of a reference has its kind instead.
FOUND = """new Promise(done => { let looks = 100; const look = () => {
    const all = selector => [...document.querySelectorAll('#search-results ' + selector)];
    const finished = all('.search-summary')[0]?.textContent.match(/finished|not match/i);
    if (!(finished && all('li').every(item => item.children.length > 1)) && --looks) setTimeout(look, 50);
    else done({links: all('li > a').map(a => a.href), excerpts: all('li > p.context').map(p => p.textContent)});
}; look(); })"""


class Pages(http.server.SimpleHTTPRequestHandler):

    def do_GET(self):
        if self.path == "/favicon.ico":  # each browser asks for it; the site does not contain it
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def served(directory):
    """Serves the files of the directory, and returns the URL."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Pages, directory=directory))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Browser:
    """Chromium, driven by Selenium."""

    def __init__(self):
        options = webdriver.ChromeOptions()
        # Chromium's sandbox does not work as root.
        for option in "headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "window-size=1280,1000":
            options.add_argument(f"--{option}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options)
        self.close = self.driver.quit

    @property
    def said(self):
        """The complaints on the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("WARNING", "SEVERE")]

    def visit(self, url):
        self.driver.get_log("browser")
        self.driver.get(url)

    def call(self, method, **parameters):
        return self.driver.execute_cdp_cmd(method, parameters)

    def ask(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            sys.exit(str(answer["exceptionDetails"]))
        return answer["result"].get("value")


def complaints(browser, directory, site, searches):
    ids, links = {}, set()
    for page in sorted(directory.rglob("*.html")):
        url = site + urllib.parse.quote(str(page.relative_to(directory)))
        browser.visit(url)
        seen = browser.ask(LOOK)
        ids[url] = set(seen["ids"])
        links |= {(page.relative_to(directory), link) for link in seen["links"]}
        yield from (f"{page.relative_to(directory)}: no picture {picture}" for picture in seen["missing"])
        yield from (f"{page.relative_to(directory)} says: {text}" for text in browser.said)
    for page, link in sorted(links):
        target, _, fragment = link.partition("#")
        if not target.startswith(site):
            continue
        path = directory / urllib.parse.unquote(urllib.parse.urlparse(target).path).lstrip("/")
        if not path.is_file() or fragment and target in ids and urllib.parse.unquote(fragment) not in ids[target]:
            yield f"{page}: leads nowhere: {link.replace(site, '/')}"
    for words, page in searches:
        browser.visit(f"{site}search.html?q={urllib.parse.quote(words)}")
        found = browser.ask(FOUND)
        first = [link.removeprefix(site) for link in found["links"][:5]]
        if not first or page not in (first[0], first[0].partition("#")[0]):
            yield f"the search for {words} does not find {page} first, but {first}"
        if not any(word in excerpt.lower() for excerpt in found["excerpts"] for word in words.lower().split()):
            yield f"the search for {words} shows no excerpt with it, but {found['excerpts'][:5]}"
        yield from (f"the search for {words} says: {text}" for text in browser.said)
    print(len(ids), "pages,", len(links), "links,", len(searches), "searches")


def main():
    browser, found = Browser(), []
    if sys.argv[1] == "--picture":
        browser.driver.set_window_size(int(sys.argv[4]), 1000)
        browser.visit(sys.argv[2])
        browser.ask("new Promise(done => setTimeout(done, 1000))")  # for what scripts show
        browser.driver.save_screenshot(sys.argv[3])
    else:
        searches = [argument.split("=", 1) for argument in sys.argv[2:]]
        directory = pathlib.Path(sys.argv[1]).resolve()
        with served(directory) as site:
            found = list(complaints(browser, directory, site, searches))
    browser.close()
    for complaint in found:
        print(complaint)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
