"""Puts a sample of mutants into a copy of the library, compiles it once, and runs the tests that
reach each mutant.

Results are in `target/mutants/<seed>/results.jsonl`, one line a mutant. A mutant that no test can detect is listed in
`.ci/mutation/equivalent.txt`, with the reason.
"""

import argparse
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from generate import Mutant, mutants, switched

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "target" / "mutants"
TREE = WORK / "tree"
LIBRARY = Path("dynamo-model/src")
FOLDERS = ["key", "cursor", "expr", "op", "stream"]
SUITES = ["laws", "reads", "writes", "batch", "transactions", "changes", "faults", "hostile"]
EQUIVALENT = ROOT / ".ci" / "mutation" / "equivalent.txt"
#: Memory limit of a test process, because a mutant can make a loop endless.
MEMORY = 8 << 30
#: Number of tests of a suite that run first: those that reach the fewest mutants.
FIRST = 6

SWITCHES = """//! The active mutant, and the tests that reach each mutant.
use std::cell::RefCell;
use std::collections::HashSet;
use std::io::Write;
use std::sync::LazyLock;

static ACTIVE: LazyLock<Option<u32>> =
    LazyLock::new(|| std::env::var("MUTANT").ok()?.parse().ok());
static REACHED: LazyLock<Option<std::fs::File>> = LazyLock::new(|| {
    let path = std::env::var_os("MUTANTS_REACHED")?;
    std::fs::OpenOptions::new().create(true).append(true).open(path).ok()
});

thread_local! {
    static SEEN: RefCell<HashSet<u32>> = RefCell::default();
}

pub(crate) fn on(number: u32) -> bool {
    if let Some(mut file) = REACHED.as_ref() {
        let new = SEEN.try_with(|seen| seen.borrow_mut().insert(number));
        if new.unwrap_or(true) {
            let thread = std::thread::current();
            let line = format!("{number} {}\\n", thread.name().unwrap_or("?"));
            let _ = file.write_all(line.as_bytes());
        }
    }
    *ACTIVE == Some(number)
}
"""
ALLOWED = "#![allow(arithmetic_overflow, unconditional_panic, unused, clippy::all)]\n"


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--sample", type=int, default=800)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--again", action="store_true")
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--report", action="store_true")
    given = arguments.parse_args()
    run = Run(given.seed, given.sample)
    if given.again:
        run.forget({"missed"})
    if not given.report:
        run.prepare()
        run.test(given.jobs)
    run.report()


@dataclass
class Suite:
    """A suite without a mutant."""

    seconds: float
    tests: list[str]
    #: Tests that fail anyway.
    broken: list[str]


class Run:
    def __init__(self, seed: int, sample: int) -> None:
        self.folder = WORK / str(seed)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.results_file = self.folder / "results.jsonl"
        self.results: dict[str, dict] = {}
        if self.results_file.exists():
            lines = self.results_file.read_text().splitlines()
            self.results = {it["mutant"]: it for it in map(json.loads, lines)}
        self.sources = {}
        for folder in FOLDERS:
            for path in sorted((ROOT / LIBRARY / folder).rglob("*.rs")):
                if "tests" not in path.stem:
                    self.sources[str(path.relative_to(ROOT / LIBRARY))] = path.read_bytes()
        self.all = [it for file, source in self.sources.items() for it in mutants(file, source)]
        # By a hash of the name, so that changes elsewhere keep the sample.
        order = lambda it: hashlib.sha256(f"{seed} {it.name}".encode()).digest()
        self.sample = sorted(self.all, key=order)[:sample]
        for number, mutant in enumerate(self.sample):
            mutant.number = number

    def note(self, mutant: Mutant, outcome: str, by: str = "") -> None:
        self.results[mutant.name] = {"mutant": mutant.name, "outcome": outcome, "by": by}
        with self.results_file.open("a") as file:
            file.write(json.dumps(self.results[mutant.name], ensure_ascii=False) + "\n")

    def forget(self, outcomes: set[str]) -> None:
        self.results = {k: v for k, v in self.results.items() if v["outcome"] not in outcomes}

    def viable(self) -> list[Mutant]:
        outcome = lambda it: self.results.get(it.name, {}).get("outcome")
        return [it for it in self.sample if not it.is_const and outcome(it) != "unviable"]

    def prepare(self) -> None:
        """A copy of the repository with all mutants that compile, and its tests."""
        copy_tree()
        for mutant in self.sample:
            if mutant.is_const and mutant.name not in self.results:
                self.note(mutant, "const")
        while True:
            self.write()
            errors = check()
            if not errors:
                break
            broken = {self.mutant_at(*error) for error in errors}
            if broken == {None}:
                sys.exit("the copy does not compile, and no mutant is the cause:\n" + "\n".join(it[2] for it in errors))
            for number in sorted(it for it in broken if it is not None):
                self.note(self.sample[number], "unviable")
            print(f"{len(self.viable())} mutants compile, perhaps")
        self.binaries = build()
        self.record()

    def write(self) -> None:
        chosen = self.viable()
        for file, source in self.sources.items():
            text = switched(source, [it for it in chosen if it.file == file])
            write_if_changed(TREE / LIBRARY / file, text)
        library = (ROOT / LIBRARY / "lib.rs").read_text()
        write_if_changed(TREE / LIBRARY / "lib.rs", (ALLOWED + library + "\nmod mutants;\n").encode())
        write_if_changed(TREE / LIBRARY / "mutants.rs", SWITCHES.encode())

    def mutant_at(self, file: str, at: int, message: str) -> int | None:
        """Returns the innermost one around this place, or the last one before it."""
        text = (TREE / file).read_bytes()[:at]
        around: list[int] = []
        last = None
        for mark in re.finditer(rb"/\*(<?)(\d+)(>?)\*/", text):
            last = int(mark[2])
            if mark[1]:
                around.append(last)
            elif last in around:
                around.remove(last)
        return around[-1] if around else last

    def record(self) -> None:
        """Runs each suite without a mutant, and again to record which test reaches which mutant."""
        # An interrupted run continues with what was recorded of the same binaries.
        recorded = self.folder / "recorded.json"
        binaries = {name: digest(path) for name, path in self.binaries.items()}
        known = json.loads(recorded.read_text()) if recorded.exists() else {}
        if known.get("binaries") != binaries:
            known = {"binaries": binaries, "suites": {}}
            for name, binary in self.binaries.items():
                known["suites"][name] = self.run_suite(name, binary)
            recorded.write_text(json.dumps(known))
        self.suites = {name: Suite(**it) for name, it in known["suites"].items()}
        self.reached: dict[int, dict[str, set[str]]] = {}
        for name, suite in self.suites.items():
            file = self.folder / f"reached-{name}"
            for line in file.read_text().splitlines() if file.exists() else []:
                number, thread = line.split(" ", 1)
                by = self.reached.setdefault(int(number), {}).setdefault(name, set())
                by.add(thread if thread in suite.tests else "?")

    def run_suite(self, name: str, binary: Path) -> dict:
        start = time.monotonic()
        done = run_tests(binary, [], {}, timeout=1200)
        seconds = time.monotonic() - start
        # Not the last line, `test result: FAILED`.
        test = r"^test (?!result:)(\S+) "
        broken = re.findall(test + r".*FAILED", done.stdout, re.M)
        tests = re.findall(test, done.stdout, re.M)
        file = self.folder / f"reached-{name}"
        file.unlink(missing_ok=True)
        run_tests(binary, [], {"MUTANTS_REACHED": str(file)}, timeout=1200)
        print(f"{name}: {len(tests)} tests, {seconds:.1f} s, fail anyway: {broken or 'none'}", flush=True)
        return {"seconds": seconds, "tests": tests, "broken": broken}

    def test(self, jobs: int) -> None:
        notes = equivalent()
        todo = [it for it in self.viable() if it.name not in self.results]
        for mutant in (it for it in todo if it.name in notes):
            self.note(mutant, "missed", "not run: equivalent")
        todo = [it for it in todo if it.name not in notes]
        weight = Counter(test for by in self.reached.values() for tests in by.values() for test in tests)
        outcome = lambda mutant: (mutant, *self.outcome(mutant, weight))
        with ThreadPoolExecutor(jobs) as workers:
            for nth, (mutant, outcome, by) in enumerate(workers.map(outcome, todo)):
                self.note(mutant, outcome, by)
                print(f"{nth + 1}/{len(todo)} {outcome}: {mutant.name} {by}", flush=True)

    def outcome(self, mutant: Mutant, weight: Counter) -> tuple[str, str]:
        rounds: list[list[tuple[str, list[str]]]] = [[], []]
        reached = self.reached.get(mutant.number, {})
        for name in sorted(reached, key=lambda it: self.suites[it].seconds):
            known = sorted(reached[name] - {"?"} - set(self.suites[name].broken), key=lambda it: weight[it])
            rounds[0].append((name, known[:FIRST]))
            rounds[1].append((name, [] if "?" in reached[name] else known[FIRST:]))
            if "?" not in reached[name] and not known[FIRST:]:
                rounds[1].pop()
        for name, tests in [*(it for it in rounds[0] if it[1]), *rounds[1]]:
            suite = self.suites[name]
            part = len(tests or suite.tests) / len(suite.tests)
            limit = 30 + 5 * suite.seconds * part
            done = run_tests(self.binaries[name], tests, {"MUTANT": str(mutant.number)}, limit, suite.broken)
            if done is None:
                return "timeout", name
            if done.returncode:
                failed = re.search(r"^test (\S+) .*FAILED", done.stdout, re.M)
                return "caught", f"{name} {failed[1] if failed else ''}".strip()
        return "missed", ", ".join(reached) or "no test reaches it"

    def report(self) -> None:
        notes = equivalent()
        known = [self.results[it.name] for it in self.sample if it.name in self.results]
        counts = Counter("equivalent" if it["mutant"] in notes and it["outcome"] == "missed" else it["outcome"] for it in known)
        lines = {it.name: it.line for it in self.sample}
        for result in known:
            if result["outcome"] == "missed" and result["mutant"] not in notes:
                print(f"missed, line {lines[result['mutant']]}: {result['mutant']} [{result['by']}]")
        noticed = counts["caught"] + counts["timeout"]
        tested = noticed + counts["missed"]
        print(f"{len(self.all)} mutants, a sample of {len(known)}: {dict(counts)}")
        print(f"noticed: {noticed} of {tested} that are not equivalent, {100 * noticed / max(tested, 1):.1f} %")


def equivalent() -> dict[str, str]:
    """Reads the names of mutants, and below each, indented, why no test can detect it."""
    notes, name = {}, ""
    for line in EQUIVALENT.read_text().splitlines() if EQUIVALENT.exists() else []:
        if line.startswith("  "):
            notes[name] = notes.get(name, "") + line.strip()
        else:
            name = line.strip()
    return notes


def copy_tree() -> None:
    listed = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True)
    names = {it for it in listed.stdout.decode().split("\0") if it and (ROOT / it).is_file()}
    mutated = {str(LIBRARY / "lib.rs")} | {str(LIBRARY / it) for folder in FOLDERS for it in ()}
    for name in names:
        in_folder = any(name.startswith(f"{LIBRARY}/{folder}/") for folder in FOLDERS)
        if name not in mutated and (not in_folder or "tests" in Path(name).stem):
            write_if_changed(TREE / name, (ROOT / name).read_bytes())
    for path in TREE.rglob("*.rs"):
        relative = str(path.relative_to(TREE))
        if relative not in names and relative != str(LIBRARY / "mutants.rs") and "target" not in path.parts[len(TREE.parts):]:
            path.unlink()


def write_if_changed(path: Path, text: bytes) -> None:
    if not path.exists() or path.read_bytes() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def cargo(*arguments: str) -> list[dict]:
    environment = {**os.environ, "CARGO_TARGET_DIR": str(WORK / "target")}
    command = ["cargo", *arguments, "--message-format=json"]
    done = subprocess.run(command, cwd=TREE, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    messages = [json.loads(it) for it in done.stdout.splitlines() if it.startswith("{")]
    if done.returncode and not any(it["reason"] == "compiler-message" and it["message"]["level"] == "error" for it in messages):
        sys.exit(done.stderr)
    return messages


def check() -> list[tuple[str, int, str]]:
    """Returns the compile errors of the library: file, byte and message."""
    errors = []
    for message in cargo("check", "-p", "dynamo-model", "--all-features"):
        message = message.get("message", {})
        if not isinstance(message, dict) or message.get("level") != "error":
            continue
        for span in message["spans"]:
            while span.get("expansion") and not span["file_name"].startswith(str(LIBRARY)):
                span = span["expansion"]["span"]
            if span["is_primary"] and span["file_name"].startswith(str(LIBRARY)):
                errors.append((span["file_name"], span["byte_start"] + 1, message["rendered"]))
    return errors


def build() -> dict[str, Path]:
    suites = [it for suite in SUITES for it in ("--test", suite)]
    packages = ["-p", "dynamo-model", "-p", "dynamo-model-tests"]
    binaries = {}
    for message in cargo("test", *packages, "--lib", *suites, "--no-run"):
        if message["reason"] == "compiler-message" and message["message"]["level"] == "error":
            sys.exit(message["message"]["rendered"])
        if message["reason"] == "compiler-artifact" and message.get("executable") and message["profile"]["test"]:
            name = {"dynamo_model": "library"}.get(message["target"]["name"], message["target"]["name"])
            if name not in ["library", *SUITES]:
                continue
            # A copy, because later builds overwrite the original.
            binaries[name] = WORK / f"suite-{name}"
            shutil.copy2(message["executable"], binaries[name])
    return binaries


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def run_tests(binary: Path, tests: list[str], environment: dict, timeout: float, skip: list[str] = ()):
    """Returns `None` on a timeout."""
    package = "dynamo-model" if binary.name == "suite-library" else "tests"
    skipped = [it for test in skip for it in ("--skip", test)]
    command = [str(binary), "--test-threads=2", "--exact", *skipped, *tests]
    environment = {**os.environ, "PROPTEST_DISABLE_FAILURE_PERSISTENCE": "1", **environment}
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        return subprocess.run(
            command, cwd=TREE / package, env=environment, timeout=timeout, preexec_fn=limit,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        )
    except subprocess.TimeoutExpired:
        return None


if __name__ == "__main__":
    main()
