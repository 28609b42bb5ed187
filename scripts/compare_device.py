#!/usr/bin/env python3
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs the conformance kit here and over ssh on the loopback interface, and compares the two, result by result.

  scripts/compare_device.py                                 AcmeCorp, the default suites (minutes)
  scripts/compare_device.py --qemu build-aarch64            its libraries for aarch64, by a worker that qemu-user runs (hours)
  scripts/compare_device.py -- --suite smoke                what follows -- goes to both runs

The sshd is this script's own, with keys and settings in a folder that is removed. It says what differs, which results a device
was not asked for, and the processor time of either run: that of all processes, ssh and sshd among them. Exit codes: 0 results
are the same, 1 they are not, or --ratio was exceeded, 2 wrong usage, 3 a run could not be made,
77 there is no sshd.
"""

import argparse
import collections
import ctypes
import json
import os
import pathlib
import pwd
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLUGIN = "libLiteRtCompilerPlugin_AcmeCorp.so"
LIBRARY = "libLiteRtDispatch_AcmeCorp.so"
# Checks that a device is not asked for (docs/remote.md): they are skipped there.
STAYS_HERE = ("dispatch.intermediates", "dispatch.resealed")
# And what is made of the second one's numbers alone is not there.
BASELINE, ITS_SOURCE = "performance.baseline", "dispatch.resealed"
PR_SET_CHILD_SUBREAPER = 36


class Sshd:
    """An sshd on the loopback interface."""

    def __init__(self, folder):
        self.folder = folder
        for key in ("host_key", "user_key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key], check=True)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        (folder / "sshd_config").write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host_key\nPidFile none\n"
            f"AuthorizedKeysFile {folder}/user_key.pub\nStrictModes no\nUsePAM no\n"
            "PasswordAuthentication no\nPermitRootLogin yes\nLogLevel ERROR\n")
        (folder / "ssh_config").write_text(
            f"Host board\nHostName 127.0.0.1\nPort {port}\nUser {pwd.getpwuid(os.geteuid()).pw_name}\n"
            f"IdentityFile {folder}/user_key\nIdentitiesOnly yes\nStrictHostKeyChecking no\n"
            "UserKnownHostsFile /dev/null\nLogLevel ERROR\n")
        if os.geteuid() == 0:
            pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        os.environ["NPUKIT_SSH"] = f"ssh -F {folder}/ssh_config"
        self.process = subprocess.Popen(["/usr/sbin/sshd", "-D", "-e", "-f", folder / "sshd_config"])
        for _ in range(100):
            if subprocess.run(["ssh", "-F", folder / "ssh_config", "board", "true"], capture_output=True).returncode == 0:
                return
            time.sleep(0.05)
        self.stop()
        raise OSError("the sshd does not answer")

    def stop(self):
        self.process.terminate()
        self.process.wait()


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def reap():
    """Waits for processes that lost their parents, as workers do whose connection ended."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.05)
        except ChildProcessError:
            return


def run(args, options, extra, where):
    command = [str(args.build / "bin/npukit"), "conform", "--plugin-dir", str(args.build / "lib"), "--json", *options, *extra]
    begin, used = time.monotonic(), processor_seconds()
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    seconds = time.monotonic() - begin
    if done.returncode not in (0, 1):
        raise OSError(f"{' '.join(command)}: exit code {done.returncode}")
    report = json.loads(done.stdout)
    if args.keep is not None:
        args.keep.mkdir(parents=True, exist_ok=True)
        (args.keep / f"{where}.json").write_bytes(done.stdout)
    return report, seconds, used


def measured(args, options, extra, where, sshd=None):
    report, seconds, used = run(args, options, extra, where)
    if sshd is not None:
        sshd.stop()
    reap()
    return report, seconds, processor_seconds() - used


def for_board(args, folder):
    """The folder of --device-dir: links to what was built for the device, and how its worker starts here."""
    if args.qemu is None:
        return args.build / "lib"
    board = folder / "for_board"
    board.mkdir()
    for name in (PLUGIN, LIBRARY, "libLiteRt.so"):
        if (args.qemu / "lib" / name).exists():
            (board / name).symlink_to(args.qemu / "lib" / name)
    worker = board / "npukit-worker"
    worker.write_text(f"#!/bin/sh\nexec qemu-aarch64 -E LD_LIBRARY_PATH={args.qemu}/lib {args.qemu}/bin/npukit-worker \"$@\"\n")
    worker.chmod(0o755)
    return board


def by_name(report):
    return {case["name"]: case for case in report["cases"]}


# Numbers of a detail, which may differ between two processors where floats are computed.
NUMBER = re.compile(r"-?\d+(\.\d+)?(e[-+]?\d+)?")


def compare(here, there, are_alike):
    """Sentences about what differs, and by check the results that the device was not asked for."""
    wrong, stayed = [], collections.defaultdict(list)
    here, there = by_name(here), by_name(there)
    for name in sorted(here.keys() ^ there.keys()):
        case, check = name.rsplit("/", 1)
        if check == BASELINE and name in here and f"{case}/{ITS_SOURCE}" in here:
            stayed[check].append(name)
            continue
        wrong.append(f"{name}: only {'here' if name in here else 'there'}")
    for name in sorted(here.keys() & there.keys()):
        one, other = here[name], there[name]
        check = name.rsplit("/", 1)[-1]
        if check in STAYS_HERE and other["result"] == "skipped":
            stayed[check].append(name)
            continue
        details = [one.get("detail", ""), other.get("detail", "")]
        if not are_alike:
            details = [NUMBER.sub("N", detail) for detail in details]
        if one["result"] != other["result"] or details[0] != details[1]:
            wrong.append(f"{name}: here {one['result']} {one.get('detail', '')!r}, there {other['result']} {other.get('detail', '')!r}")
    return wrong, stayed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="this machine's build")
    parser.add_argument("--qemu", type=pathlib.Path, help="the device's build, for aarch64")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for both results.json")
    parser.add_argument("--here", type=pathlib.Path, help="a results.json of this machine, in place of a run")
    parser.add_argument("--ratio", type=float, help="the processor time there may be so many times that here")
    parser.add_argument("--there", action="append", default=[], metavar="OPTION", help="of the run over ssh alone")
    parser.add_argument("options", nargs="*", help="of npukit conform, for both runs")
    args = parser.parse_args()
    args.build = args.build.resolve()
    args.qemu = args.qemu and args.qemu.resolve()
    for program in ("/usr/sbin/sshd", "/usr/bin/ssh", "/usr/bin/ssh-keygen"):
        if not os.access(program, os.X_OK):
            print(f"compare_device: there is no {program} (Debian: openssh-server)")
            return 77
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            if args.here is not None:
                here, here_s, here_cpu_s = json.loads(args.here.read_text()), 0, 0
            else:
                here, here_s, here_cpu_s = measured(args, args.options, [], "here")
            sshd = Sshd(folder)
            try:
                device = ["--device", f"ssh:board:{folder}/board", "--device-dir", str(for_board(args, folder)), *args.there]
                there, there_s, there_cpu_s = measured(args, args.options, device, "there", sshd)
            finally:
                sshd.process.poll() is None and sshd.stop()
    except OSError as error:
        print(f"compare_device: {error}", file=sys.stderr)
        return 3
    wrong, stayed = compare(here, there, args.qemu is None)
    for sentence in wrong:
        print(sentence)
    for check, names in sorted(stayed.items()):
        print(f"{check}: {len(names)} not asked of a device")
    print(f"{len(here['cases'])} results, {len(wrong)} differ")
    print(f"here {here_s:.1f} s, {here_cpu_s:.1f} s of processor time; there {there_s:.1f} s, {there_cpu_s:.1f} s")
    if here_cpu_s:
        ratio = there_cpu_s / here_cpu_s
        print(f"ratio of processor time {ratio:.2f}")
        if args.ratio is not None and ratio > args.ratio:
            return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
