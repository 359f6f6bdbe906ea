// Returns the faults of a page in its current view, as lines `kind: where`. The browser runs this script, not the page, so
// the page's policy does not apply. `view`: the width of the page, whether it is on paper, and whether to check pictures
// and colours.
(view) => {
  const faults = new Map();
  const fault = (kind, where) => {
    const all = faults.get(kind) ?? [];
    faults.set(kind, [...all, where]);
  };
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const name = (element) => {
    const words = (element.querySelector?.("title") ?? element).textContent.trim().replace(/\s+/g, " ").slice(0, 40);
    const kind = element.getAttribute("class");
    return `${element.localName}${kind ? "." + kind.replace(/ /g, ".") : ""}${words ? ` '${words}'` : ""}`;
  };
  // The size of the smallest text in a picture, as it appears on the screen.
  let smallest = null;

  // --- The page as a whole

  const root = document.documentElement;
  const scrolls = (element) => ["auto", "scroll", "hidden"].includes(getComputedStyle(element).overflowX);
  const inScroller = (element) => {
    for (let above = element.parentElement; above && above !== document.body; above = above.parentElement) {
      if (scrolls(above)) return true;
    }
    return false;
  };
  if (root.scrollWidth > view.width) {
    const wide = all("body *").filter((one) => one.getBoundingClientRect().right > view.width + 0.5 && !inScroller(one));
    // Blames the innermost element.
    const blamed = wide.find((one) => !wide.some((other) => other !== one && one.contains(other)));
    fault("wider than the page", `${root.scrollWidth} px of ${view.width}, by ${blamed ? name(blamed) : "something"}`);
  }
  if (view.paper) {
    // Paper cannot scroll.
    for (const one of all("body *")) {
      if (scrolls(one) && one.scrollWidth > one.clientWidth + 1) fault("cut off on paper", name(one));
    }
  }
  if (document.compatMode !== "CSS1Compat") fault("quirks", "no doctype");
  if (!document.title.trim() || !root.lang) fault("head", "no title or no language");
  const ids = all("[id]").map((one) => one.id);
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) fault("an ID twice", id);
  for (const link of all('a[href^="#"]')) {
    if (!document.getElementById(decodeURIComponent(link.hash.slice(1)))) fault("a link to nothing", link.hash);
  }
  for (const table of all("table")) {
    if (!table.querySelector("th")) fault("a table without headers", name(table));
  }

  for (const one of all("p + p")) {
    const before = one.previousElementSibling;
    if (one.textContent.trim() === before.textContent.trim() && one.textContent.trim()) fault("said twice", name(one));
  }

  // --- No block overlaps another

  const blocks = "main > *, section > *, figure > *, .pair > *, .pair > * > *, li, tr";
  const rows = new Map();
  for (const one of all(blocks)) {
    const box = one.getBoundingClientRect();
    if (!box.width || !box.height || getComputedStyle(one).display === "inline") continue;
    rows.set(one.parentElement, [...(rows.get(one.parentElement) ?? []), [one, box]]);
  }
  const meet = (a, b, slack) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack;
  for (const boxes of rows.values()) {
    for (let at = 1; at < boxes.length; at++) {
      const [[before, above], [after, below]] = [boxes[at - 1], boxes[at]];
      if (meet(above, below, 1)) fault("one on the other", `${name(before)} and ${name(after)}`);
    }
  }

  for (const row of all("tr")) {
    const cells = [...row.children].map((cell) => cell.getBoundingClientRect()).filter((box) => box.height);
    const isUneven = cells.some((cell) => Math.abs(cell.top - cells[0].top) < 1 && Math.abs(cell.bottom - cells[0].bottom) > 1);
    if (isUneven) fault("an uneven row", name(row));
  }

  // --- Colours

  const colour = (text) => {
    const [red, green, blue, alpha = 1] = text.match(/[\d.]+/g).map(Number);
    return { red, green, blue, alpha };
  };
  const over = (front, back) => {
    const mix = (part) => front[part] * front.alpha + back[part] * (1 - front.alpha);
    return { red: mix("red"), green: mix("green"), blue: mix("blue"), alpha: 1 };
  };
  const brightness = ({ red, green, blue }) => {
    const linear = (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  };
  const contrast = (one, other) => {
    const [dark, bright] = [brightness(one), brightness(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const white = { red: 255, green: 255, blue: 255, alpha: 1 };
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches && getComputedStyle(root).colorScheme.includes("dark");
  const canvas = isDark ? { red: 18, green: 18, blue: 18, alpha: 1 } : white;
  const backgrounds = new Map();
  const background = (element) => {
    if (!element) return canvas;
    if (!backgrounds.has(element)) {
      const own = colour(getComputedStyle(element).backgroundColor);
      backgrounds.set(element, own.alpha === 1 ? own : over(own, background(element.parentElement)));
    }
    return backgrounds.get(element);
  };
  // The contrast that the Web Content Accessibility Guidelines require, level AA.
  const least = (style) => {
    const size = parseFloat(style.fontSize);
    return size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
  };
  const compare = (kind, element, style, front, back) => {
    const found = contrast(over(front, back), back);
    if (found < least(style)) fault(kind, `${found.toFixed(1)} of ${least(style)} in ${name(element)}`);
  };
  if (view.colours) {
    for (const element of all("body *")) {
      const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
      if (!hasText || element.closest("svg, style, script")) continue;
      const style = getComputedStyle(element);
      if (style.display === "none" || !element.getClientRects().length) continue;
      compare("contrast", element, style, colour(style.color), background(element));
    }
  }

  // --- Pictures

  const shapes = "path, rect, circle, ellipse, line, polyline, polygon";
  const isPaint = (paint) => paint !== "none" && colour(paint).alpha > 0;
  const isShown = (shape) => {
    const style = getComputedStyle(shape);
    const box = shape.getBBox();
    const isPainted = isPaint(style.stroke) ? box.width + box.height : isPaint(style.fill) && box.width * box.height;
    return style.display !== "none" && style.visibility === "visible" && style.opacity > 0 && isPainted > 0;
  };
  // Glyphs do not fill the height of their line.
  const ink = (text) => {
    const { left, right, top, bottom, height } = text.getBoundingClientRect();
    return { left, right, top: top + height / 5, bottom: bottom - height / 5 };
  };
  const leaves = (inner, outer, slack) =>
    inner.left < outer.left - slack || inner.right > outer.right + slack || inner.top < outer.top - slack || inner.bottom > outer.bottom + slack;
  // Returns the topmost shape at a point of the picture and its paint: the last shape that covers the point.
  const under = (point, painted) => {
    for (let at = painted.length - 1; at >= 0; at--) {
      const style = getComputedStyle(painted[at]);
      const own = point.matrixTransform(painted[at].getCTM().inverse());
      const isStroke = isPaint(style.stroke) && painted[at].isPointInStroke(own);
      const paint = isStroke ? style.stroke : style.fill;
      if (seen(painted[at]) > 0 && (isStroke || (isPaint(style.fill) && painted[at].isPointInFill(own)))) {
        return [painted[at], { ...colour(paint), alpha: colour(paint).alpha * seen(painted[at]) }];
      }
    }
    return [null, { red: 0, green: 0, blue: 0, alpha: 0 }];
  };
  // Returns the opacity of a shape, including that of its ancestors.
  const seen = (shape) => {
    let opacity = 1;
    for (let one = shape; one?.closest("svg"); one = one.parentElement) opacity *= getComputedStyle(one).opacity;
    return opacity;
  };
  const below = (text, painted) => {
    const box = text.getBBox();
    return under(new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(text.getCTM()), painted);
  };
  // Lines with a meaning must be visible: a contrast of 3 to 1 with the paint below, measured at every tenth of the line.
  const lines = ".way, .merging, .merged, .new, .end, .wrong, .out, .badge rect, .map .number rect, .diff .way";
  const compareLine = (line, painted, svg) => {
    const stroke = colour(getComputedStyle(line).stroke);
    // A few pale places are allowed: where a line of the same colour ends at this one, it cannot be seen.
    let pale = 0;
    for (let tenth = 0; tenth < 10; tenth++) {
      const { x, y } = line.getPointAtLength((line.getTotalLength() * (tenth + 0.5)) / 10);
      const back = over(under(new DOMPoint(x, y).matrixTransform(line.getCTM()), painted)[1], background(svg));
      const found = contrast(over(stroke, back), back);
      if (found < 3 && ++pale > 3) return fault("contrast of a line", `${found.toFixed(1)} of 3 in ${name(line)} of ${name(svg)}`);
    }
  };

  // Checks everything that does not depend on colours.
  const drawing = (svg, frame, texts) => {
    const [title, description] = svg.children;
    if (title?.localName !== "title" || description?.localName !== "desc" || !title.textContent.trim() || !description.textContent.trim()) {
      fault("a picture without words", name(svg));
    }
    const drawn = all(shapes, svg);
    if (!drawn.some((shape) => isShown(shape) && meet(shape.getBoundingClientRect(), frame, -1))) fault("an empty picture", name(svg));
    for (const shape of drawn) {
      const box = shape.getBoundingClientRect();
      if ((box.width || box.height) && leaves(box, frame, 1.5)) fault("a shape leaves its picture", `${name(shape)} of ${name(svg)}`);
    }
    const inks = texts.map((text) => [text, ink(text)]);
    for (const [text, box] of inks) {
      if (leaves(box, frame, 0.5)) fault("a text leaves its picture", `${name(text)} of ${name(svg)}`);
    }
    // Sorts from left to right, so that only neighbours are compared.
    inks.sort(([, a], [, b]) => a.left - b.left);
    inks.forEach(([text, box], at) => {
      for (let next = at + 1; next < inks.length && inks[next][1].left < box.right - 1; next++) {
        if (meet(box, inks[next][1], 1)) fault("a text on a text", `${name(text)} and ${name(inks[next][0])} of ${name(svg)}`);
      }
    });
  };
  // Returns points spread over a text, in screen units.
  const points = ({ left, right, top, bottom }) =>
    [1, 2, 3, 4].flatMap((across) => [1, 2, 3].map((down) => new DOMPoint(left + ((right - left) * across) / 5, top + ((bottom - top) * down) / 4)));
  const covers = (shape, point) => {
    const style = getComputedStyle(shape);
    const own = point.matrixTransform(shape.getScreenCTM().inverse());
    return (isPaint(style.fill) && shape.isPointInFill(own)) || (isPaint(style.stroke) && shape.isPointInStroke(own));
  };
  // Checks the shapes below and above the texts.
  const ground = (svg, texts) => {
    const painted = [];
    const above = [];
    for (const element of all(`${shapes}, text`, svg)) {
      if (element.localName !== "text") {
        if (view.colours && element.matches(lines) && seen(element) === 1) compareLine(element, painted, svg);
        painted.push(element);
        if (view.pictures && seen(element) > 0) {
          const box = element.getBoundingClientRect();
          for (const [text, inked] of above) {
            const isNear = inked.left < box.right + 2 && inked.right > box.left - 2 && inked.top < box.bottom + 2 && inked.bottom > box.top - 2;
            if (isNear && points(inked).filter((point) => covers(element, point)).length > 2) {
              fault("a text is covered", `${name(text)} by ${name(element)} of ${name(svg)}`);
            }
          }
        }
        continue;
      }
      if (!texts.has(element)) continue;
      above.push([element, ink(element)]);
      const style = getComputedStyle(element);
      const [shape, fill] = below(element, painted);
      // A number must not be wider than its tile.
      const box = element.getBoundingClientRect();
      if (element.classList.contains("value") && shape?.localName === "rect" && box.width > shape.getBoundingClientRect().width) {
        fault("a value is wider than its tile", `${name(element)} of ${name(svg)}`);
      }
      const hasHalo = style.paintOrder.startsWith("stroke") && isPaint(style.stroke);
      const back = hasHalo ? colour(style.stroke) : over(fill, background(svg));
      if (view.colours && isPaint(style.fill)) compare("contrast in a picture", element, style, colour(style.fill), back);
    }
  };

  // Skips small pictures in links, which are hidden from screen readers, and the boards that a strip leaves out.
  const pictures = all("svg:not([aria-hidden])").filter((svg) => getComputedStyle(svg.parentElement).display !== "none" && (svg.getClientRects().length || !svg.closest(".x")));
  for (const svg of pictures) {
    const frame = svg.getBoundingClientRect();
    if (frame.width < 1 || frame.height < 1) {
      fault("a picture without a size", name(svg));
      continue;
    }
    const scale = svg.getScreenCTM().a;
    const texts = all("text", svg).filter((text) => text.textContent.trim() && text.getClientRects().length);
    for (const text of texts.slice(0, 1000)) {
      const size = parseFloat(getComputedStyle(text).fontSize) * scale;
      if (smallest === null || size < smallest) smallest = size;
      if (!view.paper && size < 8.99) fault("a small text", `${size.toFixed(1)} px in ${name(text)} of ${name(svg)}`);
    }
    if (view.pictures) drawing(svg, frame, texts);
    if (view.colours || view.pictures) ground(svg, new Set(texts.slice(0, 1000)));
  }

  // Returns only a few faults of each kind.
  const told = [...faults].flatMap(([kind, where]) => where.slice(0, 5).map((one) => `${kind}: ${one}`));
  return { faults: told, smallest, pictures: pictures.length };
};
