# O que se diz às pessoas, em português. `en.ftl` é o mesmo em inglês.
#
# Uma mensagem é `ÁREA-NOME = texto`. `{ $nome }` é um argumento; todos aparecem no texto. O código que declara a mensagem diz
# o que são os argumentos. O começo de uma linha do resultado (`invalid board:`, `undecided`, `warning:`, `ignored:`,
# `rejected:`) é igual em todas as línguas e não está aqui.

## Em qualquer arquivo

found-end-of-file = o fim do arquivo
found-end-of-line = o fim da linha
input-ctrl-z = no fim do arquivo há um Ctrl-Z (U+001A), sinal de fim em programas antigos: apague-o
input-late-directive = a diretiva da linha { $line } é só um comentário: escreva-a antes do primeiro número
outcome-no-number = aparece { $found } no lugar de um número inteiro
outcome-at-least = pelo menos { $least }
outcome-at-most = no máximo { $most }
outcome-between = pelo menos { $least }, no máximo { $most }
outcome-further = { $count ->
        [one] (há outro erro { $lines })
       *[other] (há mais erros { $lines })
    }
outcome-place = [{ $place }]

## O que escrever no lugar. Vem depois do erro e de um ponto e vírgula.

proposal-write = troque por { $text }
proposal-write-line = escreva { $text } na linha { $line }
proposal-and = { $first } e { $second }
proposal-remove = apague isso
proposal-remove-text = apague { $text }
proposal-blank = troque por um espaço
proposal-blanks = troque { $marks ->
        [one] por espaços
       *[other] { $marks } por espaços
    } { $lines }
proposal-breaks = troque por uma quebra de linha { $lines }
proposal-write-all = troque por { $text } { $lines }
proposal-remove-all = apague { $text ->
        [unseen] todos os caracteres desse tipo
       *[other] { $text }
    } { $lines }
proposal-remove-comments = apague os comentários depois dos números { $lines }
proposal-remove-line = apague a linha { $line }
proposal-remove-lines = apague { SPAN($from, $to) ->
        [one] a linha { $from }
        [two] as linhas { $from } e { $to }
       *[more] as linhas { $from } a { $to }
    }
proposal-join-lines = junte as linhas { $from } { SPAN($from, $to) ->
        [two] e
       *[more] a
    } { $to }
proposal-insert-line = acrescente uma linha só com { $text } antes da linha { $line }
proposal-instead = escreva só { $text } { $lines }
proposal-change-lines = escreva assim { $lines }
proposal-line = na linha { $line }
proposal-lines = nas linhas { $from } { SPAN($from, $to) ->
        [two] e
       *[more] a
    } { $to }
proposal-lines-and = nas linhas { $lines } e { $last }

## O que se vê nas linhas de um tabuleiro, caso ou jogo

mistake-character = há { $character }{ $token ->
        [alone] {""}
       *[other] {" "}em { $token }
    }{ $expected }{ $others ->
        [0] {""}
       *[other] {" "}(também { $lines })
    }
mistake-in-token = { $character } em { $token }
mistake-file-cut = o arquivo termina { $numbers ->
        [0] depois da linha { $row } do tabuleiro (linha { $line } do arquivo)
       *[other] no meio da linha { $row } do tabuleiro (linha { $line } do arquivo), que tem { $numbers } de { $expected } números
    }; { $missing ->
        [one] falta{ $numbers ->
            [0] {""}
           *[other] {" "}também
        } a linha seguinte
       *[other] faltam{ $numbers ->
            [0] {""}
           *[other] {" "}também
        } as { $missing } linhas seguintes
    }
mistake-thousands-blank = { $found } parece ser um só número com um espaço no meio: escreva { $value }
mistake-rows-omitted = { $found } na linha { $line } está no lugar de linhas do tabuleiro: escreva todas elas
mistake-cell-error = { $found } na linha { $line } é um erro da planilha, e não um número: escreva o número que falta ali
mistake-row-blank = o cabeçalho { $header } pede { $expected } linhas, mas há { $rows }; a linha { $line } entre elas está em branco: escreva ali a que falta ou corrija o cabeçalho
mistake-row-commented = parte do tabuleiro está como comentário { $lines }: apague o sinal no começo
mistake-exponents = estes números parecem expoentes, { $exponent } no lugar de { $tile }: escreva os valores das peças { $lines }
mistake-marked-squares = as casas em que não se joga têm o sinal '{ $mark }': apague-o; escreva só as casas em que linha + coluna é par
mistake-stray-line = uma linha ('{ $text }') está sobrando, e o arquivo está em Latin-1: apague a linha { $line }, ou ponha # no começo dela e salve o arquivo em UTF-8
mistake-row-length = a linha { $row } do tabuleiro (linha { $line } do arquivo) tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, mas as outras têm { $others }
form-row-length-expected = a linha { $row } do tabuleiro (linha { $line } do arquivo) tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, mas deveria ter { $expected }
mistake-player-length = o jogador { $player } (linha { $line }) tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, mas deveria ter { $expected }: linha e coluna
mistake-player-count = depois do tabuleiro { $players ->
        [0] não há jogadores
        [one] há 1 jogador
       *[other] há { $players } jogadores
    }, mas a linha { $line } diz { $expected }{ $surplus ->
        [0] : acrescente as linhas dos jogadores que faltam{ $players ->
            [0] {""}
           *[other] , ou escreva { $players } na linha { $line }
        }
        [one] : escreva { $players } ali ou apague a linha que não é de um jogador
       *[other] : escreva { $players } ali ou apague as linhas que não são de jogadores
    }
mistake-line-count = depois do cabeçalho { $header } e do número de jogadores há { $lines } { $lines ->
        [one] linha
       *[other] linhas
    } de dois números, mas deveria haver { $expected }: { $rows } do tabuleiro e { $players } de jogadores
mistake-row-count = depois do cabeçalho { $header } há { $rows } { $rows ->
        [one] linha
       *[other] linhas
    }, mas deveria haver { $expected }; se as linhas estiverem certas, escreva { $fitting }
mistake-row-doubled = depois do cabeçalho { $header } há { $rows } linhas, mas deveria haver { $expected }; as linhas { $before } e { $line } são iguais{ $again ->
        [0] {""}
       *[other] , e as linhas { $other } e { $again } também: apague a que foi escrita duas vezes por engano
    }
mistake-end-marker = arquivos de { $solver } não têm marca de fim: apague a linha { $line }, que tem só { $found }
mistake-behind-count = a linha { $line } tem { $numbers } números, mas deveria ter só o número de casos T
mistake-marker-early = há { $found } entre dois tabuleiros, mas só o último tabuleiro é seguido de 0 0: apague a linha { $line }
mistake-marker-on-row = a marca de fim 0 0 está na última linha do tabuleiro: passe-a para uma linha nova, depois da linha { $line }
mistake-exchanged = as linhas { $first } e { $second } estão trocadas: escreva primeiro a linha { $second }
mistake-blank-squares = faltam números { $lines }: escreva 0 em cada casa vazia
mistake-joined = faltam espaços entre os números na linha { $line } e nas linhas abaixo dela
mistake-header-on-row = { $header } no fim da linha { $line } parece ser o próximo cabeçalho: passe-o para uma linha nova, logo abaixo
mistake-square-digits = aparece { $found } onde deveria haver 0, 1 ou 2; a linha { $row } do tabuleiro já tem { $numbers ->
        [one] o único número que deve ter
       *[other] os { $numbers } números que deve ter
    }
mistake-seed-line = { $seed } parece ser a semente do jogo, que deve ficar depois do tamanho, na linha { $line }
mistake-split-header = { $field } está em outra linha: junte as linhas { $from } e { $to }
mistake-word = aparece { $found } na linha { $line }, que deve ter só números
mistake-player-line = '{ $found }' deveria { $players ->
        [1] ser só linha e coluna, sem nome nem sinal: troque por { $square }
       *[other] estar em { $players } linhas, uma por jogador, só com a linha e a coluna de cada um
    }
mistake-player-outside = o jogador { $player } está em { $row } { $column }, mas o tabuleiro tem as linhas de 0 a { $last_row } e as colunas de 0 a { $last_column }; a contagem começa em 0
mistake-puzzle-count = a linha { $line } ({ $found }) parece ser o número de { $noun ->
        [board] tabuleiros
        [case] casos
        [game] jogos
       *[other] itens
    }, mas o arquivo não deve começar com ele
mistake-header-length = a linha { $line } tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, mas deveria ter um só: { $field }
mistake-goal-line = o { $goal } da linha { $line } parece ser o objetivo, que se define com uma diretiva: se for { $goal }, apague-o ali e escreva #: goal = { $goal } no começo do arquivo
mistake-odd-line = a linha { $line } tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, mas cada linha do tabuleiro tem { $others }
mistake-side-by-side = a partir da linha { $line } há dois tabuleiros lado a lado: escreva um abaixo do outro
mistake-rows-turned = as linhas têm alternadamente { $narrow } e { $wide } números, mas deveriam ter { $wide } e { $narrow }: só se escrevem as casas em que linha + coluna é par, e a primeira linha começa com uma delas
mistake-squares-joined = em { $found } parecem faltar espaços: { $apart }
mistake-second-moves = a linha { $line } tem jogadas a mais, que parecem ser as do { $game ->
        [before] jogo anterior, que não tem nenhuma
       *[next] próximo jogo, que não tem nenhuma
    }: escreva-as depois do tabuleiro desse jogo
mistake-moves-again = a linha { $line } repete as jogadas da linha { $before }: apague-a ou, se todas essas jogadas valem, junte as duas linhas
mistake-players-exchanged = o jogador { $player } (linha { $line } do arquivo) está fora do tabuleiro, mas ficaria dentro dele com a linha e a coluna trocadas: primeiro vem a linha (de 0 a { $last_row }), depois a coluna (de 0 a { $last_column }){ $squares ->
        [none] {""}
       *[other] ; se isso vale para todos os jogadores, as linhas deles ficam { $squares }
    }
mistake-players-from-one = o jogador { $player } (linha { $line } do arquivo) está fora do tabuleiro, que tem as linhas de 0 a { $last_row } e as colunas de 0 a { $last_column }; se você contou a partir de 1, subtraia 1 da linha e da coluna de cada jogador: as linhas deles ficam { $squares }{ $exchanged ->
        [none] {""}
       *[other] ; se a linha e a coluna estão trocadas, ficam { $exchanged }
    }
mistake-players-from-one-too = as casas dos jogadores a partir da linha { $line } talvez estejam contadas a partir de 1, como as de outro jogo; o jogo foi resolvido como está escrito; se estiverem, o certo é { $squares }
mistake-header-missing = falta um cabeçalho antes da linha { $line }; um cabeçalho tem { $expected }
mistake-header-in-turn = o cabeçalho { $header } não combina com { $rows } linhas que têm alternadamente { $width } e { $narrow } números
mistake-rows-joined = a linha { $line } do arquivo tem duas linhas do tabuleiro{ $found ->
        [none] {""}
       *[other] ; em { $found }, o fim da primeira e o começo da segunda ficaram grudados
    }
mistake-row-wrapped = a linha { $row } do tabuleiro (linhas { $from } { SPAN($from, $to) ->
        [two] e
       *[more] a
    } { $to } do arquivo) tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, mas as outras têm { $others }: a linha { $line } do arquivo tem { $found }, mas deveria ter { $expected }
mistake-row-split = { $rows ->
        [1] a linha { $row } do tabuleiro está
       *[other] { $rows } linhas do tabuleiro estão quebradas em várias linhas do arquivo: escreva cada uma em uma só; a linha { $row } está
    } nas linhas { $from } { SPAN($from, $to) ->
        [two] e
       *[more] a
    } { $to } do arquivo
mistake-rows-behind = depois do tabuleiro da linha { $line } ({ $header }), que já está completo, há mais { $rows } linhas: se fizerem parte dele, escreva { $fitting } na linha { $line }; se forem de outro tabuleiro, acrescente uma linha só com { $missing } antes da linha { $next }
mistake-rows-repeated = { SPAN($from, $to) ->
        [two] as linhas { $from } e { $to } repetem as linhas { $first } e { $last }
       *[more] as linhas { $from } a { $to } repetem as linhas { $first } a { $last }
    }
mistake-other-solver = { $last ->
        [0] da linha { $line } em diante, parece
       *[other] da linha { $line } à linha { $last }, parece
    } um arquivo de { $solver } ({ $puzzles } { $puzzles ->
        [one] item
       *[other] itens
    }): passe essas linhas para um arquivo separado
mistake-header-odd = com { $columns } colunas, as linhas têm alternadamente { $wide } e { $narrow } números, mas todas as { $rows } linhas têm { $wide }; talvez o cabeçalho seja { $fitting }
mistake-player-doubled = há { $players } jogadores, mas a linha { $line } diz { $expected }; as linhas { $before } e { $again } são iguais: apague uma delas ou escreva { $players } na linha { $line }
mistake-lines-joined = a linha { $line } tem duas linhas grudadas, sem quebra entre elas: { $first } e { $second }
mistake-all-on-one-line = a linha { $line } tem todas as { $rows } linhas do tabuleiro: escreva cada uma em sua própria linha do arquivo
mistake-loose-rows = há números nas linhas { $from } a { $to }, mas elas não fazem parte de nenhum tabuleiro, caso ou jogo: escreva só os números, abaixo de um cabeçalho
mistake-other-colour = todas as casas do tabuleiro { $header } estão escritas, e todas as peças ficam em casas em que linha + coluna é ímpar; só se escrevem as casas em que linha + coluna é par (colunas 0 2 4 … da linha 0, colunas 1 3 5 … da linha 1)
mistake-header-half = o cabeçalho { $header } conta só as colunas jogáveis, mas deve contar todas as colunas do tabuleiro
mistake-piece-marks = as casas estão escritas com { $marks }: escreva 0 (casa vazia), 1 (peça sua) ou 2 (peça do adversário), com espaços entre os números{ $squares ->
        [all] , e só as casas em que linha + coluna é par (colunas 0 2 4 … da linha 0, colunas 1 3 5 … da linha 1)
       *[playable] {""}
    }
mistake-header-mismatch = o cabeçalho { $header } não combina com { $rows } { $rows ->
        [one] linha
       *[other] linhas
    } de { $numbers } { $numbers ->
        [one] número
       *[other] números
    }

## O que é um arquivo que não tem tabuleiros, casos nem jogos

whole-program = o arquivo parece ser um programa em { $language }; use o arquivo de entrada
whole-answers = o arquivo parece conter respostas, isto é, a saída de um programa; use o arquivo de entrada
whole-lfs-pointer = o arquivo é um ponteiro do Git LFS, e não o próprio arquivo: rode git lfs pull e pegue o arquivo de novo
whole-words = o arquivo só tem { $only ->
        [blanks] espaços comuns e especiais (como espaços não separáveis)
       *[words] palavras
    }, e nenhuma linha de números
whole-exchanged = as linhas { $first } e { $second } estão trocadas: escreva primeiro a linha { $second }
whole-line-numbers = { $of ->
        [letters] cada linha do tabuleiro começa com uma letra que não faz parte dele: apague essas letras
        [rows-and-columns] as linhas e colunas do tabuleiro estão numeradas: apague a numeração
       *[lines] as linhas estão numeradas: apague a numeração
    } { $lines }
whole-quoted = cada linha { $side ->
        [end] termina
       *[begin] começa
    } com { $mark }: apague esse sinal { $lines }
whole-codes = { $kind ->
        [colours] o arquivo tem os códigos de cor de um terminal: apague-os { $lines }
        [web] o arquivo tem marcas de uma página web, como <br>: apague-as { $lines }
        [mail] o arquivo tem códigos de e-mail, = onde a linha continua e =20 no lugar de um espaço: apague-os { $lines }
        [breaks] há '\n' onde uma linha deveria acabar ({ $lines }): comece ali uma linha nova
        [quoted] o texto está entre aspas, e há '\n' onde uma linha deveria acabar ({ $lines }): apague as aspas e comece uma linha nova no lugar de cada '\n'
       *[index] as linhas começam com os números entre colchetes que o R escreve, como [1]: apague-os { $lines }
    }
whole-table = os números estão em uma tabela: apague as barras e os traços { $lines }
whole-list = { $form ->
        [json] o arquivo parece ser JSON
        [c] o arquivo parece ser uma matriz em C
        [python] o arquivo parece ser uma lista em Python
       *[other] há parênteses, colchetes ou chaves em volta dos números
    } ({ $lines }): escreva só os números, separados por espaços, com uma linha do arquivo para cada linha do tabuleiro
whole-quotation-marks = há aspas em volta dos números: escreva-os sem aspas e separados por espaços { $lines }
whole-separators = há { $kind ->
        [blank] o caractere { $mark }, que só parece um espaço,
        [latex] '{ $mark }' e '\\' do LaTeX
       *[mark] '{ $mark }'
    } entre os números: troque por espaços { $lines }
whole-goals = o objetivo é definido por uma diretiva, e não depois do tamanho: se for { $goal }, escreva #: goal = { $goal } no começo do arquivo e só o tamanho { $lines }
whole-fractions = os números têm casas decimais, como { $found }: escreva números inteiros { $lines }
whole-empty-cells = { $mark ->
        [tab] há casas sem número
       *[other] há '{ $mark }' entre os números, e há casas sem número
    }: { $lines }, escreva 0 em cada uma{ $mark ->
        [tab] {""}
       *[other] {" "}e separe os números com espaços
    }
whole-one-line = o arquivo inteiro está em uma linha: comece outra linha antes e depois de cada cabeçalho e depois de cada linha do tabuleiro
whole-quoted-input = { $mark ->
        [patch] o arquivo parece um patch: apague os sinais + antes das linhas e as linhas que começam com - ou @@
       *[other] só as linhas que começam com { $mark } fazem parte da entrada: fique com elas, sem esse sinal, e apague as outras
    }
whole-labels = palavras como '{ $label }' não fazem parte da entrada: apague-as { $lines }
whole-titles = palavras como '{ $title }' não fazem parte da entrada: { $lines }, apague-as ou ponha # antes delas
whole-empty-marks = o sinal { $mark } está no lugar das casas vazias: escreva 0 { $lines }
whole-comment-style = os comentários começam com #, e não com { $mark }: { $lines }, escreva # no começo
whole-mark-lines = há { $mark } em vez de números { $lines }: apague essas linhas
whole-code-fence = só as linhas entre os sinais { $mark } fazem parte da entrada: apague as outras, { $lines }
whole-conflict = as linhas { $from } a { $to } contêm um conflito de merge do Git: fique com uma das duas versões e apague as linhas que começam com <<<<<<<, ======= e >>>>>>>
whole-old-line-ends = as linhas terminam { $mark ->
        [vt] com tabulações verticais, como no Word
       *[cr] só com CR, como em Macs antigos
    }: salve o arquivo com quebras de linha LF

## Linhas de um tabuleiro que tem todos os números

rows-row-lengths = a linha { $row } do tabuleiro (linha { $line } do arquivo) tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    } em vez de { $expected }, e a linha { $other_row } (linha { $other_line } do arquivo) tem { $other_numbers } em vez de { $other_expected }

## Caracteres que números não têm

character-comma = uma vírgula
character-semicolon = um ponto e vírgula
character-colon = dois-pontos
character-bar = uma barra vertical
character-bracket = { $kind ->
        [round] um parêntese
        [square] um colchete
        [curly] uma chave
       *[angle] um sinal
    } { $character }
character-quote = aspas ({ $character })
character-no-break-blank = um espaço inseparável ({ $code }, parecido com o espaço comum)
character-thin-blank = um espaço mais estreito ou mais largo que o comum ({ $code })
character-ctrl-z = um Ctrl-Z (U+001A, sinal de fim em programas antigos)
character-other-base = um número { $base ->
        [binary] binário
       *[hexadecimal] hexadecimal
    }
character-times = uma contagem, que quer dizer { $numbers },
character-escaped-tab = \t (uma barra invertida e a letra t)
character-nul = um caractere NUL (U+0000)
character-exponent = a letra { $character } de uma potência de dez
character-byte-order-mark = uma marca de ordem de bytes invisível (U+FEFF, que só fica no começo de um arquivo)
character-invisible = um caractere invisível ({ $code })
character-other-encoding = o byte { $code }, que não é UTF-8 (talvez Latin-1)
character-line-separator = um separador de linhas ({ $code })
character-ligature = a ligadura { $character }
character-empty-mark = o sinal { $character }
character-hyphen = { $kind ->
        [dash] um travessão (–)
        [dot] um ponto no meio da linha (·)
        [star] um asterisco (*)
       *[hyphen] um hífen
    }
character-underscore = um sublinhado
character-slash = uma barra
character-dash = um travessão ({ $character })
character-backtick = um acento grave (`)
character-letter-o = a letra { $character }
character-letter-l = a letra { $character }
character-letters = letras no lugar de algarismos
character-minus = um sinal de menos ({ $character })
character-plus = um sinal de mais
character-decimal-comma = uma vírgula decimal
character-decimal-point = um ponto decimal
character-thousands-mark = um separador de milhar ({ $character })
character-power = o sinal de potência ^
character-comment = um comentário ({ $character }) depois de números
character-other-digit = o algarismo { $script ->
        [full-width] de largura dupla
        [arabic] arábico-índico
        [persian] persa
        [superscript] sobrescrito
       *[subscript] subscrito
    } { $character }
character-other-number = o caractere { $character } ({ $code })
expected-blanks = , mas os números devem ser separados por espaços
expected-digit = { " " }em vez do algarismo { $digit }
expected-zero-and-one = : escreva 0 em vez da letra O, e 1 em vez de l ou I
expected-no-sign = , mas aqui os números não têm sinal
expected-zero = , mas uma casa vazia se escreve 0
expected-value = : o número se escreve { $value }
expected-no-moves = ; escreva um hífen (-) se não houver jogadas
expected-whole = , mas aqui deve haver um número inteiro
expected-comment-line = ; escreva o comentário em uma linha separada, que comece com #
expected-nothing = , que não deveria estar ali
expected-break = , e não uma quebra de linha comum
expected-new-line = , mas aqui deve começar outra linha
expected-utf8 = ; escreva um número e salve o arquivo em UTF-8
expected-digits = ; use os algarismos de 0 a 9

## O que está errado nas linhas de um tabuleiro, caso ou jogo

form-rows = o número de linhas
form-columns = o número de colunas
form-header-value = { $field } é { $found }, mas deve ser { $range }
form-header-values = { $first }, e { $second }
form-value = aparece { $found } onde deveria haver um número de { $least } a { $most }
form-header-word = aparece { $found }, mas aqui deve vir { $field }, só com algarismos
form-answers-behind = as linhas { $from } { SPAN($from, $to) ->
        [two] e
       *[more] a
    } { $to } parecem ser respostas: apague-as
form-stray-line = { $lines ->
        [one] a linha { $line } não faz parte da entrada: apague-a ou ponha # no começo dela
        [2] as linhas { $line } e { $last } não fazem parte da entrada: apague-as ou ponha # no começo de cada uma
       *[other] as linhas { $line } a { $last } não fazem parte da entrada: apague-as ou ponha # no começo de cada uma
    }
form-header-missing = falta { $field } antes da linha { $line }
form-header-length = o cabeçalho (linha { $line }) tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, mas deveria ter { $expected }
form-one = um só número: { $first }
form-two = dois números: { $first } e { $second }
form-one-or-two = um ou dois números: { $first } e, se quiser, { $second }
form-players-early = os jogadores ({ SPAN($from, $to) ->
        [one] linha { $from }
        [two] linhas { $from } e { $to }
       *[more] linhas { $from } a { $to }
    }) estão antes do tabuleiro, mas devem vir depois dele
form-row-count = depois do cabeçalho { $header } { $rows ->
        [0] não há nenhuma linha
        [one] há 1 linha
       *[other] há { $rows } linhas
    }, mas deveria haver { $expected }
form-header-doubled = as linhas { $before } e { $line } são iguais, mas o cabeçalho se escreve uma só vez
form-header-behind = a linha { $line } tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, mas deveria ter { $expected }, que está na linha { $from }, mas deve ficar aqui
form-numbers-missing = depois do cabeçalho { $header } { $numbers ->
        [0] não há nenhum número
        [one] há 1 número
       *[other] há { $numbers } números
    }, mas deveria haver { $expected }
form-numbers-surplus = depois do cabeçalho { $header } há { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, mas deveria haver { $expected }
form-range = de { $least } a { $most }
form-from = no mínimo { $least }
form-within-line = o próximo item começa no meio de uma linha: há uma linha longa ou curta demais?
form-shared-line = { $field } foi lido como { $number }, o primeiro número da linha { $line }; falta ou sobra uma linha antes dela?
form-long-header = a linha { $line } tem { $numbers } números, e o tabuleiro foi lido a partir dos últimos; mas as { $rows } linhas abaixo dela parecem ser o tabuleiro inteiro: há um número a mais na linha { $line }?
form-odd-line = a linha { $line } tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, mas uma linha do tabuleiro tem { $expected }, e por isso a leitura passou pelas quebras de linha; falta ou sobra uma linha?
form-other-header = depois do cabeçalho { $header } há { $lines } linhas de { $width } { $width ->
        [one] número
       *[other] números
    }; talvez o cabeçalho seja { $fitting } (linha { $line })
form-other-header-in-turn = depois do cabeçalho { $header } há { $lines } linhas que têm alternadamente { $width } e { $narrow } números; talvez o cabeçalho seja { $fitting } (linha { $line })

## checkers-capture

checkers-marker-line = aparece { $found }; a marca de fim é 0 0, sozinha em uma linha
checkers-letters-o = a letra O em { $found }
checkers-area = { $rows } x { $columns } são { $squares } casas, mas um tabuleiro tem no máximo { $most }
checkers-square-value = aparece { $found } onde deveria haver { $kind ->
        [word] 0 (casa vazia), 1 (peça sua) ou 2 (peça do adversário)
       *[number] 0, 1 ou 2
    } (linha { $row } do tabuleiro, número { $number })
checkers-squares-joined = aparece { $found } onde deveria haver 0, 1 ou 2; escreva um espaço entre os números
checkers-all-squares = depois de { $header } há { $numbers } números; escreva só os { $expected } das casas em que linha + coluna é par (colunas 0 2 4 … da linha 0, colunas 1 3 5 … da linha 1)
checkers-own-pieces = há { $pieces } peças suas (1), mas um tabuleiro { $rows } x { $columns } tem no máximo { $most }
checkers-opponent-pieces = há { $pieces } peças do adversário (2), mas um tabuleiro { $rows } x { $columns } tem no máximo { $most }
checkers-marker-missing = falta a marca de fim 0 0
checkers-marker-comment = há um comentário depois da marca de fim 0 0; escreva-o em uma linha separada
checkers-stopped = parou em um tabuleiro inválido (on_invalid = stop); o que vem depois não é lido
checkers-ignored = { $lines } { $lines ->
        [one] linha
       *[other] linhas
    } depois da marca de fim 0 0 (linha { $line })

## Figuras de checkers-capture

checkers-picture-asks = Qual peça captura mais em uma só jogada, e quantas captura?
checkers-picture-takes = A peça na linha { $row }, coluna { $column } captura { $captures } { $captures ->
        [one] peça
       *[other] peças
    }.
checkers-picture-longest = A maior captura leva { $captures } { $captures ->
        [one] peça
       *[other] peças
    }.
checkers-picture-none = Nenhuma peça consegue capturar.
checkers-picture-best = A peça na linha { $row }, coluna { $column } captura { $captures } { $captures ->
        [one] peça
       *[other] peças
    }; nenhuma captura mais de { $most }.
checkers-picture-title = Tabuleiro de damas, { $rows } x { $columns }
checkers-picture-pieces = { $rows } { $rows ->
        [one] linha
       *[other] linhas
    } e { $columns } { $columns ->
        [one] coluna
       *[other] colunas
    }, numeradas a partir de 0 na borda; { $own } { $own ->
        [one] peça sua, em branco
       *[other] peças suas, em branco
    }, e { $opponents } do adversário, em preto.
checkers-picture-squares = As casas do caminho (linha,coluna): { $squares }{ $more ->
        [0] .
       *[other] {" "}e mais { $more }.
    }
checkers-picture-legend = Branca: peça sua; com um ponto, a que captura. Preta, numerada e riscada: peça capturada, nesta ordem. As linhas e colunas são contadas a partir de 0.
checkers-picture-no-square = A casa { $number } do caminho não é uma casa.
checkers-picture-off-board = O caminho vai até { $square }, que não é uma casa em que se joga (tracejado).
checkers-picture-without-piece = Não há peça sua em { $square } (tracejado).
checkers-picture-without-capture = O salto { $jump }, de { $from } para { $to }, não captura nenhuma peça (tracejado).

## 2048-merge

merge-case-count = aparece { $found } no lugar do número de casos T
merge-behind-count = depois do número de casos T há { $found }, mas T deve ficar sozinho na linha
merge-count-missing = falta o número de casos T; há { $cases } { $cases ->
        [one] caso
       *[other] casos
    }: acrescente uma linha só com { $cases } antes da linha { $line } ({ $header })
merge-count-late = T está { $count ->
        [one] na linha
       *[other] nas linhas
    } { LIST($lines) }, mas o arquivo deve começar com ele: apague { $count ->
        [one] a linha { $lines }
       *[other] essas linhas
    } e acrescente uma linha só com { $cases } antes da linha { $line }
merge-count-again = { $count ->
        [one] o número sozinho na linha { $lines } parece
       *[other] os números sozinhos nas linhas { LIST($lines) } parecem
    } o T de outro arquivo; um arquivo só tem um T, para todos os casos: escreva { $cases } na linha { $line } e apague { $count ->
        [one] a linha { $lines }
       *[other] essas linhas
    }; só os casos antes da linha { $first } são respondidos
merge-count-twice = { $count ->
        [one] o número sozinho na linha { $lines } não pertence
       *[other] os números sozinhos nas linhas { LIST($lines) } não pertencem
    } a nenhum caso; um arquivo tem um só T, na primeira linha: apague { $count ->
        [one] a linha { $lines }
       *[other] essas linhas
    }
merge-missing-case = T é { $total } (linha { $line }), mas { $cases ->
        [0] não há nenhum caso
        [one] só há { $cases } caso
       *[other] só há { $cases } casos
    }
merge-surplus-case = T é { $total } (linha { $line }), mas há { $cases } { $cases ->
        [one] caso
       *[other] casos
    }; { $total ->
        [0] nenhum deles é respondido
        [one] só o primeiro é respondido
       *[other] só os { $total } primeiros são respondidos
    }, a menos que T seja { $cases }
merge-text-after-cases = depois do último caso aparece { $found }, mas o arquivo deveria acabar ali, pois T é { $total } (linha { $line })
merge-square-value = aparece { $found } na linha { $row }, coluna { $column } do tabuleiro, mas deveria haver { $value }
merge-expected-size = o tamanho N do tabuleiro
merge-expected-slides = o número máximo M de jogadas
merge-expected-value = um número (0 para uma casa vazia)
merge-expected-smaller-value = um número até { $most }

## 2048-astar

astar-at-least = pelo menos { $least } { $least ->
        [one] jogada
       *[other] jogadas
    }
astar-size = o tamanho do tabuleiro
astar-square-value = aparece { $found } onde deveria haver { $expected }
astar-power = 0 (casa vazia) ou uma potência de dois a partir de 2
astar-power-up-to = 0 ou uma potência de dois até { $most }
astar-powers = 0 ou uma potência de dois, como { $below } ou { $above }

## 2048-game

game-square-value = aparece { $found } na linha { $row } do tabuleiro, mas deveria haver 0 (casa vazia) ou uma potência de dois de 2 a 2^63
game-line-length = a linha tem mais de { $mebibytes } MiB
game-end-of-file = o arquivo acaba aqui, mas falta { $expected }
game-moves-early = as jogadas { $moves } estão na linha { $line }, mas devem ficar em uma linha separada, logo depois da última linha do tabuleiro (linha { $behind })
game-moves-missing = faltam as jogadas: o próximo jogo começa na linha { $line }; escreva antes dela uma linha de jogadas, ou - se não houver nenhuma
game-counted-moves = { $found } parece dizer quantas vezes repetir as jogadas, mas cada algarismo também é uma jogada: escreva uma letra para cada jogada
game-mixed-moves = há algarismos e letras nas jogadas: { $digit } foi lido como jogada ({ $letter }); cada algarismo é uma jogada, e não um número de vezes
game-moves = aparece { $found }, mas { $expected }
game-second-moves = as jogadas estão nas linhas { $before } { $count ->
        [2] e
       *[other] a
    } { $line }, mas um jogo tem uma só linha de jogadas
game-transcript-moves = as linhas { $from } a { $to } são a transcrição de um jogo: escreva só as letras das jogadas, em uma linha
game-moves-count = o número de jogadas, na linha { $line }, não faz parte de um jogo
game-seed-late = o { $seed } da linha { $line } parece ser a semente, que fica na primeira linha do jogo, depois do tamanho
game-auto-moves = há { $found } depois de AUTO, mas ali só pode vir o número máximo de jogadas, como em AUTO 10
game-move-after-end = { $number ->
        [1] não há jogada possível neste tabuleiro: escreva - em vez das jogadas
       *[other] a jogada { $number } ({ $letter }) vem depois do fim do jogo: apague-a e as que vêm depois dela
    }
game-move-without-effect = a jogada { $number } ({ $letter }) não muda nada: apague-a ou escolha uma direção em que alguma peça ande ou se junte a outra
game-expected-size = o tamanho do tabuleiro
game-expected-seed = a semente
game-expected-moves-line = a linha de jogadas: D, E, C, B, ou AUTO, ou - para nenhuma
game-expected-letters = as jogadas são D ou 1 (direita), E ou 2 (esquerda), C ou 3 (cima) e B ou 4 (baixo); ou então AUTO ou AUTO 10; ou - para nenhuma jogada
game-expected-moves-alone = as jogadas devem vir sem palavras antes
game-expected-initials = as letras das jogadas são D (direita), E (esquerda), C (cima) e B (baixo)
game-expected-right = a letra para a direita é D
game-expected-left = a letra para a esquerda é E
game-expected-up = a letra para cima é C
game-expected-down = a letra para baixo é B
game-expected-dash-end = depois de - não pode haver mais nada
game-expected-auto = o certo é AUTO, ou AUTO 10 para no máximo 10 jogadas
game-expected-auto-letter = AUTO se escreve com a letra O, e não com o algarismo 0
game-expected-auto-end = depois de AUTO e do número de jogadas não pode haver mais nada
game-stopped-after = parou depois de { $moves } { $moves ->
        [one] jogada
       *[other] jogadas
    }

## Regras de que há mais de uma versão

rules-other-answers = { $differing } de { $puzzles } { $differing ->
        [one] tem
       *[other] têm
    } outra resposta pelas regras { $rules }: { $action }
rules-course = da disciplina
rules-default = padrão
rules-name-or-write = se forem essas as que valem, dê ao arquivo o nome { $name } ou escreva { $directives }
rules-name = se forem essas as que valem, dê ao arquivo o nome { $name }
rules-write = se forem essas as que valem, escreva { $directives }
rules-set = elas são { $options }
rules-and = { $first } e { $second }

## jump-game

jump-at-least-round = a partir da rodada { $least }
jump-players = o número de jogadores
jump-square-value = aparece { $found } no lugar do número da casa { $square } (linha,coluna a partir de 0); escreva um número inteiro, 0 ou maior (em um 0, o jogador fica preso)
jump-square-large = aparece { $found } na casa { $square } (linha,coluna a partir de 0), mas um número vai até { $most }
jump-player-square = aparece { $found } no lugar da linha e da coluna do jogador { $player }, dois números a partir de 0
jump-player-row = o jogador { $player } está na linha { $row }, mas o tabuleiro tem as linhas de 0 a { $last }; a contagem começa em 0
jump-player-column = o jogador { $player } está na coluna { $column }, mas o tabuleiro tem as colunas de 0 a { $last }; a contagem começa em 0

## Figuras de jump-game

jump-picture-asks = Quem chega primeiro ao destino, e em que rodada?
jump-picture-wins = { $player } vence na rodada { $round }.
jump-picture-at-goal = { $player } começa no destino e já venceu.
jump-picture-no-winner = Ninguém consegue chegar ao destino.
jump-picture-title = Tabuleiro do jogo do pulo, { $rows } x { $columns }
jump-picture-board = Um mapa de { $rows } { $rows ->
        [one] linha
       *[other] linhas
    } e { $columns } { $columns ->
        [one] coluna
       *[other] colunas
    }, numeradas a partir de 0 na borda. Cada casa tem seu número. O destino, com a bandeira, é { $goal }.
jump-picture-starts = Os jogadores começam em (linha,coluna): { $starts }{ $more ->
        [0] .
       *[other] {" "}e mais { $more }.
    }
jump-picture-squares = As casas do caminho: { $squares }{ $more ->
        [0] .
       *[other] {" "}e mais { $more }.
    }
jump-picture-legend = Letra em uma moldura: onde um jogador começa. Setas: o caminho, com a rodada onde um pulo termina. Cinza: casa com 0, de onde ninguém sai. Bandeira: o destino.
jump-picture-no-square = A casa { $number } do caminho não é uma casa.
jump-picture-off-board = O caminho vai até { $square }, que não está no tabuleiro (tracejado).
jump-picture-no-start = Ninguém começa em { $square } (tracejado).
jump-picture-no-jump = O pulo { $jump }, de { $length } a partir de { $from }, não termina em { $to } (tracejado).
jump-picture-over = O jogo já tinha acabado antes de o caminho seguir para { $square } (tracejado).
jump-picture-unfinished = O caminho termina em { $square }, que não é o destino.
jump-picture-tied = { $player } também chegaria ao destino nessa rodada, mas pula depois.
jump-picture-later = { $player } não chega ao destino antes da rodada { $round }.
jump-picture-never = { $player } nunca chega ao destino.

## O que está errado em uma diretiva ou em uma opção

directive-too-long = a diretiva tem mais de { $bytes_max } bytes
directive-too-many = o arquivo tem mais de { $most } diretivas
directive-no-text = a diretiva tem bytes que não são texto
directive-twice = '{ $key }' aparece pela segunda vez; a primeira está na linha { $line }
directive-no-key = há { $found } no lugar do nome de uma opção: letras, algarismos, '_' e '-'
directive-no-equals = depois de '{ $key }' há { $found }, mas falta '=': escreva `#: { $key } = VALOR`
directive-no-value = falta o valor de '{ $key }': escreva `#: { $key } = VALOR`
directive-quotes = há { $found }, mas o valor deve estar entre aspas, sem nada depois
directive-near-miss = a linha { $line } parece uma diretiva; escreva { $directive }
directive-bare = sem #: no começo, a linha { $line } não escolhe nenhuma opção; escreva { $directive }
directive-seed = a semente não é uma opção: escreva-a depois do tamanho, como 4 { $seed } em um jogo de tamanho 4
directive-meant = `#: { $found }` não é uma diretiva válida; escreva { $directives }
directive-unit = falta a unidade em `#: { $found }`; escreva { $directives }
directive-next-line = { $first } e, em outra linha, { $second }
directive-forbidden = há a diretiva '{ $key }', mas a rota '{ $route }' não aceita diretivas
directive-unknown = diretiva desconhecida '{ $key }'{ $hint }; as opções de { $solver }: { $known }
solver-unknown = solver desconhecido '{ $id }'{ $hint }; os que existem: { $known }
word-meant = {""} (você quis dizer '{ $word }'?)
option-unknown = opção desconhecida '{ $name }'{ $hint }; as que existem: { $known }
option-out-of-range = { $name } = { $found }: o valor deve ser { $expected }{ $hint }
option-raised = { $name } = { $found }: um arquivo não pode afrouxar este limite, que é { $max }; apague a diretiva
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
reject-blank-file = o arquivo só tem espaços e comentários (linhas que começam com #)
reject-file-too-large = o arquivo tem { $bytes } bytes, mas o limite é { $bytes_max } (intake.size_limit)
reject-result-too-large = o resultado teria mais de { $bytes_max } bytes (results.size_limit)
reject-compressed-file = o arquivo está compactado ({ $format }): descompacte-o e envie o arquivo de texto
reject-wide-text = o arquivo é um texto em { $encoding }; salve-o em UTF-8 ou ASCII
reject-document-file = o arquivo é um documento ({ $format }), e não um arquivo de texto
reject-web-page = o arquivo é uma página da web (HTML), não um texto simples
reject-image-file = o arquivo é uma imagem ({ $format }), não um texto simples
reject-program-file = o arquivo é um programa ({ $format }), não um texto simples
reject-foreign-file = o arquivo não é um texto simples ({ $format })
reject-no-puzzle = não há no arquivo nada que { $solver } possa resolver
reject-invalid-puzzle = o item { $puzzle } desta referência é inválido
reject-cut-reference = esta referência tem { $ignored }, que não serviriam para corrigir nada: apague essas linhas ou a marca de fim
reject-directive = { $what }; nada do arquivo será respondido enquanto isso não for corrigido
reject-no-route = nenhuma rota recebe o arquivo
reject-set-aside = o serviço parou { $tries } vezes enquanto respondia a este arquivo, que foi posto de lado
reject-deadly-puzzle = { $deaths } trabalhadores caíram enquanto resolviam o item { $number } deste arquivo, que foi posto de lado
reject-internal-error = erro interno { $during }, um defeito do programa e não do arquivo; avise quem cuida do serviço (a mensagem do programa: { $message })
reject-refuted = no item { $puzzle } esta entrega prova que uma resposta nossa está errada, por isso ela não recebe nota; guarde-a com a referência e comunique o caso
reject-changing-file = o arquivo mudou enquanto era lido; envie-o de novo quando estiver pronto
reject-unreadable = o arquivo não pode ser lido (a mensagem do sistema: { $message })

## O que cerca as mensagens sobre um arquivo

told-invalid = { $noun ->
        [board] tabuleiro
        [case] caso
        [game] jogo
       *[other] item
    } { $puzzle } inválido
told-undecided = { $noun ->
        [board] tabuleiro
        [case] caso
        [game] jogo
       *[other] item
    } { $puzzle }: sem decisão, pois o limite { $limit } foi atingido
told-mistake = erro
told-warning = aviso
told-ignored = ignorado
told-rejected = rejeitado
told-help = ajuda
told-markers-early = { $count ->
        [one] essas linhas contêm { $puzzles }: para que seja respondido, apague
       *[other] essas linhas contêm { $puzzles }: para que sejam respondidos, apague
    } { $markers ->
        [one] a linha { $lines }
       *[other] as linhas { LIST($lines) }
    }; 0 0 só vem depois do último tabuleiro
told-marker-early = se essas linhas ainda são parte da entrada, apague a marca de fim que vem antes delas; se não são, apague essas linhas ou ponha # no começo de cada uma
told-further = e mais { $puzzles }, { $count ->
        [one] na linha
       *[other] nas linhas
    } { $more ->
        [0] { LIST($lines) }
       *[other] { $lines }, …
    }
told-alike = { $more ->
        [0] o mesmo acontece { $named }
       *[other] o mesmo acontece em mais { $count } linhas: { $lines }, …
    }
told-stray-lines = { $count ->
        [one] a linha { $lines } também não faz
       *[other] as linhas { $more ->
            [0] { LIST($lines) }
           *[other] { $lines }, …
        } também não fazem
    } parte da entrada
told-not-examined = há muitos erros até a linha { $line }; o que vem depois dela neste item não foi examinado
told-further-undecided = e mais { $puzzles } sem decisão
told-further-warnings = e mais { $warnings } { $warnings ->
        [one] aviso
       *[other] avisos
    }
told-mistakes = { $mistakes } { $mistakes ->
        [one] erro
       *[other] erros
    }{ $bad ->
        [0] {""}
       *[other] {" "}em { $puzzles }{ $others ->
                [0] {""}
                [one] {" "}e 1 linha
               *[other] {" "}e { $others } linhas
            }
    }{ $fixable ->
        [0] {""}
        [one] ; 1 pode ser corrigido automaticamente (check --fix)
       *[other] ; { $fixable } podem ser corrigidos automaticamente (check --fix)
    }

## A linha de comando

cli-cannot-open = { $name }: não foi possível abrir: { $reason }
cli-cannot-read = { $name }: não foi possível ler: { $reason }
cli-cannot-create = { $name }: não foi possível criar: { $reason }
cli-cannot-write-output = não foi possível gravar a saída: { $reason }
cli-system = { $message }
cli-not-found = esse arquivo ou pasta não existe
cli-denied = sem permissão
cli-is-folder = é uma pasta, não um arquivo
cli-not-folder = uma parte do caminho não é uma pasta
cli-disk-full = o disco está cheio
cli-wrong-set = --set: { $error }
cli-same-file = a entrada e a saída são o mesmo arquivo
cli-two-files = há dois arquivos, { $first } e { $option } { $second }, mas só um é lido de cada vez: escreva { $first } ou { $option } { $second }, não os dois
cli-archive-choices = cada arquivo do compactado segue a rota do próprio caminho; --solver e --set valem para um só arquivo
cli-archive-output = os resultados formam um arquivo compactado; dê o nome dele com -o
cli-empty-archive = { $name }: não há nenhum arquivo dentro deste arquivo compactado
cli-no-equals = escreva KEY=VALUE, por exemplo witness=true
cli-no-input = nenhuma entrada foi dada: indique um arquivo
cli-solver-as-file = { $name } é um solver, e não um arquivo: escreva --solver { $name }
cli-no-solver = { $name }: nenhuma rota recebe o arquivo e nenhuma diretiva indica o solver; escolha com --solver ID, um destes: { $known }
cli-checked = { $name }: { $solver }: { $valid } { $valid ->
        [one] válido
       *[other] válidos
    }, { $invalid } { $invalid ->
        [one] inválido
       *[other] inválidos
    }{ $ignored ->
        [0] {""}
        [one] , 1 linha ignorada
       *[other] , { $ignored } linhas ignoradas
    }
cli-graded = { $name }: uma entrega que a rota '{ $route }' corrige; as respostas não são verificadas aqui
cli-totals = { $name }: { $puzzles }, { $invalid } { $invalid ->
        [one] inválido
       *[other] inválidos
    }, { $undecided } sem decisão
    {"  "}usuário { $user } s, sistema { $system } s, tempo real { $wall } s
cli-fix-needs-file = --fix grava um arquivo ao lado da entrada: indique um arquivo de texto, e não - nem um arquivo compactado
cli-fix-too-large = { $name }: --fix aceita arquivos de até { $bytes_max } bytes
cli-fix-written = { $name }: gravado, com as alterações abaixo; { $left ->
        [0] não resta nenhum erro
        [one] resta 1 erro
       *[other] restam { $left } erros
    }{ $warnings ->
        [0] {""}
        [one] , 1 aviso
       *[other] , { $warnings } avisos
    }{ $ignored ->
        [0] {""}
        [one] , 1 linha ignorada
       *[other] , { $ignored } linhas ignoradas
    }
cli-fix-more = … e mais { $lines } { $lines ->
        [one] linha alterada
       *[other] linhas alteradas
    }
cli-fix-none = { $name }: não há erros para corrigir{ $warnings ->
        [0] {""}
        [one] , mas leia o aviso
       *[other] , mas leia os avisos
    }
cli-fix-nothing = { $name }: nada pode ser corrigido automaticamente
cli-no-current-folder = não há pasta atual: { $reason }
cli-unknown-route = a rota '{ $route }' não existe{ $hint }; há estas: { $known }
cli-too-many-files = { $folder }: mais de { $most } arquivos; indique menos de cada vez
cli-too-deep = { $path }: a mais de { $most } pastas de profundidade; indique-a sozinha
cli-one-submission = este formato só aceita uma entrega, mas há { $count }
cli-no-history = não foi possível ler o histórico em { $folder }: { $reason }
cli-other-answer = o serviço respondeu outra coisa
cli-not-below = { $file } não está na pasta de entrada, na de saída nem na pasta var da configuração
cli-no-grades = { $folder }: nenhum arquivo .json abaixo desta pasta tem nota no nome
cli-mixed = { $student } ({ $exercise }): vários arquivos sem o nome do aluno contam como de um só; diga na rota quem são os alunos, com a chave student
cli-refuted = { $name }: esta entrega prova que uma resposta nossa está errada e por isso fica sem nota; guarde-a com a referência e comunique o caso
cli-undecided-puzzle = { $name }: a resposta do item { $puzzle } não foi decidida, por isso nenhuma entrega pode ser julgada
cli-unlisted = ninguém em { $list } tem esse nome
cli-list-too-large = { $name }: uma lista de alunos tem no máximo { $bytes_max } bytes
cli-no-columns = { $name }: não há nenhuma coluna de alunos conhecida; a primeira linha deve ter uma destas: name, nome, first name, last name, identifier, id number, matrícula, email address, folder
cli-no-terminal = o jogo precisa de um terminal: { $reason }
cli-not-counted = { $student } ({ $exercise }): { $mark }, por isso este aluno fica de fora; com --all ele entra mesmo assim
cli-ungraded = { $student } ({ $exercise }): a entrega não pôde ser corrigida, por isso este aluno fica de fora
cli-no-moodle-id = { $student } ({ $exercise }): o número do Moodle não é conhecido, por isso este aluno fica de fora; escreva student = "moodle" na rota
cli-no-moodle-folder = { $name }: o número do Moodle não é conhecido, por isso esta entrega fica de fora; as pastas do Moodle se chamam Nome_ID_assignsubmission_file_
cli-two-grades = o participante { $id } tem nota em { $one } e em { $other }, e a planilha só tem uma por pessoa: indique a pasta de um exercício
cli-unclear = { $student } ({ $exercise }): fica de fora, porque não se sabe qual entrega foi a última: uma nota não diz quando a entrega foi feita, ou duas foram feitas na mesma hora; use --take best ou apague as que não contam
cli-swapped-files = a referência vem primeiro; tente: { $line }
cli-unknown-rule = a regra '{ $rule }' não existe{ $hint }; `tabuleiro explain` lista todas as regras
cli-wrong-example = errado ({ $solver }):
cli-right-example = certo:
cli-undecided-reference = { $name }: { $puzzles } da referência sem decisão e, por isso, sem nota (veja tabuleiro solve)
cli-page-output = a página é para o navegador; dê o nome dela com -o
cli-input-of-result = --input serve para um resultado em JSON; indique a entrada como FILE
cli-input-not-found = { $name }: os tabuleiros estão na entrada, { $file }, que não foi encontrada; indique-a com --input FILE
cli-other-input = { $input }: não é a entrada de { $name }: o conteúdo é outro

## Uma linha de comando errada

usage-unknown-command = erro: o comando '{ $found }' não existe
usage-unknown-argument = erro: argumento inesperado '{ $found }'
usage-wrong-value = erro: o valor '{ $found }' não serve para '{ $argument }': { $reason }
usage-missing = erro: faltam estes argumentos: { $arguments }
usage-conflict = erro: { $first } não pode ser usado junto com { $second }
usage-valid-values = escreva um destes: { $words }
usage-similar = você quis dizer '{ $word }'?
usage-similar-some = você quis dizer um destes: { LIST($words) }?
usage-line = Uso: { $line }
usage-help = Para saber mais, tente { $command }.
usage-try = tente: { $line }
usage-one-input = só uma entrada é lida de cada vez: use o comando uma vez para cada arquivo

## As regras, como `tabuleiro explain` as explica

explain-opponent-pieces = O tabuleiro tem mais peças do adversário (2) do que os limites permitem.
explain-area = O tabuleiro tem mais casas do que os limites permitem.
explain-long-header = A primeira linha do tabuleiro começa na linha do cabeçalho, mas abaixo dela há tantas linhas inteiras quantas o tabuleiro tem.
explain-shared-line = O segundo número do cabeçalho está na mesma linha que outros. Se a linha dele foi esquecida, a resposta é a de outro jogo.
explain-other-header = As linhas do tabuleiro combinam com outro cabeçalho. A resposta segue o cabeçalho do arquivo.
explain-other-header-in-turn = As linhas do tabuleiro, de dois comprimentos alternados, combinam com outro cabeçalho. A resposta segue o cabeçalho do arquivo.
explain-end-of-file = O arquivo termina antes do fim do jogo.
explain-square-value = Uma casa, uma peça ou um número do tabuleiro tem um valor que não existe neste jogo.
explain-header-missing = Falta uma linha antes do tabuleiro: a do tamanho ou a do número de jogadores.
explain-odd-line = Uma linha entre o cabeçalho e o tabuleiro tem números a mais ou a menos que uma linha do tabuleiro.
explain-side-by-side = As linhas de dois tabuleiros estão lado a lado. Cada tabuleiro fica abaixo do anterior.
explain-rows-turned = As linhas do tabuleiro de damas começam pela cor errada: a casa da linha 0, coluna 0 é jogável e é a primeira escrita.
explain-squares-joined = Os números de uma linha estão grudados, sem espaços entre eles.
explain-marked-squares = Há um sinal nas casas do tabuleiro de damas em que não se joga. Só se escrevem as casas em que linha + coluna é par.
explain-all-squares = Todas as casas do tabuleiro de damas estão escritas. Só se escrevem as casas em que linha + coluna é par.
explain-own-pieces = O tabuleiro tem mais peças suas (1) do que os limites permitem.
explain-marker-line = Há algo depois da marca de fim 0 0, na mesma linha.
explain-marker-missing = O arquivo termina sem a marca de fim 0 0. Os tabuleiros são respondidos mesmo assim.
explain-marker-comment = Há um comentário depois da marca de fim 0 0.
explain-ignored = Há linhas depois da marca de fim. Elas são ignoradas.
explain-stopped = O arquivo pede para parar no primeiro tabuleiro inválido, e um deles é inválido.
explain-row-lengths = Uma linha do tabuleiro é curta demais e outra é longa demais.
explain-row-length = Uma linha tem números a mais ou a menos que as outras.
explain-row-length-expected = Uma linha tem números a mais ou a menos do que o cabeçalho promete.
explain-row-count = O tabuleiro tem linhas a mais ou a menos do que o cabeçalho promete.
explain-row-doubled = O tabuleiro tem uma linha a mais, e duas linhas são iguais.
explain-header-in-turn = As linhas do tabuleiro de damas, de dois comprimentos alternados, combinam com outro cabeçalho.
explain-rows-joined = Duas linhas do tabuleiro estão na mesma linha do arquivo. Cada uma fica na sua.
explain-row-split = Uma linha do tabuleiro está em duas linhas do arquivo.
explain-row-wrapped = Cada linha do tabuleiro está em várias linhas do arquivo, e uma delas tem números a mais ou a menos.
explain-goals = O objetivo está nas linhas dos tamanhos. Quem o define é uma diretiva.
explain-code-fence = Há texto e sinais de bloco de código em volta da entrada, como em uma resposta de chat.
explain-file-cut = O arquivo termina no meio de uma linha do tabuleiro. Um tabuleiro tem todas as suas linhas.
explain-thousands-blank = Um número tem um espaço no meio: 1 024 em vez de 1024, ou 1 6 em vez de 16.
explain-fractions = Os números têm casas decimais, como 2.0, do jeito que os programas imprimem números de ponto flutuante. Todos os números são inteiros.
explain-rows-omitted = Há reticências no lugar de linhas do tabuleiro. Um tabuleiro tem todas as suas linhas.
explain-cell-error = A planilha pôs um erro, como #REF!, no lugar de um número. Uma linha que começa assim conta como comentário.
explain-row-blank = Há uma linha em branco onde falta uma linha do tabuleiro. Uma linha de casas vazias se escreve com zeros.
explain-row-commented = Uma linha do tabuleiro ou o cabeçalho começa com o sinal de comentário, e por isso falta no tabuleiro.
explain-exponents = O tabuleiro tem expoentes em vez dos valores das peças: 7 no lugar de 128, que é 2 elevado a 7.
explain-counted-moves = Um número antes de cada letra diz quantas vezes se faz a jogada. Cada jogada é uma letra.
explain-empty-cells = As linhas são as de uma planilha em que as casas vazias não têm número. Uma casa vazia é 0.
explain-one-line = Todos os cabeçalhos e linhas do tabuleiro estão em uma linha do arquivo. Cada um tem a sua.
explain-separators = Em todas as linhas há um sinal, como ponto e vírgula, entre os números. Entre números só cabem espaços.
explain-quoted-input = A entrada está citada em um e-mail ou em um patch: há um sinal antes de cada linha dela, e outras linhas em volta.
explain-rows-behind = Depois de um tabuleiro completo há mais linhas. Ou o número de linhas do cabeçalho é menor que o certo, ou falta o cabeçalho das outras linhas.
explain-rows-repeated = Várias linhas de um tabuleiro estão escritas duas vezes.
explain-other-solver = O fim do arquivo pode ser lido por outro solver. Cada solver tem os seus arquivos.
explain-header-odd = Todas as linhas têm tantos números quantos a primeira. Em um tabuleiro com número ímpar de colunas, uma linha sim, outra não, tem um número a menos.
explain-player-doubled = Há um jogador a mais, e as linhas de dois jogadores são iguais.
explain-mixed-moves = Há algarismos e letras nas jogadas. Cada algarismo é uma jogada: 1 direita, 2 esquerda, 3 cima, 4 baixo.
explain-lines-joined = A última linha de um tabuleiro e a primeira linha do próximo estão grudadas, sem quebra de linha entre elas.
explain-all-on-one-line = O tabuleiro inteiro está em uma só linha do arquivo. Cada linha do tabuleiro fica em sua própria linha.
explain-answers-behind = Há respostas depois de um tabuleiro, caso ou jogo. O arquivo só tem a entrada.
explain-loose-rows = Há linhas de números com outros sinais, e sem um cabeçalho acima delas.
explain-header-half = O cabeçalho conta só as colunas jogáveis. Ele deve contar todas as colunas do tabuleiro.
explain-piece-marks = As casas do tabuleiro de damas estão escritas com letras ou símbolos. Cada casa é 0 (vazia), 1 (peça sua) ou 2 (peça do adversário).
explain-other-colour = Todas as casas do tabuleiro de damas estão escritas, e as peças ficam nas que não são jogáveis.
explain-header-mismatch = As linhas do tabuleiro combinam com outro cabeçalho.
explain-character = Há um caractere onde só cabem números e espaços.
explain-end-marker = Uma linha de zeros fecha o arquivo, mas os arquivos deste jogo não têm marca de fim.
explain-case-count = A primeira linha não é o número de casos.
explain-count-missing = Falta a primeira linha, com o número de casos.
explain-count-late = O número de casos está depois do primeiro caso, mas deve vir na primeira linha.
explain-behind-count = A primeira linha tem mais do que o número de casos. Cada caso começa em uma linha nova.
explain-count-again = Há um número sozinho em uma linha entre os casos, como o número de casos na primeira linha.
explain-count-twice = Há um número sozinho em uma linha entre os casos. Só o número de casos, na primeira linha, fica sozinho.
explain-missing-case = A primeira linha promete mais casos do que há.
explain-surplus-case = A primeira linha promete menos casos do que há.
explain-text-after-cases = Há texto depois do último caso.
explain-header-doubled = A primeira linha está escrita duas vezes.
explain-goal-line = O objetivo está em uma linha entre os números. Ele se escreve em uma diretiva: #: goal = 2048.
explain-header-length = A primeira linha tem números de menos ou de mais.
explain-moves = Uma jogada tem uma letra ou um sinal que o jogo não conhece.
explain-move-after-end = Há uma jogada depois do fim do jogo, quando já não era possível jogar.
explain-move-without-effect = Uma jogada não muda nada: nenhuma peça anda nessa direção nem se junta a outra.
explain-moves-missing = O jogo não tem a linha de jogadas. Um jogo sem jogadas tem -.
explain-moves-again = A linha de jogadas está escrita duas vezes. Um jogo tem uma só linha de jogadas.
explain-second-moves = As jogadas de um jogo estão em várias linhas. Elas devem ficar em uma só.
explain-seed-line = A semente está sozinha em uma linha. Ela fica depois do tamanho, na mesma linha.
explain-transcript-moves = As linhas de uma transcrição, cada uma com uma jogada e uma peça nova, estão no lugar das jogadas. O programa cria as peças sozinho.
explain-moves-count = O número de jogadas está em uma linha antes delas. Ele não se escreve neste formato.
explain-seed-late = A semente está em uma linha depois do tabuleiro. Ela fica na primeira linha, depois do tamanho.
explain-auto-moves = Depois de AUTO há algo que não é um número de jogadas.
explain-player-count = Há jogadores a mais ou a menos do que o arquivo diz.
explain-player-length = Um jogador precisa de dois números: linha e coluna.
explain-players-exchanged = Um jogador está fora do tabuleiro, mas ficaria dentro dele com a linha e a coluna trocadas. A linha vem primeiro.
explain-players-from-one-too = Os jogadores de outro jogo foram contados a partir de 1. Os deste jogo ficam dentro do tabuleiro nos dois casos; só você sabe qual vale.
explain-players-from-one = Um jogador está fora do tabuleiro. Talvez as linhas e as colunas tenham sido contadas a partir de 1, mas elas são contadas a partir de 0.
explain-player-line = A linha de um jogador tem mais do que linha e coluna.
explain-player-outside = Um jogador está em uma linha e em uma coluna que o tabuleiro não tem. As duas são contadas a partir de 0.
explain-player-row = Um jogador está em uma linha que o tabuleiro não tem. As linhas são contadas a partir de 0.
explain-player-column = Um jogador está em uma coluna que o tabuleiro não tem. As colunas são contadas a partir de 0.
explain-player-square = A casa de um jogador não está escrita com dois números.
explain-line-count = Em um tabuleiro estreito há linhas de menos ou de mais, dele ou dos jogadores.
explain-looks-like = Outro solver lê o arquivo inteiro. Provavelmente ele é para esse solver.
explain-near-miss = Um comentário parece uma diretiva, mas não está escrito como uma.
explain-directive = Uma diretiva está errada, não existe ou não é permitida.
explain-blank-file = O arquivo só tem espaços e comentários.
explain-empty-file = O arquivo está vazio.
explain-web-page = O arquivo é uma página da web, não um texto simples.
explain-header-behind = O número de jogadores não está na linha depois do tamanho.
explain-joined = Faltam espaços entre os números nas linhas do tabuleiro.
explain-split-header = A primeira linha de um jogo continua na linha seguinte.
explain-moves-early = As jogadas estão antes do tabuleiro, mas devem vir depois dele.
explain-word = Há uma palavra entre os números de uma linha.
explain-exchanged = As duas primeiras linhas do arquivo, ou de um jogo, estão na ordem errada.
explain-players-early = As casas dos jogadores estão antes do tabuleiro, mas devem vir depois dele.
explain-header-values = Dois números da primeira linha de um tabuleiro, caso ou jogo estão fora dos limites.
explain-header-word = Na primeira linha de um tabuleiro, caso ou jogo há algo que não é um número.
explain-stray-line = Uma linha tem palavras ou sinais e não faz parte de nenhum tabuleiro, caso ou jogo. Uma anotação começa com #.
explain-blank-squares = Há espaços no lugar das casas vazias de algumas linhas. Uma casa vazia é 0.
explain-square-large = Um número do tabuleiro tem mais algarismos do que o programa consegue ler.
explain-header-on-row = O cabeçalho do próximo tabuleiro está no fim da última linha de um tabuleiro. Ele deve ficar em uma linha à parte.
explain-square-digits = Uma casa tem vários algarismos. A linha tem um número para cada casa, portanto não faltam espaços nela.
explain-marker-early = Há uma linha de zeros entre dois tabuleiros. A marca de fim 0 0 fica só depois do último tabuleiro.
explain-marker-on-row = A marca de fim 0 0 está no fim da última linha de um tabuleiro. Ela deve ficar em uma linha à parte.
explain-program = O arquivo é um programa. Envie os números que o programa lê.
explain-answers = O arquivo contém respostas, isto é, a saída de um programa. Envie a entrada.
explain-lfs-pointer = O Git LFS guarda arquivos grandes em outro lugar e deixa um ponteiro. O comando git lfs pull traz o arquivo.
explain-words = O arquivo tem palavras e nenhum número.
explain-line-numbers = As linhas estão numeradas, como em um editor ou em uma página.
explain-quoted = Cada linha começa ou termina com o mesmo sinal: > como em um e-mail citado, ou o marcador de uma lista.
explain-codes = Um programa pôs algo nas linhas: os códigos de cor de um terminal, as marcas de uma página web, '\n' no fim das linhas ou os índices que o R escreve.
explain-table = Os números estão em uma tabela, com barras entre eles e traços entre as linhas.
explain-list = Os números estão entre colchetes ou chaves, como na lista ou no vetor de um programa. O arquivo deve ter só números.
explain-quotation-marks = Os números estão entre aspas, como nas tabelas que alguns programas salvam.
explain-labels = Há palavras antes dos números, como a pergunta de um programa ou o nome de um número.
explain-titles = Há palavras sozinhas em linhas no meio de um tabuleiro, caso ou jogo. Uma anotação começa com #.
explain-empty-marks = Há um sinal no lugar das casas vazias. Uma casa vazia é 0.
explain-comment-style = Um comentário usa o sinal de outra linguagem. Aqui ele começa com # ou //.
explain-mark-lines = Algumas linhas só têm sinais, como os que ficam em volta de um trecho de código ou entre dois tabuleiros.
explain-conflict = O git não conseguiu juntar duas versões do arquivo e deixou as duas nele.
explain-old-line-ends = As linhas terminam só com CR, e por isso o arquivo todo parece uma linha só.
explain-header-value = Um número da primeira linha está fora do intervalo, ou há outra coisa no lugar dele.
explain-numbers-missing = O tabuleiro tem menos números do que o cabeçalho diz.
explain-numbers-surplus = O tabuleiro tem mais números do que o cabeçalho diz.
explain-puzzle-count = Antes do primeiro tabuleiro está o número de tabuleiros. Um arquivo deste tipo não começa com ele.
explain-within-line = O próximo tabuleiro começa no meio de uma linha.

## O que mais há em um relatório

report-binary = : o arquivo tem dados binários, e não um texto simples
report-in-solver = no solver { $solver }, no item { $number }
report-while-reading = enquanto o arquivo era lido
report-place = linha { $line }, coluna { $column }
route-leads = { $route } ({ $files }) vai para { $solver }
route-grades = { $route } ({ $files }), cujos arquivos recebem nota
report-tried = Rotas tentadas, nesta ordem:
report-format = O formato está descrito em: tabuleiro solvers { $solver }
report-example = Um arquivo para { $solver } é assim:
report-save-as-text = Abra-o no programa em que foi feito e salve-o como texto simples (.txt, UTF-8).
report-save-page = Copie os números da página para um arquivo de texto simples (.txt, UTF-8), ou baixe o arquivo em vez da página.
report-type-text = Em vez disso, escreva os números em um arquivo de texto simples (.txt, UTF-8).
report-nothing-saved = Confira se o arquivo foi salvo com os números e tente de novo.
report-older-result = Um resultado antigo ainda está ao lado deste relatório: { $older }

## Para qual solver é um arquivo que o seu não consegue ler

advice-looks-like = o arquivo parece ser de { $solver } (dá para ler { $puzzles }): { $action }
advice-nobody = nenhum solver consegue ler todo o arquivo
advice-folder-or-name = coloque-o em { $folder } ou dê a ele o nome { $name }
advice-folder = coloque-o em { $folder }
advice-name = dê a ele o nome { $name }
advice-directive = escreva '#: solver = { $solver }' em vez do solver que ele indica
advice-route = escreva solver = "{ $solver }" na rota dela
advice-option = use --solver { $solver }
advice-any-folder = uma pasta { $folder }
advice-top-folder = uma pasta { $folder } diretamente na pasta de entrada
count-board = { $puzzles } { $puzzles ->
        [one] tabuleiro
       *[other] tabuleiros
    }
count-case = { $puzzles } { $puzzles ->
        [one] caso
       *[other] casos
    }
count-game = { $puzzles } { $puzzles ->
        [one] jogo
       *[other] jogos
    }
count-puzzle = { $puzzles } { $puzzles ->
        [one] item
       *[other] itens
    }

## O que há de errado numa resposta de uma entrega. Nada se diz da resposta certa.

remark-found = a resposta é { $found }
remark-unreadable = { $found } não é uma resposta
remark-no-solution = diz que não há solução
remark-too-long = a resposta é longa demais para ser lida: ela pode ter { $answer }, e uma linha dela { $line }
remark-no-memory = a resposta é longa demais para ser lida nos { $memory } de memória que pode usar (memory_limit, workers.memory_limit)
remark-behind = há { $found } depois da resposta
remark-ends = a entrega termina antes dela
remark-proves-other = diz { $claimed }, mas o que vem depois prova { $proved }
remark-not-best = a resposta { $claimed } é válida, mas não é a melhor
remark-better = prova { $proved }, mas o melhor que se conhecia era { $held }
checkers-grade-no-square = { $square } não é uma casa em que se joga
checkers-grade-no-piece = não há peça do jogador em { $square }
checkers-grade-no-capture = o salto { $step }, de { $from } para { $to }, não captura nenhuma peça
checkers-grade-no-squares = a resposta precisa do caminho: escreva as casas da peça depois do número, como 1 0,2 2,0
merge-grade-no-slide = { $found } não é uma jogada: as jogadas são E, D, C e B
merge-grade-too-many = a jogada { $slide } passa do limite: são permitidas no máximo { $most }
merge-grade-no-slides = a resposta precisa das jogadas: escreva-as depois do número, como 3 D C E
merge-grade-tiles-left = depois de { $slides } { $slides ->
        [one] jogada
       *[other] jogadas
    } restam { $tiles } peças
jump-grade-no-round = falta a rodada
jump-grade-bad-round = { $found } não é uma rodada
jump-grade-no-player = o jogo não tem jogador { $player }
jump-grade-no-squares = a resposta precisa do caminho: escreva as casas do vencedor depois da rodada, como C 2 0,2 0,5 0,8
jump-path-no-square = { $square } não está no tabuleiro (linha,coluna a partir de 0)
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
grade-at-puzzle = { $verdict } no item { $puzzle }
grade-at-line = { $verdict } no item { $puzzle } (linha { $line })
grade-puzzle = item { $puzzle }
grade-expected = deveria ser { $expected }
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
nothing-no-grade = há { $names }, mas nenhuma nota
left-archive = um arquivo compactado; descompacte-o
left-link = um link; ponha o próprio arquivo no lugar dele
left-unopened = não pode ser aberto: { $error }
left-unreadable = não pode ser lido: { $error }
grade-late = fora do prazo, que era { $deadline }
grade-attempt = tentativa { $attempt } de { $attempts_max }
grade-over-attempts = tentativa { $attempt }, mas o limite é { $attempts_max }

## O que há de errado com os tabuleiros de uma resposta de 2048-astar

astar-grade-no-size = o tabuleiro { $board } deveria começar com o seu tamanho, mas há { $found }
astar-grade-row-count = o tabuleiro { $board } tem { $rows } { $rows ->
        [one] linha
       *[other] linhas
    }, mas o seu tamanho é { $size }
astar-grade-row-length = a linha { $row } do tabuleiro { $board } tem { $numbers } { $numbers ->
        [one] número
       *[other] números
    }, mas o tamanho do tabuleiro é { $size }
astar-grade-no-tile = { $found } no tabuleiro { $board } não é 0 nem uma potência de dois a partir de 2
astar-grade-other-size = o tabuleiro { $board } tem tamanho { $found }, mas o da entrada tem { $size }
astar-grade-not-the-first = o primeiro tabuleiro não é o da entrada
astar-grade-no-swipe = nenhuma jogada leva do tabuleiro anterior ao tabuleiro { $board }
astar-grade-no-change = a jogada que leva ao tabuleiro { $board } não muda nada, por isso não é válida
astar-grade-new-tile = no tabuleiro { $board } o novo 2 não está na casa vazia mais alta da coluna da direita
astar-grade-no-room = a jogada que leva ao tabuleiro { $board } não deixa casa vazia na coluna da direita, por isso não é válida
astar-grade-not-won = o último tabuleiro não tem peça de { $goal }
astar-grade-goes-on = o tabuleiro { $board } já venceu, e depois dele há outros
astar-grade-no-boards = a resposta precisa do caminho: escreva os tabuleiros depois do número de jogadas

## O que há de errado com uma resposta de 2048-game

game-grade-other-piece = a linha { $step } da transcrição não tem a peça que a semente dá ali
game-grade-other-move = a linha { $step } da transcrição não tem a jogada que o jogo tem ali
game-grade-surplus = a linha { $step } da transcrição vem depois da última jogada do jogo
game-grade-short = a transcrição termina depois de { $step } { $step ->
        [one] linha
       *[other] linhas
    }, antes do jogo
game-grade-opening = a linha { $step } da transcrição deveria ser uma peça do começo do jogo, com um + antes dela
game-grade-no-move = a linha { $step } da transcrição não tem jogada
game-grade-too-long = a transcrição tem mais de { $moves } jogadas, o máximo que se confere em um tabuleiro deste tamanho
game-grade-no-effect = a jogada na linha { $step } da transcrição não muda nada
game-grade-lacks = a resposta está sem { $what }
game-grade-score-line = a linha score
game-grade-max-line = a linha max
game-grade-board = o tabuleiro
game-grade-two-parts = { $first } e { $second }
game-grade-three-parts = { $first }, { $second } e { $third }
game-grade-no-transcript = um jogo que AUTO joga precisa da transcrição: acrescente uma linha para cada peça do começo (+ 0 1 2) e para cada jogada (D 1 0 2)
game-grade-goes-on = a transcrição termina depois de { $moves } { $moves ->
        [one] jogada
       *[other] jogadas
    }, e o jogo continua: jogue até o fim, ou até o número de jogadas que AUTO permite
game-grade-twice = { $key } aparece duas vezes
game-grade-surplus-row = a linha { $row } do tabuleiro está sobrando
game-grade-transcript-required = a resposta precisa da transcrição do jogo: uma linha para cada peça nova e cada jogada
game-grade-rows = o tabuleiro termina depois de { $rows } { $rows ->
        [one] linha
       *[other] linhas
    }

## Arquivos compactados

archive-no-archive = não é um arquivo .zip, ou é só uma parte de um; faça-o de novo como .zip simples
archive-directory = o .zip está danificado: a lista de arquivos não corresponde ao conteúdo; faça-o de novo
archive-too-many = o .zip tem mais de { $members_max } arquivos; divida-o em vários
archive-doubled = dois arquivos do .zip têm o nome { $name }; faça-o de novo
archive-overlap = há arquivos sobrepostos no .zip, o que nenhum programa comum faz; faça-o de novo
archive-nested = não lido: um arquivo compactado dentro do .zip; descompacte-o e ponha os arquivos dele no .zip
archive-link = não lido: um link; ponha no .zip o arquivo para o qual ele aponta
archive-special = não lido: não é um arquivo, e sim um dispositivo, um pipe ou algo assim; deixe-o de fora
archive-encrypted = não lido: exige uma senha; compacte-o sem senha
archive-method = não lido: compactado pelo método { $method }; faça o .zip de novo como .zip simples
archive-outside = não lido: o caminho leva para fora do .zip (começa com / ou com uma unidade, ou tem uma barra invertida ou uma parte vazia, . ou ..); compacte a pasta em que o arquivo está
archive-encoding = não lido: o nome não está no UTF-8 que o .zip anuncia; dê ao arquivo um nome simples
archive-long-name = não lido: o caminho, ou um nome nele, tem mais de { $bytes_max } bytes; dê ao arquivo um mais curto
archive-deep = não lido: está a mais de { $depth_max } pastas de profundidade; compacte-o em menos pastas
archive-too-large = não lido: os arquivos do .zip, descompactados, têm juntos mais de { $size_max }, e este é um dos maiores; entregue-o separado
archive-damaged = não lido: está danificado e não dá o que o .zip anuncia; compacte-o de novo
submission-form = uma resposta é uma linha: um número ou uma palavra
checkers-grade-form = uma resposta é um número como 7, sozinho ou antes das casas da peça: 7 7,3 5,5 …
merge-grade-form = uma resposta é um número de jogadas como 3, sozinho ou antes das jogadas (3 D C E), ou: no solution
astar-grade-form = uma resposta é o número de jogadas, sozinho ou antes dos tabuleiros do caminho, os tabuleiros, ou: unsolvable
game-grade-form = uma resposta tem as linhas score 24 e max 16 e o tabuleiro, em qualquer ordem; moves, over, seed e a transcrição podem vir junto
jump-grade-form = uma resposta é o vencedor e a rodada, como C 3, em uma linha ou duas, ou: SEM VENCEDORES

## Páginas

page-answers = Respostas de { $file }
page-grade = Nota de { $file }
page-report = { $file } foi rejeitado
page-counts = { $puzzles } { $puzzles ->
        [one] item
       *[other] itens
    }, { $invalid } { $invalid ->
        [one] inválido
       *[other] inválidos
    }, { $undecided } sem decisão
page-puzzle = Item { $number }, linha { $line }
page-left-out = { $drawn } de { $puzzles } itens aparecem aqui: primeiro os inválidos, os sem decisão e os errados, depois as maiores respostas, depois os primeiros.
page-too-large = Um desenho deste seria grande demais para uma página.
page-too-long = Esta resposta é longa demais para ser desenhada.
page-no-time = Não sobrou tempo para desenhar este.
page-not-drawn = Este não pôde ser desenhado, o que é um defeito do programa e não do arquivo; por favor, comunique o caso.
page-full = A página está cheia; este não foi desenhado.
page-theirs = A sua resposta
page-ours = A resposta certa
page-previous = anterior
page-next = próximo
page-top = início
page-text = texto
page-index = índice
page-rejected = Rejeitado
page-no-witness = Este resultado não diz como se chega à resposta. Resolva com witness = true para ver as jogadas.
page-made = Feito por tabuleiro { $version }.

## Figuras de tabuleiros de peças

grid-whole = tudo
grid-play = animar
grid-too-large = O tabuleiro é grande demais para ser desenhado casa por casa.
grid-overview = O tabuleiro é grande demais para desenhar as casas; só o caminho aparece, a partir do ponto.
grid-cut = Estão desenhados os primeiros { $drawn } de { $jumps } saltos.
grid-sampled = Aparece um em cada { $stride } passos.
grid-differs = ≠ As duas respostas diferem pela primeira vez no passo { $step }.
tiles-picture-rows = Linha por linha: { $rows }.
tiles-picture-size = { $size } { $size ->
        [one] casa
       *[other] casas
    } de lado, com { $tiles } { $tiles ->
        [one] peça
       *[other] peças
    }.
tiles-picture-next = a seguir { $step }
tiles-picture-letters = mais { $letters } { $letters ->
        [one] letra foi omitida
       *[other] letras foram omitidas
    }
tiles-picture-legend-next = E esquerda, D direita, C cima, B baixo. Contorno: peças que se juntam a seguir.
tiles-picture-legend = E esquerda, D direita, C cima, B baixo. Contorno: peças que se juntaram. Tracejado: peças novas.
merge-picture-asks = Quantas jogadas, no mínimo, juntam todas as peças em uma, com até { $most }?
merge-picture-merges = { $slides } { $slides ->
        [one] jogada junta
       *[other] jogadas juntam
    } tudo em { $value }.
merge-picture-done = Nenhuma jogada é necessária.
merge-picture-no-solution = { $most } { $most ->
        [one] jogada não junta
       *[other] jogadas não juntam
    } tudo em uma peça.
merge-picture-best = { $slides } { $slides ->
        [one] jogada junta
       *[other] jogadas juntam
    } tudo; não se sabe se menos bastam.
merge-picture-title = Tabuleiro de peças, { $size } x { $size }
merge-picture-tiles-left = Depois de { $slides } { $slides ->
        [one] jogada
       *[other] jogadas
    } restam { $tiles } peças.
merge-picture-no-change = { $letter } não muda nada
astar-picture-asks = Quantas jogadas, no mínimo, fazem uma peça de { $goal }?
astar-picture-wins = { $moves } { $moves ->
        [one] jogada faz
       *[other] jogadas fazem
    } uma peça de { $goal }.
astar-picture-wins-at-least = { $moves } { $moves ->
        [one] jogada faz
       *[other] jogadas fazem
    } uma peça de { $goal }; menos de { $least } não bastam.
astar-picture-done = Já há uma peça de { $goal }.
astar-picture-unsolvable = Nenhuma sequência de jogadas faz uma peça de { $goal }.
astar-picture-title = Tabuleiro de 2048, { $size } x { $size }
astar-picture-scores = distance { $distance } · left { $left }
astar-picture-legend = distance e left são as avaliações distance_weighted e left_weighted de um tabuleiro.
astar-picture-no-move = A jogada { $number }, { $letter }, não é válida; o último tabuleiro é o de antes dela.
astar-picture-not-won = Nenhuma peça chegou a { $goal }.
game-picture-asks = Como termina o jogo com a semente { $seed }?
game-picture-over = O jogo acaba depois de { $moves } { $moves ->
        [one] jogada
       *[other] jogadas
    }: { $score } pontos, maior peça { $largest }.
game-picture-open = Depois de { $moves } { $moves ->
        [one] jogada
       *[other] jogadas
    } o jogo continua: { $score } pontos, maior peça { $largest }.
game-picture-title = Jogo de 2048, { $size } x { $size }
game-picture-score = { $score } pontos
game-picture-bad-line = A linha { $number } do jogo, { $line }, quebra uma regra. O jogo está desenhado até ela.

## A página do serviço

site-title = Tabuleiro: arquivos e respostas
site-written = Escrita em { $time } pelo tabuleiro { $version }, quando algo mudou.
site-reload = Recarregar
site-starting = O serviço está começando.
site-stopped = O serviço parou: nenhum arquivo é recebido até que ele seja iniciado de novo.
site-paused = Por enquanto nenhum arquivo é recebido, porque um disco está quase cheio. O serviço volta sozinho quando houver espaço.
site-now = Agora
site-idle = Nenhum arquivo está esperando, e nenhum está sendo respondido.
site-queued = espera a sua vez
site-progress = { $percent } %, { $puzzles } { $puzzles ->
        [one] item respondido
       *[other] itens respondidos
    }, há { $seconds } s
site-more-in-hand = mais { $files } { $files ->
        [one] arquivo
       *[other] arquivos
    } em andamento, não listados aqui
site-incomplete = { $files } { $files ->
        [one] arquivo ainda não está completo
       *[other] arquivos ainda não estão completos
    }: alguém ainda está escrevendo
site-waiting = pelo menos mais { $files } { $files ->
        [one] espera
       *[other] esperam
    } a vez de entrar
site-may-be-more = pode haver mais arquivos esperando
site-jobs = Últimos arquivos
site-no-jobs = Nenhum arquivo foi respondido ainda.
site-private = Os nomes e as respostas não aparecem aqui: são só para quem enviou cada arquivo.
site-ended = terminou ({ $offset })
site-file = arquivo
site-outcome = respostas
site-outputs = resultados
site-rejected = rejeitado
site-puzzles = { $puzzles } { $puzzles ->
        [one] item
       *[other] itens
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
site-page = página
site-gone = não existe mais
site-not-taken = Não recebidos
site-denied = as permissões, dele ou de uma pasta no caminho, não deixam o serviço recebê-lo. Quem cuida do serviço vê o que fazer com: { $command }
site-other-mount = esta pasta não está no mesmo disco que a do serviço, e por isso nada é recebido dela; ponha os arquivos em outro lugar da caixa de entrada
site-service = Serviço
site-since = Desde { $time }:
site-answered = { $files } { $files ->
        [one] arquivo respondido
       *[other] arquivos respondidos
    } ({ $puzzles } { $puzzles ->
        [one] item
       *[other] itens
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
        [one] item resolvido
       *[other] itens resolvidos
    } lá.
site-no-workers = Nenhum trabalhador em outra máquina está conectado: tudo é resolvido aqui; antes, { $puzzles } { $puzzles ->
        [one] item resolvido
       *[other] itens resolvidos
    } lá.
site-no-broker = O broker não responde: tudo é resolvido aqui; antes, { $puzzles } { $puzzles ->
        [one] item resolvido
       *[other] itens resolvidos
    } por trabalhadores em outras máquinas.
site-disk-of-results = livre para resultados
site-disk-of-service = livre para o serviço

## O jogo no terminal

play-head = pontos { $score }  recorde { $best }  jogadas { $moves }  semente { $seed }
play-keys = setas, WASD ou HJKL movem  ? ajuda  Q sai
play-keys-move = setas, WASD ou HJKL   mover
play-keys-program = P   deixar o programa jogar
play-keys-hint = T   pedir uma dica
play-keys-undo = U   desfazer a jogada
play-keys-new = N   começar um jogo novo
play-keys-quit = Q   sair
play-marks = [4] acabou de se juntar, (2) é nova
play-game-over = fim de jogo: a maior peça é { $largest }
play-too-small = o terminal é pequeno demais:
play-needed = precisa de { $columns } x { $rows }
play-taken-back = desfeita
play-nothing-to-take-back = não há jogada para desfazer
play-new-game = jogo novo; u volta ao anterior
play-over = o jogo acabou
play-no-change = mover para { $direction } não muda nada
play-moved = o programa moveu para { $direction }
play-hint = tente mover para { $direction }
play-no-move = o programa não tem jogada: { $stop }
play-left = a esquerda
play-right = a direita
play-up = cima
play-down = baixo
play-ended = { $score } pontos, { $moves } { $moves ->
        [one] jogada
       *[other] jogadas
    }, semente { $seed }

## O que está sendo resolvido: na página, no registro, em `status`

progress-solving = item { $number }, há { $seconds } s{ $limit }
progress-solving-of = item { $number } de { $of }, há { $seconds } s{ $limit }
progress-limit = {" "}de no máximo { $seconds } s
progress-limit-passed = {" "}de no máximo { $seconds } s, sem contar a espera por memória

## O registro. `log-NOME` é o evento desse nome, e seus argumentos são campos do evento.

log-error = erro
log-warning = aviso
log-starting = entrada { $inbox }, saída { $outbox }; { $routes } { $routes ->
        [one] rota
       *[other] rotas
    }; para parar: { $stop }
log-ready = pronto
log-recovering = terminando { $files } { $files ->
        [one] arquivo
       *[other] arquivos
    } da execução anterior
log-stopping = parando; { $in_hand ->
        [0] nenhum arquivo em andamento
        [one] 1 arquivo em andamento
       *[other] { $in_hand } arquivos em andamento
    }, no máximo { $timeout_s } s
log-putting-back = devolvendo { $in_hand } { $in_hand ->
        [one] arquivo
       *[other] arquivos
    } à caixa de entrada: { $reason }
log-stopped = parado; desde o início: respondidos: { $answered }, com nota: { $graded }, rejeitados: { $rejected }
log-members = { $members } { $members ->
        [one] arquivo
       *[other] arquivos
    }
log-name-taken = em { $result }, porque { $name_taken } é de outro arquivo
log-again = de novo
log-graded = nota { $points }
log-first-wrong = primeiro erro: { $first_wrong }
log-not-graded = { $puzzles } sem nota
log-late = fora do prazo
log-over-attempts = além das tentativas que contam
log-rejected = rejeitado: { $reason }
log-refuted = esta entrega refuta uma resposta do programa; por favor, avise os autores
log-in-progress = { $per_cent } %, respondidos: { $puzzles }, há { $running_s } s
log-invalid-puzzle = inválido: { $reason }
log-undecided-puzzle = sem decisão: { $limit }
log-ignored = ignorado: { $what }
log-file-warning = aviso: { $what }
log-further = { $what ->
        [invalid] inválidos a mais: { $more }
        [rejected] rejeitados a mais: { $more }
        [lacking] sem nada para avaliar: mais { $more }
       *[warnings] avisos a mais: { $more }
    }
log-rejected-member = rejeitado: { $reason }
log-nothing-to-grade = nada para avaliar em { $folder }: { $reason }
log-put-back = devolvido à caixa de entrada: { $reason }
log-not-published = não concluído, haverá nova tentativa: { $reason }
log-left-claimed = a tarefa { $id } fica na pasta de trabalho até o próximo início
log-owner-lost = aviso: mudou o tempo todo; o dono não pode ler o resultado, porque a cópia não pôde ser dada a ele
log-outdated-output = aviso: { $older }, de uma resposta anterior, não pode ser apagado; apague-o à mão: { $reason }
log-not-taken = não recebido: { $reason }
log-reloaded = configuração recarregada: { $routes } { $routes ->
        [one] rota
       *[other] rotas
    }
log-reload-refused = configuração não recarregada, a antiga continua valendo: { $reason }
log-restart-needed = as chaves alteradas só valem depois de reiniciar: { $keys }
log-paused = por enquanto nada é recebido da caixa de entrada: { $reason }
log-resumed = há espaço de novo, recebendo arquivos da caixa de entrada
log-polling = listando a caixa de entrada a cada { $interval }, sem depender de eventos: { $reason }
log-events-work = os eventos voltaram a funcionar
log-events-lost = eventos se perderam, listando toda a caixa de entrada
log-watches-cut = só { $watches } pastas são observadas; os arquivos das outras são achados pela listagem a cada { $interval } (intake.rescan_interval)
log-inbox-replaced = a caixa de entrada é uma pasta nova, que passa a ser observada
log-removed = { $files ->
        [one] 1 arquivo antigo apagado
       *[other] { $files } arquivos antigos apagados
    } de { $folder }: { $bytes }
log-not-removed = não é possível apagar arquivos antigos de { $folder }: { $reason }
log-no-history = não é possível gravar o histórico em { $folder }, o trabalho continua sem ele: { $reason }
log-history-works = o histórico voltou a ser gravado
log-no-progress = sem progresso, e por isso o watchdog não é avisado; funcionam: intake { $intake }, publisher { $publisher }, jobs { $jobs }
log-reference-solved = referência { $reference } resolvida: { $puzzles } { $puzzles ->
        [one] item
       *[other] itens
    }
log-reference-undecided = referência { $reference } resolvida; { $undecided } dos seus { $puzzles } itens { $undecided ->
        [one] ficou sem decisão e não vale nota
       *[other] ficaram sem decisão e não valem nota
    }
log-reference-unsettled = as entregas de { $route } esperam: a referência { $reference } { $reason }
log-submissions-wait = as entregas de { $route } esperam: { $reason }
log-metrics-served = as métricas estão em http://{ $address }/metrics
log-metrics-not-served = não é possível servir as métricas em { $address }: { $reason }
log-no-textfile = não é possível gravar as métricas em { $path }: { $reason }
log-no-page = não é possível gravar a página: { $reason }
log-page-works = a página voltou a ser gravada
log-no-socket = não é possível consultar o serviço: socket de controle { $socket }: { $reason }
log-broker-connected = conectado ao broker { $broker }
log-broker-lost = { $reason }; tudo é resolvido aqui até ele voltar
log-worker-came = o trabalhador { $worker } se conectou: { $threads } { $threads ->
        [one] thread
       *[other] threads
    }
log-worker-went = o trabalhador { $worker } saiu
log-worker-died = o processo de um trabalhador morreu com { $puzzles } { $puzzles ->
        [one] item
       *[other] itens
    } em andamento; de agora em diante são enviados um a um

