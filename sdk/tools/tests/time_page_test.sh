#!/usr/bin/env bash
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Opens the page of `npukit bench --html` in headless Chromium, zooms its timeline and clicks its layers.
# Usage: time_page_test.sh BUILD_DIR. Exit code 77: no Chromium here, or no plugin.
set -euo pipefail
build=$1
browser=$(command -v chromium || command -v chromium-browser || true)
[ -n "$browser" ] || { echo "SKIPPED: no chromium; it is in Debian's package of that name"; exit 77; }
[ -e "$build/lib/libLiteRtDispatch_AcmeCorp.so" ] || { echo "SKIPPED: no dispatch library of AcmeCorp in $build/lib"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

failed() { echo "FAILED: $*" >&2; exit 1; }

# open PAGE: the page as the browser has it once its script and what a user does have run, in $work/seen.html.
open() {
  "$browser" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" \
    --enable-logging=stderr --dump-dom "file://$1" >"$work/seen.html" 2>"$work/log.txt" ||
    { cat "$work/log.txt" >&2; failed "chromium ended with an error"; }
  if grep -E 'CONSOLE.*(Error|error)' "$work/log.txt"; then failed "the page's script failed"; fi
}

# holds WHAT PATTERN
holds() { grep -qE "$2" "$work/seen.html" || failed "no $1 in the page ($2): $(grep -o '<body[^>]*>' "$work/seen.html")"; }

# What a user does, behind the page's own script; what is seen then stands in the body's attributes.
cat >"$work/user.html" <<'END'
<script>
{
  const $ = id => document.getElementById(id);
  const canvas = $('engines');
  const at = (kind, type, part, more) => {
    const box = canvas.getBoundingClientRect();
    canvas.dispatchEvent(new kind(type, {clientX: box.left + part * box.width, clientY: box.top + 30, bubbles: true,
                                         cancelable: true, ...more}));
  };
  const seen = [$('range').textContent];
  const see = () => seen.push($('range').textContent);
  at(WheelEvent, 'wheel', .5, {deltaY: -400}); see();
  at(PointerEvent, 'pointerdown', .4); at(PointerEvent, 'pointermove', .6); at(PointerEvent, 'pointerup', .6); see();
  $('in').click(); see();
  $('all').click(); see();
  const length = text => { const n = text.replaceAll(',', '').match(/\d+/g); return n[1] - n[0]; };
  const lengths = seen.map(length);
  document.body.dataset.zooms = lengths[1] < lengths[0] && lengths[2] < lengths[1] && lengths[3] < lengths[2] && lengths[4] === lengths[0];
  document.querySelector('#rows button').click();
  document.body.dataset.chosen = document.querySelector('#selected h2').textContent === data.layers[0].name;
  document.querySelector('#bars .bar').click();
  $('zoom').click(); see();
  document.body.dataset.zoomsToLayer = length(seen.at(-1)) <= lengths[0];
  const dot = document.querySelector('#roofs circle');
  dot.dispatchEvent(new MouseEvent('click', {bubbles: true}));
  document.body.dataset.dot = dot.classList.contains('selected');
  for (let part = .2; part < 1; part += .001) {
    at(PointerEvent, 'pointermove', part);
    if (!$('tip').hidden) break;
  }
  document.body.dataset.tip = $('tip').textContent.split('\n').length >= 3;
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  document.body.dataset.drawn = pixels.some(value => value !== 0);
  document.body.dataset.fits = document.documentElement.scrollWidth <= innerWidth;
}
</script>
END

"$build/bin/npukit-sample" gated_classifier_int8 -o "$work/model.tflite" >/dev/null
"$build/bin/npukit-bench" "$work/model.tflite" --plugin-dir "$build/lib" --jit --runs 1 --html "$work/page.html" >/dev/null
if grep -oE '(https?:)?//[a-z0-9]+\.[^"'"'"' ]*' "$work/page.html" | grep -v '^http://www.w3.org/2000/svg$'; then
  failed "the page names another place"
fi
sed "/^<\/body>/r $work/user.html" "$work/page.html" >"$work/used.html"
open "$work/used.html"
holds 'layer that the script counted' '<body[^>]*data-ready="[1-9]'
for what in zooms chosen zooms-to-layer dot tip drawn fits; do holds "$what" "<body[^>]*data-$what=\"true\""; done
holds 'measured gain' 'with twice the bandwidth [0-9,]+ cycles'
holds 'limit' 'What limits it: '
holds 'stall' '<div class="bar'

# Without an NPU the page says that there is nothing to show.
"$build/bin/npukit-bench" "$work/model.tflite" --runs 1 --html "$work/cpu.html" >/dev/null
open "$work/cpu.html"
holds 'note' '<li>The NPU ran nothing'
echo "both pages work"
