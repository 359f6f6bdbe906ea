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

merge-mid-line = o próximo caso começa no meio de uma linha: há uma fila longa ou curta demais?

## 2048-astar

astar-at-least = pelo menos { $least } jogadas

## 2048-game

game-stopped-after = parou depois de { $moves } jogadas

## jump-game

jump-at-least-round = pelo menos a rodada { $least }

## O que está errado em uma diretiva ou em uma opção

directive-too-long = a diretiva tem mais de { $bytes_max } bytes
directive-too-many = o arquivo tem mais de { $most } diretivas
directive-no-text = encontrados bytes que não são texto
directive-twice = '{ $key }' aparece pela segunda vez; a primeira está na linha { $line }
directive-no-key = encontrado { $found }, esperado o nome de uma opção: letras, algarismos, '_' e '-'
directive-no-equals = encontrado { $found }, esperado '=' depois de '{ $key }': uma diretiva é '#: nome = valor'
directive-no-value = falta o valor de '{ $key }': uma diretiva é '#: nome = valor'
directive-quotes = encontrado { $found }, esperado um valor entre aspas e nada depois dele
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
reject-directive = { $what }
reject-no-route = nenhuma rota recebe o arquivo
reject-set-aside = o serviço terminou { $tries } vezes enquanto respondia a este arquivo, que foi posto de lado
reject-internal-error = erro interno { $during }: { $message }
reject-changing-file = o arquivo muda enquanto é lido; envie-o de novo quando ninguém mais o estiver escrevendo
reject-unreadable = o arquivo não pode ser lido: { $message }

## O que mais há em um relatório

report-binary = , que tem dados binários, não um texto simples
report-in-solver = no solver { $solver }, no problema { $number }
report-while-reading = enquanto o arquivo era lido
report-place = linha { $line }, coluna { $column }
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
