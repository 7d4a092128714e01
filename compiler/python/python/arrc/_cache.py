"""Compiled programs on disk, by what they were made of.

Invariant: this build of the compiler made a cached program, for this processor, from the same texts with the same
options, and each import means the same file as then. If anything is wrong with a file of the cache, the program is compiled again. Only the user can write there.
"""

import hashlib
import json
import os
import pathlib
import tempfile

from . import _arrc

#: Names the folder; empty: nothing is kept.
VARIABLE = "ARRC_CACHE"
#: The most programs that are kept.
MOST = 1000


def folder():
    """The folder, or None if nothing is kept."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return pathlib.Path(named) if named else None
    home = os.environ.get("XDG_CACHE_HOME")
    try:
        return (pathlib.Path(home) if home else pathlib.Path.home() / ".cache") / "arrc"
    except RuntimeError:
        return None


def compile(job):
    """The result of `_arrc.compile`, from the cache if it is there."""
    text = _text(job)
    at = folder()
    path = at / _key(job, text) if at is not None and text is not None else None
    found = _read(path, job) if path is not None else None
    if found is not None:
        return found
    made = _arrc.compile(job)
    if path is not None and made["files"][0][1] == text:
        _write(path, made)
    return made


def _text(job):
    if job["source"] is not None:
        return job["source"]
    try:
        return pathlib.Path(job["path"]).read_text("utf-8")
    except (OSError, UnicodeError):
        return None


def _key(job, text):
    build = os.stat(_arrc.__file__)
    cpu = _arrc.native_cpu() if job["cpu"] == "native" else ""
    # If the job does not have its imports, they are found from the current folder, by the path that the program was named by.
    folder = os.getcwd() if job["files"] is None else ""
    parts = [_arrc.VERSION, build.st_size, build.st_mtime_ns, cpu, folder, job["path"], job["name"], job["files"]]
    parts += [job["fusion"], job["opt_level"], job["cpu"], job["passes"], job["trace"], text]
    return hashlib.sha256(json.dumps([str(part) for part in parts]).encode()).hexdigest()


def _read(path, job):
    try:
        if path.stat().st_uid != os.getuid():
            return None
        with path.open("rb") as file:
            head = json.loads(file.readline())
            made = file.read()
        if hashlib.sha256(made).hexdigest() != head["object"]:
            return None
        if job["files"] is None and not _are_imports(head):
            return None
        head["object"] = made
        head["warnings"] = tuple(head["warnings"])
        return head
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _are_imports(head):
    """Whether each file that the program imported is as it was, and no other one has come before it."""
    for name, digest in head["imports"]:
        if hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest() != digest:
            return False
    return all(map(_is_absent, head["absent"]))


def _is_absent(name):
    try:
        os.stat(name)
    except (FileNotFoundError, NotADirectoryError):
        return True
    return False


def _write(path, made):
    head = {
        "object": hashlib.sha256(made["object"]).hexdigest(),
        "description": made["description"],
        "passes": made["passes"],
        "externals": made["externals"],
        "warnings": made["warnings"],
        "imports": [[name, hashlib.sha256(text.encode()).hexdigest()] for name, text in made["files"][1:]],
        "files": [[name, text] for name, text in made["files"]],
        "absent": made["absent"],
    }
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix="new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(json.dumps(head).encode() + b"\n" + made["object"])
            os.replace(name, path)
        except OSError:
            os.unlink(name)
            raise
        _prune(path.parent)
    except OSError:
        pass


def _prune(at):
    """Removes the older half of too many programs."""
    kept = [entry for entry in os.scandir(at) if entry.is_file()]
    if len(kept) > MOST:
        kept.sort(key=lambda entry: entry.stat().st_mtime)
        for entry in kept[: len(kept) // 2]:
            os.unlink(entry.path)
