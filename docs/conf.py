"""Configures Sphinx for the site, whose sources scripts/site_pages.py writes: `make docs`."""

import os
import pathlib
import re
import runpy
import sys

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

project = "SignalKit"
html_title = "SignalKit"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_*"]
myst_enable_extensions = ["html_image"]
myst_all_links_external = True  # scripts/site_pages.py has seen to them
highlight_language = "text"
suppress_warnings = ["misc.highlighting_failure"]  # programs with parts left out
html_theme = "sphinx_rtd_theme"
html_theme_options = {"navigation_depth": 3}  # a group, its pages, and the headings of the current one: sidebar()
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_permalinks_icon = "#"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
if pathlib.Path(__file__).with_name("_static").joinpath("marbles.js").exists():
    html_js_files.append("marbles.js")
# The search shows excerpts if a server delivers the site. A browser does not let it read pages that are files.
html_show_search_summary = True
html_extra_path = ["_files"]
toc_object_entries_show_parents = "hide"

# Python's package has its pages, and how they are made.
here = pathlib.Path(__file__).resolve().parent
if (here / "bindings/python/docs").exists():
    root = here.parent.parent
    os.environ["SIGNALKIT_LIBRARY"] = str(root / "build/embedded/lib/libsignalkit.so")
    sys.path.insert(0, str(root / "bindings/python/src"))
    python = runpy.run_path(str(here / "bindings/python/docs/conf.py"))
    globals().update({name: value for name, value in python.items() if name.startswith(("autodoc_", "default_"))})


class Names(SphinxTransform):
    """A name of the C library in the text leads to its place in the reference; and a heading is found by the names that
    links in Markdown have for it."""

    default_priority = 400

    def apply(self):
        for section in self.document.findall(nodes.section):
            slug = re.sub(r"[^\w\- ]", "", section.next_node(nodes.title).astext().lower()).replace(" ", "-")
            if slug not in self.document.ids:
                section["ids"].append(slug)
                self.document.ids[slug] = section
        for literal in list(self.document.findall(nodes.literal)):
            name = re.fullmatch(r"((?:sgk|SGK)_\w+)(?:\(.*\))?", literal.astext())
            if name and not isinstance(literal.parent, (nodes.reference, addnodes.pending_xref, nodes.title)):
                link = addnodes.pending_xref("", refdomain="c", reftype="identifier", reftarget=name[1],
                                             refwarn=False, refexplicit=False)
                literal.replace_self(link)
                link += literal


def sidebar(app, page, template, context, doctree):
    """All groups with the titles of their pages, so that each can be unfolded, and the headings of this page alone. The
    theme has either the headings of all pages or no other group's pages."""
    theme_toctree = context["toctree"]
    current = re.compile(r'(<li class="toctree-l2 current"><a [^>]*href="#">.*?</a>)(<ul>.*?</ul>\n)?(?=</li>)', re.S)

    def toctree(**options):
        headings = current.search(theme_toctree(**options) or "")
        titles = theme_toctree(**{**options, "collapse": False, "titles_only": True}) or ""
        return current.sub(lambda _: headings[0], titles) if headings else titles

    context["toctree"] = toctree


def targets(app, page, template, context, doctree):
    """The lines of a shown file that links lead to, such as the declarations of a C++ header."""
    places = (context.get("meta") or {}).get("targets", "")
    if places:
        before, pre, shown = context["body"].partition("<pre>")
        lines = shown.split("\n")
        for place in places.split():
            name, line = place.split(":")
            lines[int(line)] = f'<span id="{name}"></span>' + lines[int(line)]
        context["body"] = before + pre + "\n".join(lines)


def setup(app):
    app.add_transform(Names)
    app.connect("html-page-context", sidebar)
    app.connect("html-page-context", targets)
    return {"parallel_read_safe": True}
