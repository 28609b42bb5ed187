#!/usr/bin/env python3
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Changes AcmeCorp and the simulator at one point each and asks whether the conformance kit notices.

A nightly job: 300 mutants take hours. It may be interrupted at any time; started again with the same --work it goes on
where it was. The tree is not touched: mutants are made in a copy of what git tracks, in --work.

A mutant is
  killed      the kit says that the plugin is not conformant (the first failing check is noted)
  survived    the kit says conformant: either the kit has a gap, or nothing that anybody could see changed
  equal       the libraries are the same bytes as without it
  stillborn   it does not compile
The score is killed / (killed + survived), without survivors that scripts/mutants_explained.txt explains. Exit codes: 0 the
score is at least --goal, 1 it is not, 2 wrong usage, or the plugin does not build or conform without any mutant.
"""

import argparse
import dataclasses
import hashlib
import json
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("reference_plugin", "simulator")
# Not the chip's arithmetic, nor the compiler's: what people read, and what tests are made of. How many cycles an instruction
# takes (timing/) no kit knows for a vendor's chip, but AcmeCorp's baseline has them.
# Left out, too, is what no run of a plugin does: text of instructions, figures for reports, traces, checks of programs that tests
# ask for, and kernels for processors other than the one at hand (their tests hold them equal).
LEFT_OUT = re.compile(r"_test\.cc$|_benchmark\.cc$|_fuzz\.cc$|/tests/|/testing/|/tools/|/trace/|/documentation/|/examples/"
                      r"|isa/(assembler|disassembler|text)|/roofline\.cc$|/scratchpad_occupancy\.cc$|_trace\.cc$|/race_checker\.cc$"
                      r"|/microkernels_\w+\.cc$")
LIBRARIES = ("libLiteRtCompilerPlugin_AcmeCorp.so", "libLiteRtDispatch_AcmeCorp.so")
TARGETS = ("LiteRtCompilerPlugin_AcmeCorp", "LiteRtDispatch_AcmeCorp")

# Lines whose change would only be a change of text, of types, or of what a sanitizer would have to see.
SKIPPED_LINE = re.compile(r'^\s*(//|#|using |namespace |template|static_assert|case |default:|public:|private:)|Unexpected\(|LITERT_LOG|fmt::format|Error\("')
STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')
COMMENT = re.compile(r"//.*$")


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str
    line: int  # from 1
    operator: str
    before: str
    after: str

    @property
    def key(self):
        """The same for the same change of the same text, wherever else the file changed."""
        text = "\0".join((self.file, self.operator, self.before.strip(), self.after.strip()))
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def __str__(self):
        return f"{self.key} {self.file}:{self.line} {self.operator}: {self.before.strip()}  ->  {self.after.strip()}"


def swaps(operator, pairs):
    """Each pattern's replacement, one place at a time. Binary operators have blanks around them here."""
    compiled = [(re.compile(pattern), replacement) for pattern, replacement in pairs]

    def apply(code):
        for pattern, replacement in compiled:
            for found in pattern.finditer(code):
                yield operator, found.start(), found.end(), found.expand(replacement)

    return apply


def other_axis(code):
    """Height for width, rows for columns: the compiler tells where there is no such thing."""
    axes = [("height", "width"), ("Height", "Width"), ("rows", "cols"), ("_h", "_w"), ("row", "column")]
    for found in re.finditer(r"\b\w+\b", code):
        for one, other in axes:
            for a, b in ((one, other), (other, one)):
                if re.search(rf"{a}(?![a-z])", found[0]):
                    yield "axis", found.start(), found.end(), re.sub(rf"{a}(?![a-z])", b, found[0], count=1)


OPERATORS = (
    swaps("comparison", [(r" < (?=\S)", " <= "), (r" <= ", " < "), (r" > (?=\S)", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == ")]),
    swaps("arithmetic", [(r" \+ ", " - "), (r" - (?=[\w(])", " + "), (r" \* (?=[\w(])", " / "), (r" / ", " * "), (r" % ", " / "), (r" & (?=[\w(])", " | "), (r" \+= ", " -= ")]),
    swaps("logic", [(r" && ", " || "), (r" \|\| ", " && "), (r"\bif \((?!auto|const)(.+)\) (?=\{|return|continue|break)", r"if (!(\1)) "), (r"\breturn true;", "return false;"), (r"\breturn false;", "return true;")]),
    swaps("off by one", [(r" \+ 1\b(?![.])", ""), (r" - 1\b(?![.])", ""), (r"(\w+ = )0;(?= \w+ <)", r"\g<1>1;")]),
    swaps("clamp", [(r"\bstd::min(?=[(<])", "std::max"), (r"\bstd::max(?=[(<])", "std::min"), (r"\bstd::clamp(?:<\w+>)?\(([^,()]+), [^()]*\)", r"(\1)")]),
    swaps("skipped call", [(r"^(\s+)(?!return|delete|throw|break|continue)[a-z_]\w*(?:(?:\.|->|::)\w+)*\(.*\);$", r"\1;")]),
    other_axis,
)


def mutants_of(path, text):
    found = {}
    for number, line in enumerate(text.split("\n"), 1):
        if SKIPPED_LINE.search(line):
            continue
        # Texts and comments stay: blanked out of the same length, so that positions are the line's.
        code = COMMENT.sub("", STRING.sub(lambda match: '"' * len(match[0]), line))
        for apply in OPERATORS:
            for operator, start, end, replacement in apply(code):
                if '""' in replacement:
                    continue
                mutant = Mutant(path, number, operator, line, line[:start] + replacement + line[end:])
                found.setdefault(mutant.key, mutant)
    return list(found.values())


def choose(mutants, count, seed):
    """So many, of all operators alike, the same for the same seed."""
    groups = {}
    for mutant in mutants:
        groups.setdefault(mutant.operator, []).append(mutant)
    order = random.Random(seed)
    for name in sorted(groups):
        groups[name].sort(key=lambda mutant: mutant.key)
        order.shuffle(groups[name])
    chosen = []
    while len(chosen) < count and any(groups.values()):
        for name in sorted(groups):
            if groups[name] and len(chosen) < count:
                chosen.append(groups[name].pop())
    return chosen


def run(command, folder, seconds):
    """Exit code and output; -1 after so many seconds."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        return -1, f"no end within {seconds} s"
    finally:
        try:
            subprocess.os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


def copy_files(root, copy, names):
    """Makes `copy` have these files of `root`, and no others: what was moved would be compiled twice."""
    copy.mkdir(parents=True, exist_ok=True)
    targets = set()
    for name in names:
        target = copy / name
        targets.add(target)
        content = (root / name).read_bytes()
        if target.exists() and target.read_bytes() == content:
            continue  # its time stays, and with it what was built of it
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        shutil.copymode(root / name, target)
    for path in copy.rglob("*"):
        if path.is_file() and path not in targets:
            path.unlink()


class Bench:
    """The copy of the sources, its build, and the kit's judgement of it."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.source = arguments.work / "source"
        self.build_folder = arguments.work / "build"

    def prepare(self):
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        copy_files(ROOT, self.source, filter(None, tracked.split("\0")))
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        # Each source by itself: a mutant changes one, and waits for no others.
        code, output = run(["cmake", "-S", str(self.source), "-B", str(self.build_folder), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                            "-DNPUKIT_BENCHMARKS=OFF", "-DNPUKIT_PRECOMPILED_HEADERS=ON", "-DNPUKIT_UNITY=OFF", "-DCMAKE_CXX_FLAGS=-w", *launcher], ROOT, 600)
        if code != 0:
            sys.exit(fail(f"the copy can't be configured:\n{output[-2000:]}"))
        for what, targets in (("plugin", TARGETS), ("kit", () if self.arguments.kit else ("npukit-conform",))):
            code, output = self.build(targets, 7200) if targets else (0, "")
            if code != 0:
                sys.exit(fail(f"the {what} does not build:\n{output[-2000:]}"))

    def build(self, targets=TARGETS, seconds=900):
        return run(["cmake", "--build", str(self.build_folder), "--target", *targets], ROOT, seconds)

    def digest(self):
        digest = hashlib.sha256()
        for name in LIBRARIES:
            digest.update((self.build_folder / "lib" / name).read_bytes())
        return digest.hexdigest()

    def judge(self, *more, baseline="AcmeCorp.baseline.json"):
        """Verdict and the first failure."""
        command = [str(self.arguments.kit or self.build_folder / "bin/npukit-conform"), "--plugin-dir", str(self.build_folder / "lib"),
                   "--claims", str(self.source / "reference_plugin/AcmeCorp.claims.yaml"),
                   "--baseline", str(self.source / "reference_plugin" / baseline), "--json", "--no-minimize", "--max-failures", "1", *more]
        code, output = run(command, self.arguments.work, self.arguments.timeout)
        begin = output.find("{\n")
        try:
            report = json.loads(output[begin:output.rindex("}") + 1])
        except ValueError:
            return ("killed", f"the kit ended with {code}") if code != 0 else ("survived", "")
        failed = next((case for case in report["cases"] if case["result"] == "failed"), None)
        if failed:
            return "killed", failed["name"]
        return ("survived", "") if code == 0 else ("killed", report["verdict"])

    def judge_quickly_first(self):
        for judge in (lambda: self.judge("--suite", "smoke"), self.judge_small_chip):
            verdict, check = judge()
            if verdict == "killed":
                return verdict, check
        return self.judge()

    def judge_small_chip(self):
        """Cycles where memory has few banks, which the default chip never waits for."""
        return self.judge("--suite", "performance", "--soc-file", str(self.source / "simulator/hw/soc/acme_a0.yaml"), baseline="AcmeCorp.acme_a0.baseline.json")

    def try_mutant(self, mutant, healthy):
        path = self.source / mutant.file
        original = path.read_text()
        lines = original.split("\n")
        lines[mutant.line - 1] = mutant.after
        path.write_text("\n".join(lines))
        try:
            if self.build()[0] != 0:
                return "stillborn", ""
            return ("equal", "") if self.digest() == healthy else self.judge_quickly_first()
        finally:
            path.write_text(original)


def fail(message):
    print(f"mutate: {message}", file=sys.stderr)
    return 2


def explained():
    """Keys of survivors that change nothing anybody could see, with the reason."""
    path = ROOT / "scripts/mutants_explained.txt"
    lines = (line.split(None, 1) for line in path.read_text().split("\n") if line and not line.startswith("#"))
    return {fields[0]: fields[1] if len(fields) > 1 else "" for fields in lines}


def summarize(results, goal):
    reasons = explained()
    groups = {}
    for result in results.values():
        groups.setdefault(result["verdict"], []).append(result)
    survivors = groups.get("survived", [])
    open_ones = [result for result in survivors if result["key"] not in reasons]
    killed = len(groups.get("killed", []))
    for result in open_ones:
        print(f"survived: {result['text']}")
    counted = killed + len(open_ones)
    score = 100 * killed / counted if counted else 0
    print(f"{len(results)} mutants: {killed} killed, {len(survivors)} survived ({len(survivors) - len(open_ones)} explained), "
          f"{len(groups.get('equal', []))} equal, {len(groups.get('stillborn', []))} stillborn; score {score:.1f}%, goal {goal}%")
    return 0 if counted and score >= goal else 1


def add_common(parser, folder, what):
    """What scripts/unreached.py takes, too."""
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / folder, help=what)
    parser.add_argument("--only", default="", help="only files whose path this regular expression is found in")
    parser.add_argument("--kit", type=pathlib.Path, help="npukit-conform of another build (default: builds one)")


def settled(parser, arguments):
    """Those checked, their paths whole."""
    try:
        re.compile(arguments.only)
    except re.error as error:
        parser.error(f"--only: {error}")
    arguments.work = arguments.work.resolve()
    if arguments.kit:
        arguments.kit = arguments.kit.resolve()
        if not arguments.kit.is_file():
            parser.error(f"--kit: there is no {arguments.kit}")
    return arguments


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_common(parser, "build-mutants", "folder of the copy, its build and the results")
    parser.add_argument("--count", type=int, default=300, help="how many mutants (default 300)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice (default 1)")
    parser.add_argument("--timeout", type=int, default=900, help="seconds for each judgement (default 900)")
    parser.add_argument("--goal", type=float, default=95, help="least score, in percent (default 95)")
    parser.add_argument("--list", action="store_true", help="print the mutants and try none")
    arguments = parser.parse_args(argv)
    if arguments.count < 1 or arguments.timeout < 1:
        parser.error("--count and --timeout must be above 0")
    return settled(parser, arguments)


def all_mutants(only):
    names = subprocess.run(["git", "ls-files", *FOLDERS], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    chosen = [name for name in names if name.endswith(".cc") and not LEFT_OUT.search(name) and re.search(only, name)]
    return [mutant for name in chosen for mutant in mutants_of(name, (ROOT / name).read_text())]


def read_results(path):
    results = {}
    if path.exists():
        for line in path.read_text().split("\n"):
            try:
                result = json.loads(line)
                results[result["key"]] = result
            except ValueError:
                pass  # cut off when it was interrupted
    return results


def main(argv):
    arguments = parse(argv)
    mutants = choose(all_mutants(arguments.only), arguments.count, arguments.seed)
    if not mutants:
        return fail("no source has that name")
    if arguments.list:
        print("\n".join(map(str, mutants)))
        return 0
    bench = Bench(arguments)
    bench.prepare()
    healthy = bench.digest()
    verdict, check = bench.judge()
    if verdict != "survived":
        return fail(f"the plugin does not conform without any mutant: {check}")
    path = arguments.work / "results.jsonl"
    known = read_results(path)
    for number, mutant in enumerate(mutants, 1):
        if mutant.key not in known:
            start = time.monotonic()
            verdict, check = bench.try_mutant(mutant, healthy)
            known[mutant.key] = {"key": mutant.key, "verdict": verdict, "check": check, "text": str(mutant), "seconds": round(time.monotonic() - start, 1)}
            with path.open("a") as file:
                file.write(json.dumps(known[mutant.key]) + "\n")
        result = known[mutant.key]
        print(f"{number}/{len(mutants)} {result['verdict']:<9} {result['text']}" + (f"  ({result['check']})" if result["check"] else ""), flush=True)
    return summarize({mutant.key: known[mutant.key] for mutant in mutants}, arguments.goal)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("\nmutate: interrupted; the same command goes on", file=sys.stderr)
        sys.exit(130)
