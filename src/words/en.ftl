# What people are told, in English. `pt.ftl` is the same in Portuguese.
#
# A message is `SCOPE-NAME = text`. `{ $name }` is an argument; all of them stand in the text. The code that declares a message
# says what its arguments are. What begins a line of a result (`invalid board:`, `undecided`, `warning:`, `ignored:`, `rejected:`)
# is the same in all languages and does not stand here.

## Anywhere in a file

found-end-of-file = the end of the file
found-end-of-line = the end of the line
input-late-directive = a directive after the first number is only a comment
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
mistake-row-count = { $rows } { $rows ->
        [one] row follows
       *[other] rows follow
    } the header { $header }, expected { $expected }
mistake-row-doubled = { $rows } rows follow the header { $header }, expected { $expected }; lines { $before } and { $line } are equal
mistake-header-mismatch = { $rows } rows of { $numbers } numbers do not fit the header { $header }

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

checkers-marker-missing = the end marker 0 0 is missing
checkers-stopped = stopped at an invalid board (on_invalid = stop); what follows is not read
checkers-ignored = { $lines } { $lines ->
        [one] line
       *[other] lines
    } after the end marker 0 0 (line { $line })

## 2048-merge

merge-mid-line = the next case begins in the middle of a line: is a row too long or too short?

## 2048-astar

astar-at-least = at least { $least } moves

## 2048-game

game-stopped-after = stopped after { $moves } moves

## jump-game

jump-at-least-round = at least round { $least }

## What is wrong with a directive, or with an option

directive-too-long = the directive is longer than { $bytes_max } bytes
directive-too-many = the file has more than { $most } directives
directive-no-text = found bytes that are no text
directive-twice = '{ $key }' is set a second time, first in line { $line }
directive-no-key = found { $found }, expected the name of an option: letters, digits, '_' and '-'
directive-no-equals = found { $found }, expected '=' after '{ $key }': a directive is '#: key = value'
directive-no-value = found no value for '{ $key }': a directive is '#: key = value'
directive-quotes = found { $found }, expected a value in quotes with nothing behind it
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
reject-directive = { $what }
reject-no-route = no route takes the file
reject-set-aside = the service ended { $tries } times while it answered this file, which is set aside
reject-internal-error = internal error { $during }: { $message }
reject-changing-file = the file changes while it is read; drop it again when nothing writes to it any more
reject-unreadable = the file cannot be read: { $message }

## What else stands in a report

report-binary = , which holds binary data, not plain text
report-in-solver = in solver { $solver } at puzzle { $number }
report-while-reading = while the file was read
report-place = line { $line }, column { $column }
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
