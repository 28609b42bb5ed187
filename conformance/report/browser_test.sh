#!/usr/bin/env bash
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Opens index.html of real runs in headless Chromium: the script ran without an error, and every section is there.
# Usage: browser_test.sh BUILD_DIR. Exit code 77: no Chromium here.
set -euo pipefail
build=$1
browser=$(command -v chromium || command -v chromium-browser || true)
[ -n "$browser" ] || { echo "SKIPPED: no chromium; it is in Debian's package of that name"; exit 77; }
conform=$build/bin/npukit-conform
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

failed() { echo "FAILED: $*" >&2; exit 1; }

# open REPORT_FOLDER: the page as the browser has it once its script ran, in $work/page.html.
open() {
  "$browser" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" \
    --enable-logging=stderr --dump-dom "file://$1/index.html" >"$work/page.html" 2>"$work/log.txt" ||
    { cat "$work/log.txt" >&2; failed "chromium ended with an error"; }
  if grep -E 'CONSOLE.*(Error|error)' "$work/log.txt"; then failed "the page's script failed"; fi
}

# holds WHAT PATTERN
holds() { grep -qE "$2" "$work/page.html" || failed "no $1 in the page ($2)"; }

"$conform" --plugin-dir "$build/faulty_plugins/healthy" --suite smoke --suite performance \
  --record-baseline "$work/baseline.json" --report "$work/first" >/dev/null
"$conform" --plugin-dir "$build/faulty_plugins/healthy" --suite smoke --suite performance --suite models \
  --baseline "$work/baseline.json" --compare "$work/first" --report "$work/good" >/dev/null
open "$work/good"
results=$(grep -c '"suite":' "$work/good/results.json")
holds 'rows that the script counted' "<body[^>]*data-ready=\"$results\""
holds 'verdict' 'class="verdict passed">conformant<'
holds 'page that fits its window' 'data-fits="true"'
holds 'coverage matrix' 'id="coverage"'
holds 'cell of the matrix' '<td class="passed">[0-9]+'
holds 'error plot' '<svg id="errorplot"'
holds 'dot in the plot' '<circle [^>]*class="within"'
holds 'table of cycles' 'id="cycles"'
holds 'baseline' '<td>[0-9]+</td><td class="passed">\+0\.00 %'
holds 'list of changes' '<h2>Changes</h2>'
holds 'list of results' 'id="results"'

code=0
"$conform" --plugin-dir "$build/faulty_plugins/wrong_value" --suite smoke --report "$work/bad" >/dev/null || code=$?
[ $code -eq 1 ] || failed "expected exit code 1 of the faulty plugin, found $code"
open "$work/bad"
holds 'verdict' 'class="verdict failed">not conformant<'
holds 'command for a failure' 'npukit conform --plugin-dir .* --filter'
holds 'command for its small form' 'class="reproduction">npukit conform .*case.yaml'
echo "both pages are whole"
