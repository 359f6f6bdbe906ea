#!/bin/sh
# Compiles and runs the student's program: the puzzles come on standard input, and what it prints is graded. Change it to what
# your course expects. Nothing else is left in reach of the program when it begins.
seconds=10
if ls ./*.c > /dev/null 2>&1; then
  gcc -O2 -o ./student_program ./*.c -lm && set -- ./student_program
elif ls ./*.cpp > /dev/null 2>&1; then
  g++ -O2 -o ./student_program ./*.cpp && set -- ./student_program
elif ls ./*.java > /dev/null 2>&1; then
  javac ./*.java && set -- java Main
elif ls ./*.py > /dev/null 2>&1; then
  set -- python3 "$(ls ./*.py | head -n 1)"
fi
[ $# -gt 0 ] || { echo "no program that can be run" >&2; exit 1; }
exec timeout -k 1 "$seconds" "$@"
