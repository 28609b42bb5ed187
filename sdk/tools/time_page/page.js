'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const known = value => value !== null && value !== undefined;
const count = value => known(value) ? Math.round(value).toLocaleString('en') : '-';
const short = value => known(value) ? Number(value.toPrecision(3)).toLocaleString('en') : '-';
const hue = i => i < 0 ? '#8888' : `hsl(${(i * 67) % 360} 60% 50%)`;
const causeColour = i => `hsl(${(20 + i * 137) % 360} 65% 48%)`;
const npu = data.layers.map((layer, index) => ({layer, index})).filter(e => e.layer.target === 'npu');
let chosen = -1;

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
function svg(tag, attributes, text) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}
function change(before, after) {
  if (!known(before) || !known(after) || before <= 0) return '';
  const percent = Math.round(100 * (after / before - 1));
  return ` (${percent > 0 ? '+' : ''}${percent}%)`;
}
function tell(event, text) {
  const tip = $('tip');
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  tip.style.left = Math.max(0, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)) + 'px';
  tip.style.top = Math.max(0, Math.min(event.clientY + 12, innerHeight - tip.offsetHeight - 8)) + 'px';
}

// --- the timeline: one view for the engines and for the scratchpad

const time = data.timeline;
const kLabels = 120, kRow = 24, kAxis = 18;
const view = {from: 0, to: 1};
let marked = null;  // while dragging: {x0, x1, from, moves}

const engines = time ? time.engines.map(engine => {
  const slices = [];
  for (let i = 0; i + 3 < engine.slices.length; i += 4) {
    const [begin, duration, layer, kind] = engine.slices.slice(i, i + 4);
    slices.push({begin, end: begin + duration, layer, kind});
  }
  slices.sort((a, b) => a.begin - b.begin);
  const longest = slices.reduce((most, s) => Math.max(most, s.end - s.begin), 0);
  return {name: engine.name, slices, longest};
}) : [];

// The first of a list that is ordered by `key` with key >= value.
function firstFrom(list, value, key) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(list[middle]) < value) low = middle + 1; else high = middle;
  }
  return low;
}
function prepared(canvas, height) {
  const scale = devicePixelRatio || 1, width = canvas.clientWidth;
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.height = height + 'px';
  const pen = canvas.getContext('2d');
  pen.scale(scale, scale);
  pen.clearRect(0, 0, width, height);
  pen.font = '12px system-ui, sans-serif';
  pen.fillStyle = getComputedStyle(document.body).color;
  return {pen, width, ink: pen.fillStyle};
}
const xOf = (at, width) => kLabels + (at - view.from) / (view.to - view.from) * (width - kLabels);
const timeAt = (x, width) => view.from + (x - kLabels) / (width - kLabels) * (view.to - view.from);

function drawEngines() {
  const height = engines.length * kRow + kAxis;
  const {pen, width, ink} = prepared($('engines'), height);
  engines.forEach((engine, row) => {
    const y = row * kRow;
    pen.fillStyle = ink;
    pen.fillText(engine.name, 0, y + 16, kLabels - 8);
    let drawnTo = -1;
    for (let i = firstFrom(engine.slices, view.from - engine.longest, s => s.begin); i < engine.slices.length; ++i) {
      const slice = engine.slices[i];
      if (slice.begin > view.to) break;
      if (slice.end < view.from) continue;
      const left = Math.max(kLabels, xOf(slice.begin, width)), right = Math.min(width, xOf(slice.end, width));
      if (right < drawnTo) continue;  // no wider than what is there
      drawnTo = Math.max(left + .5, right);
      pen.fillStyle = hue(slice.layer);
      pen.globalAlpha = chosen < 0 || slice.layer === chosen ? 1 : .25;
      pen.fillRect(left, y + 3, Math.max(.5, right - left - (right - left > 4 ? .5 : 0)), kRow - 6);
    }
    pen.globalAlpha = 1;
  });
  pen.fillStyle = ink;
  for (let i = 0; i <= 5; ++i) {
    const at = view.from + (view.to - view.from) * i / 5, x = xOf(at, width);
    pen.textAlign = i === 0 ? 'left' : i === 5 ? 'right' : 'center';
    pen.fillText(count(at), x, height - 4);
  }
  pen.textAlign = 'left';
  if (marked && !marked.moves) {
    pen.fillStyle = '#0969da44';
    pen.fillRect(Math.min(marked.x0, marked.x1), 0, Math.abs(marked.x1 - marked.x0), height - kAxis);
  }
}
function levelAt(at) {
  const i = firstFrom(time.memory, at + 1e-9, point => point[0]);
  return i === 0 ? 0 : time.memory[i - 1][1];
}
function drawLevels() {
  const height = 120, {pen, width, ink} = prepared($('levels'), height);
  const size = data.chip.scratchpad_bytes;
  const most = Math.max(size || 0, time.memory.reduce((top, point) => Math.max(top, point[1]), 1));
  const y = bytes => height - 2 - bytes / most * (height - 16);
  pen.fillText(count(most), 0, 12);
  pen.fillText('0', 0, height - 2);
  if (size) {
    pen.fillStyle = '#cf222e';
    pen.fillRect(kLabels, y(size), width - kLabels, 1);
    pen.fillText('its size', kLabels + 4, y(size) + 12);
  }
  pen.fillStyle = '#0969daaa';
  // Of each column of pixels the highest level in it.
  let i = firstFrom(time.memory, view.from, point => point[0]), level = levelAt(view.from);
  for (let x = kLabels; x < width; ++x) {
    let top = level;
    for (const end = timeAt(x + 1, width); i < time.memory.length && time.memory[i][0] < end; ++i) {
      level = time.memory[i][1];
      top = Math.max(top, level);
    }
    pen.fillRect(x, y(top), 1, height - 2 - y(top));
  }
  pen.fillStyle = ink;
}
function drawTime() {
  if (!time) return;
  drawEngines();
  if (time.memory) drawLevels();
  $('range').textContent = `${count(view.from)} to ${count(view.to)} of ${count(time.end)} ${time.unit}`;
}
function show(from, to) {
  const least = Math.min(time.end, 10);
  const length = Math.min(time.end, Math.max(least, to - from));
  view.from = Math.max(0, Math.min(from, time.end - length));
  view.to = view.from + length;
  drawTime();
}
function zoom(factor, at = (view.from + view.to) / 2) {
  show(at - (at - view.from) * factor, at + (view.to - at) * factor);
}
function sliceUnder(event) {
  const box = $('engines').getBoundingClientRect();
  const engine = engines[Math.floor((event.clientY - box.top) / kRow)];
  if (!engine || event.clientX - box.left < kLabels) return null;
  const at = timeAt(event.clientX - box.left, box.width);
  const near = 2 * (view.to - view.from) / (box.width - kLabels);
  let found = null;
  for (let i = firstFrom(engine.slices, at - engine.longest - near, s => s.begin); i < engine.slices.length; ++i) {
    const slice = engine.slices[i];
    if (slice.begin > at + near) break;
    if (slice.end + near >= at && (!found || slice.begin <= at)) found = slice;
  }
  return found && {engine, slice: found};
}
function sliceText(hit) {
  if (!hit) return '';
  const {engine, slice} = hit, layer = data.layers[slice.layer];
  return `${time.kinds[slice.kind]} on ${engine.name}\n` +
      (layer ? [layer.name, ...layer.ops].join('\n') : 'of no layer') +
      `\n${count(slice.end - slice.begin)} ${time.unit}: ${count(slice.begin)} to ${count(slice.end)}`;
}
function startTimeline() {
  if (!time) return;
  $('timeline').hidden = false;
  $('memory').hidden = !time.memory;
  const canvas = $('engines');
  const localX = event => event.clientX - canvas.getBoundingClientRect().left;
  for (const plot of [canvas, $('levels')]) {
    plot.addEventListener('wheel', event => {
      event.preventDefault();
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        const step = event.deltaX / 1000 * (view.to - view.from);
        return show(view.from + step, view.to + step);
      }
      zoom(Math.pow(1.002, event.deltaY), timeAt(Math.max(kLabels, localX(event)), canvas.clientWidth));
    }, {passive: false});
  }
  canvas.addEventListener('pointerdown', event => {
    marked = {x0: localX(event), x1: localX(event), from: view.from, moves: event.shiftKey};
    try { canvas.setPointerCapture(event.pointerId); } catch { /* a pointer that is gone */ }
  });
  canvas.addEventListener('pointermove', event => {
    if (!marked) return tell(event, sliceText(sliceUnder(event)));
    tell(event, '');
    marked.x1 = localX(event);
    const length = view.to - view.from;
    if (!marked.moves) return drawTime();
    const from = marked.from - (marked.x1 - marked.x0) / (canvas.clientWidth - kLabels) * length;
    show(from, from + length);
  });
  canvas.addEventListener('pointerup', event => {
    const drag = marked;
    marked = null;
    if (!drag || drag.moves) return;
    const ends = [drag.x0, drag.x1].map(x => timeAt(Math.max(kLabels, x), canvas.clientWidth)).sort((a, b) => a - b);
    if (Math.abs(drag.x1 - drag.x0) > 4) return show(...ends);
    const hit = sliceUnder(event);
    if (hit && hit.slice.layer >= 0) choose(hit.slice.layer);
    drawTime();
  });
  canvas.addEventListener('pointerleave', event => { if (!marked) tell(event, ''); });
  canvas.addEventListener('dblclick', () => show(0, time.end));
  $('levels').addEventListener('pointermove', event => {
    const bytes = levelAt(timeAt(Math.max(kLabels, localX(event)), canvas.clientWidth));
    tell(event, `${count(bytes)} bytes`);
  });
  $('levels').addEventListener('pointerleave', event => tell(event, ''));
  const along = part => show(view.from + part * (view.to - view.from), view.to + part * (view.to - view.from));
  $('in').onclick = () => zoom(.5);
  $('out').onclick = () => zoom(2);
  $('left').onclick = () => along(-.25);
  $('right').onclick = () => along(.25);
  $('all').onclick = () => show(0, time.end);
  if (time.memory) $('level').textContent = `(at most ${count(time.memory.reduce((top, p) => Math.max(top, p[1]), 0))})`;
  addEventListener('resize', drawTime);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawTime);
  show(0, time.end);
}
// From the first to the last slice of a layer.
function zoomTo(index) {
  let from = Infinity, to = -Infinity;
  for (const engine of engines) {
    for (const slice of engine.slices) {
      if (slice.layer !== index) continue;
      from = Math.min(from, slice.begin);
      to = Math.max(to, slice.end);
    }
  }
  if (to >= from) show(from - .03 * (to - from), to + .03 * (to - from));
}

// --- the roofline

function startRoofline() {
  const dots = npu.filter(({layer}) => layer.macs > 0 && layer.bytes > 0 && layer.cycles > 0)
      .map(({layer, index}) => ({layer, index, x: layer.macs / layer.bytes, y: layer.macs / layer.cycles}));
  if (dots.length === 0) return;
  $('roofline').hidden = false;
  const rest = npu.length - dots.length;
  if (rest) $('unplotted').textContent = `${rest} layers that multiply nothing, or move no byte, have no place here.`;
  const peak = data.chip.array_macs_per_cycle, rate = data.chip.memory_bytes_per_cycle;
  const ridge = peak && rate ? peak / rate : null;
  const xs = dots.map(d => d.x).concat(ridge || []), ys = dots.map(d => d.y).concat(peak || []);
  const low = list => Math.floor(Math.log10(Math.min(...list)) - .05), high = list => Math.ceil(Math.log10(Math.max(...list)) + .05);
  const x0 = low(xs), x1 = high(xs), y0 = low(ys), y1 = high(ys);
  const x = v => 70 + (Math.log10(v) - x0) / (x1 - x0) * 670, y = v => 370 - (Math.log10(v) - y0) / (y1 - y0) * 350;
  const plot = $('roofs');
  for (let e = x0; e <= x1; ++e) {
    plot.append(svg('line', {class: 'grid', x1: x(10 ** e), x2: x(10 ** e), y1: 20, y2: 370}),
                svg('text', {x: x(10 ** e), y: 388, 'text-anchor': 'middle'}, short(10 ** e)));
  }
  for (let e = y0; e <= y1; ++e) {
    plot.append(svg('line', {class: 'grid', x1: 70, x2: 740, y1: y(10 ** e), y2: y(10 ** e)}),
                svg('text', {x: 64, y: y(10 ** e) + 4, 'text-anchor': 'end'}, short(10 ** e)));
  }
  plot.append(svg('text', {x: 405, y: 410, 'text-anchor': 'middle'}, 'MACs a byte'), svg('text', {x: 4, y: 12}, 'MACs a cycle'));
  if (ridge) {
    // Below the lowest line the slope is cut off.
    const begin = Math.max(10 ** x0, 10 ** y0 / rate);
    plot.append(svg('polyline', {class: 'roof', points: `${x(begin)},${y(begin * rate)} ${x(ridge)},${y(peak)} ${x(10 ** x1)},${y(peak)}`}),
                svg('text', {x: 736, y: y(peak) - 6, 'text-anchor': 'end'}, `${count(peak)} MACs a cycle; ${count(rate)} bytes a cycle`));
  }
  const most = Math.max(...dots.map(d => d.layer.cycles));
  for (const dot of dots) {
    const circle = svg('circle', {class: 'dot', 'data-layer': dot.index, cx: x(dot.x), cy: y(dot.y), r: 3 + 9 * Math.sqrt(dot.layer.cycles / most)});
    circle.append(svg('title', {}, `${dot.layer.name}: ${short(dot.x)} MACs a byte, ${short(dot.y)} a cycle, ${count(dot.layer.cycles)} cycles`));
    circle.addEventListener('click', () => choose(dot.index));
    plot.append(circle);
  }
}

// --- stalls

const engineOf = cause => cause.includes('/') ? cause.slice(0, cause.indexOf('/')) : '';
const reasonOf = cause => cause.slice(cause.indexOf('/') + 1);

function drawStalls() {
  const engine = $('engine').value, causes = [];
  for (const {layer} of npu) {
    for (const [cause, cycles] of Object.entries(layer.stalls))
      if (engineOf(cause) === engine && cycles > 0 && !causes.includes(cause)) causes.push(cause);
  }
  $('causes').replaceChildren(...causes.flatMap((cause, i) =>
      [element('span', {className: 'key', style: `background: ${causeColour(i)}`}), reasonOf(cause)]));
  const most = Math.max(1, ...npu.map(({layer}) => layer.cycles || 0));
  $('bars').replaceChildren(...npu.map(({layer, index}) => {
    const whole = element('span', {className: 'whole', style: `width: ${100 * (layer.cycles || 0) / most}%`});
    causes.forEach((cause, i) => {
      const cycles = layer.stalls[cause];
      if (!cycles || !layer.cycles) return;
      whole.append(element('span', {title: `${reasonOf(cause)}: ${count(cycles)} cycles`,
                                    style: `background: ${causeColour(i)}; width: ${100 * cycles / layer.cycles}%`}));
    });
    const bar = element('div', {className: 'bar', title: layer.name}, element('span', {className: 'name'}, layer.name),
                        element('span', {className: 'track'}, whole), count(layer.cycles));
    bar.dataset.layer = index;
    bar.onclick = () => choose(index);
    return bar;
  }));
  markChosen();
}
function startStalls() {
  const totals = new Map();
  for (const {layer} of npu) {
    for (const [cause, cycles] of Object.entries(layer.stalls))
      totals.set(engineOf(cause), (totals.get(engineOf(cause)) || 0) + cycles);
  }
  if (totals.size === 0) return;
  $('stalls').hidden = false;
  const names = [...totals.keys()];
  $('engine').append(...names.map(name => element('option', {value: name}, name || 'NPU')));
  // The engine that stands still least tells most of the run.
  $('engine').value = names.reduce((a, b) => totals.get(b) < totals.get(a) ? b : a);
  $('engine').onchange = drawStalls;
  drawStalls();
}

// --- the table, and the layer that was chosen

function startTable() {
  const resources = data.doubled.filter(run => !run.error).map(run => run.resource);
  const head = ['layer', 'ops', 'cycles', 'MACs', 'bytes', 'MACs a cycle', 'what limits it', 'what would help',
                ...resources.map(resource => `${resource} x2`)];
  const isText = new Set(['layer', 'ops', 'what limits it', 'what would help']);
  $('columns').append(element('tr', {}, ...head.map(name => element('th', {className: isText.has(name) ? 'text' : ''}, name))));
  $('how').textContent = resources.length === 0 ? '' :
      'Cycles with twice of something are measured: the model was compiled anew for such a chip, and layers are matched by name. ' +
      'A cycle counts for one layer, so work that moves from one layer to its neighbour shows in both.';
  data.layers.forEach((layer, index) => {
    const name = element('button', {onclick: () => choose(index)}, layer.name || `layer ${index}`);
    const speed = layer.macs > 0 && layer.cycles > 0 ? layer.macs / layer.cycles : null;
    const time = layer.target === 'npu' ? count(layer.cycles) : `${short(layer.host_us)} µs`;
    const row = element('tr', {}, element('td', {className: 'text'}, name), element('td', {className: 'text'}, layer.ops.join(', ')),
                        ...[time, count(layer.macs), count(layer.bytes), short(speed)].map(text => element('td', {}, text)),
                        element('td', {className: 'text'}, layer.limit), element('td', {className: 'text'}, layer.help),
                        ...resources.map(resource => element('td', {}, count(layer.doubled[resource]) + change(layer.cycles, layer.doubled[resource]))));
    row.dataset.layer = index;
    $('rows').append(row);
  });
}
function markChosen() {
  for (const part of document.querySelectorAll('[data-layer]'))
    part.classList.toggle('selected', Number(part.dataset.layer) === chosen);
}
function choose(index) {
  chosen = index;
  const layer = data.layers[index], facts = [];
  if (known(layer.cycles)) facts.push(`${count(layer.cycles)} cycles${known(data.cycles) ? `, ${short(100 * layer.cycles / data.cycles)}% of the run` : ''}`);
  if (known(layer.host_us)) facts.push(`${short(layer.host_us)} µs of the host`);
  if (layer.macs > 0) facts.push(`${count(layer.macs)} MACs`);
  if (known(layer.bytes)) facts.push(`${count(layer.bytes)} bytes moved`);
  if (known(layer.energy_pj)) facts.push(`${short(layer.energy_pj / 1000)} nJ`);
  const stalls = Object.entries(layer.stalls).filter(entry => entry[1] > 0).sort((a, b) => b[1] - a[1]).slice(0, 6);
  const zoomButton = element('button', {id: 'zoom', onclick: () => zoomTo(index)}, 'zoom to it');
  $('selected').replaceChildren(
      element('h2', {}, layer.name), element('p', {}, layer.ops.join(', ')), element('p', {}, facts.join('; ')),
      element('p', {}, element('b', {}, 'What limits it: '), layer.limit, element('br'), element('b', {}, 'What would help: '),
              layer.help || 'not measured'),
      ...(stalls.length ? [element('p', {className: 'dim'}, 'Stalls: ' + stalls.map(([cause, cycles]) => `${cause} ${count(cycles)}`).join(', '))] : []),
      ...(time && layer.target === 'npu' ? [zoomButton] : []));
  markChosen();
  drawTime();
}

function summary() {
  const parts = [];
  if (data.soc) parts.push(data.soc);
  if (known(data.cycles)) parts.push(`${count(data.cycles)} cycles`);
  if (known(data.roofline_cycles)) parts.push(`at least ${count(data.roofline_cycles)} by the roofline`);
  if (known(data.macs)) parts.push(`${count(data.macs)} MACs`);
  if (known(data.bytes)) parts.push(`${count(data.bytes)} bytes moved`);
  for (const run of data.doubled)
    if (known(run.cycles)) parts.push(`with twice the ${run.resource} ${count(run.cycles)} cycles${change(data.cycles, run.cycles)}`);
  return parts.join('; ');
}
$('model').textContent = data.model;
$('summary').textContent = summary();
$('notes').append(...data.notes.map(note => element('li', {}, note)));
startTimeline();
startRoofline();
startStalls();
startTable();
document.body.dataset.ready = data.layers.length;
