#!/usr/bin/env python3
"""Finds the longest capture of lattices by an integer program, independently of the project's solver.

    pip install highspy
    tests/judges/lattices.py > crates/puzzles/tests/it/checkers_verified/lattices.txt

writes boards with sides of 30 to 60, even rows of opponents with holes and one own piece, each below a comment with its
answer.

The integer program describes the longest trail from the own piece's square s: one variable for each jump and one for each
square on which the trail may end. Every square except s and the end has an even number of jumps. A component that is not
connected with s is cut off: for its squares X and each of its jumps f, the jumps of cut(X) and the end in X are together at
least 2 x(f). Cuts are added until the solution is one trail. Its length is checked by walking it.
"""

import random
import time

import highspy

SECONDS_MAX = 600


def board(side, fill, seed):
    """Returns the squares of a lattice by row and column: 0 empty, 1 own, 2 opponent."""
    draw = random.Random(f"{side} {fill} {seed}")
    middle = side // 4 * 2 + 1
    squares = {}
    for row in range(side):
        for column in range(row % 2, side, 2):
            opponent = row % 2 == 0 and draw.random() < fill / 100
            squares[row, column] = 1 if (row, column) == (middle, middle) else 2 if opponent else 0
    return squares


def text(side, squares):
    lines = [f"{side} {side}"]
    for row in range(side):
        lines.append(" ".join(str(squares[row, column]) for column in range(row % 2, side, 2)))
    return "\n".join(lines)


def jumps(squares):
    """Returns the own piece's square, and for each piece that it can jump over the pair of squares of the jump."""
    start = next(square for square, piece in squares.items() if piece == 1)
    reached, found, queue = {start}, {}, [start]
    while queue:
        row, column = queue.pop()
        for down in (-1, 1):
            for right in (-1, 1):
                over, to = (row + down, column + right), (row + 2 * down, column + 2 * right)
                if squares.get(over) == 2 and squares.get(to) in (0, 1):
                    found[over] = ((row, column), to)
                    if to not in reached:
                        reached.add(to)
                        queue.append(to)
    return start, list(found.values())


def components(edges):
    """Yields the sets of squares that the jumps connect."""
    links = {}
    for a, b in edges:
        links.setdefault(a, []).append(b)
        links.setdefault(b, []).append(a)
    seen = set()
    for first in links:
        if first not in seen:
            part, queue = {first}, [first]
            while queue:
                for other in links[queue.pop()]:
                    if other not in part:
                        part.add(other)
                        queue.append(other)
            seen |= part
            yield part


def longest(squares):
    """Returns the most captures, or None if the time does not suffice."""
    start, edges = jumps(squares)
    vertices = sorted({vertex for edge in edges for vertex in edge} | {start})
    at = {vertex: [] for vertex in vertices}
    for number, edge in enumerate(edges):
        for vertex in edge:
            at[vertex].append(number)
    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    model.setOptionValue("mip_rel_gap", 0.0)
    used = [model.addBinary(obj=1) for _ in edges]
    end = {vertex: model.addBinary() for vertex in vertices}
    model.addConstr(sum(end.values()) == 1)
    for vertex in vertices:
        half = model.addIntegral(lb=0, ub=3)
        odd = 1 if vertex == start else 0
        model.addConstr(sum(used[edge] for edge in at[vertex]) + end[vertex] + odd == 2 * half)
    begin = time.monotonic()
    while True:
        left = SECONDS_MAX - (time.monotonic() - begin)
        if left <= 0:
            return None
        model.setOptionValue("time_limit", model.getRunTime() + left)
        model.maximize()
        if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        values = model.getSolution().col_value
        taken = [number for number in range(len(edges)) if values[used[number].index] > 0.5]
        apart = [part for part in components(edges[number] for number in taken) if start not in part]
        if not apart:
            return walk(start, [edges[number] for number in taken])
        for part in apart:
            across = [n for n, (a, b) in enumerate(edges) if (a in part) != (b in part)]
            around = sum([used[n] for n in across] + [end[vertex] for vertex in part])
            for number in taken:
                if edges[number][0] in part:
                    model.addConstr(around >= 2 * used[number])


def walk(start, edges):
    """Returns the length of a trail from the start over all edges, and checks that there is one."""
    links = {}
    for edge in edges:
        for vertex in edge:
            links.setdefault(vertex, []).append(edge)
    stack, trail, gone = [start], [], set()
    while stack:
        edge = next((edge for edge in links.get(stack[-1], []) if edge not in gone), None)
        if edge:
            gone.add(edge)
            stack.append(edge[0] if edge[1] == stack[-1] else edge[1])
        else:
            trail.append(stack.pop())
    pairs = {frozenset(pair) for pair in zip(trail, trail[1:])}
    assert len(trail) == len(edges) + 1 and pairs == {frozenset(edge) for edge in edges}
    return len(edges)


def main():
    print("# Lattices and their answers, by tests/judges/lattices.py. A line `# answer N` stands above each board.")
    for side in (30, 40, 50, 60):
        for fill in (60, 65, 70, 80, 95):
            for seed in range(20):
                squares = board(side, fill, seed)
                # Skips boards whose own piece is in a small component: they test nothing.
                if len(jumps(squares)[1]) < side * side // 4 * fill // 200:
                    continue
                answer = longest(squares)
                if answer is not None:
                    print(f"# answer {answer}\n{text(side, squares)}", flush=True)
                    break
    print("0 0")


if __name__ == "__main__":
    main()
