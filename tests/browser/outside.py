"""Checks some pages with two third-party tools: axe-core for accessibility, html-validate for the markup.

They are installed from npm into target/browser/npm if they are needed, and are not part of the project.
"""

import json
import subprocess
import sys
from pathlib import Path

PACKAGES = ["axe-core@4", "html-validate@9"]
# Without the rules of html-validate about style, since maud writes elements without line breaks.
CONFIGURATION = {"root": True, "extends": ["html-validate:recommended"], "rules": {"long-title": "off"}}
AXE = "axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations.map((each) => [each.id, each.help, each.nodes.slice(0, 3).map((node) => node.html.slice(0, 150))]))"


def installed(folder):
    """Installs the packages and returns their folder, or None if that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    modules = folder / "node_modules"
    if not (modules / "axe-core").is_dir() or not (modules / "html-validate").is_dir():
        command = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES]
        try:
            subprocess.run(command, capture_output=True, timeout=180, check=True)
        except (OSError, subprocess.SubprocessError) as error:
            print(f"!!! axe-core and html-validate were not asked: {error}", file=sys.stderr)
            return None
    return modules


def outside_faults(tab, folder):
    """Yields pairs of a page and a fault that a tool finds in it."""
    modules = installed(Path("target/browser/npm").absolute())
    if modules is None:
        return
    pages = sorted((folder / "examples").glob("*.html")) + sorted((folder / "service-pt/outbox").rglob("*.html"))
    axe = (modules / "axe-core/axe.min.js").read_text()
    for page in pages:
        tab.view(1280, 720)
        tab.open(page.absolute().as_uri())
        tab.evaluate(axe + ";0")
        for rule, help, nodes in tab.evaluate(AXE):
            yield page.name, f"axe-core: {rule}: {help}: {nodes}"
    configuration, told = folder / "htmlvalidate.json", folder / "told.json"
    configuration.write_text(json.dumps(CONFIGURATION))
    command = ["node", modules / "html-validate/bin/html-validate.mjs", "--config", configuration, "--formatter", f"json={told}", *pages]
    said = subprocess.run([str(word) for word in command], capture_output=True, timeout=300)
    for result in json.loads(told.read_text()):
        for message in result["messages"][:5]:
            yield Path(result["filePath"]).name, f"html-validate: {message['ruleId']}: {message['message']} ({message['line']}:{message['column']})"
    if said.returncode not in (0, 1):
        yield "html-validate", said.stderr.decode(errors="replace")[:500]
