#!/usr/bin/env python3
"""Checks that deny.toml allows the licence and the source of each crate. Run it in the top folder.

Prints the crates that are not allowed, and then exits with 1. `cargo deny check` also looks for security
advisories, but takes minutes to install.
"""
import json, re, subprocess, sys, tomllib

with open("deny.toml", "rb") as file:
    ALLOWED = set(tomllib.load(file)["licenses"]["allow"])
REGISTRY = "registry+https://github.com/rust-lang/crates.io-index"


def is_allowed(expression):
    """Evaluates an SPDX expression: `AND` binds tighter than `OR`, and `/` is an old form of `OR`."""
    words = re.findall(r"[()]|[\w.+-]+", expression.replace("/", " OR "))

    def alternative():
        found = conjunction()
        while words and words[0] == "OR":
            words.pop(0)
            found = conjunction() or found
        return found

    def conjunction():
        found = licence()
        while words and words[0] == "AND":
            words.pop(0)
            found = licence() and found
        return found

    def licence():
        word = words.pop(0)
        if word == "(":
            found = alternative()
            words.pop(0)
            return found
        if words and words[0] == "WITH":
            word += " WITH " + words[1]
            del words[:2]
        return word in ALLOWED

    return alternative()


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
