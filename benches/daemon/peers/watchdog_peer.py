"""A typical home-made script: the Python package watchdog calls a program for every file.

    watchdog_peer.py INBOX OUTBOX PROGRAM…
"""

import os
import subprocess
import sys
import time

from watchdog.events import FileSystemEventHandler
from watchdog.observers import Observer

inbox, outbox, program = sys.argv[1], sys.argv[2], sys.argv[3:]


class Answer(FileSystemEventHandler):
    def answer(self, path):
        name = os.path.basename(path)
        with open(os.path.join(outbox, name.replace("entrada", "saida")), "wb") as result:
            subprocess.run([*program, path], stdout=result, check=False)
        os.remove(path)

    def on_closed(self, event):
        self.answer(event.src_path)

    def on_created(self, event):
        # For watchdog, a file that is renamed into the folder is created and never closed.
        if not event.is_directory:
            self.answer(event.src_path)


observer = Observer()
observer.schedule(Answer(), inbox)
observer.start()
print("ready", flush=True)
while True:
    time.sleep(60)
