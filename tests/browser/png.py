"""Reduces the colours of a browser's PNGs, which makes the files several times smaller."""

import struct
import zlib
from collections import Counter

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOURS_MAX = 256
# If there are too many colours, those that differ by less than this in every component count as one.
STEP = 10


def chunks(png):
    at = len(SIGNATURE)
    while at < len(png):
        (size,) = struct.unpack_from(">I", png, at)
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        at += size + 12


def rows(png):
    """Returns the rows of a PNG of three or four bytes per pixel, with its width, height and bytes per pixel."""
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", next(data for name, data in chunks(png) if name == b"IHDR"))
    if depth != 8 or kind not in (2, 6) or interlaced:
        raise ValueError("a PNG of another form")
    size = 3 if kind == 2 else 4
    data = zlib.decompress(b"".join(data for name, data in chunks(png) if name == b"IDAT"))
    line = width * size
    above, found = bytearray(line), []
    for start in range(0, height * (line + 1), line + 1):
        row, filtered = bytearray(data[start + 1 : start + 1 + line]), data[start]
        # Filters of the format: the value to the left, above, their mean, or the one nearest to the Paeth prediction.
        for at in range(line) if filtered else ():
            left, up = row[at - size] if at >= size else 0, above[at]
            if filtered == 1:
                row[at] = (row[at] + left) & 255
            elif filtered == 2:
                row[at] = (row[at] + up) & 255
            elif filtered == 3:
                row[at] = (row[at] + (left + up) // 2) & 255
            else:
                corner = above[at - size] if at >= size else 0
                nearest = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
                row[at] = (row[at] + nearest) & 255
        found.append(row)
        above = row
    return found, width, height, size


def palette(counts):
    """Returns the most frequent colours that differ enough, and for each colour the index of the nearest of them."""
    chosen = []
    for colour, _ in counts.most_common():
        is_new = len(counts) <= COLOURS_MAX or all(max(abs(a - b) for a, b in zip(colour, other)) >= STEP for other in chosen)
        if is_new and len(chosen) < COLOURS_MAX:
            chosen.append(colour)
    nearest = lambda colour: min(range(len(chosen)), key=lambda at: sum((a - b) ** 2 for a, b in zip(colour, chosen[at])))
    return chosen, {colour: nearest(colour) for colour in counts}


def smaller(png):
    """Returns the same picture with one byte per pixel, in at most 256 colours, if that is smaller."""
    lines, width, height, size = rows(png)
    pixels = [[bytes(line[at : at + 3]) for at in range(0, len(line), size)] for line in lines]
    chosen, place = palette(Counter(pixel for line in pixels for pixel in line))
    data = b"".join(b"\0" + bytes(place[pixel] for pixel in line) for line in pixels)
    made = SIGNATURE
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    for name, content in [(b"IHDR", header), (b"PLTE", b"".join(chosen)), (b"IDAT", zlib.compress(data, 9)), (b"IEND", b"")]:
        made += struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    return made if len(made) < len(png) else png
