"""Makes pages with the program: with `tabuleiro show`, and with the service beside results, reports and grades."""

import glob
import html
import os
import re
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

CASES = Path("tests/cases")
MISTAKES = Path("tests/mistakes")
ENDING = ".entrada.txt"
# A small file for every solver, with a typical picture.
EXAMPLES = {path.name.removesuffix(ENDING): path for path in sorted(Path("tests/browser/examples").glob(f"*{ENDING}"))}
# How long a command and the service may take, in seconds.
PATIENCE = 60
# Exit statuses: success; a puzzle of the file is invalid; a puzzle is undecided.
EXPECTED = (0, 65, 75)
# A name that a page must show unchanged.
HOSTILE_NAME = "<script>alert(1)</script> & \"b\" 'c' %41#d?"
# Folders whose files the service grades as submissions.
GRADING = ("grades", "hints")
GARBAGE = "<img src=x onerror=alert(1)>\nDear Sir\n"

# The part of the configuration before the routes comes from `tabuleiro init`.
ROUTES = """\
[[route]]
name = "grades"
files = ["grades/**"]
solver = "checkers-capture"
grade = "../reference.txt"
options = {{ picture = true, words = "skip", language = "{language}" }}

[[route]]
name = "hints"
files = ["hints/**"]
solver = "checkers-capture"
grade = "../reference.txt"
options = {{ picture = true, reveal = "own", language = "{language}" }}
"""
ROUTE = """
[[route]]
name = "{solver}"
files = ["{solver}/**"]
solver = "{solver}"
options = {{ picture = true, witness = {witness}, language = "{language}" }}
"""
REFERENCE = "3 3\n2 1 2 0 1\n5 3\n1 0 2 1 0 2 0 0\n8 8\n2 2 2 2 0 0 0 0 2 2 2 2 0 0 0 0 2 2 2 2 0 0 0 0 2 2 2 2 0 1 0 0\n0 0\n"
# The same boards and an invalid one.
BOARDS = REFERENCE.removesuffix("0 0\n") + "3 3\n2 1 2 0 7\n0 0\n"
SUBMISSIONS = {"right": "1\n2\n7\n", "wrong": "1\n2 0,0 2,2 4,0\n12\n", "illegal": "1\n2 0,0 4,0\n", "words": "<b>Caso 1</b>: x\n", "empty": ""}


class MakingError(Exception):
    """The program did not make a page that it should make."""


def run(*command, **options):
    """Runs a command without the user's own configuration; returns the completed process."""
    environment = {**os.environ, "XDG_CONFIG_HOME": "/nonexistent"}
    return subprocess.run([str(word) for word in command], capture_output=True, timeout=PATIENCE, env=environment, **options)


def show(program, file, page, solver, language="en", more=()):
    """Makes the page of a file and returns it, or None if the file is rejected."""
    sets = re.findall(r"^# set: (\S+=\S+)", file.read_text(errors="replace"), re.MULTILINE)
    options = [word for each in [*sets, f"language={language}"] for word in ("--set", each)]
    page.parent.mkdir(parents=True, exist_ok=True)
    made = run(program, "show", "--solver", solver, *options, *more, file, "-o", page)
    if made.returncode not in EXPECTED:
        raise MakingError(f"show {file}: exit status {made.returncode}: {made.stderr.decode(errors='replace')[:500]}")
    return page if page.exists() else None


def show_results(program, base, configuration):
    """Makes pages from the service's JSON results and kept inputs; returns the pages."""
    pages = []
    for result in sorted((base / "outbox").rglob("*.json")):
        page = base / "json" / result.relative_to(base / "outbox").with_suffix(".html")
        if result.name.startswith("nota."):
            continue
        page.parent.mkdir(parents=True, exist_ok=True)
        made = run(program, "show", "--config", configuration, result, "-o", page)
        if made.returncode != 0:
            raise MakingError(f"show {result}: exit status {made.returncode}: {made.stderr.decode(errors='replace')[:500]}")
        pages.append(page)
    return pages


def drop(base, path, text):
    """Moves a complete file into the inbox."""
    making = base / "making"
    making.write_text(text)
    place = base / "inbox" / path
    place.parent.mkdir(parents=True, exist_ok=True)
    making.rename(place)


def page_of(path):
    """Returns the page of a file, as a pattern below the outbox."""
    stem = path.removesuffix(".txt")
    return f"{stem.removesuffix('saida')}nota.html" if path.startswith(GRADING) else f"{glob.escape(stem)}.*.html"


def dropped():
    """Returns the files for the service: for every solver a right file and garbage; a hostile name; and submissions."""
    files = {f"checkers-capture/{HOSTILE_NAME}.txt": BOARDS}
    for solver, example in EXAMPLES.items():
        files |= {f"{solver}/example.txt": example.read_text(), f"{solver}/garbage.txt": GARBAGE}
    return files | {f"{route}/{name}/saida.txt": text for route in GRADING for name, text in SUBMISSIONS.items()}


def serve(program, base, files, language="en"):
    """Runs the service with these files; returns all pages that it makes, including the page of the service if there is one."""
    shutil.rmtree(base, ignore_errors=True)
    run(program, "init", base).check_returncode()
    (base / "reference.txt").write_text(REFERENCE)
    configuration = base / "config/tabuleiro.toml"
    text = configuration.read_text().partition("\n[[route]]")[0] + "\n"
    for key, value in {"quiet_period": '"10ms"', "formats": '["txt", "json"]', "language": f'"{language}"', "file": "false"}.items():
        text = re.sub(rf"(?m)^{key} = .*$", f"{key} = {value}", text)
    values = {"language": language, "witness": "true" if language == "en" else "false"}
    routes = ROUTES.format(**values) + "".join(ROUTE.format(solver=solver, **values) for solver in EXAMPLES)
    configuration.write_text(text + routes)
    outbox = base / "outbox"
    index = outbox / "index.html"
    has_index = "\n[page]\n" in text

    with open(base / "log", "wb") as log:
        environment = {key: value for key, value in os.environ.items() if key not in ("NOTIFY_SOCKET", "WATCHDOG_USEC")}
        service = subprocess.Popen([str(program), "serve", "--config", str(configuration)], stdout=log, stderr=log, env=environment)
        try:
            for path, text in files.items():
                drop(base, path, text)
            named = [path for path in files if not path.startswith(GRADING)] if has_index else []

            def missing():
                wanted = [path for path in files if not any(outbox.glob(page_of(path)))]
                told = index.read_text() if named and index.exists() else ""
                # Waits until all jobs have ended and the page links to the page of each.
                wanted += [f"{path} in index.html" for path in named if path not in html.unescape(told)]
                links = len(set(re.findall(r'href="([^"]+\.html)"', told)))
                return wanted + ([f"{len(named) - links} links in index.html"] if links < len(named) else [])

            # A copy of the page while the service runs; the service writes it once more at its end.
            running = outbox / "running.html"
            deadline = time.monotonic() + PATIENCE
            while wanted := missing():
                if time.monotonic() > deadline or service.poll() is not None:
                    said = (base / "log").read_text(errors="replace")[-1000:]
                    raise MakingError(f"the service makes no page of {wanted[:5]}; it says\n{said}")
                time.sleep(0.05)
            if index.exists():
                shutil.copy(index, running)
        finally:
            service.terminate()
            service.wait(PATIENCE)
    return sorted(outbox.rglob("*.html")) + show_results(program, base, configuration)


def make(program, folder):
    """Makes all pages, and yields pairs of a name and its page (None if a file gives no page) as soon as they are ready."""
    without = {path.name for path in CASES.iterdir() if path.is_dir()} - EXAMPLES.keys()
    if without:
        raise MakingError(f"no example in tests/browser/examples of {sorted(without)}")
    shutil.rmtree(folder, ignore_errors=True)
    tasks = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:

        def do(name, task, *arguments):
            future = pool.submit(task, program, *arguments)
            future.name = name
            tasks.append(future)

        for language in ["en", "pt"]:
            do(f"service {language}", serve, folder / f"service-{language}", dropped(), language)
        for solver, example in EXAMPLES.items():
            for language in ["en", "pt"]:
                do(f"examples {example} {language}", show, example, folder / f"examples/{solver}.{language}.html", solver, language)
            for file in sorted((CASES / solver).glob(f"*{ENDING}")):
                page = folder / "cases" / solver / f"{file.name.removesuffix(ENDING)}.html"
                do(f"{solver} {file}", show, file, page, solver)
            for file in sorted((MISTAKES / solver).glob(f"*{ENDING}")):
                page = folder / "mistakes" / solver / f"{file.name.removesuffix(ENDING)}.html"
                do(f"mistakes {file} pt", show, file, page, solver, "pt")
        for future in as_completed(tasks):
            try:
                made = future.result()
            except Exception:
                pool.shutdown(cancel_futures=True)
                raise
            if isinstance(made, list):
                yield from [(f"{future.name} {page.relative_to(folder)}", page) for page in made]
            else:
                yield future.name, made
