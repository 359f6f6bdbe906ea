"""Opens pages that the program makes in a browser, and reports their faults.

    pages.py PROGRAM CHROMIUM FOLDER

Checks every page on a phone and on a screen, in light and dark, and on paper; its accessibility tree; and its requests and
console messages, of which there must be none. Then checks pages that are wrong on purpose: every fault must be found.
"""

import re
import sys
import time
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

from devtools import Browser, DevtoolsError, Tab
from making import MakingError, make, run
from outside import outside_faults
from stepping import step_through

INSPECT = Path(__file__).with_name("inspect.js").read_text().rstrip().rstrip(";")
# Size in pixels, and whether it is a phone. Paper has the width of A4 without margins, in the browser's dark mode.
VIEWS = {
    "phone": {"width": 360, "height": 740, "mobile": True},
    "phone, dark": {"width": 360, "height": 740, "mobile": True, "scheme": "dark"},
    "screen": {"width": 1280, "height": 900},
    "screen, dark": {"width": 1280, "height": 900, "scheme": "dark"},
    "paper": {"width": 718, "height": 1050, "media": "print", "scheme": "dark"},
}
LOOK = {
    "phone": {},
    "phone, dark": {},
    "screen": {"pictures": True, "colours": True},
    # Pictures differ only in their colours.
    "screen, dark": {"colours": True},
    "paper": {"colours": True, "paper": True},
}
# The policy of a page must prevent this script.
SCRIPT = """(() => {
  const script = document.createElement("script");
  script.textContent = "window.hasRun = true";
  document.body.append(script);
  script.remove();
  return window.hasRun === true;
})()"""
# Pictures that are stepped through by keyboard.
STEPPED = sorted(Path("tests/browser/stepping").glob("*.entrada.txt"))
# How many faults of a kind are listed.
LISTED_MAX = 8

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 90 40" width="90" height="40">{}</svg>'
WORDS = "<title>A picture</title><desc>What it shows</desc>"
RIGHT_PICTURE = PICTURE.format(WORDS + '<rect width="90" height="40" fill="#fff"/><text x="45" y="20" fill="#000" style="fill:#000">1</text>')


def add(piece):
    """Returns a change that adds a piece at the end of a page."""
    return lambda page: page.replace("</main>", f"{piece}</main>")


def style(rule):
    return lambda page: page.replace("</style>", f"{rule}</style>")


def free(change=lambda page: page):
    """Returns a change that removes the policy and then applies another change."""
    return lambda page: change(re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page))


def picture(content, words=WORDS):
    return add(PICTURE.format(words + content))


# Pages that are wrong on purpose: the change of a right page, and the kinds of faults that must be found (and no others).
WRONG = {
    "nothing": (add(RIGHT_PICTURE), set()),
    "a wide block": (add('<div style="width:500px">wide</div>'), {"wider than the page"}),
    "a wide block that scrolls": (add('<div style="overflow-x:auto"><div style="width:5000px">wide</div></div>'), {"cut off on paper"}),
    "no viewport": (lambda page: page.replace('name="viewport"', 'name="nothing"'), {"wider than the page"}),
    "a script, refused": (add("<script>document.title = 'changed'</script>"), {"console"}),
    "a script that runs": (free(add("<script>console.log('here')</script>")), {"console", "a script runs"}),
    "a script that fails": (free(add("<script>nothing()</script>")), {"exception", "a script runs"}),
    "an image, refused": (add('<img src="http://127.0.0.1:9/x.png" alt="x">'), {"console", "request", "told as no picture"}),
    "an image that is asked for": (free(add('<img src="http://127.0.0.1:9/x.png" alt="x">')), {"console", "request", "a script runs", "told as no picture"}),
    "a file that is asked for": (free(style("body{background:url(x.png)}")), {"console", "request", "a script runs"}),
    "no policy": (free(), {"a script runs"}),
    "no title": (lambda page: re.sub("<title>.*?</title>", "", page, count=1), {"head"}),
    "an ID twice": (add('<p id="z">y</p><p id="z">z</p>'), {"an ID twice"}),
    "a link to nothing": (add('<a href="#nowhere">there</a>'), {"a link to nothing"}),
    "a link to no file": (add('<a href="x%20y.txt">there</a>'), {"a link to no file"}),
    "a paragraph twice": (add("<p>z</p><p>z</p>"), {"said twice"}),
    "two headings of the page": (add("<h1>again</h1>"), {"headings"}),
    "a table without headers": (add("<table><tr><td>1</td><td>2</td></tr></table>"), {"a table without headers"}),
    "an uneven row": (add('<table><tr><th>a</th><td style="display:inline-block">b</td><td>c<br>d</td></tr></table>'), {"an uneven row"}),
    "one section on another": (add('<section><p>a</p></section><section style="margin-top:-30px"><p>b</p></section>'), {"one on the other"}),
    "pale text": (style(".soft{color:#aaa}"), {"contrast"}),
    "dark text in the dark": (style("@media screen and (prefers-color-scheme:dark){h1{color:#333}}"), {"contrast"}),
    "an empty picture": (picture('<rect width="0" height="9"/><path d=""/><rect width="9" height="9" fill="none"/>'), {"an empty picture"}),
    "no size": (add(RIGHT_PICTURE.replace('width="90"', 'style="width:0"')), {"a picture without a size"}),
    "no description": (picture("<rect width='9' height='9'/>", "<title>A picture</title>"), {"a picture without words", "told as no picture"}),
    "no role": (add(RIGHT_PICTURE.replace('role="img"', 'role="none"')), {"told as no picture"}),
    "no XML": (add(RIGHT_PICTURE.replace("/>", ">").replace("<text", "</rect><text a").replace("a x", "a&b x")), {"no XML"}),
    "a shape outside": (picture('<rect x="60" width="40" height="9"/>'), {"a shape leaves its picture"}),
    "a text outside": (picture('<rect width="90" height="40" fill="#fff"/><text x="85" y="20" style="fill:#000">1024</text>'), {"a text leaves its picture"}),
    "a text on a text": (picture('<rect width="90" height="40" fill="#fff"/><text x="45" y="20" style="fill:#000">10</text><text x="47" y="21" style="fill:#000">7</text>'), {"a text on a text"}),
    "a text is covered": (picture('<rect width="90" height="40" fill="#fff"/><text x="45" y="20" style="fill:#000">10</text><path d="M9 20H80" stroke="#000" stroke-width="9"/>'), {"a text is covered"}),
    "a text like its tile": (picture('<rect width="90" height="40" fill="#888"/><text x="45" y="20" style="fill:#999">2</text>'), {"contrast in a picture"}),
    "a pale line": (picture('<rect width="90" height="40" fill="#888"/><path class="way" d="M9 20H80" style="stroke:#999"/>'), {"contrast of a line"}),
    "a small text": (picture('<rect width="90" height="40" fill="#fff"/><text x="45" y="20" style="fill:#000;font-size:7px">1</text>'), {"a small text"}),
    "a wide value": (picture('<rect width="90" height="40" fill="#fff"/><rect x="40" width="8" height="40" fill="#fff"/><text class="value" x="44" y="20" style="fill:#000">1024</text>'), {"a value is wider than its tile"}),
}  # fmt: skip


def said_and_asked(events):
    """Yields a page's console messages and its requests for anything but itself."""
    for method, told in events:
        if method == "Runtime.consoleAPICalled":
            yield f"console: {[value.get('value') for value in told['args']]}"
        elif method == "Runtime.exceptionThrown":
            yield f"exception: {told['exceptionDetails'].get('exception', {}).get('description', '')[:100]}"
        elif method == "Log.entryAdded":
            yield f"console: {told['entry']['text'][:150]}"
        elif method == "Network.requestWillBeSent" and told["type"] != "Document" and not told["request"]["url"].startswith("data:"):
            yield f"request: {told['request']['url'][:100]}"


def told_to_the_blind(tab, pictures):
    """Yields faults of the accessibility tree, which screen readers use."""
    nodes = tab.accessible()
    levels = [properties["level"] for role, _, _, properties in nodes if role == "heading"]
    if levels.count(1) != 1 or any(after - before > 1 for before, after in zip(levels, levels[1:])):
        yield f"headings: of the levels {levels[:9]}"
    images = [(name, description) for role, name, description, _ in nodes if role in ("img", "image")]
    if len(images) != pictures or not all(name.strip() and description.strip() for name, description in images):
        yield f"told as no picture: {pictures} pictures, {len([1 for image in images if all(image)])} with name and description"


def written(page):
    """Yields faults of the page as a file."""
    text = page.read_text()
    for drawn in re.findall(r"<svg\b.*?</svg>", text, re.DOTALL):
        try:
            ElementTree.fromstring(drawn)
        except ElementTree.ParseError as error:
            yield f"no XML: {error} in {drawn[:60]}"


def leads_nowhere(tab):
    """Yields links to files that do not exist."""
    links = "[...document.querySelectorAll('a[href]')].map((link) => [link.getAttribute('href'), link.href])"
    for link, address in tab.evaluate(links):
        parts = urlsplit(address)
        if not link.startswith("#") and not (parts.scheme == "file" and Path(unquote(parts.path)).exists()):
            yield f"a link to no file: {link}"


class Looker:
    """Checks pages in one tab."""

    def __init__(self, browser):
        self.tab = Tab(browser)
        # The smallest text of a picture on a phone in pixels, and its page, by the kind of page.
        self.smallest = {}
        self.pictures = 0

    def faults(self, name, page):
        """Returns pairs of a view and a fault."""
        tab = self.tab
        tab.view(**VIEWS["phone"])
        tab.open(page.absolute().as_uri())
        faults = [("file", fault) for fault in written(page)]
        for view, sizes in VIEWS.items():
            tab.view(**sizes)
            looks = str({"width": sizes["width"], **LOOK[view]}).replace("True", "true")
            seen = tab.evaluate(f"({INSPECT})({looks})")
            faults += [(view, fault) for fault in seen["faults"]]
            if view == "phone" and seen["smallest"]:
                kind = name.split()[0]
                self.smallest[kind] = min(self.smallest.get(kind, (1000, "")), (seen["smallest"], name))
        self.pictures += seen["pictures"]
        faults += [("accessibility", fault) for fault in told_to_the_blind(tab, seen["pictures"])]
        faults += [("links", fault) for fault in leads_nowhere(tab)]
        faults += [("browser", fault) for fault in said_and_asked(tab.take_events())]
        if tab.evaluate(SCRIPT):
            faults.append(("browser", "a script runs: the policy is not in force"))
        return faults


def listed(faults):
    """Yields lines that list the faults by kind, with their pages and views."""
    kinds = {}
    for name, view, fault in faults:
        kind, _, what = fault.partition(": ")
        kinds.setdefault(kind, {}).setdefault((what, name), []).append(view)
    for kind, places in sorted(kinds.items()):
        pages = len({name for _, name in places})
        yield f"{kind}, {pages} page{'s'[: pages != 1]}"
        for (what, name), views in sorted(places.items())[:LISTED_MAX]:
            yield f"    {what}\n        {name} ({'; '.join(dict.fromkeys(views))})"
        if len(places) > LISTED_MAX:
            yield f"    and {len(places) - LISTED_MAX} more"


def not_found(looker, page, folder):
    """Checks pages that are wrong on purpose; yields faults that are missed, and reported faults that the pages do not have."""
    right = page.read_text()
    # Faults of the unchanged page are reported elsewhere.
    known = {fault.partition(":")[0] for _, fault in looker.faults("purpose", page)}
    folder.mkdir(exist_ok=True)
    for name, (change, expected) in WRONG.items():
        text = change(right)
        if text == right:
            yield f"{name}: the page is as it was"
        made = folder / f"{name}.html"
        made.write_text(text)
        found = {fault.partition(":")[0] for _, fault in looker.faults("purpose", made)}
        if found - known != expected - known:
            yield f"{name}: expected {sorted(expected)}, found {sorted(found)}"


def main(program, chromium, folder):
    started = time.monotonic()
    with Browser(chromium) as browser:
        try:
            version = browser.call("Browser.getVersion")["product"]
        except DevtoolsError as error:
            print(f"!!! no page was opened: {chromium} does not start: {error}", file=sys.stderr)
            return 77
        looker = Looker(browser)
        pages, faulty, faults, example = Counter(), Counter(), [], None
        for name, page in make(program, folder):
            group = name.split()[0]
            if page is None:
                continue
            found = [(name, *fault) for fault in looker.faults(name, page)]
            pages[group] += 1
            faulty[group] += bool(found)
            faults += found
            if "checkers-capture.en" in page.name:
                example = page
        for group, count in sorted(pages.items()):
            size, where = looker.smallest.get(group, (0, ""))
            smallest = f"; the smallest text of a picture on a phone has {size:.1f} px: {where}" if where else ""
            print(f"{group:20} {count:4} pages, {faulty[group]} with faults{smallest}")
        failures = [f"of the pages that are wrong on purpose, {line}" for line in not_found(looker, example, folder / "wrong")]
        failures += [f"{name}: {fault}" for name, fault in step_through(looker.tab, run, program, folder, STEPPED)]
        failures += [f"{name}: {fault}" for name, fault in outside_faults(looker.tab, folder)]
    print(f"{version}: {sum(pages.values())} pages in {len(VIEWS)} views, {looker.pictures} pictures; {len(WRONG)} pages changed on purpose")
    print(f"{time.monotonic() - started:.0f} s")
    for line in listed(faults):
        print(line if line.startswith(" ") else f"WRONG: {line}")
    for line in failures:
        print(f"WRONG: {line}")
    return 1 if faults or failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])))
    except (DevtoolsError, MakingError) as error:
        sys.exit(f"WRONG: {error}")
