#!/usr/bin/env python3
"""careless.py HOME AFTER - the control of the bench: a program that executes a mail without a journal.

It puts the files that a right run leaves (AFTER is a home after one) into HOME, one after the other
and in place, and then takes the mail out of the spool. Undisturbed it leaves what is right; ended
between two files it does not, and a bench that does not say so sees nothing.
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
                with open(source, "rb") as one, open(target, "wb") as other:
                    other.write(one.read())
for name in os.listdir(os.path.join(home, "spool/new")):
    os.remove(os.path.join(home, "spool/new", name))
