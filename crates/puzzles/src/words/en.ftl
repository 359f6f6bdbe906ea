# What people are told, in English. `pt.ftl` is the same in Portuguese.
#
# A message is `SCOPE-NAME = text`. `{ $name }` is an argument; all of them stand in the text. The code that declares a message
# says what its arguments are. What begins a line of a result (`invalid board:`, `undecided`, `warning:`, `ignored:`, `rejected:`)
# is the same in all languages and does not stand here.

## Anywhere in a file

found-end-of-file = the end of the file
found-end-of-line = the end of the line
input-ctrl-z = Ctrl-Z (U+001A), with which old programs end a file, is at the end: remove it
input-late-directive = the directive in line { $line } is only a comment: write it before the first number
outcome-no-number = found { $found }, expected a whole number
outcome-at-least = at least { $least }
outcome-at-most = at most { $most }
outcome-between = at least { $least }, at most { $most }
outcome-further = { $count ->
        [one] (another mistake in { $lines })
       *[other] (more mistakes in { $lines })
    }
outcome-place = [{ $place }]

## What to write instead. It stands behind what is wrong and a semicolon.

proposal-write = write { $text } instead
proposal-write-line = write { $text } in line { $line }
proposal-and = { $first } and { $second }
proposal-remove = remove it
proposal-remove-text = remove { $text }
proposal-blank = write a space instead
proposal-blanks = write spaces instead { $marks ->
        [one] in
       *[other] of { $marks } in
    } { $lines }
proposal-breaks = write line breaks instead in { $lines }
proposal-write-all = write { $text } instead in { $lines }
proposal-remove-all = remove { $text ->
        [unseen] all such characters
       *[other] { $text }
    } in { $lines }
proposal-remove-comments = remove the comments after numbers in { $lines }
proposal-remove-line = remove line { $line }
proposal-remove-lines = remove { SPAN($from, $to) ->
        [one] line { $from }
        [two] lines { $from } and { $to }
       *[more] lines { $from } to { $to }
    }
proposal-join-lines = join lines { $from } { SPAN($from, $to) ->
        [two] and
       *[more] to
    } { $to }
proposal-insert-line = write { $text } on a line of its own before line { $line }
proposal-instead = write { $text } instead of { $lines }
proposal-change-lines = change { $lines } like this
proposal-line = line { $line }
proposal-lines = lines { $from } { SPAN($from, $to) ->
        [two] and
       *[more] to
    } { $to }
proposal-lines-and = lines { $lines } and { $last }

## What the look at the lines of a puzzle shows

mistake-character = found { $character }{ $token ->
        [alone] {""}
       *[other] {" "}in { $token }
    }{ $expected }{ $others ->
        [0] {""}
       *[other] {" "}(also in { $lines })
    }
mistake-in-token = { $character } in { $token }
mistake-file-cut = the file ends { $numbers ->
        [0] after row { $row } of the board (line { $line })
       *[other] within row { $row } of the board (line { $line }), which has { $numbers } of { $expected } numbers
    }; { $missing ->
        [one] the line after it is
       *[other] the { $missing } lines after it are
    } missing{ $numbers ->
        [0] {""}
       *[other] {" "}as well
    }
mistake-thousands-blank = { $found } looks like one number with a space in it: write { $value }
mistake-rows-omitted = line { $line } has { $found } in place of rows: write out all rows of the board
mistake-cell-error = { $found } in line { $line } is an error of the spreadsheet, not a number: write the number that belongs there
mistake-row-blank = { $rows } { $rows ->
        [one] row follows
       *[other] rows follow
    } the header { $header }, which needs { $expected }; line { $line } between them is blank: write the missing row there, or correct the header
mistake-row-commented = a part of the puzzle is a comment in { $lines }: remove the mark before it
mistake-exponents = these numbers look like exponents, { $exponent } for { $tile }: write the tiles in { $lines }
mistake-marked-squares = the squares that are not played on have the mark '{ $mark }': leave them out; a row has only the squares whose row + column is even
mistake-stray-line = line { $line } ('{ $text }') is not part of a puzzle, and the file is in Latin-1: remove line { $line }, or begin it with # and save the file as UTF-8
mistake-row-length = row { $row } (line { $line }) has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    }, the other rows have { $others }
form-row-length-expected = row { $row } (line { $line }) has { $numbers } { $numbers ->
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
    } the board, but line { $line } says { $expected }{ $surplus ->
        [0] : add the lines of the missing players{ $players ->
            [0] {""}
           *[other] , or write { $players } in line { $line }
        }
        [one] : write { $players } there, or remove the line that is not a player
       *[other] : write { $players } there, or remove the lines that are not players
    }
mistake-line-count = { $lines } { $lines ->
        [one] line of two numbers follows
       *[other] lines of two numbers follow
    } the header { $header } and the number of players, expected { $expected }: { $rows } of the board and { $players } of players
mistake-row-count = { $rows } { $rows ->
        [one] row follows
       *[other] rows follow
    } the header { $header }, which needs { $expected }; if the rows are right, write { $fitting } instead
mistake-row-doubled = { $rows } rows follow the header { $header }, but the board has { $expected }; lines { $before } and { $line } are equal{ $again ->
        [0] {""}
       *[other] , and so are lines { $other } and { $again }: remove the line that is written twice by mistake
    }
mistake-end-marker = files of { $solver } have no end marker: remove line { $line }, which has only { $found }
mistake-behind-count = line { $line } has { $numbers } numbers, but should have only the number of cases T
mistake-marker-early = found { $found } between two boards, but only the last board is followed by 0 0: remove line { $line }
mistake-marker-on-row = the end marker 0 0 is on the line of the last row: write it on a line of its own after line { $line }
mistake-exchanged = lines { $first } and { $second } are in the wrong order: write line { $second } first
mistake-joined = line { $line } and the rows below it have no spaces between their numbers
mistake-blank-squares = numbers are missing in { $lines }: write 0 for each empty square
mistake-header-on-row = { $header } after the last row looks like the next header: write it on a line of its own after line { $line }
mistake-square-digits = found { $found }, expected 0, 1 or 2; row { $row } already has its { $numbers ->
        [one] number
       *[other] { $numbers } numbers
    }
mistake-seed-line = { $seed } looks like the seed of the game, which belongs after the size in line { $line }
mistake-split-header = { $field } is on a line of its own: join lines { $from } and { $to }
mistake-word = found { $found } in line { $line }, which should have only numbers
mistake-player-line = '{ $found }' should be { $players ->
        [1] only a row and a column, without a name or a mark: write { $square } instead
       *[other] { $players } lines, one for each player, with only its row and column
    }
mistake-player-outside = player { $player } stands on { $row } { $column }, but the board has rows 0 to { $last_row } and columns 0 to { $last_column }; squares are counted from 0
mistake-puzzle-count = line { $line } ({ $found }) looks like the number of { $noun ->
        [board] boards
        [case] cases
        [game] games
       *[other] puzzles
    }, but a file must not begin with it
mistake-header-length = line { $line } has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    }, but should have only one: { $field }
mistake-goal-line = { $goal } in line { $line } looks like the goal, which is set by a directive: if it is { $goal }, remove it here and write #: goal = { $goal } at the top of the file
mistake-odd-line = line { $line } has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    }, but each row has { $others }
mistake-side-by-side = from line { $line } on, two boards are side by side: write one below the other
mistake-rows-turned = the rows alternate between { $narrow } and { $wide } numbers, but the first one should have { $wide }: only squares whose row + column is even are written, and the first row begins with one
mistake-squares-joined = spaces seem to be missing in { $found }: { $apart }
mistake-second-moves = line { $line } is one line of moves too many; it looks like the moves of the { $game ->
        [before] game before, which has none
       *[next] next game, which has none
    }: write it after the rows of that game
mistake-moves-again = line { $line } repeats the moves of line { $before }: remove it, or join the two lines if all these moves are meant
mistake-players-exchanged = player { $player } (line { $line }) is outside the board, but would be on it with row and column exchanged: the row comes first (0 to { $last_row }), then the column (0 to { $last_column }){ $squares ->
        [none] {""}
       *[other] ; if that holds for all players, their lines are { $squares }
    }
mistake-players-from-one = player { $player } (line { $line }) is outside the board, which has rows 0 to { $last_row } and columns 0 to { $last_column }; if you counted from 1, subtract 1 from the row and the column of each player: their lines are then { $squares }{ $exchanged ->
        [none] {""}
       *[other] ; if row and column are exchanged, they are { $exchanged }
    }
mistake-players-from-one-too = the players from line { $line } on may be counted from 1, as those of another game seem to be; their game was answered as written; if they are, their lines should be { $squares }
mistake-header-missing = a header is missing before line { $line }; a header has { $expected }
mistake-header-in-turn = the header { $header } does not fit the { $rows } rows below it, which alternate between { $width } and { $narrow } numbers
mistake-rows-joined = line { $line } holds two rows of the board{ $found ->
        [none] {""}
       *[other] ; in { $found }, the end of the first row and the beginning of the second run together
    }
mistake-row-wrapped = row { $row } (lines { $from } { SPAN($from, $to) ->
        [two] and
       *[more] to
    } { $to }) has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    }, the other rows have { $others }: line { $line } has { $found }, but should have { $expected }
mistake-row-split = { $rows ->
        [1] row { $row } is
       *[other] { $rows } rows are broken into several lines: write each on one line; row { $row } is
    } on lines { $from } { SPAN($from, $to) ->
        [two] and
       *[more] to
    } { $to }
mistake-rows-behind = { $rows } rows follow the complete board of line { $line } ({ $header }): write { $fitting } in line { $line } if they belong to it, or else their header { $missing } on a line of its own before line { $next }
mistake-rows-repeated = { SPAN($from, $to) ->
        [two] lines { $from } and { $to } repeat lines { $first } and { $last }
       *[more] lines { $from } to { $to } repeat lines { $first } to { $last }
    }
mistake-other-solver = { $last ->
        [0] from line { $line } on, this looks
       *[other] lines { $line } to { $last } look
    } like { $solver } ({ $puzzles } { $puzzles ->
        [one] puzzle
       *[other] puzzles
    }): put these lines into a file of their own
mistake-header-odd = with { $columns } columns, rows alternate between { $wide } and { $narrow } numbers, but all { $rows } rows have { $wide }; { $fitting } would fit them
mistake-player-doubled = { $players } players follow the board, but line { $line } says { $expected }; lines { $before } and { $again } are equal: remove one of them, or write { $players } in line { $line }
mistake-lines-joined = line { $line } holds two lines without a line break between them: { $first }, then { $second }
mistake-all-on-one-line = line { $line } holds all { $rows } rows of the board: write each row on a line of its own
mistake-loose-rows = lines { $from } to { $to } have numbers, but are not part of a puzzle: write only the numbers, below a header
mistake-other-colour = all squares of the board { $header } are written, and all pieces stand on squares whose row + column is odd; a board has only the squares whose row + column is even (columns 0 2 4 … of row 0, columns 1 3 5 … of row 1)
mistake-header-half = the header { $header } counts only the playable columns; it must count all columns of the board
mistake-piece-marks = the squares are written as { $marks }: write 0 for an empty square, 1 for an own piece and 2 for an opponent piece, with spaces between them{ $squares ->
        [all] , and only the squares whose row + column is even (columns 0 2 4 … of row 0, columns 1 3 5 … of row 1)
       *[playable] {""}
    }
mistake-header-mismatch = { $rows } { $rows ->
        [one] row
       *[other] rows
    } of { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    } { $rows ->
        [one] does
       *[other] do
    } not fit the header { $header }

## What a file is that has no puzzles

whole-program = the file looks like a { $language } program; it should be the input
whole-answers = the file looks like answers, the output of a program; it should be the input
whole-lfs-pointer = the file is a pointer of Git LFS, not the file itself: run git lfs pull, and take the file again
whole-words = the file has { $only ->
        [blanks] only spaces and special spaces (such as no-break spaces)
       *[words] only words
    }, and no line of numbers
whole-exchanged = lines { $first } and { $second } are in the wrong order: write line { $second } first
whole-line-numbers = { $of ->
        [letters] each row of the board begins with a letter that is not part of it: remove these letters
        [rows-and-columns] the rows and columns of the board are numbered: remove these numbers
       *[lines] each line begins with its number: remove these numbers
    } in { $lines }
whole-quoted = each line { $side ->
        [end] ends
       *[begin] begins
    } with { $mark }: remove it in { $lines }
whole-codes = { $kind ->
        [colours] the file has the colour codes of a terminal: remove them in { $lines }
        [web] the file has the marks of a web page, such as <br>: remove them in { $lines }
        [mail] the file has the codes of a mail, = for a line that goes on and =20 for a space: remove them in { $lines }
        [breaks] '\n' stands where a line should end ({ $lines }): begin a new line there
        [quoted] the text is in quotation marks, and '\n' stands where a line should end ({ $lines }): remove the marks, and begin a new line in the place of each '\n'
       *[index] the rows begin with the numbers in brackets that R prints, such as [1]: remove them in { $lines }
    }
whole-table = the numbers are in a table: remove its bars and the lines drawn between them in { $lines }
whole-list = { $form ->
        [json] the file looks like JSON
        [c] the file looks like a C array
        [python] the file looks like a Python list
       *[other] the numbers are in brackets
    } ({ $lines }): write only the numbers, with spaces between them, one row of the board per line
whole-quotation-marks = the numbers are in quotation marks: write them without the marks, with spaces between them, in { $lines }
whole-separators = the numbers are separated by { $kind ->
        [blank] the character { $mark }, which only looks like a space
        [latex] '{ $mark }' and the lines by '\\', as in LaTeX
       *[mark] '{ $mark }' instead of spaces
    }: write spaces in { $lines }
whole-goals = the goal is set by a directive, not after the size: if it is { $goal }, write #: goal = { $goal } at the top of the file, and only the size in { $lines }
whole-fractions = the numbers have a fraction, such as { $found }: write whole numbers in { $lines }
whole-empty-cells = { $mark ->
        [tab] empty squares have no number: write 0 for them
       *[other] the numbers are separated by '{ $mark }', and empty squares have no number: write 0 for them, and spaces between the numbers,
    } in { $lines }
whole-one-line = the whole file is on one line: begin a new line before and after each header, and after each row
whole-quoted-input = { $mark ->
        [patch] the file looks like a patch: remove the marks + before its lines, and the lines that begin with - or @@
       *[other] only the lines that begin with { $mark } are the input: keep them without that mark, and remove the others
    }
whole-labels = words such as '{ $label }' do not belong to the input: remove them in { $lines }
whole-titles = words such as '{ $title }' belong to no puzzle: remove them in { $lines }, or write # before them
whole-empty-marks = the mark { $mark } stands for empty squares: write 0 in { $lines }
whole-comment-style = comments begin with #, not with { $mark }: write # before it in { $lines }
whole-mark-lines = there are only marks ({ $mark }) in { $lines }: remove these lines
whole-code-fence = only the lines between the marks { $mark } are the input: remove { $lines }
whole-conflict = lines { $from } to { $to } are a Git merge conflict: keep one of the two versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>
whole-old-line-ends = the lines end with { $mark ->
        [vt] vertical tabs, as Word writes them
       *[cr] CR alone, as on old Macs
    }: save the file with line ends LF

## Rows of a board that has all its numbers

rows-row-lengths = row { $row } (line { $line }) has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    } instead of { $expected }, and row { $other_row } (line { $other_line }) has { $other_numbers } instead of { $other_expected }

## Characters that numbers do not have

character-comma = a comma
character-semicolon = a semicolon
character-colon = a colon
character-bar = a vertical bar
character-bracket = a { $kind ->
        [round] parenthesis
        [square] square bracket
        [curly] curly bracket
       *[angle] pointed bracket
    } { $character }
character-quote = the quotation mark { $character }
character-no-break-blank = a no-break space ({ $code }), which only looks like a space,
character-thin-blank = a space narrower or wider than the ordinary one ({ $code })
character-ctrl-z = Ctrl-Z (U+001A), with which old programs end a file
character-other-base = a { $base } number
character-times = a count, which stands for { $numbers },
character-escaped-tab = \t (a backslash and the letter t)
character-nul = a NUL character (U+0000)
character-exponent = the letter { $character } of a power of ten
character-byte-order-mark = an invisible byte order mark (U+FEFF, with which only a file begins)
character-invisible = an invisible character ({ $code })
character-other-encoding = the byte { $code }, which is not UTF-8 (perhaps Latin-1)
character-line-separator = a line separator ({ $code })
character-ligature = the ligature { $character }
character-empty-mark = the mark { $character }
character-hyphen = { $kind ->
        [dash] a dash (–)
        [dot] a middle dot (·)
        [star] an asterisk (*)
       *[hyphen] a hyphen
    }
character-underscore = an underscore
character-slash = a slash
character-dash = the long dash { $character }
character-backtick = a backtick (`)
character-letter-o = the letter { $character }
character-letter-l = the letter { $character }
character-letters = letters in place of digits
character-minus = a minus sign ({ $character })
character-plus = a plus sign
character-decimal-comma = a decimal comma
character-decimal-point = a decimal point
character-thousands-mark = a thousands separator ({ $character })
character-power = the sign ^ of a power
character-comment = a comment ({ $character }) after numbers
character-other-digit = the { $script ->
        [full-width] full-width
        [arabic] Arabic-Indic
        [persian] Persian
        [superscript] superscript
       *[subscript] subscript
    } digit { $character }
character-other-number = the character { $character } ({ $code })
expected-blanks = , expected numbers with spaces between them
expected-digit = , expected the digit { $digit }
expected-zero-and-one = : write 0 instead of the letter O, and 1 instead of l or I
expected-no-sign = , expected a number without a sign
expected-zero = , expected 0 for an empty square
expected-value = , expected { $value }
expected-no-moves = , expected - for no moves
expected-whole = , expected a whole number
expected-comment-line = ; a comment has a line of its own, which begins with #
expected-nothing = , which does not belong there
expected-break = , expected an ordinary line break
expected-new-line = , expected a new line
expected-utf8 = ; write a number and save the file as UTF-8
expected-digits = , expected the digits 0 to 9

## What is wrong with the lines of a puzzle

form-rows = the number of rows
form-columns = the number of columns
form-header-value = { $field } is { $found }, but must be { $range }
form-header-values = { $first }, and { $second }
form-value = found { $found }, expected a number from { $least } to { $most }
form-header-word = found { $found }, expected { $field }, in digits alone
form-answers-behind = lines { $from } { SPAN($from, $to) ->
        [two] and
       *[more] to
    } { $to } look like answers: remove them
form-stray-line = { $lines ->
        [one] line { $line } is not part of a puzzle: remove it or begin it with #
        [2] lines { $line } and { $last } are not part of a puzzle: remove them or begin each with #
       *[other] lines { $line } to { $last } are not part of a puzzle: remove them or begin each with #
    }
form-header-missing = { $field } is missing before line { $line }
form-header-length = the header (line { $line }) has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    }, but should have { $expected }
form-one = one number: { $first }
form-two = two numbers: { $first } and { $second }
form-one-or-two = one or two numbers: { $first } and perhaps { $second }
form-players-early = the players ({ SPAN($from, $to) ->
        [one] line { $from }
        [two] lines { $from } and { $to }
       *[more] lines { $from } to { $to }
    }) are before the board; they belong after its rows
form-row-count = { $rows } { $rows ->
        [one] row follows
       *[other] rows follow
    } the header { $header }, which needs { $expected }
form-header-doubled = lines { $before } and { $line } are equal, but a header is written once
form-header-behind = line { $line } has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    }, expected { $expected }, which is in line { $from } but belongs here
form-numbers-missing = { $numbers } { $numbers ->
        [one] number follows
       *[other] numbers follow
    } the header { $header }, expected { $expected }
form-numbers-surplus = { $numbers } { $numbers ->
        [one] number follows
       *[other] numbers follow
    } the header { $header }, expected { $expected }
form-range = from { $least } to { $most }
form-from = at least { $least }
form-within-line = the next puzzle begins in the middle of a line: is a row too long or too short?
form-shared-line = { $field } was read as { $number }, the first number of line { $line }; is there a line too few or too many before it?
form-long-header = line { $line } has { $numbers } numbers, so the board was read from the last of them on; but the { $rows } lines below it look like the whole board: does line { $line } have a number too many?
form-odd-line = line { $line } has { $numbers } { $numbers ->
        [one] number
       *[other] numbers
    }, but a row has { $expected }, so rows were read across the ends of lines; is a line too few or too many?
form-other-header = { $lines } lines of { $width } { $width ->
        [one] number
       *[other] numbers
    } follow the header { $header }; { $fitting } would fit them (line { $line })
form-other-header-in-turn = { $lines } lines below the header { $header } alternate between { $width } and { $narrow } numbers; { $fitting } would fit them (line { $line })

## checkers-capture

checkers-marker-line = found { $found }; the end marker is 0 0 on a line of its own
checkers-letters-o = the letter O in { $found }
checkers-area = found { $rows } x { $columns } = { $squares } squares, expected at most { $most }
checkers-square-value = found { $found }, expected { $kind ->
        [word] 0 (an empty square), 1 (an own piece) or 2 (an opponent piece)
       *[number] 0, 1 or 2
    } (row { $row }, number { $number })
checkers-squares-joined = found { $found }, expected 0, 1 or 2; write a space between the numbers
checkers-all-squares = { $numbers } numbers follow { $header }; a board has { $expected }, of the squares whose row + column is even (columns 0 2 4 … of row 0, columns 1 3 5 … of row 1)
checkers-own-pieces = the board has { $pieces } own pieces (1), but a board of { $rows } x { $columns } has at most { $most }
checkers-opponent-pieces = the board has { $pieces } opponent pieces (2), but a board of { $rows } x { $columns } has at most { $most }
checkers-marker-missing = the end marker 0 0 is missing
checkers-marker-comment = a comment after the end marker 0 0; comments have lines of their own
checkers-stopped = stopped at an invalid board (on_invalid = stop); what follows is not read
checkers-ignored = { $lines } { $lines ->
        [one] line
       *[other] lines
    } after the end marker 0 0 (line { $line })

## Pictures of checkers-capture

checkers-picture-asks = Which piece can capture most in one move, and how many?
checkers-picture-takes = The piece on row { $row }, column { $column } can capture { $captures } { $captures ->
        [one] piece
       *[other] pieces
    }.
checkers-picture-longest = The longest capture takes { $captures } { $captures ->
        [one] piece
       *[other] pieces
    }.
checkers-picture-none = No piece can capture any.
checkers-picture-best = The piece on row { $row }, column { $column } can capture { $captures } { $captures ->
        [one] piece
       *[other] pieces
    }; no piece can capture more than { $most }.
checkers-picture-title = Checkers board, { $rows } x { $columns }
checkers-picture-pieces = { $rows } { $rows ->
        [one] row
       *[other] rows
    } and { $columns } { $columns ->
        [one] column
       *[other] columns
    }, numbered from 0 at the edge; { $own } own { $own ->
        [one] piece
       *[other] pieces
    }, drawn white, and { $opponents } of the opponent, drawn black.
checkers-picture-squares = The squares of the path by row,column: { $squares }{ $more ->
        [0] .
       *[other] , and { $more } more.
    }
checkers-picture-legend = White: own piece, with a dot: the one that captures. Black, numbered and crossed out: taken, in this order. Rows and columns count from 0.
checkers-picture-no-square = Square { $number } of the path is not a square.
checkers-picture-off-board = The path goes to { $square }, which is not a square that is played on (dashed).
checkers-picture-without-piece = No own piece stands on { $square } (dashed).
checkers-picture-without-capture = Jump { $jump }, from { $from } to { $to }, takes no piece (dashed).

## 2048-merge

merge-case-count = found { $found }, expected the number of cases T
merge-behind-count = found { $found } after the number of cases T, expected the end of the line
merge-count-missing = the number of cases T is missing; { $cases } { $cases ->
        [one] case follows
       *[other] cases follow
    }: write { $cases } on a line of its own before line { $line } ({ $header })
merge-count-late = T is in { $count ->
        [one] line
       *[other] lines
    } { LIST($lines) }, but a file begins with it: remove { $count ->
        [one] line { $lines }
       *[other] those lines
    } and write { $cases } on a line of its own before line { $line }
merge-count-again = { $count ->
        [one] the number alone in line { $lines } looks
       *[other] the numbers alone in lines { LIST($lines) } look
    } like the T of another file; a file has one T, for all cases: write { $cases } in line { $line } and remove { $count ->
        [one] line { $lines }
       *[other] these lines
    }; only the cases before line { $first } are answered
merge-count-twice = { $count ->
        [one] the number alone in line { $lines } belongs
       *[other] the numbers alone in lines { LIST($lines) } belong
    } to no case; a file has one T, on its first line: remove { $count ->
        [one] line { $lines }
       *[other] these lines
    }
merge-missing-case = T is { $total } (line { $line }), but { $cases ->
        [0] no case follows
        [one] only { $cases } case follows
       *[other] only { $cases } cases follow
    }
merge-surplus-case = T is { $total } (line { $line }), but { $cases } { $cases ->
        [one] case follows
       *[other] cases follow
    }; { $total ->
        [0] none of them is answered
        [one] only the first is answered
       *[other] only the first { $total } are answered
    }, unless T is { $cases }
merge-text-after-cases = found { $found } after the last case, expected the end of the file, as T is { $total } (line { $line })
merge-square-value = found { $found } at row { $row }, column { $column }, expected { $value }
merge-expected-size = the size N of the board
merge-expected-slides = the largest number of slides M
merge-expected-value = a number (0 for an empty square)
merge-expected-smaller-value = a number up to { $most }

## 2048-astar

astar-at-least = at least { $least } { $least ->
        [one] move
       *[other] moves
    }
astar-size = the size of the board
astar-square-value = found { $found }, expected { $expected }
astar-power = 0 for a blank square, or a power of two from 2
astar-power-up-to = 0 or a power of two up to { $most }
astar-powers = 0 or a power of two, such as { $below } or { $above }

## 2048-game

game-square-value = found { $found } in row { $row }, expected 0 for an empty square, or a power of two from 2 to 2^63
game-line-length = the line is longer than { $mebibytes } MiB
game-end-of-file = found the end of the file, expected { $expected }
game-moves-early = the moves { $moves } are in line { $line }; they belong on a line of their own after the last row of the board (line { $behind })
game-moves-missing = the moves are missing: line { $line } begins the next game; write a line of moves before it, or - for none
game-counted-moves = { $found } looks like moves with a number of times, but a digit is a move of its own: write each move as one letter
game-mixed-moves = digits and letters are mixed among the moves: { $digit } was read as { $letter }; a digit is a move of its own, not a number of times
game-moves = found { $found }, expected { $expected }
game-second-moves = the moves are in lines { $before } { $count ->
        [2] and
       *[other] to
    } { $line }, but a game has one line of moves
game-transcript-moves = lines { $from } to { $to } are the transcript of a game: write only the letters of its moves, on one line
game-moves-count = the number of moves in line { $line } does not belong to a game
game-seed-late = { $seed } in line { $line } looks like the seed, which belongs to the first line of the game, after the size
game-auto-moves = found { $found } after AUTO; only the largest number of moves may follow it, as in AUTO 10
game-move-after-end = { $number ->
        [1] no move is possible on this board: write - instead of the moves
       *[other] move { $number } ({ $letter }) comes after the end of the game: remove it and the moves after it
    }
game-move-without-effect = move { $number } ({ $letter }) changes nothing: remove it, or choose a direction in which a tile moves or merges
game-expected-size = the size of the board
game-expected-seed = the seed
game-expected-moves-line = the line of moves: D, E, C, B, or AUTO, or - for none
game-expected-letters = D or 1 (right), E or 2 (left), C or 3 (up), B or 4 (down); AUTO or AUTO 10; or - for no moves
game-expected-moves-alone = the moves without a word before them
game-expected-initials = the Portuguese initials: D for right, E for left, C for up, B for down
game-expected-right = D for right (direita)
game-expected-left = E for left (esquerda)
game-expected-up = C for up (cima)
game-expected-down = B for down (baixo)
game-expected-dash-end = the end of the line after -
game-expected-auto = AUTO, or AUTO 10 for at most 10 moves
game-expected-auto-letter = AUTO with the letter O, not the digit 0
game-expected-auto-end = nothing after AUTO and its number
game-stopped-after = stopped after { $moves } { $moves ->
        [one] move
       *[other] moves
    }

## Rules of which several are in use

rules-other-answers = { $differing } of { $puzzles } { $differing ->
        [one] has
       *[other] have
    } another answer by { $rules }: { $action }
rules-course = the course's rules
rules-default = the default rules
rules-name-or-write = if those apply, name the file { $name } or write { $directives }
rules-name = if those apply, name the file { $name }
rules-write = if those apply, write { $directives }
rules-set = these are { $options }
rules-and = { $first } and { $second }

## jump-game

jump-at-least-round = at least round { $least }
jump-players = the number of players
jump-square-value = found { $found } on square { $square } (row,column from 0), expected a whole number, 0 or more (a player on a 0 is stuck)
jump-square-large = found { $found } on square { $square } (row,column from 0), expected a number up to { $most }
jump-player-square = found { $found }, expected the row and the column of player { $player }, two numbers from 0
jump-player-row = player { $player } stands on row { $row }, but the board has rows 0 to { $last }; squares are counted from 0
jump-player-column = player { $player } stands on column { $column }, but the board has columns 0 to { $last }; squares are counted from 0

## Pictures of jump-game

jump-picture-asks = Who reaches the goal first, and in which round?
jump-picture-wins = { $player } wins in round { $round }.
jump-picture-at-goal = { $player } starts on the goal and has won.
jump-picture-no-winner = Nobody can reach the goal.
jump-picture-title = Board of the jump game, { $rows } x { $columns }
jump-picture-board = A map of { $rows } { $rows ->
        [one] row
       *[other] rows
    } and { $columns } { $columns ->
        [one] column
       *[other] columns
    }, numbered from 0 at the edge. Every square has its number. The goal with the flag is { $goal }.
jump-picture-starts = Players start by row,column: { $starts }{ $more ->
        [0] .
       *[other] , and { $more } more.
    }
jump-picture-squares = The squares of the path: { $squares }{ $more ->
        [0] .
       *[other] , and { $more } more.
    }
jump-picture-legend = Letter in a frame: where a player starts. Arrows: the path, with the round where a jump ends. Grey: 0, nobody gets away. Flag: the goal.
jump-picture-no-square = Square { $number } of the path is not a square.
jump-picture-off-board = The path goes to { $square }, which is not on the board (dashed).
jump-picture-no-start = Nobody starts on { $square } (dashed).
jump-picture-no-jump = Jump { $jump }, of { $length } from { $from }, does not end on { $to } (dashed).
jump-picture-over = The game was over before the path goes on to { $square } (dashed).
jump-picture-unfinished = The path ends on { $square }, which is not the goal.
jump-picture-tied = { $player } could reach the goal in the same round, but jumps later in it.
jump-picture-later = { $player } reaches the goal in round { $round } at the earliest.
jump-picture-never = { $player } never reaches the goal.

## What is wrong with a directive, or with an option

directive-too-long = the directive is longer than { $bytes_max } bytes
directive-too-many = the file has more than { $most } directives
directive-no-text = found bytes that are not text
directive-twice = '{ $key }' is set a second time, first in line { $line }
directive-no-key = found { $found }, expected the name of an option: letters, digits, '_' and '-'
directive-no-equals = found { $found } after '{ $key }', expected '=': a directive is `#: { $key } = VALUE`
directive-no-value = found no value for '{ $key }': a directive is `#: { $key } = VALUE`
directive-quotes = found { $found }, expected a value in quotes with nothing after it
directive-near-miss = line { $line } looks like a directive; write { $directive }
directive-bare = line { $line } sets an option, but only a line that begins with #: does so; write { $directive }
directive-seed = the seed is no option; it follows the size: a game of size 4 with this seed begins with 4 { $seed }
directive-meant = `#: { $found }` is not understood; write { $directives }
directive-unit = `#: { $found }` has no unit; write { $directives }
directive-next-line = { $first } and, on a line of its own, { $second }
directive-forbidden = found the directive '{ $key }', but the route '{ $route }' allows no directives
directive-unknown = unknown directive '{ $key }'{ $hint }; the options of { $solver }: { $known }
solver-unknown = unknown solver '{ $id }'{ $hint }; known: { $known }
word-meant = {""} (did you mean '{ $word }'?)
option-unknown = unknown option '{ $name }'{ $hint }; known: { $known }
option-out-of-range = { $name } = { $found }: expected { $expected }{ $hint }
option-raised = { $name } = { $found }: a file cannot loosen this limit, which is { $max }; remove the directive
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
reject-blank-file = the file holds only spaces and comments (lines that begin with #), no puzzle
reject-file-too-large = the file has { $bytes } bytes, the limit is { $bytes_max } (intake.size_limit)
reject-result-too-large = the result would have more than { $bytes_max } bytes (results.size_limit)
reject-compressed-file = the file is compressed ({ $format }): unpack it, and hand in the text file from it
reject-wide-text = the file is { $encoding } text; save it as UTF-8 or ASCII
reject-document-file = the file is a document ({ $format }), not plain text
reject-web-page = the file is a web page (HTML), not plain text
reject-image-file = the file is an image ({ $format }), not plain text
reject-program-file = the file is a program ({ $format }), not plain text
reject-foreign-file = the file is not plain text ({ $format })
reject-no-puzzle = no puzzle for { $solver } in the file
reject-invalid-puzzle = puzzle { $puzzle } of this reference is invalid
reject-cut-reference = this reference has { $ignored }, which would grade nothing: remove these lines, or the end marker
reject-directive = { $what }; nothing in the file is answered until this is corrected
reject-no-route = no route takes the file
reject-set-aside = the service ended { $tries } times while it answered this file, which is set aside
reject-deadly-puzzle = { $deaths } workers ended while they solved puzzle { $number } of this file, which is set aside
reject-internal-error = internal error { $during }: { $message }
reject-refuted = at puzzle { $puzzle } this submission proves that an answer of this program is wrong, so it has no grade; keep it and the reference, and report them
reject-changing-file = the file changes while it is read; drop it again when nothing writes to it any more
reject-unreadable = the file cannot be read: { $message }

## Around the messages about a file

told-invalid = invalid { $noun } { $puzzle }
told-undecided = { $noun } { $puzzle }: undecided, { $limit } was hit
told-mistake = mistake
told-warning = warning
told-ignored = ignored
told-rejected = rejected
told-help = help
told-markers-early = { $count ->
        [one] these lines are { $puzzles }: to have it answered
       *[other] these lines are { $puzzles }: to have them answered
    }, remove { $markers ->
        [one] line { $lines }
       *[other] lines { LIST($lines) }
    }; only the last board is followed by 0 0
told-marker-early = if these lines are puzzles, remove the end marker before them; if not, remove these lines or begin each with #
told-further = and { $puzzles } more, in { $count ->
        [one] line
       *[other] lines
    } { $more ->
        [0] { LIST($lines) }
       *[other] { $lines }, …
    }
told-alike = { $more ->
        [0] the same holds for { $named }
       *[other] the same holds for { $count } more lines: { $lines }, …
    }
told-stray-lines = { $count ->
        [one] line { $lines } is
       *[other] lines { $more ->
            [0] { LIST($lines) }
           *[other] { $lines }, …
        } are
    } not part of a puzzle either
told-not-examined = there are many mistakes up to line { $line }; what follows it in this puzzle was not examined
told-further-undecided = and { $puzzles } more undecided
told-further-warnings = and { $warnings } more { $warnings ->
        [one] warning
       *[other] warnings
    }
told-mistakes = { $mistakes } { $mistakes ->
        [one] mistake
       *[other] mistakes
    }{ $bad ->
        [0] {""}
       *[other] {" "}in { $puzzles }{ $others ->
                [0] {""}
                [one] {" "}and 1 line
               *[other] {" "}and { $others } lines
            }
    }{ $fixable ->
        [0] {""}
       *[other] ; { $fixable } can be fixed automatically (check --fix)
    }

## The command line

cli-cannot-open = { $name }: cannot open: { $reason }
cli-cannot-read = { $name }: cannot read: { $reason }
cli-cannot-create = { $name }: cannot create: { $reason }
cli-cannot-write-output = cannot write the output: { $reason }
cli-system = { $message }
cli-not-found = there is no such file or folder
cli-denied = permission denied
cli-is-folder = it is a folder, not a file
cli-not-folder = a part of the path is not a folder
cli-disk-full = the disk is full
cli-wrong-set = --set: { $error }
cli-same-file = input and output are the same file
cli-two-files = two files are named, { $first } and { $option } { $second }, and one is read at a time: write { $first } or { $option } { $second }, not both
cli-archive-choices = the members of an archive are routed by their own paths; --solver and --set are for one file
cli-archive-output = the results are an archive; name its file with -o
cli-empty-archive = { $name }: no file in this archive
cli-no-equals = expected KEY=VALUE, such as witness=true
cli-no-input = no input was given: name a file
cli-solver-as-file = { $name } is a solver and not a file: write --solver { $name }
cli-no-solver = { $name }: no route takes it and no directive names a solver; choose with --solver ID, one of { $known }
cli-checked = { $name }: { $solver }: { $valid } valid, { $invalid } invalid{ $ignored ->
        [0] {""}
        [one] , 1 line ignored
       *[other] , { $ignored } lines ignored
    }
cli-graded = { $name }: a submission that the route '{ $route }' grades; its answers are not checked
cli-totals = { $name }: { $puzzles }, { $invalid } invalid, { $undecided } undecided
    {"  "}user { $user } s, system { $system } s, wall { $wall } s
cli-fix-needs-file = --fix writes a file beside the input: name a text file, not - and no archive
cli-fix-too-large = { $name }: --fix takes files of at most { $bytes_max } bytes
cli-fix-written = { $name }: written, with the changes below; { $left ->
        [0] no mistake is left
        [one] 1 mistake is left
       *[other] { $left } mistakes are left
    }{ $warnings ->
        [0] {""}
        [one] , 1 warning
       *[other] , { $warnings } warnings
    }{ $ignored ->
        [0] {""}
        [one] , 1 line ignored
       *[other] , { $ignored } lines ignored
    }
cli-fix-more = … and { $lines } more changed { $lines ->
        [one] line
       *[other] lines
    }
cli-fix-none = { $name }: there is no mistake to fix{ $warnings ->
        [0] {""}
        [one] , but read the warning
       *[other] , but read the warnings
    }
cli-fix-nothing = { $name }: nothing can be fixed automatically
cli-no-current-folder = no current directory: { $reason }
cli-unknown-route = unknown route '{ $route }'{ $hint }; known: { $known }
cli-too-many-files = { $folder }: more than { $most } files; name fewer at a time
cli-too-deep = { $path }: more than { $most } folders deep; name it by itself
cli-one-submission = this format has room for one submission, and { $count } are named
cli-no-history = cannot read the history in { $folder }: { $reason }
cli-other-answer = the service answers something else
cli-not-below = { $file } lies neither in the inbox, the outbox nor the var folder of the configuration
cli-no-grades = { $folder }: no .json file below this folder has nota in its name
cli-mixed = { $student } ({ $exercise }): several files without a student's name count as one student's; let the route name the students, by its key student
cli-refuted = { $name }: this submission proves that an answer of this program is wrong, so it has no grade; keep it and the reference, and report them
cli-undecided-puzzle = { $name }: the answer to puzzle { $puzzle } is undecided, so no submission can be judged
cli-unlisted = nobody in { $list } is called that
cli-list-too-large = { $name }: a list of students has at most { $bytes_max } bytes
cli-no-columns = { $name }: no column of students is known; let the first line name one: name, nome, first name, last name, identifier, id number, matrícula, email address or folder
cli-no-terminal = a game needs a terminal: { $reason }
cli-not-counted = { $student } ({ $exercise }): { $mark }, so this student is left out; --all takes it all the same
cli-ungraded = { $student } ({ $exercise }): the submission could not be graded, so this student is left out
cli-no-moodle-id = { $student } ({ $exercise }): no ID of Moodle is known, so this student is left out; let the route have student = "moodle"
cli-no-moodle-folder = { $name }: no ID of Moodle is known, so this submission is left out; Moodle's folders are called Name_ID_assignsubmission_file_
cli-two-grades = participant { $id } has a grade in { $one } and in { $other }, and a worksheet has one for each: name the folder of one exercise
cli-unclear = { $student } ({ $exercise }): left out, because it is unclear which submission is the last: a grade does not say when its submission was made, or two were made at the same time; use --take best, or remove those that do not count
cli-swapped-files = the reference comes first; try: { $line }
cli-unknown-rule = unknown rule '{ $rule }'{ $hint }; `tabuleiro explain` lists all rules
cli-wrong-example = wrong ({ $solver }):
cli-right-example = right:
cli-undecided-reference = { $name }: { $puzzles } of the reference undecided, and so not graded (see tabuleiro solve)
cli-page-output = the page is for a browser; name its file with -o
cli-input-of-result = --input is for a result in JSON; name an input as FILE
cli-input-not-found = { $name }: the puzzles are in its input, { $file }, which is not found; name it with --input FILE
cli-other-input = { $input }: is not the input of { $name }: their contents differ

## A command line that is wrong

usage-unknown-command = error: unrecognized subcommand '{ $found }'
usage-unknown-argument = error: unexpected argument '{ $found }' found
usage-wrong-value = error: invalid value '{ $found }' for '{ $argument }': { $reason }
usage-missing = error: these arguments are missing: { $arguments }
usage-conflict = error: { $first } cannot be used together with { $second }
usage-valid-values = write one of { $words }
usage-similar = did you mean '{ $word }'?
usage-similar-some = did you mean one of { LIST($words) }?
usage-line = Usage: { $line }
usage-help = For more information, try { $command }.
usage-try = try: { $line }
usage-one-input = one input is read at a time: run the command once for each file

## The rules, as `tabuleiro explain` explains them

explain-opponent-pieces = A board has more pieces of the opponent than the limits allow.
explain-area = The board has more squares than the limits allow.
explain-long-header = The first row begins on the line of the header, but as many whole rows as the board has stand below it.
explain-shared-line = Other numbers follow the second number of the header on its line. If its own line was forgotten, the answer is that of another puzzle.
explain-other-header = The lines of the board have the shape of another header. The puzzle is answered as its header says.
explain-other-header-in-turn = The lines of the board, of two lengths alternately, have the shape of another header. The board is answered as its header says.
explain-end-of-file = The file ends before the puzzle does.
explain-square-value = A square, a tile or a number of the board has a value that the puzzle does not know.
explain-header-missing = A line before the rows is missing: the one with the size of the board, or the one with the number of players.
explain-odd-line = A line between the header and the rows has more or fewer numbers than a row.
explain-side-by-side = The lines of two boards are side by side. A board begins below the one before it.
explain-rows-turned = The rows of a checkers board begin with the wrong colour: the square in row 0, column 0 is playable and is the first one written.
explain-squares-joined = The numbers of a row have no spaces between them.
explain-marked-squares = A mark stands on the squares of a checkers board that are not played on. A board has only the squares whose row + column is even.
explain-all-squares = All squares of a checkers board are written. A board has only the squares whose row + column is even.
explain-own-pieces = A board has more pieces of the player to move than the limits allow.
explain-marker-line = Something follows the end marker 0 0 on its line.
explain-marker-missing = The file ends without its end marker 0 0. The boards are answered all the same.
explain-marker-comment = A comment follows the end marker 0 0 on its line.
explain-ignored = Lines follow the end marker. They are ignored.
explain-stopped = The file asks to stop at the first invalid board, and one is invalid.
explain-row-lengths = One row of the board is too short and another one too long.
explain-row-length = One row has more or fewer numbers than the other rows.
explain-row-length-expected = A row has more or fewer numbers than the header says.
explain-row-count = The board has more or fewer rows than its header says.
explain-row-doubled = The board has one row too many, and two rows are equal.
explain-header-in-turn = The rows of a checkers board, of two lengths alternately, fit another header.
explain-rows-joined = Two rows of the board are on one line. Each row has its own.
explain-row-split = One row of the board is on two lines.
explain-row-wrapped = Each row of the board is on several lines, and one of these lines has too few or too many numbers.
explain-goals = The goal is on the lines of the sizes. A directive sets it.
explain-code-fence = Text and the marks of a piece of code are around the input, as an answer of a chat has them.
explain-file-cut = The file ends within a row of a board. A board has all its rows.
explain-thousands-blank = A number has a space in it: 1 024 instead of 1024, or 1 6 instead of 16.
explain-fractions = Numbers are written with a fraction, such as 2.0, as programs print floating-point numbers. All numbers are whole.
explain-rows-omitted = Dots stand for rows that were left out. A board has all its rows.
explain-cell-error = A spreadsheet wrote an error, such as #REF!, where a number should be. A line that begins with it counts as a comment.
explain-row-blank = A blank line stands where the board lacks a row. A row of empty squares is written with zeros.
explain-row-commented = A row or a header begins with the mark of a comment, so the board lacks it.
explain-exponents = The board has exponents instead of tiles: 7 for 128, which is 2 to the power of 7.
explain-counted-moves = A number before each letter says how often a move is made. Each move is one letter.
explain-empty-cells = The rows are those of a spreadsheet, in which empty squares have no number. An empty square is 0.
explain-one-line = All headers and rows are on one line. Each has a line of its own.
explain-separators = One mark, such as a semicolon, is between the numbers of every line. Numbers have spaces between them.
explain-quoted-input = The input is quoted in a mail or in a patch: a mark precedes each of its lines, and others are around them.
explain-rows-behind = Rows follow a board that already has all rows of its header. Either the header should say more rows, or these rows lack a header of their own.
explain-rows-repeated = Several rows of a board are written twice.
explain-other-solver = The end of the file can be read by another solver. Each solver has files of its own.
explain-header-odd = All rows have as many numbers as the first one. On a board with an odd number of columns, every second row has one number less.
explain-player-doubled = There is one player too many, and two lines of players are equal.
explain-mixed-moves = The moves have digits and letters. A digit is a move of its own: 1 right, 2 left, 3 up, 4 down.
explain-lines-joined = The last row of a puzzle and the first line of the next one are on one line, without a line break between them.
explain-all-on-one-line = All rows of a board are on one line. Each row has a line of its own.
explain-answers-behind = Answers follow the puzzles. A file has only the puzzles.
explain-loose-rows = Lines have rows of numbers with other characters, and no header above them.
explain-header-half = The header counts only the playable columns. It must count all columns of the board.
explain-piece-marks = Letters or marks stand for the squares of a checkers board. A square is 0 (empty), 1 (an own piece) or 2 (an opponent piece).
explain-other-colour = All squares of a checkers board are written, and the pieces stand on those that are not playable.
explain-header-mismatch = The rows of the board fit another header.
explain-character = A line has a character where only numbers and spaces belong.
explain-end-marker = A line of zeros ends the file, but files of this puzzle have no end marker.
explain-case-count = The first line is not the number of cases.
explain-count-missing = The first line, the number of cases, is missing.
explain-count-late = The number of cases is after the first case. It belongs on the first line.
explain-behind-count = The first line has more than the number of cases. Each case starts on a line of its own.
explain-count-again = A line among the cases has only one number, like the first line with the number of cases.
explain-count-twice = A line among the cases has only one number. Only the first line, with the number of cases, is like that.
explain-missing-case = The first line says more cases than follow.
explain-surplus-case = The first line says fewer cases than follow.
explain-text-after-cases = Text follows the last case.
explain-header-doubled = The first line of a puzzle stands there twice.
explain-goal-line = The goal is on a line among the numbers. A directive sets it: #: goal = 2048.
explain-header-length = The first line of a puzzle has too few or too many numbers.
explain-moves = A move is written with a letter or a mark that the game does not know.
explain-move-after-end = A move comes after the end of the game: no move was possible any more.
explain-move-without-effect = A move changes nothing: no tile can move or merge in its direction.
explain-moves-missing = A game has no line with its moves. A game without moves has -.
explain-moves-again = The line of moves is written twice. A game has one line of moves.
explain-second-moves = The moves of a game are on several lines. They belong on one.
explain-transcript-moves = The lines of a transcript, each with a move and a new piece, stand in the place of the moves. The program makes the pieces itself.
explain-moves-count = The number of moves is on a line before the moves. A game does not give it.
explain-seed-line = The seed is on a line of its own. It belongs after the size, on the same line.
explain-seed-late = The seed is on a line after the rows of the board. It belongs to the first line, after the size.
explain-auto-moves = Something other than a number of moves follows AUTO.
explain-player-count = There are more or fewer players than the file says.
explain-player-length = A player needs two numbers: row and column.
explain-players-exchanged = A player stands outside the board, but on it if row and column are exchanged. The row comes first.
explain-players-from-one-too = The players of another game are counted from 1. Those of this game stand on the board either way, so nobody but you knows.
explain-players-from-one = A player stands outside the board. Perhaps the rows and columns are counted from 1, but they count from 0.
explain-player-line = The line of a player has more than a row and a column.
explain-player-outside = A player stands on a row and a column that the board does not have. Both count from 0.
explain-player-row = A player stands on a row that the board does not have. Rows count from 0.
explain-player-column = A player stands on a column that the board does not have. Columns count from 0.
explain-player-square = The place of a player is not written as two numbers.
explain-line-count = The lines of a narrow board and of its players are too few or too many.
explain-looks-like = Another solver reads all of the file. It is probably meant for that one.
explain-near-miss = A comment looks like a directive but is not written like one.
explain-directive = A directive is wrong, unknown or not allowed.
explain-blank-file = The file has only spaces and comments.
explain-empty-file = The file is empty.
explain-web-page = The file is a web page, not plain text.
explain-header-behind = The number of players is not on the line after the size.
explain-joined = The rows of a board have no spaces between their numbers.
explain-split-header = The first line of a game goes on in the next line.
explain-moves-early = The moves are before the rows of the board. They belong after them.
explain-word = A line has a word among its numbers.
explain-exchanged = The first two lines of the file, or of a puzzle, are in the wrong order.
explain-players-early = The squares of the players stand before the board. They belong after its rows.
explain-header-values = Two numbers on the first line of a puzzle are out of range.
explain-header-word = Something that is not a number is on the first line of a puzzle.
explain-stray-line = A line has words or marks and belongs to no puzzle. A note of your own begins with #.
explain-blank-squares = Spaces stand for the empty squares of some rows. An empty square is 0.
explain-header-on-row = The header of the next puzzle follows the last row of a board on its line. It needs a line of its own.
explain-square-large = A number of the board has more digits than the program can read.
explain-square-digits = A square has several digits. The row has a number for each of its squares, so none of them is two numbers without a space.
explain-marker-early = A line of zeros is between two boards. The end marker 0 0 follows only the last board.
explain-marker-on-row = The end marker 0 0 follows the last row of a board on its line. It needs a line of its own.
explain-program = The file is a program. It should have the numbers that the program reads.
explain-answers = The file has answers, as a program prints them. It should have the puzzles.
explain-lfs-pointer = Git LFS keeps large files elsewhere and writes a pointer in their place. git lfs pull brings the file.
explain-words = The file has words and no numbers.
explain-line-numbers = Each line begins with its number, as an editor or a web page shows it.
explain-quoted = Each line begins or ends with the same mark: > as a mail quotes it, or the mark of a list.
explain-codes = A program added something to the lines: the colour codes of a terminal, the tags of a web page, '\n' for the end of a line, or the indices that R prints.
explain-table = The numbers are in a table, with bars between them and lines drawn between the rows.
explain-list = The numbers are in brackets, as a program writes a list or an array. It should have only numbers.
explain-quotation-marks = The numbers are in quotation marks, as some programs save a table.
explain-labels = Lines have words before their numbers, such as the question of a program or the name of a number.
explain-titles = Words are on lines of their own within a puzzle. A note of your own begins with #.
explain-empty-marks = A mark stands for empty squares. An empty square is 0.
explain-comment-style = A comment begins with the mark of another language. Here it begins with # or //.
explain-mark-lines = Some lines have only marks, such as those around a piece of code or between two puzzles.
explain-conflict = Git could not merge two versions of the file, and wrote both into it.
explain-old-line-ends = The lines end with CR alone, so all of the file is one line.
explain-header-value = A number on the first line of a puzzle is out of range, or something else is in its place.
explain-numbers-missing = A board has fewer numbers than its header says.
explain-numbers-surplus = A board has more numbers than its header says.
explain-puzzle-count = The file begins with the number of its puzzles. Files for this solver do not.
explain-within-line = The next puzzle begins in the middle of a line.

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
report-type-text = Write the puzzles as numbers into a plain text file (.txt, UTF-8) instead.
report-nothing-saved = Check that the file was saved with its puzzles, and try again.
report-older-result = An older result is still beside this report: { $older }

## For which solver a file is that its own cannot read

advice-looks-like = this looks like { $solver } ({ $puzzles } can be read): { $action }
advice-nobody = no solver can read all of it either
advice-folder-or-name = put it into { $folder } or call it { $name }
advice-folder = put it into { $folder }
advice-name = call it { $name }
advice-directive = write '#: solver = { $solver }' in the place of the solver that it names
advice-route = write solver = "{ $solver }" in its route
advice-option = use --solver { $solver }
advice-any-folder = a folder { $folder }
advice-top-folder = a folder { $folder } in the inbox itself
count-board = { $puzzles } { $puzzles ->
        [one] board
       *[other] boards
    }
count-case = { $puzzles } { $puzzles ->
        [one] case
       *[other] cases
    }
count-game = { $puzzles } { $puzzles ->
        [one] game
       *[other] games
    }
count-puzzle = { $puzzles } { $puzzles ->
        [one] puzzle
       *[other] puzzles
    }

## What is wrong with an answer of a submission. It tells nothing of the right one.

remark-found = found { $found }
remark-unreadable = { $found } is not an answer
remark-no-solution = it says that there is no solution
remark-too-long = the answer is too long to be read: it may have { $answer }, a line of it { $line }
remark-no-memory = the answer is too long to be read in the { $memory } of memory that it may use (memory_limit, workers.memory_limit)
remark-behind = { $found } follows the answer
remark-ends = the submission ends before it
remark-proves-other = it says { $claimed }, but what follows proves { $proved }
remark-not-best = found { $claimed }, which is valid and not the best
remark-better = it proves { $proved }, but the best known is { $held }
checkers-grade-no-square = { $square } is not a square that is played on
checkers-grade-no-piece = no piece of the player stands on { $square }
checkers-grade-no-capture = jump { $step }, from { $from } to { $to }, takes no piece
checkers-grade-no-squares = the answer needs its path: print the squares of the piece after the number, such as 1 0,2 2,0
merge-grade-no-slide = { $found } is not a slide: slides are E, D, C and B
merge-grade-too-many = slide { $slide } is one too many, at most { $most } are allowed
merge-grade-no-slides = the answer needs its slides: print them after the number, such as 3 D C E
merge-grade-tiles-left = after { $slides } { $slides ->
        [one] slide
       *[other] slides
    } { $tiles } tiles are left
jump-grade-no-round = the round is missing
jump-grade-bad-round = { $found } is not a round
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

astar-grade-no-size = { $found } is where board { $board } should begin, with its size
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
astar-grade-new-tile = in board { $board } the new 2 is not in the uppermost blank square of the right column
astar-grade-no-room = the swipe that leads to board { $board } leaves no blank square in the right column, so it is not valid
astar-grade-not-won = the last board has no tile of { $goal }
astar-grade-goes-on = board { $board } has won, and boards follow it
astar-grade-no-boards = the answer needs its path: print the boards after the number of moves

## What is wrong with a 2048-game answer

game-grade-other-piece = line { $step } of the transcript does not have the piece that the seed gives there
game-grade-other-move = line { $step } of the transcript does not have the move that the game has there
game-grade-surplus = line { $step } of the transcript follows the last move of the game
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
game-grade-twice = { $key } appears twice
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
archive-overlap = members of the archive share data, which no ordinary program writes; make the archive again
archive-nested = not read: an archive in an archive; unpack it, and pack its files
archive-link = not read: a link; pack the file that it leads to
archive-special = not read: no file, but a device, a pipe or the like; leave it out
archive-encrypted = not read: it needs a password; pack it without one
archive-method = not read: its compression method { $method } is not supported; make the archive again as a plain .zip
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
page-counts = { $puzzles } { $puzzles ->
        [one] puzzle
       *[other] puzzles
    }, { $invalid } invalid, { $undecided } undecided
page-puzzle = Puzzle { $number }, line { $line }
page-left-out = { $drawn } of { $puzzles } puzzles are shown: invalid, undecided and wrong ones first, then the largest answers, then the first ones.
page-too-large = A picture of this would be too large for a page.
page-too-long = This answer is too long to be drawn.
page-no-time = There was no time left to draw this one.
page-not-drawn = This one could not be drawn, which is a mistake in the program and not in the file; please report it.
page-full = The page is full; this one is not drawn.
page-theirs = Your answer
page-ours = The right answer
page-previous = previous
page-next = next
page-top = top
page-text = text
page-index = index
page-rejected = Rejected
page-no-witness = This result does not say how the answer is reached. Solve it with witness = true to see the moves.
page-made = Made by tabuleiro { $version }.

## Pictures of boards of tiles

grid-whole = whole
grid-play = play
grid-too-large = The board is too large to be drawn square by square.
grid-overview = The board is too large for its squares; only the path is drawn, from the dot on.
grid-cut = The first { $drawn } of { $jumps } jumps are drawn.
grid-sampled = Every { $stride }th step is shown.
grid-differs = ≠ The two answers differ for the first time in step { $step }.
tiles-picture-rows = Row by row: { $rows }.
tiles-picture-size = { $size } { $size ->
        [one] square
       *[other] squares
    } on a side, with { $tiles } { $tiles ->
        [one] tile
       *[other] tiles
    }.
tiles-picture-next = next { $step }
tiles-picture-letters = { $letters } more { $letters ->
        [one] letter is
       *[other] letters are
    } left out
tiles-picture-legend-next = E left, D right, C up, B down. Outlined: tiles that merge next.
tiles-picture-legend = E left, D right, C up, B down. Outlined: merged tiles. Dashed: new tiles.
merge-picture-asks = How few slides merge all tiles into one, with { $most } at most?
merge-picture-merges = { $slides } { $slides ->
        [one] slide merges
       *[other] slides merge
    } everything into { $value }.
merge-picture-done = No slide is needed.
merge-picture-no-solution = No { $most } { $most ->
        [one] slide merges
       *[other] slides merge
    } everything into one tile.
merge-picture-best = { $slides } { $slides ->
        [one] slide merges
       *[other] slides merge
    } everything; whether fewer suffice is not known.
merge-picture-title = Board of tiles, { $size } x { $size }
merge-picture-tiles-left = After { $slides } { $slides ->
        [one] slide
       *[other] slides
    } { $tiles } tiles are left.
merge-picture-no-change = { $letter } changes nothing
astar-picture-asks = How few moves make a tile of { $goal }?
astar-picture-wins = { $moves } { $moves ->
        [one] move makes
       *[other] moves make
    } a tile of { $goal }.
astar-picture-wins-at-least = { $moves } { $moves ->
        [one] move makes
       *[other] moves make
    } a tile of { $goal }; fewer than { $least } do not.
astar-picture-done = A tile of { $goal } is there already.
astar-picture-unsolvable = No moves make a tile of { $goal }.
astar-picture-title = Board of 2048, { $size } x { $size }
astar-picture-scores = distance { $distance } · left { $left }
astar-picture-legend = distance and left are the scores distance_weighted and left_weighted of a board.
astar-picture-no-move = Move { $number }, { $letter }, is not valid; the last board is the one before it.
astar-picture-not-won = No tile has reached { $goal }.
game-picture-asks = How does the game with seed { $seed } end?
game-picture-over = The game is over after { $moves } { $moves ->
        [one] move
       *[other] moves
    }: score { $score }, largest tile { $largest }.
game-picture-open = After { $moves } { $moves ->
        [one] move
       *[other] moves
    } the game goes on: score { $score }, largest tile { $largest }.
game-picture-title = Game of 2048, { $size } x { $size }
game-picture-score = score { $score }
game-picture-bad-line = Line { $number } of the game, { $line }, breaks a rule. The game is drawn up to it.

## The page of the service

site-title = Tabuleiro: files and answers
site-written = Written { $time } by tabuleiro { $version }, when something changed.
site-reload = Reload
site-starting = The service starts.
site-stopped = The service has ended: nothing is taken until it is started again.
site-paused = The service takes no files for now, because a disk is nearly full. It resumes when there is room.
site-now = Now
site-idle = No file is waiting, and none is being answered.
site-queued = waits for its turn
site-progress = { $percent } %, { $puzzles } { $puzzles ->
        [one] puzzle
       *[other] puzzles
    } answered, for { $seconds } s
site-more-in-hand = { $files } { $files ->
        [one] file
       *[other] files
    } being worked on, not named here
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
site-page = page
site-gone = no longer there
site-not-taken = Not taken
site-denied = its permissions, or those of a folder on the way, do not let the service take it. The operator of the service finds the remedy with: { $command }
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

## The game in the terminal

play-head = score { $score }  best { $best }  moves { $moves }  seed { $seed }
play-keys = arrows, WASD or HJKL move  ? help  Q quit
play-keys-move = arrows, WASD or HJKL   move
play-keys-program = P   let the program move
play-keys-hint = T   ask for a hint
play-keys-undo = U   take a move back
play-keys-new = N   begin a new game
play-keys-quit = Q   leave
play-marks = [4] was just made of two, (2) is new
play-game-over = game over: the largest piece is { $largest }
play-too-small = the terminal is too small:
play-needed = { $columns } x { $rows } are needed
play-taken-back = taken back
play-nothing-to-take-back = nothing to take back
play-new-game = a new game; u goes back to the old one
play-over = the game is over
play-no-change = { $direction } changes nothing
play-moved = the program moved { $direction }
play-hint = try { $direction }
play-no-move = the program has no move: { $stop }
play-left = left
play-right = right
play-up = up
play-down = down
play-ended = score { $score }, { $moves } { $moves ->
        [one] move
       *[other] moves
    }, seed { $seed }

## What is being solved: on the page, in the log, by `status`

progress-solving = puzzle { $number }, for { $seconds } s{ $limit }
progress-solving-of = puzzle { $number } of { $of }, for { $seconds } s{ $limit }
progress-limit = {" "}of at most { $seconds } s
progress-limit-passed = {" "}of at most { $seconds } s, waiting for memory not counted

## The log. `log-NAME` is the event of that name, and its arguments are fields of the event.

log-error = error
log-warning = warning
log-starting = inbox { $inbox }, outbox { $outbox }; { $routes } { $routes ->
        [one] route
       *[other] routes
    }; stop with { $stop }
log-ready = ready
log-recovering = finishing { $files } { $files ->
        [one] file
       *[other] files
    } of an earlier run
log-stopping = stopping; { $in_hand ->
        [0] no file is in hand
        [one] 1 file in hand
       *[other] { $in_hand } files in hand
    }, at most { $timeout_s } s
log-putting-back = putting { $in_hand } { $in_hand ->
        [one] file
       *[other] files
    } back into the inbox: { $reason }
log-stopped = stopped; since the start: { $answered } answered, { $graded } graded, { $rejected } rejected
log-members = { $members } { $members ->
        [one] file
       *[other] files
    }
log-name-taken = as { $result }, because { $name_taken } belongs to another file
log-again = again
log-graded = graded { $points }
log-first-wrong = first wrong: { $first_wrong }
log-not-graded = { $puzzles } not graded
log-late = late
log-over-attempts = beyond the attempts that count
log-rejected = rejected: { $reason }
log-refuted = this submission proves that an answer of this program is wrong; please report it
log-in-progress = { $per_cent } %, { $puzzles } answered, for { $running_s } s
log-invalid-puzzle = invalid: { $reason }
log-undecided-puzzle = undecided: { $limit }
log-ignored = ignored: { $what }
log-file-warning = warning: { $what }
log-further = { $what ->
        [invalid] { $more } more invalid
        [rejected] { $more } more rejected
        [lacking] nothing to grade in { $more } more
       *[warnings] more warnings: { $more }
    }
log-rejected-member = rejected: { $reason }
log-nothing-to-grade = nothing to grade in { $folder }: { $reason }
log-put-back = put back into the inbox: { $reason }
log-not-published = not finished, will be tried again: { $reason }
log-left-claimed = job { $id } stays in the working folder until the next start
log-owner-lost = warning: it kept changing; its owner may not read the result, because the copy could not be given to its owner
log-outdated-output = warning: { $older } of an earlier answer cannot be removed; remove it by hand: { $reason }
log-not-taken = not taken: { $reason }
log-reloaded = configuration reloaded: { $routes } { $routes ->
        [one] route
       *[other] routes
    }
log-reload-refused = configuration not reloaded, the old one stays in force: { $reason }
log-restart-needed = changed keys take effect only after a restart: { $keys }
log-paused = nothing is taken from the inbox for now: { $reason }
log-resumed = there is room again, taking files from the inbox
log-polling = listing the inbox every { $interval } instead of relying on events: { $reason }
log-events-work = events work again
log-events-lost = events were lost, listing the whole inbox
log-watches-cut = only { $watches } folders are watched; files in the others are found by the listing every { $interval } (intake.rescan_interval)
log-inbox-replaced = the inbox is a new folder, watching it from here on
log-removed = { $files } old { $files ->
        [one] file
       *[other] files
    } removed from { $folder }: { $bytes }
log-not-removed = old files of { $folder } cannot be removed: { $reason }
log-no-history = the history in { $folder } cannot be written, jobs go on without it: { $reason }
log-history-works = the history can be written again
log-no-progress = no progress, so the watchdog is not notified; working: intake { $intake }, publisher { $publisher }, jobs { $jobs }
log-reference-solved = reference { $reference } solved: { $puzzles } { $puzzles ->
        [one] puzzle
       *[other] puzzles
    }
log-reference-undecided = reference { $reference } solved; { $undecided } of its { $puzzles } puzzles { $undecided ->
        [one] is
       *[other] are
    } undecided and not graded
log-reference-unsettled = submissions of { $route } wait: the reference { $reference } { $reason }
log-submissions-wait = submissions of { $route } wait: { $reason }
log-metrics-served = metrics are served at http://{ $address }/metrics
log-metrics-not-served = metrics cannot be served at { $address }: { $reason }
log-no-textfile = the metrics cannot be written to { $path }: { $reason }
log-no-page = the page cannot be written: { $reason }
log-page-works = the page can be written again
log-no-socket = the service cannot be asked: control socket { $socket }: { $reason }
log-broker-connected = connected to the broker { $broker }
log-broker-lost = { $reason }; all puzzles are solved here until it is back
log-worker-came = worker { $worker } is there: { $threads } { $threads ->
        [one] thread
       *[other] threads
    }
log-worker-went = worker { $worker } is gone
log-worker-died = a worker's process died with { $puzzles } { $puzzles ->
        [one] puzzle
       *[other] puzzles
    } in hand; from now on they are sent one by one

