#!/usr/bin/env python3
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/pictures/*.svg: draw_pictures.py FOLDER. Boxes in columns and rows, with arrows between."""

import pathlib
import sys
import xml.sax.saxutils

_WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _MARGIN = 190, 46, 46, 34, 16
_COLOURS = {"npukit": "#dbe9ff", "vendor": "#ffe3c2", "file": "#eeeeee", "user": "#dff3dd"}

# Name: (column, row, kind, lines).
_PIPELINE = {
    "model": (0, 0, "file", ["model.tflite"]),
    "read": (1, 0, "npukit", ["read and verify", "graph IR"]),
    "rewrite": (2, 0, "npukit", ["fold, rewrite"]),
    "claim": (3, 0, "npukit", ["ask for claims", "place, partition"]),
    "compile": (3, 1, "npukit", ["compile"]),
    "plugin": (3, 2, "vendor", ["compiler plugin", "Partition, Compile"]),
    "embed": (2, 1, "npukit", ["DISPATCH_OP", "with bytecode"]),
    "compiled": (1, 1, "file", ["compiled.tflite"]),
    "run": (0, 1, "npukit", ["run: CPU kernels,", "packages, dispatch"]),
    "dispatch": (0, 2, "vendor", ["dispatch library", "load, attach, invoke"]),
    "device": (1, 2, "vendor", ["driver and NPU"]),
}
_PIPELINE_ARROWS = [("model", "read"), ("read", "rewrite"), ("rewrite", "claim"), ("claim", "compile"), ("compile", "embed"),
                    ("embed", "compiled"), ("compiled", "run"), ("compile", "plugin"), ("run", "dispatch"), ("dispatch", "device")]
_LIBRARIES = {
    "app": (0, 0, "user", ["application"]),
    "tools": (1, 0, "npukit", ["npukit VERB"]),
    "python": (2, 0, "npukit", ["Python: npukit"]),
    "host": (1, 1, "npukit", ["libLiteRt.so"]),
    "plugin": (0, 2, "vendor", ["libLiteRtCompilerPlugin_", "NAME.so"]),
    "dispatch": (1, 2, "vendor", ["libLiteRtDispatch_", "NAME.so"]),
    "package": (2, 2, "vendor", ["operator packages"]),
}
_LIBRARIES_ARROWS = [("app", "host"), ("tools", "host"), ("python", "host"), ("host", "plugin"), ("host", "dispatch"),
                     ("host", "package")]


def _corner(box):
  return _MARGIN + box[0] * (_WIDTH + _GAP_X), _MARGIN + box[1] * (_HEIGHT + _GAP_Y)


def _arrow(start, end):
  (x1, y1), (x2, y2) = _corner(start), _corner(end)
  if y1 == y2:
    side = _WIDTH if x2 > x1 else 0
    points = (x1 + side, y1 + _HEIGHT / 2, x2 + (_WIDTH - side), y2 + _HEIGHT / 2)
  else:
    points = (x1 + _WIDTH / 2, y1 + _HEIGHT, x2 + _WIDTH / 2, y2)
  return '<line x1="%g" y1="%g" x2="%g" y2="%g" stroke="#555" stroke-width="1.5" marker-end="url(#tip)"/>' % points


def draw(title, boxes, arrows):
  columns, rows = max(box[0] for box in boxes.values()) + 1, max(box[1] for box in boxes.values()) + 1
  width, height = 2 * _MARGIN + columns * (_WIDTH + _GAP_X) - _GAP_X, 2 * _MARGIN + rows * (_HEIGHT + _GAP_Y) - _GAP_Y
  out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
         f'font-family="sans-serif" font-size="14" role="img"><title>{title}</title>',
         '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
         '<path d="M0 0L8 4L0 8z" fill="#555"/></marker></defs>', f'<rect width="{width}" height="{height}" fill="#fff"/>']
  out += [_arrow(boxes[start], boxes[end]) for start, end in arrows]
  for box in boxes.values():
    x, y = _corner(box)
    out.append(f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="6" fill="{_COLOURS[box[2]]}" stroke="#555"/>')
    for number, line in enumerate(box[3]):
      at = y + _HEIGHT / 2 + 5 + (number - (len(box[3]) - 1) / 2) * 17
      out.append(f'<text x="{x + _WIDTH / 2:g}" y="{at:g}" text-anchor="middle">{xml.sax.saxutils.escape(line)}</text>')
  return "\n".join([*out, "</svg>", ""])


def main():
  folder = pathlib.Path(sys.argv[1])
  for name, title, boxes, arrows in (("pipeline", "How a model gets to the NPU", _PIPELINE, _PIPELINE_ARROWS),
                                     ("libraries", "Who loads whom", _LIBRARIES, _LIBRARIES_ARROWS)):
    (folder / f"{name}.svg").write_text(draw(title, boxes, arrows), encoding="utf-8")


if __name__ == "__main__":
  main()
