"""Makes the screenshots of the documentation: every solver's first picture, a page, and the page of the service.

    screenshots.py PROGRAM CHROMIUM FOLDER

Writes FOLDER/solvers/ID.png, FOLDER/page.png and FOLDER/outbox.png.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from devtools import Browser, DevtoolsError, Tab
from making import EXAMPLES, GARBAGE, MakingError, run, serve
from png import smaller

WIDTH = 900
HEIGHT_MAX = 1000
# Larger files would make the documentation slow to open.
BYTES_MAX = 60_000
MARGIN = 16
# The page of the service shows files with these names.
DROPPED = {"2048-merge": "turma1-lista2.txt", "checkers-capture": "turma1-lista3.txt", "jump-game": "turma2-lista3.txt"}


def shoot(tab, page, target, selector=None):
    """Makes a screenshot of the selected element, or from the top of the page to the end of its first picture."""
    tab.view(WIDTH, HEIGHT_MAX)
    tab.open(page.absolute().as_uri())
    box = "(selector) => { const box = document.querySelector(selector)?.getBoundingClientRect(); return box && [box.top, box.bottom]; }"
    place = tab.evaluate(f"({box})({selector or 'section, main'!r})")
    if place is None:
        raise MakingError(f"{page}: there is no {selector}")
    top = place[0] if selector else 0
    height = min(place[1] - top + MARGIN, HEIGHT_MAX)
    png = smaller(tab.picture(0, top, WIDTH, height))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(png)
    print(f"{target}: {len(png)} bytes")
    if len(png) > BYTES_MAX:
        raise MakingError(f"{target} has {len(png)} bytes, more than {BYTES_MAX}")


def main(program, chromium, folder):
    base = Path(tempfile.mkdtemp(prefix="tabuleiro-screenshots."))
    try:
        with Browser(chromium) as browser:
            tab = Tab(browser)
            for solver, example in EXAMPLES.items():
                # With a copy, the page shows no path of this machine.
                shutil.copy(example, base / "entrada.txt")
                page = base / f"{solver}.html"
                run(program, "show", "--solver", solver, "entrada.txt", "-o", page, cwd=base).check_returncode()
                shoot(tab, page, folder / f"solvers/{solver}.png", "section")
            shoot(tab, base / "checkers-capture.html", folder / "page.png")
            files = {f"{solver}/{name}": EXAMPLES[solver].read_text() for solver, name in DROPPED.items()}
            serve(program, base / "service", {**files, "checkers-capture/carta.txt": GARBAGE.splitlines()[-1] + "\n"})
            running = base / "service/outbox/running.html"
            if running.exists():
                shoot(tab, running, folder / "outbox.png", "main")
            else:
                print("there is no page of the service")
    finally:
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
    except (DevtoolsError, MakingError) as error:
        sys.exit(f"WRONG: {error}")
