# O que se diz às pessoas, em português. `en.ftl` é o mesmo em inglês.
#
# Uma mensagem é `ÁREA-NOME = texto`. `{ $nome }` é um argumento; todos aparecem no texto. O código que declara a mensagem diz
# o que são os argumentos. O começo de uma linha do resultado (`invalid board:`, `undecided`, `warning:`, `ignored:`,
# `rejected:`) é igual em todas as línguas e não está aqui.

## Em qualquer arquivo

found-end-of-file = o fim do arquivo
found-end-of-line = o fim da linha
input-late-directive = a diretiva da linha { $line } é só um comentário: escreva-a antes do primeiro número
outcome-no-number = encontrado { $found }, esperado um número inteiro
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
proposal-remove-token = remova { $token }
proposal-remove-line = remova a linha { $line }
proposal-line = na linha { $line }
proposal-lines = nas linhas { $from } a { $to }

## O que se vê nas linhas de um problema

mistake-character = há { $character } em { $token }, esperado: { $expected }
mistake-row-length = a fila { $row } (linha { $line }) tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, as outras têm { $others }
mistake-row-length-expected = a fila { $row } (linha { $line }) tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, deveria ter { $expected }
mistake-player-length = o jogador { $player } (linha { $line }) tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, deveria ter { $expected }: fila e coluna
mistake-player-count = { $players } { $players ->
        [one] jogador segue
       *[other] jogadores seguem
    } o tabuleiro, a linha { $line } diz { $expected }
mistake-line-count = { $lines } { $lines ->
        [one] linha de dois números segue
       *[other] linhas de dois números seguem
    } o cabeçalho { $header } e o número de jogadores, deveriam ser { $expected }: { $rows } do tabuleiro e { $players } de jogadores
mistake-row-count = { $rows } { $rows ->
        [one] fila segue
       *[other] filas seguem
    } o cabeçalho { $header }, um tabuleiro tem { $expected }
mistake-row-doubled = { $rows } filas seguem o cabeçalho { $header }, um tabuleiro tem { $expected }; as linhas { $before } e { $line } são iguais
mistake-end-marker = encontrado { $found }; remova a linha { $line }: { $solver } não tem marca de fim
mistake-header-mismatch = { $rows } { $rows ->
        [one] fila de { $numbers } números não combina
       *[other] filas de { $numbers } números não combinam
    } com o cabeçalho { $header }

## Linhas de um tabuleiro que tem todos os números

rows-row-lengths = a linha { $row } do tabuleiro (linha { $line } do arquivo) tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, a linha { $other_row } (linha { $other_line } do arquivo) tem { $other_numbers }; cada linha deveria ter { $expected }
rows-row-lengths-in-turn = a linha { $row } do tabuleiro (linha { $line } do arquivo) tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    } em vez de { $expected }, a linha { $other_row } (linha { $other_line } do arquivo) tem { $other_numbers } em vez de { $other_expected }

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

checkers-header = encontrado { $found }, esperado { $expected }
checkers-wanted-header = um cabeçalho, as filas e colunas de um tabuleiro ({ $range } cada), ou a marca de fim 0 0
checkers-wanted-columns = o número de colunas ({ $range })
checkers-range = de { $least } a { $most }
checkers-open-range = pelo menos { $least }
checkers-header-alone = encontrado { $found } sozinho na linha, antes do cabeçalho { $header }; um cabeçalho tem dois números, e antes dele não se escreve quantos tabuleiros há
checkers-marker-line = encontrado { $found } depois de 0 0; a marca de fim fica sozinha na linha
checkers-rows = encontrado { $found }, esperado { $range } filas
checkers-columns = encontrado { $found }, esperado { $range } colunas
checkers-area = encontradas { $rows } x { $columns } = { $squares } casas, esperadas no máximo { $most }
checkers-square-value = encontrado { $found }, esperado 0, 1 ou 2 (casa { $square } de { $squares } em um tabuleiro { $rows } x { $columns })
checkers-squares-joined = encontrado { $found }, esperado 0, 1 ou 2; escreva um espaço entre os números
checkers-squares-missing = há { $numbers } { $numbers ->
        [one] número
       *[other] números
    } entre o cabeçalho { $header } e { $found }; um tabuleiro tem { $expected }
checkers-squares-surplus = { $numbers } números seguem o cabeçalho { $header }; um tabuleiro tem { $expected }
checkers-all-squares = { $numbers } números seguem { $header }; um tabuleiro tem { $expected }, só os das casas em que fila + coluna é par (colunas 0 2 4 … da fila 0, colunas 1 3 5 … da fila 1)
checkers-own-pieces = encontradas { $pieces } peças próprias (1), esperadas no máximo { $most } em um tabuleiro { $rows } x { $columns }
checkers-opponent-pieces = encontradas { $pieces } peças do adversário (2), esperadas no máximo { $most } em um tabuleiro { $rows } x { $columns }
checkers-next-header = o cabeçalho { $header } (linha { $line })
checkers-next-marker = a marca de fim 0 0 (linha { $line })
checkers-marker-missing = falta a marca de fim 0 0
checkers-marker-comment = um comentário depois da marca de fim 0 0; comentários ficam em linhas só deles
checkers-stopped = parou em um tabuleiro inválido (on_invalid = stop); o que segue não é lido
checkers-ignored = { $lines } { $lines ->
        [one] linha
       *[other] linhas
    } depois da marca de fim 0 0 (linha { $line })
checkers-other-header = { $lines } linhas de { $width } { $width ->
        [one] número
       *[other] números
    } seguem o cabeçalho { $header }; { $fitting } combinaria com elas (linha { $line })
checkers-other-header-in-turn = { $lines } linhas de { $width } e { $narrow } números, alternadas, seguem o cabeçalho { $header }; { $fitting } combinaria com elas (linha { $line })

## Figuras de checkers-capture

checkers-picture-title = Tabuleiro de damas, { $rows } x { $columns }
checkers-picture-pieces = { $rows } filas e { $columns } colunas, numeradas a partir de 0 na borda; { $own } { $own ->
        [one] peça própria, desenhada como anel
       *[other] peças próprias, desenhadas como anéis
    }, e { $opponents } do adversário, como discos.
checkers-picture-takes = A peça em { $square } captura { $captures } { $captures ->
        [one] peça
       *[other] peças
    }.
checkers-picture-squares = Suas casas por fila,coluna: { $squares }.
checkers-picture-squares-more = Suas casas por fila,coluna: { $squares } e mais { $more }.
checkers-picture-none = Nenhuma peça consegue capturar.
checkers-picture-longest = A captura mais longa toma { $captures } { $captures ->
        [one] peça
       *[other] peças
    }; suas casas não estão à mão.
checkers-picture-undecided = Não decidido: { $proved }.
checkers-picture-best = A captura mais longa encontrada:
checkers-picture-legend = Anel: peça própria. Disco: adversário.
checkers-picture-legend-way = Anel: peça própria, com um ponto: a que captura. Disco: adversário; numerado e riscado: capturado, nesta ordem. Anel tracejado: onde a captura termina.
checkers-picture-thumbnail = O tabuleiro é grande demais para suas casas; só o caminho da peça está desenhado, do ponto à ponta da seta.
checkers-picture-cut = Estão desenhados os primeiros { $drawn } de { $jumps } saltos.
checkers-picture-no-square = A casa { $number } do caminho não é uma casa.
checkers-picture-off-board = O caminho vai a { $square }, que não é uma casa em que se joga (tracejado).
checkers-picture-without-piece = Não há peça própria em { $square } (tracejado).
checkers-picture-without-capture = O salto { $jump }, de { $from } para { $to }, não captura peça alguma (tracejado).

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
merge-expected-rows = { $size } filas de { $size } números antes dele
merge-expected-next-case = o N M do próximo caso
merge-expected-end = o fim de um caso de { $size } filas de { $size } números (há uma fila longa demais acima?)
merge-mid-line = o próximo caso começa no meio de uma linha: há uma fila longa ou curta demais?

## 2048-astar

astar-at-least = pelo menos { $least } jogadas
astar-board-size = encontrado { $found }, esperado o tamanho de um tabuleiro, um número a partir de 2
astar-square-value = encontrado { $found }, esperado { $expected }
astar-power = 0 para uma casa vazia ou uma potência de dois a partir de 2
astar-power-up-to = 0 ou uma potência de dois até { $most }
astar-powers = 0 ou uma potência de dois, como { $below } ou { $above }
astar-square-count = encontrado { $found }, esperado o valor da fila { $row }, coluna { $column } de um tabuleiro de tamanho { $size }
astar-surplus = encontrado { $found }, esperado o fim de um tabuleiro de tamanho { $size }
astar-board-count = encontrado { $count } em uma linha antes de um tabuleiro; o arquivo não diz quantos tabuleiros tem
astar-size-line = a linha { $line } tem { $numbers } números, esperado um: o tamanho do tabuleiro
astar-next-board = o próximo tabuleiro

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

## Regras de que há mais de uma versão

rules-other-answers = { $differing } de { $puzzles } { $differing ->
        [one] tem
       *[other] têm
    } outra resposta pelas regras { $rules }: { $action }
rules-course = da disciplina
rules-default = padrão
rules-name-or-write = dê ao arquivo o nome { $name } ou escreva { $directives }
rules-name = dê ao arquivo o nome { $name }
rules-write = escreva { $directives }
rules-set = elas são { $options }
rules-and = { $first } e { $second }

## jump-game

jump-at-least-round = pelo menos a rodada { $least }
jump-board-size = encontrado { $found }, esperado o número de { $side }, pelo menos 1
jump-player-count = encontrado { $found }, esperado o número de jogadores, pelo menos 1
jump-square-value = encontrado { $found }, esperado o número da casa { $square } (fila,coluna a partir de 0)
jump-square-large = encontrado { $found }, esperado um número até { $most } na casa { $square } (fila,coluna a partir de 0)
jump-player-square = encontrado { $found }, esperadas a fila e a coluna do jogador { $player }, dois números a partir de 0
jump-player-row = o jogador { $player } está na fila { $row }, o tabuleiro tem as filas de 0 a { $last }; as casas são contadas a partir de 0
jump-player-column = o jogador { $player } está na coluna { $column }, o tabuleiro tem as colunas de 0 a { $last }; as casas são contadas a partir de 0
jump-surplus = encontrado { $found } depois do último jogador: há uma fila ou um número a mais?
jump-player-surplus = encontrado mais um jogador, esperado o fim do jogo depois de { $players }
jump-game-count = encontrado { $count } em uma linha antes de um jogo; o arquivo não diz quantos jogos tem
jump-row-length = a fila { $row } (linha { $line }) tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, esperado { $expected }
jump-row-count = { $rows } { $rows ->
        [one] fila
       *[other] filas
    } do tabuleiro e depois jogadores, esperado { $expected } filas
jump-size-line = a linha { $line } tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }; um jogo começa com uma linha de dois, filas e colunas, e uma linha de um, o número de jogadores
jump-players-line = a linha { $line } tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }; aqui deveria estar o número de jogadores, em uma linha só dele, antes do tabuleiro{ $from ->
        [0] {""}
       *[other] {": mova a linha "}{ $from } para cá
    }
jump-rows = filas
jump-columns = colunas
jump-next-game = o próximo jogo
jump-shape = { $lines } linhas de { $numbers } { $numbers ->
        [one] número
       *[other] números
    } seguem o cabeçalho { $header }; { $fits } combinaria com elas (linha { $line })

## Figuras de jump-game

jump-picture-title = Tabuleiro do jogo do pulo, { $rows } x { $columns }
jump-picture-board = Um mapa de { $rows } filas e { $columns } colunas, numeradas a partir de 0 na borda. Cada casa tem seu número; as { $zeros } com 0 estão hachuradas. O destino, com a bandeira, é { $goal }.
jump-picture-starts = Os jogadores começam por fila,coluna: { $starts }.
jump-picture-starts-more = Os jogadores começam por fila,coluna: { $starts }, e mais { $more }.
jump-picture-reaches = { $player } chega ao destino na rodada { $round }.
jump-picture-at-goal = { $player } começa no destino.
jump-picture-squares = As casas do caminho: { $squares }.
jump-picture-squares-more = As casas do caminho: { $squares } e mais { $more }.
jump-picture-wins = { $player } chega ao destino na rodada { $round }; o caminho não está à mão.
jump-picture-no-winner = Ninguém consegue chegar ao destino.
jump-picture-undecided = Não decidido: ninguém chega ao destino antes da rodada { $least }.
jump-picture-undecided-round = Não decidido: alguém chega ao destino na rodada { $round }, ninguém antes.
jump-picture-legend = Letra numa moldura: onde um jogador começa. Hachurado: 0, ninguém sai. Bandeira: o destino.
jump-picture-legend-way = Letra numa moldura: onde um jogador começa. Setas: o caminho, com o número da rodada onde um pulo termina. Hachurado: 0, ninguém sai. Bandeira: o destino.
jump-picture-thumbnail = O tabuleiro é grande demais para suas casas; só o caminho está desenhado, do ponto à ponta da seta.
jump-picture-cut = Estão desenhados os primeiros { $drawn } de { $jumps } pulos.
jump-picture-many-players = Não há tabela das rodadas de { $players } jogadores.
jump-picture-no-square = A casa { $number } do caminho não é uma casa.
jump-picture-off-board = O caminho vai a { $square }, que não está no tabuleiro (tracejado).
jump-picture-no-start = Ninguém começa em { $square } (tracejado).
jump-picture-no-jump = O pulo { $jump }, de { $length } a partir de { $from }, não termina em { $to } (tracejado).
jump-picture-over = O jogo já tinha acabado antes de o caminho seguir para { $square } (tracejado).
jump-picture-unfinished = O caminho termina em { $square }, que não é o destino.
jump-picture-round = Rodada
jump-picture-player = Jogador
jump-picture-jump = Pulo
jump-picture-from = De
jump-picture-to = Para
jump-picture-left-out = { $jumps } { $jumps ->
        [one] pulo não está
       *[other] pulos não estão
    } aqui.
jump-picture-later = { $player } chega ao destino na rodada { $round }, no mínimo.
jump-picture-never = { $player } nunca chega ao destino.

## O que está errado em uma diretiva ou em uma opção

directive-too-long = a diretiva tem mais de { $bytes_max } bytes
directive-too-many = o arquivo tem mais de { $most } diretivas
directive-no-text = encontrados bytes que não são texto
directive-twice = '{ $key }' aparece pela segunda vez; a primeira está na linha { $line }
directive-no-key = encontrado { $found }, esperado o nome de uma opção: letras, algarismos, '_' e '-'
directive-no-equals = encontrado { $found }, esperado '=' depois de '{ $key }': uma diretiva é '#: nome = valor'
directive-no-value = falta o valor de '{ $key }': uma diretiva é '#: nome = valor'
directive-quotes = encontrado { $found }, esperado um valor entre aspas e nada depois dele
directive-near-miss = a linha { $line } parece uma diretiva; escreva { $directive }
directive-forbidden = encontrada a diretiva '{ $key }', mas a rota '{ $route }' não aceita diretivas
directive-unknown = diretiva desconhecida '{ $key }'{ $hint }; as opções de { $solver }: { $known }
solver-unknown = solver desconhecido '{ $id }'{ $hint }; os que existem: { $known }
word-meant = {""} (não seria '{ $word }'?)
option-unknown = opção desconhecida '{ $name }'{ $hint }; as que existem: { $known }
option-out-of-range = { $name } = { $found }: esperado { $expected }{ $hint }
option-raised = { $name } = { $found }: uma diretiva pode diminuir este limite, nunca aumentar; permitido até { $max }
kind-words = um destes: { $words }
kind-words-or = { $words } ou { $rest }
kind-flag = true ou false
kind-integer = um número inteiro de { $min } a { $max }
kind-power-of-two = uma potência de dois de { $min } a { $max }
kind-fraction = uma fração de 0 a 1
kind-duration = uma duração de "{ $min }" a "{ $max }"
kind-size = um tamanho de "{ $min }" a "{ $max }"

## Por que um arquivo inteiro é rejeitado. Vem depois de `rejected: ARQUIVO:`.

reject-empty-file = o arquivo está vazio
reject-blank-file = o arquivo só tem espaços e comentários, nenhum problema
reject-file-too-large = o arquivo tem { $bytes } bytes, o limite é { $bytes_max } (intake.size_limit)
reject-result-too-large = o resultado teria mais de { $bytes_max } bytes (results.size_limit)
reject-compressed-file = o arquivo está compactado ({ $format }); envie o próprio arquivo de texto
reject-wide-text = o arquivo é um texto em { $encoding }; salve-o em UTF-8 ou ASCII
reject-document-file = o arquivo é um documento ({ $format }), não um texto simples
reject-web-page = o arquivo é uma página da web (HTML), não um texto simples
reject-image-file = o arquivo é uma imagem ({ $format }), não um texto simples
reject-program-file = o arquivo é um programa ({ $format }), não um texto simples
reject-foreign-file = o arquivo não é um texto simples ({ $format })
reject-no-puzzle = nenhum problema de { $solver } no arquivo
reject-invalid-puzzle = o item { $puzzle } desta referência é inválido
reject-cut-reference = esta referência tem { $ignored }, que não serviriam para corrigir nada: apague essas linhas ou o marcador de fim
reject-directive = { $what }
reject-no-route = nenhuma rota recebe o arquivo
reject-set-aside = o serviço terminou { $tries } vezes enquanto respondia a este arquivo, que foi posto de lado
reject-deadly-puzzle = { $deaths } trabalhadores terminaram enquanto resolviam o problema { $number } deste arquivo, que foi posto de lado
reject-internal-error = erro interno { $during }, um defeito do programa e não do arquivo; avise quem cuida do serviço (a mensagem do programa: { $message })
reject-refuted = no problema { $puzzle } esta entrega prova que uma resposta nossa está errada, por isso ela não recebe nota; guarde-a com a referência e comunique o caso
reject-changing-file = o arquivo muda enquanto é lido; envie-o de novo quando ninguém mais o estiver escrevendo
reject-unreadable = o arquivo não pode ser lido (a mensagem do sistema: { $message })

## O que mais há em um relatório

report-binary = , que tem dados binários, não um texto simples
report-in-solver = no solver { $solver }, no problema { $number }
report-while-reading = enquanto o arquivo era lido
report-place = linha { $line }, coluna { $column }
route-leads = { $route } ({ $files }) vai para { $solver }
route-grades = { $route } ({ $files }), cujos arquivos recebem nota
report-tried = Rotas tentadas, nesta ordem:
report-format = O formato está descrito em: tabuleiro solvers { $solver }
report-example = Um arquivo para { $solver } é assim:
report-save-as-text = Abra-o no programa em que foi feito e salve-o como texto simples (.txt, UTF-8).
report-save-page = Copie os números da página para um arquivo de texto simples (.txt, UTF-8), ou baixe o arquivo em vez da página.
report-type-text = Escreva os problemas como números em um arquivo de texto simples (.txt, UTF-8) e envie esse arquivo.
report-nothing-saved = Ele foi salvo? Envie-o de novo quando os problemas estiverem nele.
report-older-result = Um resultado antigo ainda está ao lado deste relatório: { $older }

## Para qual solver é um arquivo que o seu não consegue ler

advice-looks-like = isto parece { $solver } (dá para ler { $puzzles }): { $action }
advice-nobody = nenhum solver consegue ler todo o arquivo
advice-folder-or-name = coloque-o em { $folder } ou dê a ele o nome { $name }
advice-folder = coloque-o em { $folder }
advice-name = dê a ele o nome { $name }
advice-directive = escreva '#: solver = { $solver }' no lugar do solver que ele indica
advice-route = escreva solver = "{ $solver }" na rota dela
advice-option = use --solver { $solver }
advice-any-folder = uma pasta { $folder }
advice-top-folder = uma pasta { $folder } diretamente na pasta de entrada
advice-board = { $puzzles } { $puzzles ->
        [one] tabuleiro
       *[other] tabuleiros
    }
advice-case = { $puzzles } { $puzzles ->
        [one] caso
       *[other] casos
    }
advice-game = { $puzzles } { $puzzles ->
        [one] jogo
       *[other] jogos
    }
advice-puzzle = { $puzzles } { $puzzles ->
        [one] problema
       *[other] problemas
    }

## O que há de errado numa resposta de uma entrega. Nada se diz da resposta certa.

remark-found = encontrado { $found }
remark-unreadable = { $found } não é uma resposta
remark-no-solution = diz que não há solução
remark-too-long = a resposta é longa demais para ser lida: ela pode ter { $answer }, e uma linha dela { $line }
remark-no-memory = a resposta é longa demais para ser lida nos { $memory } de memória que pode usar (memory_limit, workers.memory_limit)
remark-behind = { $found } está depois da resposta
remark-ends = a entrega termina antes dela
remark-proves-other = diz { $claimed }, o que vem depois prova { $proved }
remark-not-best = encontrado { $claimed }, que é válido mas não o melhor
remark-better = prova { $proved }, o melhor conhecido era { $held }
checkers-grade-no-square = { $square } não é uma casa em que se joga
checkers-grade-no-piece = não há peça do jogador em { $square }
checkers-grade-no-capture = o salto { $step }, de { $from } para { $to }, não captura peça alguma
checkers-grade-no-squares = a resposta precisa do caminho: escreva as casas da peça depois do número, como 1 0,2 2,0
merge-grade-no-slide = { $found } não é uma jogada: as jogadas são E, D, C e B
merge-grade-too-many = a jogada { $slide } já é demais, são permitidas no máximo { $most }
merge-grade-no-slides = a resposta precisa dos movimentos: escreva-os depois do número, como 3 D C E
merge-grade-tiles-left = depois de { $slides } { $slides ->
        [one] jogada
       *[other] jogadas
    } restam { $tiles } peças
jump-grade-no-round = falta a rodada
jump-grade-bad-round = { $found } não é uma rodada
jump-grade-no-player = o jogo não tem jogador { $player }
jump-grade-no-squares = a resposta precisa do caminho: escreva as casas do vencedor depois da rodada, como C 2 0,2 0,5 0,8
jump-path-no-square = { $square } não está no tabuleiro (fila,coluna a partir de 0)
jump-path-start = o jogador { $player } não começa em { $square }
jump-path-no-jump = o pulo { $jump }, de { $length } a partir de { $from }, não termina em { $to }
jump-path-unfinished = o caminho termina em { $square }, que não é a última casa do tabuleiro
jump-path-over = o jogo já tinha acabado antes de { $square }

## Notas

grade-accepted = aceita
grade-wrong-answer = resposta errada
grade-presentation-error = erro de apresentação
grade-missing = falta a resposta
grade-undecided = sem nota, a resposta não foi decidida
grade-ungraded = sem nota: nenhuma resposta pôde ser comparada com uma resposta provada
grade-internal-error = erro interno
grade-extra = { $answers ->
        [one] uma resposta
       *[other] { $answers } respostas
    } a mais
grade-of = { $points } de { $total }
grade-not-graded = { $puzzles } sem nota
grade-at-puzzle = { $verdict } no problema { $puzzle }
grade-at-line = { $verdict } no problema { $puzzle } (linha { $line })
grade-puzzle = problema { $puzzle }
grade-expected = esperado { $expected }
grade-more = mais { $puzzles }
grade-graded = corrigida
grade-shifted = { $answers ->
        [one] há uma resposta
       *[other] há { $answers } respostas
    }, mas a linha { $line } contou como a { $puzzle ->
        [1] primeira
       *[other] { $puzzle }ª
    }: apague-a
grade-skipped = { $lines ->
        [one] uma linha sem resposta foi pulada: a linha { $first }
       *[other] { $lines } linhas sem resposta foram puladas, a primeira é a linha { $first }
    }

# Por que nada de um aluno pode ser corrigido.
nothing-to-grade = nada para corrigir: { $why }
nothing-found = há { $names }; uma entrega se chama { $wanted }
nothing-found-more = há { $names } e mais { $more }; uma entrega se chama { $wanted }
nothing-unread = { $name }: { $why }
nothing-empty = a pasta está vazia
nothing-absent = nada foi entregue
nothing-no-grade = há { $names }, e nenhuma nota
left-archive = um arquivo compactado; descompacte-o
left-link = um link; ponha o próprio arquivo no lugar dele
left-unopened = não pode ser aberto: { $error }
left-unreadable = não pode ser lido: { $error }
grade-late = fora do prazo, que era { $deadline }
grade-attempt = tentativa { $attempt } de { $attempts_max }
grade-over-attempts = tentativa { $attempt }, o limite é { $attempts_max }

## O que há de errado com os tabuleiros de uma resposta de 2048-astar

astar-grade-no-size = { $found } está onde o tabuleiro { $board } devia começar, com o seu tamanho
astar-grade-row-count = o tabuleiro { $board } tem { $rows } { $rows ->
        [one] fila
       *[other] filas
    }, o seu tamanho é { $size }
astar-grade-row-length = a fila { $row } do tabuleiro { $board } tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, o seu tamanho é { $size }
astar-grade-no-tile = { $found } no tabuleiro { $board } não é 0 nem uma potência de dois a partir de 2
astar-grade-other-size = o tabuleiro { $board } tem tamanho { $found }, o do problema tem { $size }
astar-grade-not-the-first = o primeiro tabuleiro não é o do problema
astar-grade-no-swipe = nenhuma jogada leva do tabuleiro anterior ao tabuleiro { $board }
astar-grade-no-change = a jogada que leva ao tabuleiro { $board } não muda nada, por isso não é válida
astar-grade-new-tile = no tabuleiro { $board } o novo 2 não está na casa vazia mais alta da coluna da direita
astar-grade-no-room = a jogada que leva ao tabuleiro { $board } não deixa casa vazia na coluna da direita, por isso não é válida
astar-grade-not-won = o último tabuleiro não tem peça de { $goal }
astar-grade-goes-on = o tabuleiro { $board } já venceu, e outros o seguem
astar-grade-no-boards = a resposta precisa do caminho: escreva os tabuleiros depois do número de movimentos

## O que há de errado com uma resposta de 2048-game

game-grade-other-piece = a linha { $step } da transcrição não tem a peça que a semente dá ali
game-grade-other-move = a linha { $step } da transcrição não tem a jogada que o jogo tem ali
game-grade-surplus = a linha { $step } da transcrição vem depois da última jogada do jogo
game-grade-short = a transcrição termina depois de { $step } { $step ->
        [one] linha
       *[other] linhas
    }, antes do jogo
game-grade-opening = a linha { $step } da transcrição devia ser uma peça do novo jogo, com um + antes dela
game-grade-no-move = a linha { $step } da transcrição não tem jogada
game-grade-too-long = a transcrição tem mais de { $moves } jogadas, e num tabuleiro deste tamanho não se repetem mais
game-grade-no-effect = a jogada na linha { $step } da transcrição não muda nada
game-grade-lacks = a resposta está sem { $what }
game-grade-score-line = a linha score
game-grade-max-line = a linha max
game-grade-board = o tabuleiro
game-grade-two-parts = { $first } e { $second }
game-grade-three-parts = { $first }, { $second } e { $third }
game-grade-no-transcript = um jogo que AUTO joga precisa da transcrição: acrescente uma linha para cada peça do jogo novo (+ 0 1 2) e para cada jogada (D 1 0 2)
game-grade-goes-on = a transcrição termina depois de { $moves } { $moves ->
        [one] jogada
       *[other] jogadas
    }, e o jogo continua: jogue até o fim, ou até o número de jogadas que AUTO permite
game-grade-twice = { $key } aparece duas vezes
game-grade-surplus-row = a fila { $row } do tabuleiro está sobrando
game-grade-transcript-required = a resposta precisa da transcrição do jogo: uma linha para cada peça nova e cada jogada
game-grade-rows = o tabuleiro termina depois de { $rows } { $rows ->
        [one] fila
       *[other] filas
    }

## Arquivos compactados

archive-no-archive = não é um arquivo .zip, ou é só uma parte de um; faça-o de novo como .zip simples
archive-directory = o .zip está danificado: sua lista de membros não corresponde a ele; faça-o de novo
archive-too-many = o .zip tem mais de { $members_max } membros; divida-o em vários
archive-doubled = dois membros do .zip têm o nome { $name }; faça-o de novo
archive-overlap = membros do .zip compartilham dados, o que nenhum programa bem-intencionado grava; faça-o de novo
archive-nested = não lido: um arquivo compactado dentro do .zip; descompacte-o e compacte seus arquivos
archive-link = não lido: um link; compacte o arquivo ao qual ele leva
archive-special = não lido: não é um arquivo, e sim um dispositivo, um pipe ou algo assim; deixe-o de fora
archive-encrypted = não lido: exige uma senha; compacte-o sem senha
archive-method = não lido: compactado pelo método { $method }; faça o .zip de novo como .zip simples
archive-outside = não lido: seu caminho leva para fora do .zip (começa com / ou com uma unidade, ou tem uma barra invertida ou uma parte vazia, . ou ..); compacte sua pasta
archive-encoding = não lido: seu nome não está no UTF-8 que o .zip anuncia; dê-lhe um nome simples
archive-long-name = não lido: seu caminho, ou um nome nele, tem mais de { $bytes_max } bytes; dê-lhe um mais curto
archive-deep = não lido: está a mais de { $depth_max } pastas de profundidade; compacte-o em menos pastas
archive-too-large = não lido: os membros do .zip, descompactados, têm juntos mais de { $size_max }, e este é um dos maiores; entregue-o separado
archive-damaged = não lido: danificado, não se descompacta no que o .zip anuncia; compacte-o de novo
submission-form = uma resposta é uma linha: um número ou uma palavra
checkers-grade-form = uma resposta é um número como 7, sozinho ou antes das casas da peça: 7 7,3 5,5 …
merge-grade-form = uma resposta é um número de movimentos como 3, sozinho ou antes dos movimentos (3 D C E), ou: no solution
astar-grade-form = uma resposta é o número de movimentos, sozinho ou antes dos tabuleiros do caminho, os tabuleiros, ou: unsolvable
game-grade-form = uma resposta tem as linhas score 24 e max 16 e o tabuleiro, em qualquer ordem; moves, over, seed e a transcrição podem vir junto
jump-grade-form = uma resposta é o vencedor e a rodada, como C 3, em uma linha ou duas, ou: SEM VENCEDORES

## Páginas

page-answers = Respostas de { $file }
page-grade = Nota de { $file }
page-report = { $file } foi rejeitado
page-solver = Solver
page-options = Opções
page-puzzles = Problemas
page-counts = { $puzzles }, dos quais { $invalid } inválidos e { $undecided } não decididos
page-points = Pontos
page-number = Problema
page-line = Linha
page-answer = Resposta
page-verdict = Veredito
page-puzzle = Problema { $number }, linha { $line }
page-left-out = { $drawn } de { $puzzles } problemas aparecem aqui: primeiro os inválidos, os não decididos e os errados, depois as maiores respostas, depois os primeiros. O texto ao lado desta página tem todos.
page-too-large = Um desenho deste seria grande demais para uma página.
page-too-long = Esta resposta é longa demais para ser desenhada.
page-no-time = Não sobrou tempo para desenhar este.
page-not-drawn = Este não pôde ser desenhado, o que é um defeito do programa e não do arquivo; por favor, comunique o caso.
page-full = A página está cheia; este não foi desenhado.
page-theirs = A sua resposta
page-ours = A resposta certa
page-rejected = Rejeitado
page-excerpt = Linhas do arquivo
page-read = O que foi lido do tabuleiro
page-no-witness = Este resultado não diz como; resolva com witness = true para ver.
page-made = Feito por tabuleiro { $version }.

## Figuras de tabuleiros de peças

tiles-picture-rows = Linha por linha: { $rows }.
tiles-picture-size = { $size } casas de lado, com { $tiles } { $tiles ->
        [one] peça
       *[other] peças
    }.
tiles-picture-next = A seguir: { $direction } ({ $letter }).
tiles-picture-merging = Peças que se juntam (linha,coluna, contadas a partir de 1): { $pairs }.
tiles-picture-left = { $boards } { $boards ->
        [one] tabuleiro foi omitido
       *[other] tabuleiros foram omitidos
    } aqui
tiles-picture-letters = mais { $letters } letras foram omitidas
tiles-picture-towards-left = para a esquerda
tiles-picture-towards-right = para a direita
tiles-picture-towards-up = para cima
tiles-picture-towards-down = para baixo
merge-picture-start = O tabuleiro no início
merge-picture-after = O tabuleiro depois de { $slides } { $slides ->
        [one] jogada
       *[other] jogadas
    }
merge-picture-best = Está desenhado o melhor que foi encontrado: { $slides } { $slides ->
        [one] jogada
       *[other] jogadas
    }. Não se sabe se menos bastam.
merge-picture-tiles-left = Depois de { $slides } { $slides ->
        [one] jogada
       *[other] jogadas
    } restam { $tiles } peças.
merge-picture-no-change = { $letter } não muda nada
astar-picture-start = O tabuleiro no início
astar-picture-after = O tabuleiro depois de { $moves } { $moves ->
        [one] jogada
       *[other] jogadas
    }
astar-picture-move = jogada { $moves }
astar-picture-since = { $moves } { $moves ->
        [one] jogada
       *[other] jogadas
    } depois
astar-picture-largest = maior peça { $value }
astar-picture-all = Todas as jogadas ({ $moves }): E esquerda, D direita, C cima, B baixo.
astar-picture-no-move = A jogada { $number }, { $letter }, não é válida; o último tabuleiro é o de antes dela.
astar-picture-not-won = Nenhuma peça chegou a { $goal }.
game-picture-start = O tabuleiro no início
game-picture-end = O tabuleiro depois de { $moves } { $moves ->
        [one] jogada
       *[other] jogadas
    }, o último
game-picture-made = O tabuleiro depois de { $moves } { $moves ->
        [one] jogada
       *[other] jogadas
    }, o primeiro com uma peça de { $value }
game-picture-move = jogada { $moves }
game-picture-score = pontos { $score }
game-picture-largest = maior peça { $value }
game-picture-boards = Onde as maiores peças foram feitas
game-picture-bad-line = A linha { $number } do jogo, { $line }, quebra uma regra. O jogo está desenhado até ela.
game-picture-chart = Pontos e maior peça ao longo das jogadas
game-picture-rises = Em { $moves } jogadas os pontos sobem até { $score }, a maior peça até { $value }.
game-picture-axis-moves = jogadas
game-picture-axis-score = pontos
game-picture-axis-largest = maior peça

## A página do serviço

site-title = Tabuleiro: arquivos e respostas
site-written = Escrita em { $time } pelo tabuleiro { $version }, quando algo mudou.
site-refreshed = O navegador a lê de novo a cada { $seconds } segundos.
site-starting = O serviço está começando.
site-stopped = O serviço terminou: nenhum arquivo é recebido até que ele seja iniciado de novo.
site-paused = Por enquanto nenhum arquivo é recebido, porque um disco está quase cheio. O serviço continua sozinho quando houver espaço.
site-now = Agora
site-idle = Nenhum arquivo está esperando, e nenhum está sendo respondido.
site-queued = espera a sua vez
site-progress = { $percent } %, { $puzzles } { $puzzles ->
        [one] problema respondido
       *[other] problemas respondidos
    }, há { $seconds } s
site-solving = problema { $number } há { $seconds } s
site-solving-of = problema { $number } de { $of } há { $seconds } s
site-limit = no máximo { $seconds } s
site-more-in-hand = mais { $files } { $files ->
        [one] arquivo
       *[other] arquivos
    } em andamento, sem nome aqui
site-incomplete = { $files } { $files ->
        [one] arquivo ainda não está completo
       *[other] arquivos ainda não estão completos
    }: alguém ainda está escrevendo
site-waiting = pelo menos mais { $files } { $files ->
        [one] espera
       *[other] esperam
    } para ser recebido
site-may-be-more = pode haver mais arquivos esperando
site-jobs = Últimos arquivos
site-no-jobs = Nenhum arquivo foi respondido ainda.
site-private = Os nomes e as respostas não aparecem aqui: são só para a pessoa dona de cada arquivo.
site-ended = terminou ({ $offset })
site-file = arquivo
site-outcome = respostas
site-outputs = resultados
site-rejected = rejeitado
site-puzzles = { $puzzles } { $puzzles ->
        [one] problema
       *[other] problemas
    }
site-invalid = { $puzzles } { $puzzles ->
        [one] inválido
       *[other] inválidos
    }
site-undecided = { $puzzles } sem decisão
site-ignored = { $lines } { $lines ->
        [one] linha ignorada
       *[other] linhas ignoradas
    }
site-text = texto
site-picture = figura
site-archive = pacote
site-report = relatório
site-replaced = substituído
site-gone = não existe mais
site-not-taken = Não recebidos
site-denied = as permissões, dele ou de uma pasta no caminho, não deixam o serviço recebê-lo. Quem cuida do serviço vê o que fazer com: { $command }
site-other-mount = esta pasta está em outro disco que a do serviço, e por isso nada é recebido dela; ponha os arquivos em outro lugar da caixa de entrada
site-service = Serviço
site-since = Desde { $time }:
site-answered = { $files } { $files ->
        [one] arquivo respondido
       *[other] arquivos respondidos
    } ({ $puzzles } { $puzzles ->
        [one] problema
       *[other] problemas
    })
site-graded = { $files } { $files ->
        [one] avaliado
       *[other] avaliados
    }
site-files-rejected = { $files } { $files ->
        [one] rejeitado
       *[other] rejeitados
    }
site-workers = { $workers } { $workers ->
        [one] trabalhador em outra máquina ajuda
       *[other] trabalhadores em outras máquinas ajudam
    }; { $puzzles } { $puzzles ->
        [one] problema resolvido
       *[other] problemas resolvidos
    } lá.
site-no-workers = Nenhum trabalhador em outra máquina está presente: tudo é resolvido aqui; antes, { $puzzles } { $puzzles ->
        [one] problema resolvido
       *[other] problemas resolvidos
    } lá.
site-no-broker = O broker não pode ser alcançado: tudo é resolvido aqui; antes, { $puzzles } { $puzzles ->
        [one] problema resolvido
       *[other] problemas resolvidos
    } por trabalhadores em outras máquinas.
site-disk-of-results = livre para resultados
site-disk-of-service = livre para o serviço
