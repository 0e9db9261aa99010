"""The guide and the reference of the package, which uses its docstrings: make test ONLY=python_reference builds them into build/docs/python."""

import posixpath
import re

import libsignalkit

project = "libsignalkit"
version = release = libsignalkit.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]  # what a program prints is in no language
default_role = "code"  # for text in backquotes in a docstring
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_default_options = {"members": True, "undoc-members": True}
html_theme = "alabaster"
html_show_copyright = False
html_theme_options = {"description": "Signals: cold streams of values", "fixed_sidebar": True}


def elsewhere(app, page, source):
    """Replaces links from the pages to other parts of the project by the names of their targets."""
    def named(link):
        return f"{link[1]} (`{posixpath.normpath('bindings/python/docs/' + link[2])}` of the project)"

    source[0] = re.sub(r"\[([^]]*)\]\((\.\./[^)#]*)[^)]*\)", named, source[0])


def setup(app):
    app.connect("source-read", elsewhere)
