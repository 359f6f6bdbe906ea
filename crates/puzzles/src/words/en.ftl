# What people are told, in English. `pt.ftl` is the same in Portuguese.
#
# A message is `SCOPE-NAME = text`. `{ $name }` is an argument; all of them stand in the text. The code that declares a message
# says what its arguments are. What begins a line of a result (`invalid board:`, `undecided`, `warning:`, `ignored:`, `rejected:`)
# is the same in all languages and does not stand here.

## Anywhere in a file

found-end-of-file = the end of the file
found-end-of-line = the end of the line
input-late-directive = the directive in line { $line } is only a comment: write it before the first number
outcome-no-number = found { $found }, expected a whole number
outcome-at-least = at least { $least }
outcome-at-most = at most { $most }
outcome-between = at least { $least }, at most { $most }
outcome-place = at

## What to write instead. It stands behind what is wrong and a semicolon.

proposal-write = write { $text } instead
proposal-remove = remove it
proposal-blank = write a blank instead
proposal-blanks = write blanks instead in { $lines }
proposal-write-all = write { $text } instead in { $lines }
proposal-remove-all = remove it in { $lines }
proposal-remove-comments = remove the comments behind numbers in { $lines }
proposal-remove-token = remove { $token }
proposal-remove-line = remove line { $line }
proposal-line = line { $line }
proposal-lines = lines { $from } to { $to }

## What the look at the lines of a puzzle shows

mistake-character = found { $character } in { $token }, expected { $expected }
mistake-row-length = row { $row } (line { $line }) has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    }, the other rows have { $others }
mistake-row-length-expected = row { $row } (line { $line }) has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    }, expected { $expected }
mistake-player-length = player { $player } (line { $line }) has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    }, expected { $expected }: row and column
mistake-player-count = { $players } { $players ->
        [one] player follows
       *[other] players follow
    } the board, line { $line } says { $expected }
mistake-line-count = { $lines } { $lines ->
        [one] line of two numbers follows
       *[other] lines of two numbers follow
    } the header { $header } and the number of players, expected { $expected }: { $rows } of the board and { $players } of players
mistake-row-count = { $rows } { $rows ->
        [one] row follows
       *[other] rows follow
    } the header { $header }, a board has { $expected }
mistake-row-doubled = { $rows } rows follow the header { $header }, a board has { $expected }; lines { $before } and { $line } are equal
mistake-end-marker = found { $found }; remove line { $line }: { $solver } has no end marker
mistake-header-mismatch = { $rows } { $rows ->
        [one] row of { $numbers } numbers does
       *[other] rows of { $numbers } numbers do
    } not fit the header { $header }

## Rows of a board that has all its numbers

rows-row-lengths = row { $row } (line { $line }) has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    }, row { $other_row } (line { $other_line }) has { $other_numbers }; each row has { $expected }
rows-row-lengths-in-turn = row { $row } (line { $line }) has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    } instead of { $expected }, row { $other_row } (line { $other_line }) has { $other_numbers } instead of { $other_expected }

## Characters that numbers do not have

character-comma = a comma
character-semicolon = a semicolon
character-colon = a colon
character-bar = a vertical bar
character-bracket = the bracket { $character }
character-quote = the quotation mark { $character }
character-no-break-blank = a no-break blank ({ $code }), which only looks like a blank,
character-thin-blank = a blank of another width ({ $code })
character-invisible = an invisible character ({ $code })
character-letter-o = the letter { $character }
character-letter-l = the letter { $character }
character-minus = the minus sign { $character }
character-plus = a plus sign
character-decimal-comma = a decimal comma
character-decimal-point = a decimal point
character-comment = a comment ({ $character }) behind numbers
character-other-digit = the digit { $character } of another script ({ $code })
expected-blanks = numbers with blanks between them
expected-zero = the digit 0
expected-one = the digit 1
expected-no-sign = a number without a sign
expected-whole = a whole number
expected-comment-line = a comment on a line of its own
expected-nothing = nothing there
expected-digits = the digits 0 to 9

## checkers-capture

checkers-header = found { $found }, expected { $expected }
checkers-wanted-header = a header, the rows and columns of a board ({ $range } each), or the end marker 0 0
checkers-wanted-columns = the number of columns ({ $range })
checkers-range = { $least } to { $most }
checkers-open-range = at least { $least }
checkers-header-alone = found { $found } alone on its line before the header { $header }; a header has two numbers, and no count of boards stands before it
checkers-marker-line = found { $found } behind 0 0; the end marker stands alone on its line
checkers-rows = found { $found }, expected { $range } rows
checkers-columns = found { $found }, expected { $range } columns
checkers-area = found { $rows } x { $columns } = { $squares } squares, expected at most { $most }
checkers-square-value = found { $found }, expected 0, 1 or 2 (square { $square } of { $squares } on a { $rows } x { $columns } board)
checkers-squares-joined = found { $found }, expected 0, 1 or 2; write a blank between the numbers
checkers-squares-missing = { $numbers } { $numbers ->
        [one] number stands
       *[other] numbers stand
    } between the header { $header } and { $found }; a board has { $expected }
checkers-squares-surplus = { $numbers } numbers follow the header { $header }; a board has { $expected }
checkers-all-squares = { $numbers } numbers follow { $header }; a board has { $expected }, of the squares whose row + column is even (columns 0 2 4 … of row 0, columns 1 3 5 … of row 1)
checkers-own-pieces = found { $pieces } own (1) pieces, expected at most { $most } on a { $rows } x { $columns } board
checkers-opponent-pieces = found { $pieces } opponent (2) pieces, expected at most { $most } on a { $rows } x { $columns } board
checkers-next-header = the header { $header } (line { $line })
checkers-next-marker = the end marker 0 0 (line { $line })
checkers-marker-missing = the end marker 0 0 is missing
checkers-marker-comment = a comment behind the end marker 0 0; comments have lines of their own
checkers-stopped = stopped at an invalid board (on_invalid = stop); what follows is not read
checkers-ignored = { $lines } { $lines ->
        [one] line
       *[other] lines
    } after the end marker 0 0 (line { $line })
checkers-other-header = { $lines } lines of { $width } { $width ->
        [one] number
       *[other] numbers
    } follow the header { $header }; { $fitting } would fit them (line { $line })
checkers-other-header-in-turn = { $lines } lines of { $width } and { $narrow } numbers in turn follow the header { $header }; { $fitting } would fit them (line { $line })

## Pictures of checkers-capture

checkers-picture-title = Checkers board, { $rows } x { $columns }
checkers-picture-pieces = { $rows } rows and { $columns } columns, numbered from 0 at the edge; { $own } own { $own ->
        [one] piece
       *[other] pieces
    }, drawn as rings, and { $opponents } of the opponent, drawn as discs.
checkers-picture-takes = The piece on { $square } takes { $captures } { $captures ->
        [one] piece
       *[other] pieces
    }.
checkers-picture-squares = Its squares by row,column: { $squares }.
checkers-picture-squares-more = Its squares by row,column: { $squares } and { $more } more.
checkers-picture-none = No piece can take any.
checkers-picture-longest = The longest capture takes { $captures } { $captures ->
        [one] piece
       *[other] pieces
    }; its squares are not at hand.
checkers-picture-undecided = Undecided: { $proved }.
checkers-picture-best = The longest capture found:
checkers-picture-legend = Ring: own piece. Disc: opponent.
checkers-picture-legend-way = Ring: own piece, with a dot: the one that captures. Disc: opponent; numbered and crossed out: taken, in this order. Dashed ring: where the capture ends.
checkers-picture-thumbnail = The board is too large for its squares; only the way of the piece is drawn, from the dot to the arrowhead.
checkers-picture-cut = The first { $drawn } of { $jumps } jumps are drawn.
checkers-picture-no-square = Square { $number } of the path is no square.
checkers-picture-off-board = The path goes to { $square }, which is no square that is played on (dashed).
checkers-picture-without-piece = No own piece stands on { $square } (dashed).
checkers-picture-without-capture = Jump { $jump }, from { $from } to { $to }, takes no piece (dashed).

## 2048-merge

merge-case-count = found { $found }, expected the number of cases T
merge-behind-count = found { $found } behind the number of cases T, expected the end of the line
merge-count-missing = the number of cases T is missing; { $cases } { $cases ->
        [one] case follows
       *[other] cases follow
    }: write { $cases } on a line of its own before { $header } (line { $line })
merge-missing-case = T is { $total } (line { $line }), but { $cases ->
        [0] no case follows
        [one] only { $cases } case follows
       *[other] only { $cases } cases follow
    }
merge-surplus-case = T is { $total } (line { $line }), but { $cases } { $cases ->
        [one] case follows
       *[other] cases follow
    }; only the first T are answered
merge-text-after-cases = found { $found } behind the last case, expected the end of the file, as T is { $total } (line { $line })
merge-header-length = found { $header }, expected a line of two numbers N M: the size { $size } of the board, and the most slides
merge-board-size = found { $found }, expected the size N of the board, { $range }
merge-most-slides = found { $found }, expected the most slides M, { $range }
merge-square-value = found { $found }, expected the value of row { $row }, column { $column }, { $value }
merge-square-count = found { $found }, expected { $expected }
merge-expected-from-one = a number from 1 on
merge-expected-range = a number from 1 to { $most }
merge-expected-value = a number, 0 for an empty square
merge-expected-smaller-value = a number up to { $most }
merge-expected-square = the value of row { $row }, column { $column }
merge-expected-rows = { $size } rows of { $size } numbers before it
merge-expected-next-case = the N M of the next case
merge-expected-end = the end of a case of { $size } rows of { $size } numbers (is a row above too long?)
merge-mid-line = the next case begins in the middle of a line: is a row too long or too short?

## 2048-astar

astar-at-least = at least { $least } moves
astar-board-size = found { $found }, expected the size of a board, a number from 2
astar-square-value = found { $found }, expected { $expected }
astar-power = 0 for a blank square, or a power of two from 2
astar-power-up-to = 0 or a power of two up to { $most }
astar-powers = 0 or a power of two, such as { $below } or { $above }
astar-square-count = found { $found }, expected the value in row { $row }, column { $column } of a board of size { $size }
astar-surplus = found { $found }, expected the end of a board of size { $size }
astar-board-count = found { $count } on a line before a board; a file does not say how many boards it has
astar-size-line = line { $line } has { $numbers } numbers, expected one: the size of the board
astar-next-board = the next board

## 2048-game

game-header = found { $found }, expected { $expected }
game-header-missing = line { $line } is a row of { $size } numbers, expected the first line of a game: its size; write { $size } on a line of its own before it
game-board-size = found { $found }, expected { $expected }
game-seed = found { $found }, expected a seed, a number from 0 to { $most }
game-row-length = row { $row } has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    }, expected { $size }
game-row-count = { $rows } { $rows ->
        [one] row stands
       *[other] rows stand
    } before the moves, a board of { $size } has { $size }
game-square-value = found { $found } in row { $row }, expected 0 for an empty square, or a power of two from 2 to 2^63
game-line-length = the line is longer than { $mebibytes } MiB
game-end-of-file = found the end of the file, expected { $expected }
game-moves-missing = the moves are missing: line { $line } begins the next game; write a line of moves before it, or - for none
game-moves = found { $found }, expected { $expected }
game-second-moves = the moves go on in line { $line }, but a game has one line of moves: join lines { $before } and { $line }
game-auto-moves = found { $found }, expected the most moves to play, a number
game-move-after-end = { $letter } as move { $number } comes after the end of the game
game-move-without-effect = { $letter } as move { $number } changes nothing, expected a direction in which a piece moves or merges
game-expected-size = the size of the board, the first number of a game
game-expected-larger-size = a board of at least 2 x 2 squares
game-expected-smaller-size = a size of the board below 2^64
game-expected-header-end = the end of the line after the size of the board and the seed
game-expected-row = row { $row } of { $size }
game-expected-moves-line = the line of moves: D, E, C, B, or AUTO, or - for none
game-expected-letters = D right, E left, C up, B down (or 1, 2, 3, 4), AUTO, AUTO k, or -
game-expected-right = D for right (direita)
game-expected-left = E for left (esquerda)
game-expected-up = C for up (cima)
game-expected-down = B for down (baixo)
game-expected-dash-end = the end of the line after -
game-expected-auto = AUTO, or AUTO, a blank and a number
game-expected-auto-end = the end of the line after AUTO k
game-stopped-after = stopped after { $moves } moves

## Rules of which several are in use

rules-other-answers = { $differing } of { $puzzles } { $differing ->
        [one] has
       *[other] have
    } another answer by { $rules }: { $action }
rules-course = the course's rules
rules-default = the default rules
rules-name-or-write = name the file { $name } or write { $directives }
rules-name = name the file { $name }
rules-write = write { $directives }
rules-set = these are { $options }
rules-and = { $first } and { $second }

## jump-game

jump-at-least-round = at least round { $least }
jump-board-size = found { $found }, expected the number of { $side }, at least 1
jump-player-count = found { $found }, expected the number of players, at least 1
jump-square-value = found { $found }, expected the number on square { $square } (row,column from 0)
jump-square-large = found { $found }, expected a number up to { $most } on square { $square } (row,column from 0)
jump-player-square = found { $found }, expected the row and the column of player { $player }, two numbers from 0
jump-player-row = player { $player } stands on row { $row }, the board has rows 0 to { $last }; squares are counted from 0
jump-player-column = player { $player } stands on column { $column }, the board has columns 0 to { $last }; squares are counted from 0
jump-surplus = found { $found } behind the last player: is there a row or a number too many?
jump-player-surplus = found one more player, expected the end of the game after { $players }
jump-game-count = found { $count } on a line before a game; a file does not say how many games it has
jump-row-length = row { $row } (line { $line }) has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    }, expected { $expected }
jump-row-count = { $rows } { $rows ->
        [one] row
       *[other] rows
    } of the board, then players, expected { $expected } rows
jump-size-line = line { $line } has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    }; a game begins with a line of two, rows and columns, and a line of one, the number of players
jump-players-line = line { $line } has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    }, expected the number of players on a line of its own, before the board{ $from ->
        [0] {""}
       *[other] {": move line "}{ $from } there
    }
jump-rows = rows
jump-columns = columns
jump-next-game = the next game
jump-shape = { $lines } lines of { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    } follow the header { $header }; { $fits } would fit them (line { $line })

## Pictures of jump-game

jump-picture-title = Board of the jump game, { $rows } x { $columns }
jump-picture-board = A map of { $rows } rows and { $columns } columns, numbered from 0 at the edge. Every square has its number; the { $zeros } with 0 are hatched. The goal with the flag is { $goal }.
jump-picture-starts = Players start by row,column: { $starts }.
jump-picture-starts-more = Players start by row,column: { $starts }, and { $more } more.
jump-picture-reaches = { $player } reaches the goal in round { $round }.
jump-picture-at-goal = { $player } starts on the goal.
jump-picture-squares = The squares of the way: { $squares }.
jump-picture-squares-more = The squares of the way: { $squares } and { $more } more.
jump-picture-wins = { $player } reaches the goal in round { $round }; the way is not at hand.
jump-picture-no-winner = Nobody can reach the goal.
jump-picture-undecided = Undecided: nobody reaches the goal before round { $least }.
jump-picture-undecided-round = Undecided: somebody reaches the goal in round { $round }, nobody sooner.
jump-picture-legend = Letter in a frame: where a player starts. Hatched: 0, nobody gets away. Flag: the goal.
jump-picture-legend-way = Letter in a frame: where a player starts. Arrows: the way, with the number of the round where a jump ends. Hatched: 0, nobody gets away. Flag: the goal.
jump-picture-thumbnail = The board is too large for its squares; only the way is drawn, from the dot to the arrowhead.
jump-picture-cut = The first { $drawn } of { $jumps } jumps are drawn.
jump-picture-many-players = There is no table of the rounds of { $players } players.
jump-picture-no-square = Square { $number } of the way is no square.
jump-picture-off-board = The way goes to { $square }, which is not on the board (dashed).
jump-picture-no-start = Nobody starts on { $square } (dashed).
jump-picture-no-jump = Jump { $jump }, of { $length } from { $from }, does not end on { $to } (dashed).
jump-picture-over = The game was over before the way goes on to { $square } (dashed).
jump-picture-unfinished = The way ends on { $square }, which is not the goal.
jump-picture-round = Round
jump-picture-player = Player
jump-picture-jump = Jump
jump-picture-from = From
jump-picture-to = To
jump-picture-left-out = { $jumps } { $jumps ->
        [one] jump is
       *[other] jumps are
    } left out here.
jump-picture-later = { $player } reaches the goal in round { $round } at the earliest.
jump-picture-never = { $player } never reaches the goal.

## What is wrong with a directive, or with an option

directive-too-long = the directive is longer than { $bytes_max } bytes
directive-too-many = the file has more than { $most } directives
directive-no-text = found bytes that are no text
directive-twice = '{ $key }' is set a second time, first in line { $line }
directive-no-key = found { $found }, expected the name of an option: letters, digits, '_' and '-'
directive-no-equals = found { $found }, expected '=' after '{ $key }': a directive is '#: key = value'
directive-no-value = found no value for '{ $key }': a directive is '#: key = value'
directive-quotes = found { $found }, expected a value in quotes with nothing behind it
directive-near-miss = line { $line } looks like a directive; write { $directive }
directive-forbidden = found the directive '{ $key }', but the route '{ $route }' allows no directives
directive-unknown = unknown directive '{ $key }'{ $hint }; the options of { $solver }: { $known }
solver-unknown = unknown solver '{ $id }'{ $hint }; known: { $known }
word-meant = , did you mean '{ $word }'?
option-unknown = unknown option '{ $name }'{ $hint }; known: { $known }
option-out-of-range = { $name } = { $found }: expected { $expected }{ $hint }
option-raised = { $name } = { $found }: a directive may lower this limit, never raise it; allowed up to { $max }
kind-words = one of { $words }
kind-words-or = { $words } or { $rest }
kind-flag = true or false
kind-integer = a whole number from { $min } to { $max }
kind-power-of-two = a power of two from { $min } to { $max }
kind-fraction = a fraction from 0 to 1
kind-duration = a duration from "{ $min }" to "{ $max }"
kind-size = a size from "{ $min }" to "{ $max }"

## Why a whole file is rejected. It stands behind `rejected: FILE:`.

reject-empty-file = the file is empty
reject-blank-file = the file holds only blanks and comments, no puzzle
reject-file-too-large = the file has { $bytes } bytes, the limit is { $bytes_max } (intake.size_limit)
reject-result-too-large = the result would have more than { $bytes_max } bytes (results.size_limit)
reject-compressed-file = the file is compressed ({ $format }); drop the text file itself
reject-wide-text = the file is { $encoding } text; save it as UTF-8 or ASCII
reject-document-file = the file is a document ({ $format }), not plain text
reject-web-page = the file is a web page (HTML), not plain text
reject-image-file = the file is an image ({ $format }), not plain text
reject-program-file = the file is a program ({ $format }), not plain text
reject-foreign-file = the file is no plain text ({ $format })
reject-no-puzzle = no puzzle for { $solver } in the file
reject-invalid-puzzle = puzzle { $puzzle } of this reference is invalid
reject-cut-reference = this reference has { $ignored }, which would grade nothing: remove these lines, or the end marker
reject-directive = { $what }
reject-no-route = no route takes the file
reject-set-aside = the service ended { $tries } times while it answered this file, which is set aside
reject-deadly-puzzle = { $deaths } workers ended while they solved puzzle { $number } of this file, which is set aside
reject-internal-error = internal error { $during }: { $message }
reject-refuted = at puzzle { $puzzle } this submission proves that an answer of ours is wrong, so it has no grade; keep it and the reference, and report them
reject-changing-file = the file changes while it is read; drop it again when nothing writes to it any more
reject-unreadable = the file cannot be read: { $message }

## What else stands in a report

report-binary = , which holds binary data, not plain text
report-in-solver = in solver { $solver } at puzzle { $number }
report-while-reading = while the file was read
report-place = line { $line }, column { $column }
route-leads = { $route } ({ $files }) to { $solver }
route-grades = { $route } ({ $files }), whose files are graded
report-tried = Routes tried, in order:
report-format = The format is described by: tabuleiro solvers { $solver }
report-example = A file for { $solver } looks like this:
report-save-as-text = Open it in the program that made it, and save it as plain text (.txt, UTF-8).
report-save-page = Copy the numbers from the page into a plain text file (.txt, UTF-8), or download the file instead of the page.
report-type-text = Write the puzzles as numbers into a plain text file (.txt, UTF-8), and drop that.
report-nothing-saved = Was it saved? Drop it again once the puzzles are in it.
report-older-result = An older result still stands beside this report: { $older }

## For which solver a file is that its own cannot read

advice-looks-like = this looks like { $solver } ({ $puzzles } can be read): { $action }
advice-nobody = no solver can read all of it either
advice-folder-or-name = put it into { $folder } or call it { $name }
advice-folder = put it into { $folder }
advice-name = call it { $name }
advice-directive = write '#: solver = { $solver }' in the place of the solver that it names
advice-route = write solver = "{ $solver }" in its route
advice-option = answer it with --solver { $solver }
advice-any-folder = a folder { $folder }
advice-top-folder = a folder { $folder } in the inbox itself
advice-board = { $puzzles } { $puzzles ->
        [one] board
       *[other] boards
    }
advice-case = { $puzzles } { $puzzles ->
        [one] case
       *[other] cases
    }
advice-game = { $puzzles } { $puzzles ->
        [one] game
       *[other] games
    }
advice-puzzle = { $puzzles } { $puzzles ->
        [one] puzzle
       *[other] puzzles
    }

## What is wrong with an answer of a submission. It tells nothing of the right one.

remark-found = found { $found }
remark-unreadable = { $found } is no answer
remark-no-solution = it says that there is no solution
remark-too-long = the answer is too long to be read: it may have { $answer }, a line of it { $line }
remark-no-memory = the answer is too long to be read in the { $memory } of memory that it may use (memory_limit, workers.memory_limit)
remark-behind = { $found } stands behind the answer
remark-ends = the submission ends before it
remark-proves-other = it says { $claimed }, what follows proves { $proved }
remark-not-best = found { $claimed }, which is valid and not the best
remark-better = it proves { $proved }, held for the best is { $held }
checkers-grade-no-square = { $square } is no square that is played on
checkers-grade-no-piece = no piece of the player stands on { $square }
checkers-grade-no-capture = jump { $step }, from { $from } to { $to }, takes no piece
checkers-grade-no-squares = the answer needs its path: print the squares of the piece after the number, such as 1 0,2 2,0
merge-grade-no-slide = { $found } is no slide: slides are E, D, C and B
merge-grade-too-many = slide { $slide } is one too many, at most { $most } are allowed
merge-grade-no-slides = the answer needs its slides: print them after the number, such as 3 D C E
merge-grade-tiles-left = after { $slides } { $slides ->
        [one] slide
       *[other] slides
    } { $tiles } tiles are left
jump-grade-no-round = the round is missing
jump-grade-bad-round = { $found } is no round
jump-grade-no-player = the game has no player { $player }
jump-grade-no-squares = the answer needs its path: print the squares of the winner after the round, such as C 2 0,2 0,5 0,8
jump-path-no-square = { $square } is not on the board (row,column, counted from 0)
jump-path-start = player { $player } does not start on { $square }
jump-path-no-jump = jump { $jump }, of { $length } from { $from }, does not end on { $to }
jump-path-unfinished = the path ends on { $square }, which is not the last square of the board
jump-path-over = the game was over before { $square }

## Grades

grade-accepted = accepted
grade-wrong-answer = wrong answer
grade-presentation-error = presentation error
grade-missing = missing
grade-undecided = not graded, its answer is undecided
grade-ungraded = not graded: no answer could be compared with a proved one
grade-internal-error = internal error
grade-extra = { $answers ->
        [one] one answer
       *[other] { $answers } answers
    } too many
grade-of = { $points } of { $total }
grade-not-graded = { $puzzles } not graded
grade-at-puzzle = { $verdict } at puzzle { $puzzle }
grade-at-line = { $verdict } at puzzle { $puzzle } (line { $line })
grade-puzzle = puzzle { $puzzle }
grade-expected = expected { $expected }
grade-more = { $puzzles } more
grade-graded = graded
grade-shifted = { $answers ->
        [one] one answer
       *[other] { $answers } answers
    } found, but line { $line } was counted as { $puzzle ->
        [1] the first
       *[other] answer { $puzzle }
    }: remove it
grade-skipped = { $lines ->
        [one] one line without an answer was skipped: line { $first }
       *[other] { $lines } lines without an answer were skipped, the first is line { $first }
    }

# Why nothing of a student can be graded.
nothing-to-grade = nothing to grade: { $why }
nothing-found = found { $names }; a submission is called { $wanted }
nothing-found-more = found { $names } and { $more } more; a submission is called { $wanted }
nothing-unread = { $name }: { $why }
nothing-empty = the folder is empty
nothing-absent = nothing was handed in
nothing-no-grade = found { $names }, and no grade
left-archive = an archive; unpack it
left-link = a link; put the file itself there
left-unopened = cannot open: { $error }
left-unreadable = cannot read: { $error }
grade-late = late, the deadline was { $deadline }
grade-attempt = attempt { $attempt } of { $attempts_max }
grade-over-attempts = attempt { $attempt }, the limit is { $attempts_max }

## What is wrong with the boards of a 2048-astar answer

astar-grade-no-size = { $found } stands where board { $board } should begin, with its size
astar-grade-row-count = board { $board } has { $rows } { $rows ->
        [one] row
       *[other] rows
    }, its size is { $size }
astar-grade-row-length = row { $row } of board { $board } has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    }, its size is { $size }
astar-grade-no-tile = { $found } in board { $board } is neither 0 nor a power of two from 2
astar-grade-other-size = board { $board } has the size { $found }, that of the puzzle has { $size }
astar-grade-not-the-first = the first board is not that of the puzzle
astar-grade-no-swipe = no swipe leads from the board before to board { $board }
astar-grade-no-change = the swipe that leads to board { $board } changes nothing, so it is not valid
astar-grade-new-tile = in board { $board } the new 2 does not stand in the uppermost blank square of the right column
astar-grade-no-room = the swipe that leads to board { $board } leaves no blank square in the right column, so it is not valid
astar-grade-not-won = the last board has no tile of { $goal }
astar-grade-goes-on = board { $board } has won, and boards follow it
astar-grade-no-boards = the answer needs its path: print the boards after the number of moves

## What is wrong with a 2048-game answer

game-grade-other-piece = line { $step } of the transcript does not have the piece that the seed gives there
game-grade-other-move = line { $step } of the transcript does not have the move that the game has there
game-grade-surplus = line { $step } of the transcript stands behind the last move of the game
game-grade-short = the transcript ends after { $step } { $step ->
        [one] line
       *[other] lines
    }, before the game does
game-grade-opening = line { $step } of the transcript should be a piece of the new game, with a + before it
game-grade-no-move = line { $step } of the transcript has no move
game-grade-too-long = the transcript is longer than { $moves } moves, and no more are replayed on a board of this size
game-grade-no-effect = the move in line { $step } of the transcript changes nothing
game-grade-lacks = the answer lacks { $what }
game-grade-score-line = the score line
game-grade-max-line = the max line
game-grade-board = the board
game-grade-two-parts = { $first } and { $second }
game-grade-three-parts = { $first }, { $second } and { $third }
game-grade-no-transcript = a game that AUTO plays needs its transcript: add a line for each piece of a new game (+ 0 1 2) and for each move (D 1 0 2)
game-grade-goes-on = the transcript ends after { $moves } { $moves ->
        [one] move
       *[other] moves
    }, and the game goes on: play it to its end, or as many moves as AUTO allows
game-grade-twice = { $key } stands there twice
game-grade-surplus-row = row { $row } of the board is one too many
game-grade-transcript-required = the answer needs the transcript of the game: a line for each new piece and each move
game-grade-rows = the board ends after { $rows } { $rows ->
        [one] row
       *[other] rows
    }

## Archives

archive-no-archive = no .zip archive, or only a part of one; make it again as a plain .zip
archive-directory = the archive is damaged: its list of members does not fit it; make it again
archive-too-many = the archive has more than { $members_max } members; make several of it
archive-doubled = two members of the archive have the name { $name }; make it again
archive-overlap = members of the archive share data, which no program writes that means well; make it again
archive-nested = not read: an archive in an archive; unpack it, and pack its files
archive-link = not read: a link; pack the file that it leads to
archive-special = not read: no file, but a device, a pipe or the like; leave it out
archive-encrypted = not read: it needs a password; pack it without one
archive-method = not read: packed by method { $method }; make the archive again as a plain .zip
archive-outside = not read: its path leads out of the archive (it begins with / or a drive, or has a backslash or an empty, . or .. part); pack its folder
archive-encoding = not read: its name is not the UTF-8 that the archive says it is; give it a plain name
archive-long-name = not read: its path, or a name in it, is longer than { $bytes_max } bytes; give it a shorter one
archive-deep = not read: it lies more than { $depth_max } folders deep; pack it in fewer
archive-too-large = not read: the members of the archive unpack to more than { $size_max } together, and this is one of the largest; hand it in by itself
archive-damaged = not read: damaged, it does not unpack to what the archive says; pack it again
submission-form = an answer is one line: a number or a word
checkers-grade-form = an answer is a number such as 7, alone or before the squares of the piece: 7 7,3 5,5 …
merge-grade-form = an answer is a number of slides such as 3, alone or before the slides (3 D C E), or: no solution
astar-grade-form = an answer is the number of moves, alone or before the boards of the path, the boards, or: unsolvable
game-grade-form = an answer has the lines score 24 and max 16 and the board, in any order; moves, over, seed and the transcript may stand with them
jump-grade-form = an answer is the winner and the round, such as C 3, on one line or two, or: SEM VENCEDORES

## Pages

page-answers = Answers to { $file }
page-grade = Grade of { $file }
page-report = { $file } was rejected
page-solver = Solver
page-options = Options
page-puzzles = Puzzles
page-counts = { $puzzles }, of which { $invalid } invalid and { $undecided } undecided
page-points = Points
page-number = Puzzle
page-line = Line
page-answer = Answer
page-verdict = Verdict
page-puzzle = Puzzle { $number }, line { $line }
page-left-out = { $drawn } of { $puzzles } puzzles are shown: invalid, undecided and wrong ones first, then the largest answers, then the first ones. The text beside this page has them all.
page-too-large = A picture of this would be too large for a page.
page-too-long = This answer is too long to be drawn.
page-no-time = There was no time left to draw this one.
page-not-drawn = This one could not be drawn, which is a mistake in the program and not in the file; please report it.
page-full = The page is full; this one is not drawn.
page-theirs = Your answer
page-ours = The right answer
page-rejected = Rejected
page-excerpt = Lines of the file
page-read = What was read of the board
page-no-witness = This result does not say how; solve it with witness = true to see it.
page-made = Made by tabuleiro { $version }.

## Pictures of boards of tiles

tiles-picture-rows = Row by row: { $rows }.
tiles-picture-size = { $size } squares on a side, with { $tiles } { $tiles ->
        [one] tile
       *[other] tiles
    }.
tiles-picture-next = Next: { $direction } ({ $letter }).
tiles-picture-merging = Tiles that merge (row,column, counted from 1): { $pairs }.
tiles-picture-left = { $boards } { $boards ->
        [one] board is
       *[other] boards are
    } left out here
tiles-picture-letters = { $letters } more letters are left out
tiles-picture-towards-left = to the left
tiles-picture-towards-right = to the right
tiles-picture-towards-up = up
tiles-picture-towards-down = down
merge-picture-start = The board at the beginning
merge-picture-after = The board after { $slides } { $slides ->
        [one] slide
       *[other] slides
    }
merge-picture-best = The best that was found is drawn: { $slides } { $slides ->
        [one] slide
       *[other] slides
    }. Whether fewer suffice is not known.
merge-picture-tiles-left = After { $slides } { $slides ->
        [one] slide
       *[other] slides
    } { $tiles } tiles are left.
merge-picture-no-change = { $letter } changes nothing
astar-picture-start = The board at the beginning
astar-picture-after = The board after { $moves } { $moves ->
        [one] move
       *[other] moves
    }
astar-picture-move = move { $moves }
astar-picture-since = { $moves } { $moves ->
        [one] move
       *[other] moves
    } on
astar-picture-largest = largest tile { $value }
astar-picture-all = All moves ({ $moves }): E left, D right, C up, B down.
astar-picture-no-move = Move { $number }, { $letter }, is not valid; the last board is the one before it.
astar-picture-not-won = No tile has reached { $goal }.
game-picture-start = The board at the beginning
game-picture-end = The board after { $moves } { $moves ->
        [one] move
       *[other] moves
    }, the last one
game-picture-made = The board after { $moves } { $moves ->
        [one] move
       *[other] moves
    }, the first one with a tile of { $value }
game-picture-move = move { $moves }
game-picture-score = score { $score }
game-picture-largest = largest tile { $value }
game-picture-boards = Where the largest tiles were made
game-picture-bad-line = Line { $number } of the game, { $line }, breaks a rule. The game is drawn up to it.
game-picture-chart = Score and largest tile over the moves
game-picture-rises = In { $moves } moves the score rises to { $score }, the largest tile to { $value }.
game-picture-axis-moves = moves
game-picture-axis-score = score
game-picture-axis-largest = largest tile

## The page of the service

site-title = Tabuleiro: files and answers
site-written = Written { $time } by tabuleiro { $version }, when something changed.
site-refreshed = A browser reads it again every { $seconds } seconds.
site-starting = The service starts.
site-stopped = The service has ended: nothing is taken until it is started again.
site-paused = Nothing is taken for now, because a disk is nearly full. It goes on by itself when there is room.
site-now = Now
site-idle = No file is waiting, and none is being answered.
site-queued = waits for its turn
site-progress = { $percent } %, { $puzzles } { $puzzles ->
        [one] puzzle
       *[other] puzzles
    } answered, for { $seconds } s
site-solving = puzzle { $number } for { $seconds } s
site-solving-of = puzzle { $number } of { $of } for { $seconds } s
site-limit = at most { $seconds } s
site-more-in-hand = { $files } { $files ->
        [one] file
       *[other] files
    } in hand without a name here
site-incomplete = { $files } { $files ->
        [one] file is
       *[other] files are
    } not complete yet: somebody is still writing
site-waiting = at least { $files } more { $files ->
        [one] waits
       *[other] wait
    } to be taken
site-may-be-more = more may be waiting
site-jobs = Last files
site-no-jobs = No file was answered yet.
site-private = Names and answers are not shown: each is for the person whose file it is.
site-ended = ended ({ $offset })
site-file = file
site-outcome = answers
site-outputs = results
site-rejected = rejected
site-puzzles = { $puzzles } { $puzzles ->
        [one] puzzle
       *[other] puzzles
    }
site-invalid = { $puzzles } invalid
site-undecided = { $puzzles } undecided
site-ignored = { $lines } { $lines ->
        [one] line
       *[other] lines
    } ignored
site-text = text
site-picture = picture
site-archive = archive
site-report = report
site-replaced = replaced
site-gone = no longer there
site-not-taken = Not taken
site-denied = its permissions, or those of a folder on the way, do not let the service take it. Who runs the service sees what helps by: { $command }
site-other-mount = this folder is on another disk than the service's own, so nothing is taken from it; put the files elsewhere in the inbox
site-service = Service
site-since = Since { $time }:
site-answered = { $files } { $files ->
        [one] file
       *[other] files
    } answered ({ $puzzles } { $puzzles ->
        [one] puzzle
       *[other] puzzles
    })
site-graded = { $files } graded
site-files-rejected = { $files } rejected
site-workers = { $workers } { $workers ->
        [one] worker
       *[other] workers
    } on other machines { $workers ->
        [one] helps
       *[other] help
    }; { $puzzles } { $puzzles ->
        [one] puzzle
       *[other] puzzles
    } solved there.
site-no-workers = No worker on another machine is there: everything is solved here; { $puzzles } { $puzzles ->
        [one] puzzle
       *[other] puzzles
    } solved there before.
site-no-broker = The broker cannot be reached: everything is solved here; { $puzzles } { $puzzles ->
        [one] puzzle
       *[other] puzzles
    } solved by workers on other machines before.
site-disk-of-results = free for results
site-disk-of-service = free for the service
