#!/usr/bin/env python3
"""Measures the figures about workers in docs/scaling.md: how workers scale, and what they cost files that do not need them.

    benches/workers.py PROGRAM scale hard|easy [SECONDS] [WORKERS,WORKERS...]
    benches/workers.py PROGRAM latency busy|idle [ROUNDS] [FILES]
    benches/workers.py PROGRAM away [ROUNDS] [FILES]

PROGRAM is a release build. Needs `nats-server` in the path, and root on a machine with control groups: each worker gets a
tenth of a core (`scale`) or a fifth (`latency`), so that one machine can stand for many. Rounds with and without a broker
alternate.
"""
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv[1])
URL = "nats://127.0.0.1:4444"
FOLDER = Path(tempfile.mkdtemp(prefix="tabuleiro-workers-"))
children = []


def generated(solver, puzzles, seed, *sets):
    arguments = [argument for one in sets for argument in ("--set", one)]
    return subprocess.check_output([PROGRAM, "generate", solver, str(puzzles), "--seed", str(seed), *arguments])


def start(command, log, **more):
    child = subprocess.Popen(command, stderr=open(log, "w"), stdout=subprocess.DEVNULL, **more)
    children.append(child)
    return child


def start_broker():
    start(["nats-server", "-js", "-a", "127.0.0.1", "-p", "4444", "-sd", str(FOLDER / "broker")], FOLDER / "broker.log")
    time.sleep(1)


def held_to(share):
    """Makes a control group whose processes get that share of a core; returns the shell command that joins it."""
    name = f"tabuleiro-{os.getpid()}-{len(children)}"
    if Path("/sys/fs/cgroup/cgroup.controllers").exists():
        group = Path("/sys/fs/cgroup") / name
        group.mkdir()
        (group / "cpu.max").write_text(f"{int(100_000 * share)} 100000")
    else:
        group = Path("/sys/fs/cgroup/cpu") / name
        group.mkdir()
        (group / "cpu.cfs_period_us").write_text("100000")
        (group / "cpu.cfs_quota_us").write_text(str(int(100_000 * share)))
    return f"echo $$ > {group}/cgroup.procs"


def start_worker(share, threads):
    number = len(children)
    command = f"{held_to(share)}; exec {PROGRAM} work --threads {threads} --url {URL}"
    start(["sh", "-c", command], FOLDER / f"worker-{number}.log", env=os.environ | {"STATE_DIRECTORY": str(FOLDER / "state")})


def place(name, settings):
    """Makes a folder with that configuration and an empty inbox."""
    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("config", "inbox"):
        (folder / part).mkdir(parents=True)
    # Nothing is synced, since the time of a sync depends on what else the disk does.
    routes = """
[results]
durability = "none"
[[route]]
name = "big"
files = ["big*"]
solver = "2048-merge"
job_time_limit = "none"
[[route]]
name = "small"
files = ["**"]
solver = "checkers-capture"
"""
    (folder / "config/tabuleiro.toml").write_text('[folders]\nbase = ".."\n' + settings + routes)
    return folder


def serve(folder):
    child = start([PROGRAM, "serve"], folder / "log", cwd=folder)
    while "ready inbox" not in (folder / "log").read_text():
        time.sleep(0.02)
    return child


def drop(folder, name, content):
    (folder / ".new").write_bytes(content)
    (folder / ".new").rename(folder / "inbox" / name)


def status(folder):
    return json.loads(subprocess.check_output([PROGRAM, "status", "--json"], cwd=folder))


def time_for_the_broker(service):
    """Returns the processor seconds that the service's thread for the broker has used."""
    for task in Path(f"/proc/{service.pid}/task").iterdir():
        name, fields = (task / "stat").read_text().rsplit(") ", 1)
        if name.endswith("(remote"):
            return sum(map(int, fields.split()[11:13])) / os.sysconf("SC_CLK_TCK")


def scale(kind="hard", seconds="60", counts="1,2,4,8"):
    """Prints how many puzzles of one file n workers solve per second."""
    start_broker()
    folder = place("service", f'[workers]\nthreads = 1\n[remote]\nurl = "{URL}"\n')
    service = serve(folder)
    puzzles, sets = {"hard": (20_000, ("size=10", "tiles=44")), "easy": (200_000, ("size=8", "tiles=28"))}[kind]
    drop(folder, "big.txt", generated("2048-merge", puzzles, 5, *sets))
    workers, one = 0, None
    for count in map(int, counts.split(",")):
        while workers < count:
            start_worker(0.1, 1)
            workers += 1
        while True:
            remote = status(folder)["remote"]
            if len(remote["workers"]) == count and remote["in_flight"] >= count:
                break
            time.sleep(0.5)
        time.sleep(3)
        before, used, since = status(folder)["remote"], time_for_the_broker(service), time.monotonic()
        time.sleep(float(seconds))
        after, passed = status(folder)["remote"], time.monotonic() - since
        used = time_for_the_broker(service) - used
        rate = (after["solved"] - before["solved"]) / passed
        one = one or rate / count
        sent, returned = (after[what] - before[what] for what in ("sent", "returned"))
        print(f"{count} workers: {rate:.1f} puzzles a second, {rate / one:.2f} times one; {sent} batches sent, {returned} came back; "
              f"{1000 * used / max(sent, 1):.2f} ms of the service's processor time a batch", flush=True)


def latency(kind="busy", rounds="6", files="400"):
    """Prints the median time from the drop of a small file to its result, with or without a huge file that workers share."""
    start_broker()
    start_worker(0.2, 2)
    big = generated("2048-merge", 20_000, 5, "size=10", "tiles=44")
    small = generated("checkers-capture", 20, 7)
    medians = {"without": [], "with": []}
    for turn in range(int(rounds)):
        for name in sorted(medians, reverse=turn % 2 == 0):
            remote = f'[remote]\nurl = "{URL}"\n' if name == "with" else ""
            folder = place(name, "[workers]\nthreads = 1\n" + remote)
            service = serve(folder)
            if kind == "busy":
                drop(folder, "big.txt", big)
                time.sleep(4)
                while remote and status(folder)["remote"]["solved"] < 5:
                    time.sleep(0.1)
            taken = []
            for number in range(int(files)):
                since = time.perf_counter()
                drop(folder, f"{number}.txt", small)
                while not (folder / f"outbox/{number}.saida.txt").exists():
                    time.sleep(0.0002)
                taken.append(1000 * (time.perf_counter() - since))
            solved = status(folder)["remote"]["solved"] if remote else 0
            medians[name].append(statistics.median(taken))
            print(f"{name}: {medians[name][-1]:.2f} ms; workers solved {solved} puzzles meanwhile", flush=True)
            service.kill()
            service.wait()
    report("median of a small file", "ms", medians["without"], medians["with"])


def away(rounds="6", files="30000"):
    """Prints the time that files take if the configured broker does not answer."""
    small = generated("checkers-capture", 20, 7)
    clock, processor = {"without": [], "with": []}, {"without": [], "with": []}
    for turn in range(int(rounds)):
        for name in sorted(clock, reverse=turn % 2 == 0):
            folder = place(name, '[remote]\nurl = "nats://127.0.0.1:1"\n' if name == "with" else "")
            for number in range(int(files)):
                (folder / f"inbox/{number}.txt").write_bytes(small)
            before, since = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            subprocess.run([PROGRAM, "serve", "--once"], cwd=folder, stderr=open(folder / "log", "w"), check=True)
            clock[name].append(time.monotonic() - since)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            processor[name].append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            assert len(list((folder / "outbox").iterdir())) >= int(files)
            told = (folder / "log").read_text().count(" WARN ")
    report(f"{files} files by the clock", "s", clock["without"], clock["with"])
    report(f"{files} files, processor time", "s", processor["without"], processor["with"])
    print(f"warnings in the last log: {told}")


def report(what, unit, without, having):
    first, second = statistics.median(without), statistics.median(having)
    print(f"{what}: {first:.2f} {unit} without a broker, {second:.2f} {unit} with, ratio {second / first:.3f} "
          f"(runs {min(without):.2f} to {max(without):.2f}, {min(having):.2f} to {max(having):.2f})")


try:
    {"scale": scale, "latency": latency, "away": away}[sys.argv[2]](*sys.argv[3:])
finally:
    for child in children:
        child.kill()
        child.wait()
    shutil.rmtree(FOLDER, ignore_errors=True)
