#!/usr/bin/env python3
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Which lines of AcmeCorp's compiler and of the simulator no case of the conformance kit reaches.

A fault there survives whatever the kit compares: before mutants are made (scripts/mutate.py), this says where they would
live. The two libraries are built with gcov's counters, in --work, and the kit runs once in one process, since workers that
end at once write no counts. Minutes; started again with the same --work it builds what changed and counts anew.

Lines that only refuse or describe something do not count, nor do the files that scripts/mutate.py leaves out. Exit codes: 0
the list was made, 1 the plugin does not conform, 2 wrong usage, or something does not build.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

import mutate

# Beside texts: what a person asked for, an error's way, what a debugger sees.
NO_VALUE = re.compile(r"Error|ToString|Describe|std::nullopt;|dump", re.IGNORECASE)


def fail(message):
    print(f"unreached: {message}", file=sys.stderr)
    return 2


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    mutate.add_common(parser, "build-unreached", "folder of the build with counters")
    parser.add_argument("--suite", action="append", default=[], help="only this suite; may be repeated (default: a whole run)")
    parser.add_argument("--lines", action="store_true", help="print the lines, not how many they are")
    return mutate.settled(parser, parser.parse_args(argv))


def build(work, kit):
    """The problem's text; empty if all is built."""
    configure = ["cmake", "-S", str(mutate.ROOT), "-B", str(work), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DNPUKIT_BENCHMARKS=OFF",
                 "-DNPUKIT_UNITY=OFF", "-DCMAKE_CXX_FLAGS=--coverage -w", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"]
    # A kit of this build counts, too: its files are of other folders.
    targets = mutate.TARGETS if kit else (*mutate.TARGETS, "npukit-conform")
    for command, seconds in ((configure, 600), (["cmake", "--build", str(work), "--target", *targets], 14400)):
        code, output = mutate.run(command, mutate.ROOT, seconds)
        if code != 0:
            return output[-2000:]
    return ""


def judge(arguments):
    kit = arguments.kit or arguments.work / "bin/npukit-conform"
    command = [str(kit), "--plugin-dir", str(arguments.work / "lib"), "--claims", str(mutate.ROOT / "reference_plugin/AcmeCorp.claims.yaml"),
               "--no-isolation", "--no-minimize"]
    for suite in arguments.suite:
        command += ["--suite", suite]
    return mutate.run(command, arguments.work, 7200)


def counts_of(report, counts):
    """Adds what one of gcov's reports says: how often each line ran, by file from the root and line."""
    for file in report["files"]:
        path = pathlib.Path(file["file"])
        name = str(path.relative_to(mutate.ROOT)) if path.is_relative_to(mutate.ROOT) else str(path)
        if name.startswith(tuple(folder + "/" for folder in mutate.FOLDERS)):
            for line in file["lines"]:
                counts[name][line["line_number"]] += line["count"]


def read_counts(work):
    counts = collections.defaultdict(collections.Counter)
    for data in sorted(work.rglob("*.gcda")):
        gcov = subprocess.run(["gcov", "--json-format", "--stdout", str(data)], cwd=work, capture_output=True, text=True, check=True)
        counts_of(json.loads(gcov.stdout), counts)
    return counts


def matters(line):
    return not mutate.SKIPPED_LINE.search(line) and not NO_VALUE.search(line) and re.search(r"\w", line) is not None


def unreached(counts, only, read_text):
    """By file: the numbers of lines that never ran and matter, and how many lines have counts."""
    found = {}
    for name in sorted(counts):
        if mutate.LEFT_OUT.search(name) or not re.search(only, name):
            continue
        lines = read_text(name).split("\n")
        found[name] = ([number for number in sorted(counts[name]) if counts[name][number] == 0 and matters(lines[number - 1])],
                       len(counts[name]))
    return found


def main(argv):
    arguments = parse(argv)
    problem = build(arguments.work, arguments.kit)
    if problem:
        return fail(f"it does not build:\n{problem}")
    for data in arguments.work.rglob("*.gcda"):
        data.unlink()
    code, output = judge(arguments)
    if code not in (0, 1):
        return fail(f"the kit ended with {code}:\n{output[-2000:]}")
    found = unreached(read_counts(arguments.work), arguments.only, lambda name: (mutate.ROOT / name).read_text())
    if not found:
        return fail("nothing was counted")
    for name, (numbers, count) in sorted(found.items(), key=lambda item: -len(item[1][0])):
        if arguments.lines:
            text = (mutate.ROOT / name).read_text().split("\n")
            for number in numbers:
                print(f"{name}:{number}: {text[number - 1].strip()}")
        elif numbers:
            print(f"{len(numbers):5} of {count:5}  {name}")
    missed = sum(len(numbers) for numbers, _ in found.values())
    total = sum(count for _, count in found.values())
    print(f"{missed} of {total} lines were not reached")
    return code


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("\nunreached: interrupted", file=sys.stderr)
        sys.exit(130)
