#!/usr/bin/env python3
"""check_licences.py: whether the licence and the source of each crate is one that deny.toml allows.

Run in the top folder. Prints the crates that are not allowed and exits with 1 if there are any.
`cargo deny check` does the same and asks for security advisories, but takes minutes to install.
"""
import json, re, subprocess, sys, tomllib

with open("deny.toml", "rb") as file:
    ALLOWED = set(tomllib.load(file)["licenses"]["allow"])
REGISTRY = "registry+https://github.com/rust-lang/crates.io-index"


def is_allowed(expression):
    """Reads an SPDX expression, whose `AND` binds closer than `OR`; `/` is an old form of `OR`."""
    words = re.findall(r"[()]|[\w.+-]+", expression.replace("/", " OR "))

    def either():
        found = both()
        while words and words[0] == "OR":
            words.pop(0)
            found = both() or found
        return found

    def both():
        found = one()
        while words and words[0] == "AND":
            words.pop(0)
            found = one() and found
        return found

    def one():
        word = words.pop(0)
        if word == "(":
            found = either()
            words.pop(0)
            return found
        if words and words[0] == "WITH":
            word += " WITH " + words[1]
            del words[:2]
        return word in ALLOWED

    return either()


command = ["cargo", "metadata", "--locked", "--format-version", "1"]
command += ["--filter-platform", "x86_64-unknown-linux-gnu"]
packages = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["packages"]
refused = [
    f"{package['name']} {package['version']}: licence {package['license']}, source {package['source']}"
    for package in packages
    if not is_allowed(package["license"] or "none") or package["source"] not in (None, REGISTRY)
]
print(*refused, f"{len(packages)} crates, {len(refused)} not allowed", sep="\n")
sys.exit(bool(refused))
