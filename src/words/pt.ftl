# O que se diz às pessoas, em português. `en.ftl` é o mesmo em inglês.
#
# Uma mensagem é `ÁREA-NOME = texto`. `{ $nome }` é um argumento; todos aparecem no texto. O código que declara a mensagem diz
# o que são os argumentos. O começo de uma linha do resultado (`invalid board:`, `undecided`, `warning:`, `ignored:`,
# `rejected:`) é igual em todas as línguas e não está aqui.

## Em qualquer arquivo

found-end-of-file = o fim do arquivo
found-end-of-line = o fim da linha
input-late-directive = uma diretiva depois do primeiro número é só um comentário
outcome-at-least = pelo menos { $least }
outcome-at-most = no máximo { $most }
outcome-between = pelo menos { $least }, no máximo { $most }
outcome-place = em

## O que escrever no lugar. Vem depois do erro e de um ponto e vírgula.

proposal-write = escreva { $text } no lugar
proposal-remove = remova isso
proposal-blank = escreva um espaço no lugar
proposal-blanks = escreva espaços no lugar { $lines }
proposal-write-all = escreva { $text } no lugar { $lines }
proposal-remove-all = remova isso { $lines }
proposal-remove-comments = remova os comentários depois dos números { $lines }
proposal-remove-line = remova a linha { $line }
proposal-line = na linha { $line }
proposal-lines = nas linhas { $from } a { $to }

## O que se vê nas linhas de um problema

mistake-character = encontrado { $character } em { $token }, esperado { $expected }
mistake-row-length = a fila { $row } (linha { $line }) tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, as outras têm { $others }
mistake-row-length-expected = a fila { $row } (linha { $line }) tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, esperado { $expected }
mistake-row-count = { $rows } { $rows ->
        [one] fila segue
       *[other] filas seguem
    } o cabeçalho { $header }, esperado { $expected }
mistake-row-doubled = { $rows } filas seguem o cabeçalho { $header }, esperado { $expected }; as linhas { $before } e { $line } são iguais
mistake-header-mismatch = { $rows } filas de { $numbers } números não combinam com o cabeçalho { $header }

## Caracteres que números não têm

character-comma = uma vírgula
character-semicolon = um ponto e vírgula
character-colon = dois-pontos
character-bar = uma barra vertical
character-bracket = o parêntese ou colchete { $character }
character-quote = a aspa { $character }
character-no-break-blank = um espaço inseparável ({ $code }), que só parece um espaço,
character-thin-blank = um espaço de outra largura ({ $code })
character-invisible = um caractere invisível ({ $code })
character-letter-o = a letra { $character }
character-letter-l = a letra { $character }
character-minus = o sinal de menos { $character }
character-plus = um sinal de mais
character-decimal-comma = uma vírgula decimal
character-decimal-point = um ponto decimal
character-comment = um comentário ({ $character }) depois de números
character-other-digit = o algarismo { $character } de outra escrita ({ $code })
expected-blanks = números separados por espaços
expected-zero = o algarismo 0
expected-one = o algarismo 1
expected-no-sign = um número sem sinal
expected-whole = um número inteiro
expected-comment-line = um comentário em uma linha só dele
expected-nothing = nada ali
expected-digits = os algarismos de 0 a 9

## checkers-capture

checkers-marker-missing = falta a marca de fim 0 0
checkers-stopped = parou em um tabuleiro inválido (on_invalid = stop); o que segue não é lido
checkers-ignored = { $lines } { $lines ->
        [one] linha
       *[other] linhas
    } depois da marca de fim 0 0 (linha { $line })

## 2048-merge

merge-case-count = encontrado { $found }, esperado o número de casos T
merge-behind-count = encontrado { $found } depois do número de casos T, esperado o fim da linha
merge-count-missing = falta o número de casos T; { $cases } { $cases ->
        [one] caso segue
       *[other] casos seguem
    }: escreva { $cases } em uma linha só dele antes de { $header } (linha { $line })
merge-missing-case = T é { $total } (linha { $line }), mas { $cases ->
        [0] nenhum caso segue
        [one] só { $cases } caso segue
       *[other] só { $cases } casos seguem
    }
merge-surplus-case = T é { $total } (linha { $line }), mas { $cases } { $cases ->
        [one] caso segue
       *[other] casos seguem
    }; só os T primeiros são respondidos
merge-text-after-cases = encontrado { $found } depois do último caso, esperado o fim do arquivo, pois T é { $total } (linha { $line })
merge-header-length = encontrado { $header }, esperada uma linha de dois números N M: o tamanho { $size } do tabuleiro e o máximo de jogadas
merge-board-size = encontrado { $found }, esperado o tamanho N do tabuleiro, { $range }
merge-most-slides = encontrado { $found }, esperado o máximo de jogadas M, { $range }
merge-square-value = encontrado { $found }, esperado o valor da fila { $row }, coluna { $column }, { $value }
merge-square-count = encontrado { $found }, esperado { $expected }
merge-expected-from-one = um número a partir de 1
merge-expected-range = um número de 1 a { $most }
merge-expected-value = um número, 0 para uma casa vazia
merge-expected-smaller-value = um número até { $most }
merge-expected-square = o valor da fila { $row }, coluna { $column }
merge-expected-next-case = o N M do próximo caso
merge-expected-end = o fim de um caso de { $size } filas de { $size } números (há uma fila longa demais acima?)
merge-mid-line = o próximo caso começa no meio de uma linha: há uma fila longa ou curta demais?

## 2048-astar

astar-at-least = pelo menos { $least } jogadas

## 2048-game

game-header = encontrado { $found }, esperado { $expected }
game-header-missing = a linha { $line } é uma fila de { $size } números, esperada a primeira linha de um jogo: o tamanho; escreva { $size } em uma linha só dele antes dela
game-board-size = encontrado { $found }, esperado { $expected }
game-seed = encontrado { $found }, esperada uma semente, um número de 0 a { $most }
game-row-length = a fila { $row } tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, esperado { $size }
game-row-count = { $rows } { $rows ->
        [one] fila vem
       *[other] filas vêm
    } antes das jogadas, um tabuleiro de { $size } tem { $size }
game-square-value = encontrado { $found } na fila { $row }, esperado 0 para uma casa vazia, ou uma potência de dois de 2 a 2^63
game-line-length = a linha tem mais de { $mebibytes } MiB
game-end-of-file = encontrado o fim do arquivo, falta { $expected }
game-moves-missing = faltam as jogadas: a linha { $line } começa o próximo jogo; escreva uma linha de jogadas antes dela, ou - para nenhuma
game-moves = encontrado { $found }, esperado { $expected }
game-second-moves = as jogadas continuam na linha { $line }, mas um jogo tem uma só linha de jogadas: junte as linhas { $before } e { $line }
game-auto-moves = encontrado { $found }, esperado o máximo de jogadas, um número
game-move-after-end = { $letter } como jogada { $number } vem depois do fim do jogo
game-move-without-effect = { $letter } como jogada { $number } não muda nada, esperada uma direção em que uma peça anda ou se junta
game-expected-size = o tamanho do tabuleiro, o primeiro número de um jogo
game-expected-larger-size = um tabuleiro de pelo menos 2 x 2 casas
game-expected-smaller-size = um tamanho do tabuleiro abaixo de 2^64
game-expected-header-end = o fim da linha depois do tamanho do tabuleiro e da semente
game-expected-row = a fila { $row } de { $size }
game-expected-moves-line = a linha de jogadas: D, E, C, B, ou AUTO, ou - para nenhuma
game-expected-letters = D direita, E esquerda, C cima, B baixo (ou 1, 2, 3, 4), AUTO, AUTO k ou -
game-expected-right = D para a direita
game-expected-left = E para a esquerda
game-expected-up = C para cima
game-expected-down = B para baixo
game-expected-dash-end = o fim da linha depois de -
game-expected-auto = AUTO, ou AUTO, um espaço e um número
game-expected-auto-end = o fim da linha depois de AUTO k
game-stopped-after = parou depois de { $moves } jogadas

## jump-game

jump-at-least-round = pelo menos a rodada { $least }
