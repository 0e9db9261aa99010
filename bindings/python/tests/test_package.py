import ast
import doctest
import importlib.metadata
import inspect
import os
import pathlib
import re
import subprocess
import sys

import pytest

import libsignalkit
from conftest import PATIENCE
from libsignalkit import Signal

README = pathlib.Path(__file__).parent.parent / "README.md"

EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(), re.S)
# As on a machine that has other things to do: each line of the example takes a while, and nothing may be missed by that.
SLOWLY = """
import sys, time
def wait(frame, event, argument):
    if frame.f_globals.get("__name__") == "__main__":
        time.sleep(0.01)
        return wait
sys._getframe().f_trace = wait
sys.settrace(wait)
"""


@pytest.mark.parametrize("before", ["", SLOWLY], ids=["usual", "slowly"])
@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_examples_of_the_readme(number, before):
    """Each prints what its last comment says."""
    code = EXAMPLES[number]
    expected = re.findall(r"# prints (.*)", code)
    ended = subprocess.run([sys.executable, "-W", "error", "-c", before + code], capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 0, ended.stderr
    assert expected and ended.stdout.split("\n")[:-1] == expected


def test_the_example_of_the_project_s_readme():
    readme = README.parent.parent.parent / "README.md"
    if not readme.exists():
        pytest.skip("this is not a checkout of the project")
    text = readme.read_text()
    code, prints = re.search(r"```python\n(.*?)```.*?# prints ([^\n]*)", text, re.S).groups()
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 0 and ended.stdout.split() == prints.split(", "), ended.stderr


def test_the_examples_in_the_package():
    for module in libsignalkit, libsignalkit.operators, libsignalkit.queues, libsignalkit.signal:
        assert doctest.testmod(module, extraglobs=vars(libsignalkit)).failed == 0
    assert doctest.testmod(libsignalkit).attempted > 0


def test_the_version_of_the_package_is_the_library_s():
    try:
        assert importlib.metadata.version("libsignalkit") == libsignalkit.__version__
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("it is not installed")


def test_all_that_is_public_is_said_to_be():
    for module in libsignalkit, libsignalkit.aio, libsignalkit.disposable, libsignalkit.operators, libsignalkit.queues, libsignalkit.signal, libsignalkit.sources:
        assert len(set(module.__all__)) == len(module.__all__)
        assert all(hasattr(module, name) for name in module.__all__)
    said = {*libsignalkit.__all__, *(path.stem for path in pathlib.Path(libsignalkit.__file__).parent.glob("*.py"))}
    assert [name for name in vars(libsignalkit) if not name.startswith("_") and name not in said] == []


def test_all_that_is_public_says_what_it_does():
    without = []
    for module in libsignalkit, libsignalkit.aio, libsignalkit.operators:
        for name in module.__all__:
            what = getattr(module, name)
            if inspect.isroutine(what) or inspect.isclass(what):
                without += [name] if not inspect.getdoc(what) else []
            if inspect.isclass(what) and not issubclass(what, (tuple, int)):
                made = {member: value for member, value in vars(what).items() if member[0] != "_" and not inspect.ismemberdescriptor(value)}
                without += [f"{name}.{member}" for member in made if not inspect.getdoc(getattr(what, member))]
    assert sorted(set(without)) == []


def test_every_operator_has_an_example():
    functions = [name for name in libsignalkit.operators.__all__ if name[0].islower()]
    assert [name for name in functions if ">>> " not in getattr(libsignalkit.operators, name).__doc__] == []
    assert [name for name in functions if name != "using" and ">>> " not in getattr(Signal, name).__doc__] == []


def test_every_operator_is_a_method():
    functions = [name for name in libsignalkit.operators.__all__ if name[0].islower()]
    without = [name for name in functions if not hasattr(Signal, name)]
    assert without == ["using"]  # not an operator, but creates a signal


def test_without_the_library_the_import_says_what_is_missing():
    environment = {**os.environ, "SIGNALKIT_LIBRARY": "/nowhere/libsignalkit.so.1"}
    ended = subprocess.run([sys.executable, "-c", "import libsignalkit"], env=environment, capture_output=True, text=True)
    assert ended.returncode != 0 and "ImportError: libsignalkit needs the library /nowhere" in ended.stderr and "SIGNALKIT_LIBRARY" in ended.stderr


def test_the_version_is_the_library_s():
    assert re.fullmatch(r"\d+\.\d+\.\d+", libsignalkit.__version__)


def test_the_process_ends_after_the_work_that_has_begun():
    """At its end, the interpreter kills threads that enter it again. In this test one does, from the work of a released queue."""
    code = """
import threading, time
from libsignalkit import Queue, Timer

began = threading.Event()

def work():
    began.set()
    time.sleep(0.05)
    print("done", flush=True)

timer = Timer(0.001, work, queue=Queue())
timer.start()
began.wait()
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 0 and ended.stdout == "done\n", ended.stderr


def test_a_test_that_fails_holds_up_no_other(tmp_path):
    """Later tests do not wait for the objects of a failed test, which an endless subscription or an exception retains."""
    (tmp_path / "conftest.py").write_text((pathlib.Path(__file__).parent / "conftest.py").read_text())
    (tmp_path / "test_some.py").write_text("""
from libsignalkit import Queue, Signal

def test_that_fails():
    signal = Signal.interval(60, queue=Queue())
    signal.start()
    try:
        assert signal is None
    finally:
        raise ValueError

def test_that_passes():
    with Signal.never().start():
        pass
""")
    ended = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path], capture_output=True, text=True, timeout=PATIENCE)
    assert "1 failed, 1 passed" in ended.stdout, ended.stdout


def imported(path, names):
    """The modules of the package that a module of it imports, also inside of functions; and for its types alone, but for the made one: methods of
    signals have the types of signals."""
    tree = ast.parse(path.read_text())
    if path.stem == "_methods":
        tree.body = [node for node in tree.body if not isinstance(node, ast.If)]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            yield from [node.module] if node.module else (alias.name for alias in node.names if alias.name in names)


def test_no_modules_import_each_other():
    paths = {path.stem: path for path in pathlib.Path(libsignalkit.__file__).parent.glob("*.py")}
    left = {name: set(imported(path, paths)) for name, path in paths.items()}
    while free := [name for name, needed in left.items() if not needed & left.keys()]:
        for name in free:
            del left[name]
    assert left == {}
