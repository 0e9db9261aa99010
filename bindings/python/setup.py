"""What pyproject.toml cannot say: a wheel with the library inside, which `make wheel` builds.

SIGNALKIT_BUNDLE is the library's file, SIGNALKIT_PLATFORM the machines it is for. Without them the wheel is pure Python, for machines on which
the library is installed."""

import os

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

library, platform = os.environ.get("SIGNALKIT_BUNDLE"), os.environ.get("SIGNALKIT_PLATFORM")


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        self.copy_file(library, os.path.join(self.build_lib, "libsignalkit", "libsignalkit.so.1"))


class WheelWithLibrary(bdist_wheel):
    def get_tag(self):
        return "py3", "none", platform


class ForOneMachine(Distribution):
    def has_ext_modules(self):
        return True


if library:
    setup(distclass=ForOneMachine, cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": WheelWithLibrary})
else:
    setup()
