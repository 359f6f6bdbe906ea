"""Makes a problem package for every solver in packages/ with `tabuleiro init --judge kattis`, and one with custom scoring.
problemtools must verify all of them with 0 errors and 0 warnings.

    packages.py PROGRAM

The packages get further submissions, which look up their output by the input's digest: right ones in several forms, which
must be accepted, and wrong ones, which must be judged wrong. With STATEMENTS=1 the statements are also typeset, which needs
pandoc and LuaLaTeX.
"""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

# For each solver: the beginning of an answer, and a change that makes a path, slides, transcript or chain illegal.
SOLVERS = {
    "checkers-capture": (r"^\d", (r"^([1-9]\d* .*) \d+,\d+$", r"\1 19,19")),
    "2048-merge": (r"^[\dn]", (r"^(\d+) ([DECB]).*$", r"\1 \2 \2 \2")),
    "2048-astar": (r"^[MNu]", (r"\d+\n\Z", "1024\n")),
    "2048-game": (r"^score", (r"^([DECB]) (\d+ \d+) [24]$", r"\1 \2 8")),
    "jump-game": (r"^[A-Z]", (r"^\d+,\d+", "9999,9999")),
}
# Further options of the generator for small puzzles, and the text before the puzzles.
SMALL = {
    "2048-astar": (["--set", "moves=10"], "#: goal = 64\n"),
    "2048-game": (["--set", "size=3"], "#: player = random\n"),
}
PROGRAM = sys.argv[1]
SUBMISSION = """\
import hashlib, sys
outputs = {outputs!r}
sys.stdout.buffer.write(outputs[hashlib.sha256(sys.stdin.buffer.read()).hexdigest()])
"""


def tabuleiro(*arguments, text=""):
    """Runs the program, which must succeed, and returns its output."""
    run = subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"tabuleiro {' '.join(arguments)}: exit status {run.returncode}\n{run.stderr}")
    return run.stdout


def solve(flags, puzzles, witness):
    return tabuleiro("solve", *flags, "--set", f"witness={witness}", text=puzzles)


def generate(solver, count, seed):
    """Returns an input with that many small puzzles."""
    options, head = SMALL.get(solver, ([], ""))
    puzzles = head + tabuleiro("generate", solver, str(count), "--seed", str(seed), *options)
    if solver == "2048-game":
        # A game that the program plays needs a transcript as its answer. Writing its moves makes a game with one right answer.
        played = re.split(r"^score.*\n", solve(["--solver", solver], puzzles, "true"), flags=re.M)[1:]
        moves = iter("".join(re.findall(r"^([DECB]) \d", game, re.M)) for game in played)
        puzzles = re.sub(r"^AUTO$", lambda _: next(moves), puzzles, flags=re.M)
    return puzzles


def cut(solver, text):
    """Returns the text without its last answer."""
    return text[: [answer.start() for answer in re.finditer(SOLVERS[solver][0], text, re.M)][-1]]


def untidy(text):
    """Returns the text with a byte-order mark, Windows line ends, spaces and blank lines, and without the last line end."""
    return "\ufeff\r\n" + text.strip("\n").replace("\n", " \r\n\r\n  ")


def outputs_of(solver, flags, puzzles):
    """Returns the output of each submission for an input, by the submission's folder and name."""
    proved = solve(flags, puzzles, "true")
    # A game that the program plays needs its transcript.
    plain = proved if "AUTO" in puzzles else solve(flags, puzzles, "false")
    pattern, illegal = SOLVERS[solver][1]
    return {
        "accepted/plain": plain,
        "accepted/witness": proved,
        "accepted/untidy": untidy(proved),
        "wrong_answer/value": re.sub(r"\d+", lambda number: str(int(number[0]) + 1), plain, count=1),
        "wrong_answer/missing": cut(solver, plain),
        "wrong_answer/illegal": re.sub(pattern, illegal, proved, count=1, flags=re.M),
    }


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def make(solver, scoring):
    """Makes the package; returns its folder and its submissions."""
    package = Path("packages", solver.replace("-", "") + ("scoring" if scoring else ""))
    shutil.rmtree(package, ignore_errors=True)
    reference = Path("packages", f"{package.name}.txt")
    write(reference, generate(solver, 5, 3))
    each = [] if scoring else ["--each"]
    tabuleiro("init", "--judge", "kattis", str(package), "--reference", str(reference), "--solver", solver, *each)
    validator = package / "output_validators/tabuleiro/run"
    flags = shlex.split(re.search(r' validate (.*) "', validator.read_text())[1])
    cases = sorted(package.glob("data/*/*.in"))
    submissions = {"accepted/right": None, "wrong_answer/unfinished": None}
    if scoring:
        change(package / "problem.yaml", "pass-fail\nvalidation: custom", "scoring\nvalidation: custom score")
        change(validator, '"$@"', '--score "$@"')
        most = 4 + len(cases)  # the reference's test case has five puzzles
        write(package / "data/testdata.yaml", f"on_reject: continue\nrange: 0 {most}\ngrader_flags: accept_if_any_accepted\n")
        (package / "submissions/wrong_answer").rename(package / "submissions/partially_accepted")
        submissions = {"accepted/right": None, "partially_accepted/unfinished": None, "wrong_answer/nothing": {}}
    for case in cases:
        puzzles = case.read_text()
        outputs = {name: output.encode() for name, output in outputs_of(solver, flags, puzzles).items()}
        if scoring:
            # Every wrong submission also has right answers, which earn points; only an empty one earns none.
            outputs = {name.replace("wrong_answer", "partially_accepted"): output for name, output in outputs.items()}
            outputs["wrong_answer/nothing"] = b""
        digest = hashlib.sha256(puzzles.encode()).hexdigest()
        for name, output in outputs.items():
            submissions.setdefault(name, {})[digest] = output
    for name, outputs in submissions.items():
        if outputs is not None:
            write(package / "submissions" / f"{name}.py", SUBMISSION.format(outputs=outputs))
    return package, submissions


def change(path, old, new):
    text = path.read_text()
    path.write_text(text.replace(old, new, 1))


def verify(package, submissions):
    """Returns whether problemtools finds no error and judges every submission as its folder says."""
    parts = ["config", "data", "graders", "submissions", "validators"]
    if "STATEMENTS" in os.environ:
        parts.append("statement")
    command = ["verifyproblem", str(package), "--fixed_timelim", "20", "--parts", *parts]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    Path(f"{package}.log").write_text(run.stdout)
    verdicts = {"accepted": "AC", "partially_accepted": "AC", "wrong_answer": "WA"}
    missed = [
        name
        for name in submissions
        if not re.search(rf"{name}[.]py .*OK: {verdicts[name.split('/')[0]]}", run.stdout)
    ]
    is_right = run.returncode == 0 and not missed and "tested: 0 errors, 0 warnings" in run.stdout
    if not is_right:
        print(run.stdout, *(f"not judged as it should be: {name}" for name in missed), sep="\n")
    told = re.search(r"tested: (.*)", run.stdout)
    print(f"{package.name:24} {len(submissions)} submissions, {told[1] if told else 'not verified'}", flush=True)
    return is_right


solvers = [line.split()[0] for line in tabuleiro("solvers").splitlines()]
if solvers != list(SOLVERS):
    sys.exit(f"{__file__} does not know these solvers: {solvers}")
packages = [make(solver, scoring=False) for solver in solvers]
packages.append(make("jump-game", scoring=True))
if not all([verify(*package) for package in packages]):
    sys.exit(1)
