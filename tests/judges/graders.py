"""Uses the folders of `tabuleiro init --judge vpl` and `--judge gradescope` as these platforms do, with a student's program
that searches for everything it should not find.

    graders.py PROGRAM

Needs root: VPL runs everything as one separate user, Gradescope as root.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(sys.argv[1])
REFERENCE = "#: points = 20\n3 3\n2 1 2 0 1\n5 3\n1 0 2 1 0 2 0 0\n0 0\n"
SECRETS = ["tabuleiro", "entrada.txt", "vpl_evaluate.sh", "vpl_execution", "run_autograder", "results.json"]
STUDENT = """\
import os, sys

def can(what, path):
    try:
        what(path)
        return True
    except OSError:
        return False

def read(path):
    open(path, "rb").read(1)

found = [path for folder, _, names in os.walk({base!r}) for name in names
         if name in {secrets!r} and can(read, path := os.path.join(folder, name))]
for process in filter(str.isdigit, os.listdir("/proc")):
    try:
        name = open(f"/proc/{{process}}/comm").read().strip()
    except OSError:
        continue
    if name in ("tabuleiro", "vpl_execution", "run_autograder"):
        for what, path in [(os.listdir, "fd"), (read, "mem"), (read, "exe"), (read, "environ"), (os.listdir, "cwd")]:
            if can(what, f"/proc/{{process}}/{{path}}"):
                found.append(f"{{name}}: {{path}}")
open({report!r}, "w").write("\\n".join(found))
sys.stdout.write("1\\n2\\n" if "3 3" in sys.stdin.read() else "no input")
"""
USER = 4141
AS_USER = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]


def init(judge, folder):
    reference = folder.parent / "reference.txt"
    reference.write_text(REFERENCE)
    run = subprocess.run([PROGRAM, "init", "--judge", judge, folder, "--reference", reference], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"init --judge {judge}: {run.returncode}: {run.stderr}")


def own(folder):
    """Gives the folder and its content to the user."""
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, USER, USER)


def student(folder, base, report):
    (folder / "program.py").write_text(STUDENT.format(base=str(base), secrets=SECRETS, report=str(report)))


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, **options)
    return done.returncode, done.stdout, done.stderr


def vpl(base, careless=False):
    """Runs the scripts as VPL does; returns what VPL shows, and what the student's program found."""
    jail, report = base / "jail", base / "report"
    init("vpl", jail)
    if careless:
        # Removes the line that hides the files, to show that the student's search can find something.
        script = jail / "vpl_evaluate.sh"
        script.write_text(script.read_text().replace("rm -f tabuleiro entrada.txt vpl_*; ", ""))
    report.touch()
    student(jail, jail, report)
    own(base)
    status, _, error = run([*AS_USER, "./vpl_evaluate.sh"], cwd=jail)
    if status != 0:
        sys.exit(f"vpl_evaluate.sh: {error}")
    # VPL removes files that are not on its list of files to keep.
    (jail / "vpl_evaluate.sh").unlink()
    return run([*AS_USER, "./vpl_execution"], cwd=jail), report.read_text()


def gradescope(base):
    """Runs the script as Gradescope does; returns the results, and what the student's program found."""
    source, report = base / "source", base / "report"
    init("gradescope", source)
    for folder in ("submission", "results"):
        (base / folder).mkdir()
    shutil.copy(source / "run_autograder", base)
    report.touch()
    report.chmod(0o666)
    student(base / "submission", base, report)
    result = run([base / "run_autograder"])
    return result, json.loads((base / "results/results.json").read_text()), report.read_text()


def place():
    folder = Path(tempfile.mkdtemp(prefix="grader-"))
    folder.chmod(0o755)
    return folder


if os.geteuid() != 0:
    print("!!! VPL and Gradescope were not imitated: that needs root", file=sys.stderr)
    sys.exit(0)
wrong = []
(status, shown, error), found = vpl(place())
if (status, found) != (0, "") or "Grade :=>> 20\n" not in shown:
    wrong.append(f"VPL: {status}: {shown} {error}; found: {found}")
_, found = vpl(place(), careless=True)
if "tabuleiro" not in found:
    wrong.append(f"a careless script for VPL: found: {found}")
(status, shown, error), results, found = gradescope(place())
if (status, found, results.get("score")) != (0, "", 20):
    wrong.append(f"Gradescope: {status}: {shown} {error} {results}; found: {found}")
print(f"VPL and Gradescope: {len(wrong)} errors")
if wrong:
    sys.exit("\n".join(wrong))
