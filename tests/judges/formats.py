"""Grades right, wrong and hostile submissions of the packages, and checks the output with schemas.

    formats.py GRADESCOPE-SCHEMA JUNIT-SCHEMA

The schema of JUnit does not compare the counts with the numbers of elements, so this file does.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
from lxml import etree

gradescope = jsonschema.Draft202012Validator(json.loads(Path(sys.argv[1]).read_text()))
junit = etree.XMLSchema(etree.parse(sys.argv[2]))

HOSTILE = [
    b'"><script>alert(1)</script>]]>&lt;&#0;<![CDATA[ \\" \\u0000 \\ud800 </failure></testcase>\n' * 5,
    bytes(range(256)) * 3,
    "\ufffe \uffff \u2028 \u202e \x1b[31m \ud7ff \U0010ffff\n".encode() * 5 + b"\xed\xa0\x80\n\xc0\x80\n",
    b"9" * 100_000 + b"\n-1\n1e999\nNaN\nInfinity\n" + b"7\n" * 1000,
    b"\x7fELF\x02\x01\x01" + bytes(64),
    b"",
]
# File systems allow such a name.
HOSTILE_NAME = b"]]>&\"'<\x01\x1b\xff\xed\xa0\x80\n.txt"


def wrong_in_gradescope(text):
    """Returns the mistakes in output for Gradescope."""

    def refuse(word):
        raise ValueError(f"{word} is no JSON")

    try:
        results = json.loads(text.decode("utf-8"), parse_constant=refuse)
    except ValueError as error:
        return [str(error)]
    return [error.message for error in gradescope.iter_errors(results)]


def wrong_in_junit(text):
    """Returns the mistakes in output as JUnit's XML."""
    try:
        document = etree.fromstring(text, etree.XMLParser(resolve_entities=False, huge_tree=True))
    except etree.XMLSyntaxError as error:
        return [str(error)]
    if not junit.validate(document):
        return [str(error) for error in junit.error_log]
    return [
        f'{suite.get(count)} {count}, but {len(suite.findall(".//" + element))} elements'
        for suite in document.iter("testsuite")
        for count, element in [("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
        if suite.get(count) != str(len(suite.findall(".//" + element)))
    ]


FORMATS = {"gradescope": wrong_in_gradescope, "junit": wrong_in_junit}


def write_submissions(folder, right):
    """Writes right, wrong and hostile submissions into a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    wrong = re.sub(rb"\d+", lambda number: b"1" + number[0], right, count=1)
    texts = {"right.txt": right, "wrong.txt": wrong, "extra.txt": right + right, os.fsdecode(HOSTILE_NAME): wrong}
    texts |= {f"hostile{number}.txt": text for number, text in enumerate(HOSTILE)}
    for name, text in texts.items():
        (folder / name).write_bytes(text)
    return sorted(folder.iterdir())


def check(name, solver, reference, right):
    """Prints how many documents were checked, and returns the mistakes in them."""
    files = write_submissions(Path("submissions", name), right)
    runs = [(form, [file], reveal) for form in FORMATS for file in files for reveal in ["full", "own"]]
    runs += [(form, [file], reveal) for form in FORMATS for file in files[-1:] for reveal in ["points", "none"]]
    runs.append(("junit", files, "full"))
    wrong = []
    for form, paths, reveal in runs:
        language = "pt" if reveal == "own" else "en"
        command = ["tabuleiro", "grade", "--solver", solver, "--format", form, "--reveal", reveal, "--set", f"language={language}"]
        run = subprocess.run([*command, reference, *paths], capture_output=True)
        faults = [f"exit status {run.returncode}: {run.stderr}"] if run.returncode not in (0, 1) else FORMATS[form](run.stdout)
        wrong += [f"{form}, {reveal}, {[str(path) for path in paths]}: {fault}" for fault in faults]
    print(f"{name:24} {len(runs)} documents, {len(wrong)} errors", flush=True)
    return wrong


# With an invalid board in the reference, nobody is graded.
invalid = Path("submissions/invalid.txt")
invalid.parent.mkdir(exist_ok=True)
invalid.write_text("3 3\n2 1 2 0 7\n3 3\n2 1 2 0 1\n0 0\n")
wrong = []
for form in FORMATS:
    command = ["tabuleiro", "grade", "--solver", "checkers-capture", "--format", form, invalid, invalid]
    run = subprocess.run(command, capture_output=True)
    if run.returncode != 65 or run.stdout or b"puzzle 1 of this reference is invalid" not in run.stderr:
        wrong.append(f"{form}, invalid reference: exit status {run.returncode}: {run.stdout} {run.stderr}")
# The memory limit leaves the first board undecided, so its answer is not graded.
undecided = Path("submissions/undecided.txt")
large = ["2048-merge", "1", "--seed", "3", "--set", "size=10", "--set", "tiles=80"]
boards = [subprocess.check_output(["tabuleiro", "generate", *command]) for command in [large, ["2048-merge", "1"]]]
cases = b"".join(board.partition(b"\n")[2] for board in boards)
undecided.write_bytes(b"#: memory_limit = 1MiB\n2\n" + cases)
wrong += check("undecided", "2048-merge", undecided, b"1\n1\n")
for solver in subprocess.check_output(["tabuleiro", "solvers"], text=True).splitlines():
    solver = solver.split()[0]
    case = Path("packages", solver.replace("-", "") + ".txt")
    right = subprocess.run(["tabuleiro", "solve", "--solver", solver, case], capture_output=True, check=True)
    wrong += check(solver, solver, case, right.stdout)
if wrong:
    sys.exit("\n".join(wrong))
