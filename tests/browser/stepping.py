"""Steps through pictures by keyboard, and compares the picture at every step with a replay of the answer."""

import json
import re

# Codes of the keys that `press` can press.
KEY = {"ArrowRight": 39, "ArrowLeft": 37, " ": 32}
OPACITY = """const opacity = (one) => { let all = 1; for (; one && one !== document.body; one = one.parentElement) {
  const style = getComputedStyle(one); all *= style.display === "none" ? 0 : Number(style.opacity); } return all; };"""
# Reads a picture of a capture: the pieces that are faded or not, the square of the moving piece, and the arrows.
CAPTURE = """(() => {%s
  const pic = document.querySelector(".pic");
  const square = (x, y) => [Math.floor((y - 26) / 36), Math.floor((x - 26) / 36)];
  const dots = [...pic.querySelectorAll(".other")].flatMap((path) => [...path.getAttribute("d").matchAll(/M([\\d.]+),([\\d.]+)/g)]
    .map(([, x, y]) => [opacity(path), square(x, y)]));
  const me = [...pic.querySelectorAll(".me")].filter((one) => opacity(one) > 0.5).map((one) => square(one.firstChild.cx.baseVal.value, one.firstChild.cy.baseVal.value));
  const ways = [...pic.querySelectorAll(".a .way")].map((way) => [parseFloat(getComputedStyle(way).strokeWidth), opacity(way)]);
  const names = [...pic.querySelectorAll("em")].filter((one) => opacity(one) > 0.5).map((one) => one.textContent);
  return { pieces: dots.filter(([seen]) => seen > 0.5).map(([, at]) => at), faded: dots.filter(([seen]) => seen < 0.5).map(([, at]) => at),
    me, ways, names };
})()""" % OPACITY
# Reads a strip: the rows of every visible board.
BOARDS = """(() => {%s
  return [...document.querySelectorAll(".pic svg")].filter((svg) => opacity(svg) > 0.5).map((svg) => {
    const size = Math.round((svg.viewBox.baseVal.width - 4) / 40);
    const rows = Array.from({ length: size }, () => Array(size).fill(0));
    for (const text of svg.querySelectorAll("text")) rows[Math.floor((text.y.baseVal[0].value - 4) / 40)][Math.floor((text.x.baseVal[0].value - 4) / 40)] = Number(text.textContent);
    return rows;
  });
})()""" % OPACITY
# Reads the states that the animation shows, in order.
PLAYED = """(() => {
  const pic = document.querySelector(".pic");
  const states = [];
  for (const animation of pic.getAnimations()) {
    animation.pause();
    const length = animation.effect.getComputedTiming().duration;
    for (let at = 0; at < 40; at++) { animation.currentTime = (length * at) / 40; states.push(Number(getComputedStyle(pic).getPropertyValue("--s"))); }
  }
  return states;
})()"""


def press(tab, key):
    code = {"key": key, "code": key, "windowsVirtualKeyCode": KEY[key]}
    tab.call("Input.dispatchKeyEvent", type="keyDown", **code)
    tab.call("Input.dispatchKeyEvent", type="keyUp", **code)


def slid(rows, letter):
    """Returns the board after a slide, by the rules of docs/solvers/2048-merge.md."""
    turned = [list(column) for column in zip(*rows)] if letter in "CB" else rows
    made = []
    for row in turned:
        tiles = [value for value in (row if letter in "EC" else row[::-1]) if value]
        out = []
        while tiles:
            value = tiles.pop(0)
            if tiles and tiles[0] == value:
                value += tiles.pop(0)
            out.append(value)
        out += [0] * (len(row) - len(out))
        made.append(out if letter in "EC" else out[::-1])
    return [list(column) for column in zip(*made)] if letter in "CB" else made


def capture_faults(tab, board, path):
    """Steps through a capture and back, and yields the faults."""
    path = [tuple(map(int, square.split(","))) for square in path]
    over = [((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in zip(path, path[1:])]
    others = {(row, column) for row, line in enumerate(board) for column, piece in enumerate(line) if piece == 2}

    def check(step, where):
        seen = tab.evaluate(CAPTURE)
        if sorted(map(tuple, seen["me"])) != [path[step]]:
            yield f"{where}: the piece stands on {seen['me']}, not on {path[step]}"
        if sorted(map(tuple, seen["pieces"])) != sorted(others - set(over[:step])) or set(map(tuple, seen["faded"])) != set(over[:step]):
            yield f"{where}: {len(seen['pieces'])} pieces and {len(seen['faded'])} faded"
        widths = [width for width, _ in seen["ways"]]
        if step and (max(widths) != widths[step - 1] or widths.count(max(widths)) != 1):
            yield f"{where}: arrow {widths.index(max(widths)) + 1} is the strongest"
        if any(opacity > 0.5 for _, opacity in seen["ways"][step:]):
            yield f"{where}: a later arrow is not faint"
        if seen["names"] != [f"{step} / {len(over)}"]:
            yield f"{where}: it is called {seen['names']}"

    tab.evaluate("document.querySelector('.pic input').focus()")
    for step in range(len(path)):
        press(tab, "ArrowRight")
        yield from check(step, f"step {step} forward")
    for step in reversed(range(len(path) - 1)):
        press(tab, "ArrowLeft")
        yield from check(step, f"step {step} back")
    # Clicks a number on the path and the buttons.
    click = "(([selector, at]) => { const box = document.querySelectorAll(selector)[at].getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })"
    for selector, at, step in [(".at", 5, 5), (".pic b", 0, 6), (".pic i", 0, 5)]:
        tab.evaluate("document.querySelector('.pic').scrollIntoView()")
        x, y = tab.evaluate(f"{click}({json.dumps([selector, at])})")
        for kind in ("mousePressed", "mouseReleased"):
            tab.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        yield from check(step, f"a click on {selector}")


def merge_faults(tab, board, slides):
    """Steps through the slides, one board at a time, then shows all boards; yields the faults."""
    boards = [board]
    for letter in slides:
        boards.append(slid(boards[-1], letter))
    if tab.evaluate(BOARDS) != boards:
        yield "the whole is not the strip of all boards"
    tab.evaluate("document.querySelector('.pic input').focus()")
    for step, rows in enumerate(boards):
        press(tab, "ArrowRight")
        seen = tab.evaluate(BOARDS)
        if seen != [rows]:
            yield f"step {step}: {seen} and not {rows}"
    tab.view(718, 1050, media="print")
    if tab.evaluate(BOARDS) != boards:
        yield "paper does not show the whole"


def play_faults(tab, states):
    """Plays the picture as an animation, and yields the faults."""
    tab.evaluate("document.querySelector('.play input').click()")
    seen = tab.evaluate(PLAYED)
    if sorted(set(seen)) != list(range(1, states + 1)) or seen != sorted(seen):
        yield f"the animation shows {seen}"


def square_rows(numbers, width):
    return [numbers[at : at + width] for at in range(0, len(numbers), width)]


def checkers_board(text):
    """Returns the rows of the board in a file."""
    rows, columns, *squares = map(int, text.split())
    board = [[0] * columns for _ in range(rows)]
    played = ((row, column) for row in range(rows) for column in range(columns) if (row + column) % 2 == 0)
    for (row, column), piece in zip(played, squares):
        board[row][column] = piece
    return board


def step_through(tab, run, program, folder, examples):
    """Yields all faults of stepping, as pairs of a picture and a fault."""
    for example in examples:
        solver = re.sub(r"-\d+$", "", example.name.removesuffix(".entrada.txt"))
        page = folder / f"{example.name}.html"
        run(program, "show", "--solver", solver, "--set", "limits=none", example, "-o", page).check_returncode()
        told = run(program, "solve", "--solver", solver, "--set", "limits=none", "--set", "witness=true", example)
        count, *steps = told.stdout.decode().split("\n")[0].split()
        text = example.read_text()
        if int(count) != len(steps) - (solver == "checkers-capture"):
            yield example.name, f"the answer is {count}, and not its {len(steps)} steps"
        tab.view(1280, 720)
        tab.open(page.absolute().as_uri())
        if solver == "checkers-capture":
            yield from ((example.name, fault) for fault in capture_faults(tab, checkers_board(text), steps))
        else:
            _, size, _, *numbers = map(int, text.split())
            yield from ((example.name, fault) for fault in merge_faults(tab, square_rows(numbers, size), steps))
            tab.view(1280, 720)
        yield from ((example.name, fault) for fault in play_faults(tab, int(count) + 1))
