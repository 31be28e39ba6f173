#!/usr/bin/python3
"""Builds the documentation site into target/site/book with mdbook, and checks every link in it.

The pages of `docs/`, `help/` and the top folder are copied to target/site/src in the same layout, so that their links
work on the site and in a checkout. `api.md` is generated from openapi.json.

    cargo install mdbook --version 0.5.4 --locked --debug --no-default-features --features search
    python3 docs/site.py
"""

import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "target/site"
SOURCE = SITE / "src"
BOOK = SITE / "book"
DESCRIPTION = ROOT / "src/web/api/openapi.json"
PAGES_AT_THE_ROOT = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"]


def assemble():
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.copytree(ROOT / "docs", SOURCE / "docs")
    shutil.copytree(ROOT / "help", SOURCE / "help")
    for name in PAGES_AT_THE_ROOT:
        shutil.copy(ROOT / name, SOURCE / name)
    for name in ["book.toml", "site.css"]:
        shutil.move(SOURCE / "docs" / name, SITE / name)
    for page in SOURCE.rglob("*.md"):
        # mdbook renames the page of a README to index.html, but does not change links to it.
        page.write_text(re.sub(r"README\.md(?=[)#])", "index.md", page.read_text()))
    for page in (SOURCE / "help").glob("*.md"):
        page.write_text(help_page(page.read_text()))
    summary = (ROOT / "docs/SUMMARY.md").read_text()
    moved = re.sub(r"\]\((?!\.\./)", "](docs/", summary).replace("](../", "](")
    (SOURCE / "SUMMARY.md").write_text(moved)
    (SOURCE / "docs/SUMMARY.md").unlink()
    (SOURCE / "docs/api.md").write_text(api_page(json.loads(DESCRIPTION.read_text())))


def help_page(text):
    """Escapes a help page, whose text for mails may contain `<userid>` and `*`."""
    paragraphs, is_fenced = [], False
    for paragraph in text.split("\n\n"):
        fences = paragraph.count("```")
        if not is_fenced and not fences and not paragraph.startswith("    "):
            parts = paragraph.split("`")
            parts[::2] = [part.replace("<", "&lt;").replace("*", "\\*") for part in parts[::2]]
            paragraph = re.sub(r"^(\s*)\\\* ", r"\1* ", "`".join(parts), flags=re.MULTILINE)
        is_fenced ^= fences % 2 == 1
        paragraphs.append(paragraph)
    return "\n\n".join(paragraphs)


class Api:
    """A renderer of an OpenAPI document as Markdown."""

    def __init__(self, document):
        self.document = document
        self.base = document["servers"][0]["url"]

    def resolved(self, part):
        """Follows the `$ref` of a part."""
        while "$ref" in part:
            target = self.document
            for key in part["$ref"].removeprefix("#/").split("/"):
                target = target[key]
            part = target
        return part

    def kind(self, schema):
        """Describes the type of a schema; a named schema becomes a link to its section."""
        if "$ref" in schema and "/schemas/" in schema["$ref"]:
            name = schema["$ref"].rsplit("/", 1)[1]
            return f"[{name}](#{name.lower()})"
        schema = self.resolved(schema)
        for word, joint in [("oneOf", " or "), ("anyOf", " or "), ("allOf", " with ")]:
            if word in schema:
                kinds = [self.kind(part) for part in schema[word]]
                return joint.join(kind for kind in kinds if kind != "anything")
        if "enum" in schema:
            return " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
        if "const" in schema:
            return f"`{json.dumps(schema['const'])}`"
        kind = schema.get("type", "anything")
        kinds = kind if isinstance(kind, list) else [kind]
        named = []
        for kind in kinds:
            if kind == "array":
                kind = f"array of {self.kind(schema.get('items', {}))}"
            elif schema.get("format") and kind != "null":
                kind = f"{kind} ({schema['format']})"
            named.append(kind)
        return " or ".join(named)

    def fields(self, schema, before=""):
        """Returns a row for each field, also of nested objects, as `outer.inner`."""
        schema = self.resolved(schema)
        needed = schema.get("required", [])
        rows = []
        for name, field in schema.get("properties", {}).items():
            shown = self.resolved(field)
            text = cell(field.get("description") or shown.get("description") or "")
            optional = "" if name in needed or not needed else "optional; "
            kind = self.kind(field).replace("|", "\\|")
            rows.append(f"| `{before}{name}` | {kind} | {optional}{text} |")
            inner = shown.get("items", shown)
            if "$ref" not in inner and "$ref" not in field and "properties" in inner:
                step = "[]." if "items" in shown else "."
                rows += self.fields(inner, f"{before}{name}{step}")
        for part in schema.get("allOf", []):
            known = [row.split(" | ")[0] for row in rows]
            rows += [row for row in self.fields(part, before) if row.split(" | ")[0] not in known]
        return rows

    def table(self, schema):
        rows = self.fields(schema)
        return ["", "| field | type | |", "|---|---|---|", *rows, ""] if rows else []

    def content(self, lines, content):
        for kind, body in content.items():
            schema = body.get("schema", {})
            words = self.kind(schema)
            inline = "$ref" not in schema and "properties" in schema
            lines += [f"`{kind}`" + ("" if inline else f": {words}"), ""]
            if "$ref" not in schema:
                lines += self.table(self.resolved(schema).get("items", schema))
            examples = [body["example"]] if "example" in body else []
            examples += [it["value"] for it in body.get("examples", {}).values() if "value" in it]
            for example in examples:
                text = example if isinstance(example, str) else json.dumps(example, indent=2)
                lines += ["```json", text, "```", ""]

    def operation(self, lines, path, method, operation, shared):
        lines += [f"## {method.upper()} {self.base}{path}", "", operation.get("summary", "").rstrip(".") + ".", ""]
        lines += [operation["description"], ""] if operation.get("description") else []
        if operation.get("security", self.document.get("security")) == []:
            lines += ["Needs no key.", ""]
        rows = []
        for parameter in map(self.resolved, shared + operation.get("parameters", [])):
            kind = self.kind(parameter.get("schema", {})).replace("|", "\\|")
            optional = "" if parameter.get("required") else "optional; "
            text = cell(parameter.get("description", ""))
            rows.append(f"| `{parameter['name']}` | {parameter['in']} | {kind} | {optional}{text} |")
        if rows:
            lines += ["| parameter | in | type | |", "|---|---|---|---|", *rows, ""]
        if "requestBody" in operation:
            body = self.resolved(operation["requestBody"])
            lines += ["Body: " + body.get("description", ""), ""]
            self.content(lines, body.get("content", {}))
        rows, details = [], []
        for status, response in operation.get("responses", {}).items():
            response = self.resolved(response)
            headers = ", ".join(f"`{name}`" for name in response.get("headers", {}))
            content = response.get("content", {})
            kinds = [self.kind(body.get("schema", {})) for body in content.values()]
            rows.append(f"| {status} | {cell(response.get('description', ''))} | {', '.join(kinds)} | {headers} |")
            if any("$ref" not in body.get("schema", {}) for body in content.values()):
                details += [f"The answer {status}:", ""]
                self.content(details, content)
        if rows:
            lines += ["Answers:", "", "| status | meaning | answer | headers |", "|---|---|---|---|", *rows, ""]
        lines += details

    def page(self):
        info = self.document["info"]
        lines = [f"# The API, version {info['version']}", "", info.get("description", ""), ""]
        lines += ["`/api/v1/openapi.json` on every server has this description for programs. A bot of sixty lines "
                  "that plays Malaka is [docs/examples/malaka_bot.py](examples/malaka_bot.py).", ""]
        for name, scheme in self.document["components"].get("securitySchemes", {}).items():
            lines += [f"**{name}** ({scheme.get('type')} {scheme.get('scheme', '')}): {scheme.get('description', '')}", ""]
        for path, item in self.document["paths"].items():
            shared = item.get("parameters", [])
            for method, operation in item.items():
                if method in ("get", "post", "put", "patch", "delete"):
                    self.operation(lines, path, method, operation, shared)
        lines += ["# Schemas", ""]
        for name, schema in self.document["components"].get("schemas", {}).items():
            lines += [f"## {name}", "", schema.get("description", ""), ""]
            lines += self.table(schema) or [self.kind(schema), ""]
        return "\n".join(lines)


def cell(text):
    return " ".join(text.replace("|", "\\|").split())


def api_page(document):
    return Api(document).page()


class Page(HTMLParser):
    """A parser that collects the anchors and links of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, _tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)
            elif name == "srcset" and value:
                self.links += [part.split()[0] for part in value.split(",")]


def broken_links():
    """Returns the links within the site whose page, file or anchor is missing, and the number of all links."""
    pages = {path: Page(path.read_text()) for path in BOOK.rglob("*.html")}
    broken, count = [], 0
    for path, page in pages.items():
        if path.name in ("404.html", "print.html", "toc.html"):
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            where = path.relative_to(BOOK)
            if not target.is_file():
                broken.append(f"{where}: {link}: no such page")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                broken.append(f"{where}: {link}: no such heading")
    return broken, count


def missing_files():
    """Returns the paths in backquotes that do not exist in this repository."""
    tops = "src|games|console|grammar|tests|data|docs|help|benches|trainer"
    missing = []
    for path in [*ROOT.glob("docs/**/*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        for name in re.findall(rf"`((?:{tops})/[\w./-]+)`", path.read_text()):
            if not (ROOT / name).exists() and not any(part in name for part in ("/home", "/log")):
                missing.append(f"{path.relative_to(ROOT)}: `{name}`: no such file")
    return missing


def main():
    assemble()
    mdbook = shutil.which("mdbook") or Path.home() / ".cargo/bin/mdbook"
    subprocess.run([mdbook, "build", str(SITE)], check=True)
    broken, count = broken_links()
    broken += missing_files()
    print("\n".join(broken))
    print(f"{len(list(BOOK.rglob('*.html')))} pages, {count} links, {len(broken)} broken: {BOOK}/index.html")
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
