#!/bin/sh
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# new_refusals_test.sh NPUKIT: what `npukit new` refuses ends with its exit code, says why, and leaves nothing behind.
set -u
npukit=$1
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $1"
  exit 1
}

# What lies in the folder of the test: names, and bytes by their sums.
contents() { (cd "$work/at" && find . -exec ls -ld {} + | awk '{print $1, $NF}' && find . -type f -exec cksum {} +); }

# refuses CODE SENTENCE ARGUMENT...: run in $work/at, which must be as before afterwards. The sentence is part of what stderr gets.
refuses() {
  want=$1
  sentence=$2
  shift 2
  contents > "$work/before"
  (cd "$work/at" && "$npukit" new "$@" > "$work/out" 2> "$work/error")
  got=$?
  contents > "$work/after"
  [ "$got" -eq "$want" ] || { cat "$work/error"; fail "npukit new $*: exit code $got, expected $want"; }
  grep -qF -- "npukit new: " "$work/error" || { cat "$work/error"; fail "npukit new $*: who refuses is not said"; }
  grep -qF -- "$sentence" "$work/error" || { cat "$work/error"; fail "npukit new $*: '$sentence' is not said"; }
  [ ! -s "$work/out" ] || { cat "$work/out"; fail "npukit new $*: refused, and something is on standard output"; }
  diff "$work/before" "$work/after" || fail "npukit new $*: something was left behind"
}

mkdir -p "$work/at/full" "$work/at/checkout/litert/vendors"
echo "mine" > "$work/at/full/mine.txt"
echo "mine" > "$work/at/file"

# Names.
refuses 2 "NAME is missing"
for name in 1bad _bad bad-name 'bad name' bad__name ../bad bad/name @name@ ""; do
  case $name in
    1bad | _bad | ../bad | @name@) why="it must begin with a letter" ;;
    bad__name) why="it has '__'" ;;
    "") why="NAME is missing" ;;
    *) why="letters, digits and '_' only" ;;
  esac
  refuses 2 "$why" "$name"
  refuses 2 "$why" --upstream "$name"
done
refuses 2 "'std' cannot be a project's name: the word is taken" std
refuses 2 "'Namespace' cannot be a project's name: the word is taken" Namespace
refuses 2 "it has more than 64 characters" "$(printf '%065d' 0 | tr 0 a)"

# Templates, and flags that exclude or need each other.
refuses 2 "no template 'nonsense' in " contoso --template nonsense
refuses 2 "there are: compiler_plugin, op_package, upstream" contoso --template nonsense
refuses 2 "'board' adds to a project" contoso --template board
refuses 2 "--board goes with the template compiler_plugin alone" contoso --template op_package --board
refuses 2 "--upstream goes with the template compiler_plugin alone" contoso --template op_package --upstream
refuses 2 "--upstream excludes --board" contoso --board --upstream
refuses 2 "--from requires --upstream" contoso --from full
refuses 2 "--litert requires --upstream" contoso --litert checkout
refuses 2 "--output excludes --litert" contoso --upstream --litert checkout -o there
refuses 2 "--from: nowhere is no folder" contoso --upstream --from nowhere
refuses 2 "file has no folder litert/vendors: give a checkout of LiteRT" contoso --upstream --litert file
refuses 2 "--abi" contoso --abi 2.1

# Places.
for upstream in "" --upstream; do
  refuses 1 "full is already there, and nothing is overwritten" contoso $upstream -o full
  refuses 1 "file is already there, and nothing is overwritten" contoso $upstream -o file
  refuses 1 "file/below" contoso $upstream -o file/below
done
if [ "$(id -u)" -ne 0 ]; then
  chmod a-w "$work/at/full"
  refuses 1 "full/below" contoso -o full/below
  refuses 1 "full/below" contoso --upstream -o full/below
  chmod u+w "$work/at/full"
fi
# A name in a checkout that is a file where a folder of the vendor's should be.
echo "mine" > "$work/at/checkout/litert/vendors/contoso"
refuses 1 "checkout/litert/vendors/contoso" contoso --upstream --litert checkout
rm "$work/at/checkout/litert/vendors/contoso"

# Files may be no larger than a block: the first that does not fit fails, and those before it are taken back.
limited() { (ulimit -f 1; trap '' XFSZ; cd "$work/at" && "$npukit" new contoso "$@" > "$work/out" 2> "$work/error"); }
for upstream in "" --upstream; do
  contents > "$work/before"
  limited $upstream && fail "npukit new $upstream: files that could not be written were not noticed"
  grep -q "cannot copy\|File too large" "$work/error" || { cat "$work/error"; fail "npukit new $upstream: a full disk is not told"; }
  contents > "$work/after"
  diff "$work/before" "$work/after" || fail "npukit new $upstream: a part was left where the disk is full"
done

# Standard output that can't be written: the project is there, and the exit code says that its list is not.
if [ -c /dev/full ]; then
  "$npukit" new contoso -o "$work/listed" > /dev/full 2> "$work/error"
  [ $? -eq 1 ] || fail "npukit new > /dev/full: exit code"
  grep -q "npukit new: standard output can't be written: No space left on device" "$work/error" ||
    { cat "$work/error"; fail "npukit new > /dev/full: not told"; }
  [ -e "$work/listed/CMakeLists.txt" ] || fail "npukit new > /dev/full: no project"
fi
echo "ok"
