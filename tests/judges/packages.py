"""Makes a problem package for every solver, and one with custom scoring, in packages/, and has problemtools verify them.

The submissions know the outputs of the inputs by their digests: right ones in several forms, which must be accepted, and wrong ones,
which must be judged wrong. The statement, which needs LaTeX, is the one part that is not looked at.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

# How an answer begins, and a change that makes a claimed path, list of slides, transcript or chain of boards illegal.
SOLVERS = {
    "checkers-capture": (r"^\d", (r"^([1-9]\d* .*) \d+,\d+$", r"\1 19,19")),
    "2048-merge": (r"^[\dn]", (r"^(\d+) ([DECB]).*$", r"\1 \2 \2 \2")),
    "2048-astar": (r"^[MNu]", (r"\d+\n\Z", "1024\n")),
    "2048-game": (r"^score", (r"^([DECB]) (\d+ \d+) [24]$", r"\1 \2 8")),
    "jump-game": (r"^[A-Z]", (r"^\d+,\d+", "9999,9999")),
}
# What small puzzles need beside the count and the seed, and what is written in front of them.
SMALL = {
    "2048-astar": (["--set", "moves=10"], "#: goal = 64\n"),
    "2048-game": (["--set", "size=3"], "#: player = random\n"),
}
CASES = {"sample/1": (2, 1), "secret/1": (3, 2), "secret/2": (5, 3)}  # puzzles and seed

CONFIGURATION = """\
license: cc0
rights_owner: nobody
uuid: {uuid}
type: {type}
validation: custom{score}
validator_flags: --solver {solver}{flags}
"""
OUTPUT_VALIDATOR = '#!/bin/sh\nexec tabuleiro validate "$@"\n'
INPUT_VALIDATOR = "#!/bin/sh\ntabuleiro check --solver {solver} - && exit 42\nexit 43\n"
SUBMISSION = """\
import hashlib, sys
outputs = {outputs!r}
sys.stdout.buffer.write(outputs[hashlib.sha256(sys.stdin.buffer.read()).hexdigest()])
"""


def tabuleiro(*arguments, text=""):
    """What the program prints; everything must be right."""
    run = subprocess.run(["tabuleiro", *arguments], input=text, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"tabuleiro {' '.join(arguments)}: exit status {run.returncode}\n{run.stderr}")
    return run.stdout


def solve(solver, puzzles, witness):
    return tabuleiro("solve", "--solver", solver, "--set", f"witness={witness}", text=puzzles)


def generate(solver, count, seed):
    """An input of that many small puzzles."""
    options, head = SMALL.get(solver, ([], ""))
    puzzles = head + tabuleiro("generate", solver, str(count), "--seed", str(seed), *options)
    if solver == "2048-game":
        # An answer to a game that the program plays needs a transcript: the same moves make it a game with one right end.
        played = re.split(r"^score.*\n", solve(solver, puzzles, "true"), flags=re.M)[1:]
        moves = iter("".join(re.findall(r"^([DECB]) \d", game, re.M)) for game in played)
        puzzles = re.sub(r"^AUTO$", lambda _: next(moves), puzzles, flags=re.M)
    return puzzles


def cut(solver, text):
    """Without its last answer."""
    return text[: [answer.start() for answer in re.finditer(SOLVERS[solver][0], text, re.M)][-1]]


def untidy(text):
    """A byte-order mark, Windows' line ends, blanks and blank lines; no end of the last line."""
    return "\ufeff\r\n" + text.strip("\n").replace("\n", " \r\n\r\n  ")


def outputs_of(solver, puzzles):
    """What each submission prints for an input, by its folder and name."""
    plain, proved = solve(solver, puzzles, "false"), solve(solver, puzzles, "true")
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
    """Makes the package, and says where it is and which submissions it has."""
    package = Path("packages", solver.replace("-", "") + ("scoring" if scoring else ""))
    shutil.rmtree(package, ignore_errors=True)
    configuration = CONFIGURATION.format(
        solver=solver,
        uuid=hashlib.md5(package.name.encode()).hexdigest(),
        type="scoring" if scoring else "pass-fail",
        score=" score" if scoring else "",
        flags=" --score" if scoring else "",
    )
    write(package / "problem.yaml", configuration)
    for folder, text in [("input_validators", INPUT_VALIDATOR.format(solver=solver)), ("output_validators", OUTPUT_VALIDATOR)]:
        write(package / folder / "tabuleiro/build", "#!/bin/sh\n", 0o755)
        write(package / folder / "tabuleiro/run", text, 0o755)
    write(package / "problem_statement/problem.en.tex", f"\\problemname{{{solver}}}\n")
    submissions = {}
    for case, (count, seed) in CASES.items():
        puzzles = generate(solver, count, seed)
        write(package / "data" / f"{case}.in", puzzles)
        write(package / "data" / f"{case}.ans", solve(solver, puzzles, "false"))
        digest = hashlib.sha256(puzzles.encode()).hexdigest()
        for name, output in outputs_of(solver, puzzles).items():
            if scoring:
                # All of the wrong ones have right answers, too, which earn something; nothing earns nothing.
                name = name.replace("wrong_answer", "partially_accepted")
                submissions.setdefault("wrong_answer/nothing", {})[digest] = b""
            submissions.setdefault(name, {})[digest] = output.encode()
    if scoring:
        most = sum(count for count, _ in CASES.values())
        write(package / "data/testdata.yaml", f"on_reject: continue\nrange: 0 {most}\n")
    for name, outputs in submissions.items():
        write(package / "submissions" / f"{name}.py", SUBMISSION.format(outputs=outputs))
    return package, submissions


def verify(package, submissions):
    """Whether problemtools finds no error, and judged every submission as its folder says."""
    parts = ["config", "data", "graders", "submissions", "validators"]
    command = ["verifyproblem", str(package), "--fixed_timelim", "20", "--parts", *parts]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    Path(f"{package}.log").write_text(run.stdout)
    verdicts = {"accepted": "AC", "partially_accepted": "AC", "wrong_answer": "WA"}
    missed = [
        name
        for name in submissions
        if not re.search(rf"{name}[.]py .*OK: {verdicts[name.split('/')[0]]}", run.stdout)
    ]
    is_right = run.returncode == 0 and not missed
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
