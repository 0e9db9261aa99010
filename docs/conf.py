"""Configures Sphinx for the site, whose sources scripts/site_pages.py writes: `make docs`."""

import os
import pathlib
import posixpath
import re
import runpy
import sys

from docutils import nodes
from sphinx import addnodes
from sphinx.environment.adapters.toctree import TocTree
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


titles = []  # the sidebar of the top of the site


def headings(app, page):
    """The headings of a page, as the entries of the sidebar below its title."""
    listed = TocTree(app.env).get_toc_for(page, app.builder).next_node(nodes.list_item).next_node(nodes.bullet_list)
    if listed is None:
        return ""
    for heading in listed:
        del heading[1:]
    return app.builder.render_partial(listed)["fragment"].replace("<li>", '<li class="toctree-l3">')


def sidebar(app, page, template, context, doctree):
    """All groups with the titles of their pages, so that each can be unfolded, and the headings of this page alone. The
    theme has either the headings of all pages or no other group's pages. It would also resolve the titles for each page
    again, in more time than all else takes. So they are resolved once, as links from the top of the site."""
    here = app.builder.get_target_uri(page)

    def toctree(**options):
        if not titles:
            options.update(collapse=False, titles_only=True)
            resolved = TocTree(app.env).get_toctree_for(app.config.root_doc, app.builder, **options)
            titles.append(app.builder.render_partial(resolved)["fragment"])
        before, found, after = titles[0].partition(f'<a class="reference internal" href="{here}">')
        if found:
            group = before.rindex('<li class="toctree-l1')
            own = re.sub('^<li class="toctree-l1|<li class="toctree-l2(?=">$)', r"\g<0> current", before[group:])
            title, end, after = after.partition("</a>")
            inner = headings(app, page) if "toctree-l2 current" in own else ""
            found, after = f'<a class="current reference internal" href="#">{title}{end}', inner + after
            before = before[:group] + own
        start = posixpath.dirname(here) or "."
        adapted = (re.sub('href="([^"#]+)"', lambda link: f'href="{posixpath.relpath(link[1], start)}"', part)
                   for part in (before, after))
        return found.join(adapted)

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
