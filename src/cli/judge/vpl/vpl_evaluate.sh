#!/bin/bash
# Moodle's VPL runs this to make vpl_execution, and then that. Upload the files of this folder as execution files, and mark
# `tabuleiro`, `entrada.txt` and `program.sh` as files to keep when running.
#
# tabuleiro reads and solves the reference and lets nobody look into itself. Then everything is removed that the student's
# program may neither read nor use, before the program is compiled.
cat > vpl_execution << 'END'
#!/bin/sh
exec ./tabuleiro grade {flags} --format vpl \
  --run 'rm -f tabuleiro entrada.txt vpl_*; exec setsid -w sh ./program.sh 2> /dev/null' entrada.txt
END
chmod +x vpl_execution tabuleiro
