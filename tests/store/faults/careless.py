#!/usr/bin/env python3
"""careless.py HOME AFTER - the control of sysfault.py: executes a mail without a journal.

Copies the files of AFTER, a home after a correct run, into HOME one by one and in place, and then removes the mail
from the spool. If it is ended between two files, it leaves a wrong state, which the bench must report.
"""
import os, shutil, sys

home, after = sys.argv[1:]
for folder in ("boards", "users", "outbox/new", "seen"):
    for path, _, names in os.walk(os.path.join(after, folder)):
        there = os.path.join(home, os.path.relpath(path, after))
        os.makedirs(there, exist_ok=True)
        for name in names:
            source, target = os.path.join(path, name), os.path.join(there, name)
            if os.path.islink(source):
                if not os.path.lexists(target):
                    os.symlink(os.readlink(source), target)
            else:
                with open(source, "rb") as original, open(target, "wb") as copy:
                    copy.write(original.read())
for name in os.listdir(os.path.join(home, "spool/new")):
    os.remove(os.path.join(home, "spool/new", name))
