"""What `pyproject.toml` cannot say: a README that can be read away from the repository, and pages in the wheel."""

import re
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HOME = Path(__file__).resolve().parent
sys.path.insert(0, str(HOME / "src"))

from passnet import pages  # noqa: E402  found in `src`

_LINK = re.compile(r"!?\[([^\]]+)\]\((?![a-z]+:|#)([^)\s]+)\)")


def readme() -> str:
    """README.md with the names of pages in place of relative links, and what a picture shows in place of it."""
    return _LINK.sub(_told, (HOME / "README.md").read_text(encoding="utf-8"))


def _told(link: re.Match[str]) -> str:
    text, target = link.groups()
    page = pages.name_of(target)
    if page is None:
        return text
    return f"`passnet docs {page}`" if text == target else f"{text} (`passnet docs {page}`)"


def files() -> list[str]:
    """What readers of the wheel get, as paths from the root."""
    return sorted(
        str(path.relative_to(HOME)) for glob in pages.FILES for path in HOME.glob(glob) if path.suffix != ".pyc"
    )


class BuildWithPages(build_py):
    """Puts the pages into the package that is built, laid out as they are here, so that links among them hold."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            for file in files():
                goal = Path(self.build_lib, "passnet", pages.DIRECTORY, file)
                goal.parent.mkdir(parents=True, exist_ok=True)
                self.copy_file(str(HOME / file), str(goal))

    def get_source_files(self) -> list[str]:
        """The source distribution has them too, since wheels are built from it."""
        return [*super().get_source_files(), *files()]


setup(
    long_description=readme(),
    long_description_content_type="text/markdown",
    cmdclass={"build_py": BuildWithPages},
)
