"""The reference of the package, made of its docstrings: scripts/test.sh python_reference builds it into build/docs/python."""

import libsignalkit

project = "libsignalkit"
version = release = libsignalkit.__version__
extensions = ["sphinx.ext.autodoc"]
default_role = "code"  # what stands in backquotes in a docstring
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_default_options = {"members": True, "undoc-members": True}
html_theme = "alabaster"
html_show_copyright = False
html_theme_options = {"description": "Signals: cold streams of values", "fixed_sidebar": True}
