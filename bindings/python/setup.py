"""Builds the parts that pyproject.toml cannot describe: guard.c, and a wheel that contains the library (`make wheel`).

SIGNALKIT_BUNDLE is the file of the library, SIGNALKIT_GUARD the compiled guard.c, and SIGNALKIT_PLATFORM the platform of the wheel. Without them
the wheel has no library, and `$CC` compiles guard.c. If that fails, the package works, but an interrupt can end the process."""

import os
import shlex
import subprocess
import sys

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

library, guard, platform = (os.environ.get("SIGNALKIT_" + name) for name in ("BUNDLE", "GUARD", "PLATFORM"))


class BuildWithLibraries(build_py):
    def run(self):
        super().run()
        place = os.path.join(self.build_lib, "libsignalkit")
        if library:
            self.copy_file(library, os.path.join(place, "libsignalkit.so.1"))
        if guard:
            self.copy_file(guard, place)
        else:
            compile_guard(os.path.join(place, f"_guard-{os.uname().machine}.so"))


def compile_guard(output):
    compiler = shlex.split(os.environ.get("CC") or "cc")
    try:
        subprocess.run([*compiler, "-O2", "-fPIC", "-shared", "guard.c", "-o", output], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"without the part in C, so that an interrupt can end the process: {error}", file=sys.stderr)


class WheelWithLibrary(bdist_wheel):
    def get_tag(self):
        return ("py3", "none", platform) if platform else super().get_tag()


class ForOneMachine(Distribution):
    def has_ext_modules(self):
        return True


setup(distclass=ForOneMachine, cmdclass={"build_py": BuildWithLibraries, "bdist_wheel": WheelWithLibrary})
