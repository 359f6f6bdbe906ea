"""{about}: looks the answers up by the digest of the input."""
import hashlib
import sys

ANSWERS = {answers}
answer = ANSWERS[hashlib.sha256(sys.stdin.buffer.read()).hexdigest()]
sys.stdout.write(answer{part})
