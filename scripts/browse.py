#!/usr/bin/python3
"""Looks at a site as its readers do, in Chromium without a window, from the files as they lie:

    browse.py DIRECTORY WORD=PAGE…

No page may complain on the console, lack a picture, or have a link that leads to nothing in the site; and the search
for each WORD is to find that PAGE. `--picture URL FILE` only takes a picture of a page, as a PNG."""

import pathlib
import sys
import urllib.parse

from selenium import webdriver

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
    """Chromium, driven by Selenium."""

    def __init__(self):
        options = webdriver.ChromeOptions()
        # Root has no sandbox of its own.
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


def main():
    browser, found = Browser(), []
    if sys.argv[1] == "--picture":
        browser.visit(sys.argv[2])
        browser.ask("new Promise(done => setTimeout(done, 1000))")  # for what scripts show
        browser.driver.save_screenshot(sys.argv[3])
    else:
        searches = [argument.split("=", 1) for argument in sys.argv[2:]]
        found = list(complaints(browser, pathlib.Path(sys.argv[1]).resolve(), searches))
    browser.close()
    for complaint in found:
        print(complaint)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
