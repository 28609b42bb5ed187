#!/usr/bin/env python3
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""A suite of random graphs for the conformance kit, on standard output.

Cases that people write are of the combinations that they think of. These are a dozen operators in a row, each on one of the
last results: int8, uint8, int16 or float32, with weights of the kinds that converters make, small enough for a thousand of
them to take seconds. The same seed gives the same bytes everywhere.

    scripts/random_suite.py --seed 7 > random.yaml
    npukit conform --plugin-dir build/lib --suite ./random.yaml --report out    # failures made small

Values are compared for the default SoC and for each claimed one. Ops that the vendor does not claim run on the CPU.
"""

import argparse
import json
import math
import random
import sys

INTEGERS = ("int8", "uint8", "int16")
MOST_ELEMS = 20000  # of a result
WEIGHTS = {"int8": ["int8"], "uint8": ["uint8"], "int16": ["int8"], "float32": ["float32", "float32", "int8"]}
BIASES = {"int8": "int32", "uint8": "int32", "int16": "int64", "float32": "float32"}
SCALES = {"int8": [0.02, 0.05, 0.1, 0.031], "uint8": [0.02, 0.05, 0.1], "int16": [0.001, 0.0003]}
ZERO_POINTS = {"int8": [0, -3, 17, -128, 40], "uint8": [0, 128, 120, 255], "int16": [0]}
# What TFLite fixes: results of functions whose range is known.
FIXED = {
    "LOGISTIC": {"int8": (1 / 256, -128), "uint8": (1 / 256, 0)},
    "TANH": {"int8": (1 / 128, 0), "uint8": (1 / 128, 128)},
    "SOFTMAX": {"int8": (1 / 256, -128), "uint8": (1 / 256, 0), "int16": (1 / 32768, 0)},
}


class Tensor:
    def __init__(self, name, shape, quant):
        self.name, self.shape, self.quant = name, shape, quant


class Graph:
    """One case as it grows. Makers choose with `random` and append ops; they return None where nothing fits."""

    def __init__(self, rng):
        self.random = rng
        self.type = rng.choice(["int8", "int8", "int8", "uint8", "int16", "float32", "float32"])
        self.inputs, self.constants, self.ops, self.results = {}, {}, [], []
        self.read = set()
        self.count = 0
        shape = [1 if rng.random() < 0.9 else 2, rng.randint(1, 12), rng.randint(1, 12), rng.choice([1, 2, 3, 4, 8, 16, 17, 24, 33])]
        for _ in range(1 if rng.random() < 0.7 else 2):
            self.add_input(shape)

    # Tensors.

    def name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def quant(self, kind=None):
        kind = kind or self.type
        if kind == "float32":
            return None
        return {"scale": self.random.choice(SCALES[kind]), "zero_point": self.random.choice(ZERO_POINTS[kind])}

    def add_input(self, shape):
        tensor = Tensor(self.name("x"), shape, self.quant())
        self.inputs[tensor.name] = self.described(self.type, shape, tensor.quant)
        self.results.append(tensor)

    @staticmethod
    def described(kind, shape, quant, **more):
        described = {"type": kind, "shape": shape, **more}
        if quant:
            described["quant"] = quant
        return described

    def constant(self, prefix, kind, shape, quant=None, **more):
        name = self.name(prefix)
        self.constants[name] = self.described(kind, shape, quant, **more)
        return name

    def numbers(self, prefix, values, shape=None):
        return self.constant(prefix, "int32", shape or [len(values)], data=values)

    def weights(self, shape, axis):
        kind = self.random.choice(WEIGHTS[self.type])
        channels = shape[axis]
        if kind == "float32":
            quant, more = None, {}
        elif kind == "uint8":
            quant, more = {"scale": 0.01, "zero_point": self.random.choice([128, 110])}, {}
        elif self.random.random() < 0.5:
            quant, more = {"scales": [round(0.004 + 0.001 * (7 * i % 13), 4) for i in range(channels)], "axis": axis}, {"range": [-127, 127]}
        else:
            quant, more = {"scale": 0.01, "zero_point": 0}, {"range": [-127, 127]}
        return self.constant("w", kind, shape, quant, **more), quant

    def bias(self, x, weights_quant, channels):
        if self.random.random() < 0.3:
            return "-"
        if self.type == "float32":
            return self.constant("b", "float32", [channels], range=[-1, 1])
        scales = weights_quant.get("scales") or [weights_quant["scale"]]
        scales = [round(scale * x.quant["scale"], 12) for scale in scales]
        quant = {"scales": scales, "axis": 0} if len(scales) > 1 else {"scale": scales[0]}
        return self.constant("b", BIASES[self.type], [channels], quant, range=[-2000, 2000])

    def activation(self):
        return self.random.choice(["NONE", "NONE", "RELU", "RELU6"])

    def beside(self, x, fits):
        """A tensor to go with x: one of the last that fits, perhaps x itself."""
        return self.random.choice([tensor for tensor in self.results if fits(tensor)])

    def append(self, op, inputs, shape, quant, **options):
        return self.append_several(op, inputs, 1, shape, quant, **options)

    def append_several(self, op, inputs, count, shape, quant, **options):
        results = [Tensor(self.name("t"), shape, quant) for _ in range(count)]
        described = {"type": self.type, **({"quant": quant} if quant else {})}
        out = {result.name: described for result in results}
        self.ops.append({"op": op, "in": inputs, "out": out, **({"options": options} if options else {})})
        self.read.update(inputs)
        self.results += results
        return results[0]

    def case(self, name):
        used = {key: value for key, value in self.inputs.items() if key in self.read}
        outputs = [t.name for t in self.results if t.name not in self.read and t.name not in self.inputs]
        inner = [t.name for t in self.results if t.name in self.read and t.name not in self.inputs]
        if inner and self.random.random() < 0.2:
            outputs.append(self.random.choice(inner))
        if not used or not outputs:
            return None
        graph = {"inputs": used, "constants": self.constants, "ops": self.ops, "outputs": outputs}
        return {"name": f"{name}_{self.type}", "checks": ["numerics.oracle", "state.each_soc"], "graph": graph}


def elems(shape):
    return math.prod(shape)


def is_image(x):
    return len(x.shape) == 4


def windows(size, filter_size, stride, dilation, padding):
    reach = (filter_size - 1) * dilation + 1
    if padding == "SAME":
        return -(-size // stride)
    return (size - reach) // stride + 1 if reach <= size else 0


# Makers: of a graph and a tensor.


def convolution(graph, x):
    if not is_image(x):
        return None
    rng = graph.random
    filters, strides = [rng.randint(1, 4), rng.randint(1, 4)], [rng.randint(1, 3), rng.randint(1, 3)]
    dilations = [rng.choice([1, 1, 2]), rng.choice([1, 1, 2])] if rng.random() < 0.5 else [1, 1]
    if dilations != [1, 1]:
        strides = [1, 1]
    padding = rng.choice(["SAME", "VALID"])
    rows, cols = (windows(*each, padding) for each in zip(x.shape[1:3], filters, strides, dilations))
    channels = x.shape[3]
    options = {}
    if rng.random() < 0.5:
        op, out_channels = "CONV_2D", rng.choice([1, 2, 4, 8, 12, 16, 20, 33, 40])
        shape, axis = [out_channels, *filters, channels], 0
    else:
        options["depth_multiplier"] = rng.choice([1, 1, 1, 2])
        op, out_channels = "DEPTHWISE_CONV_2D", channels * options["depth_multiplier"]
        shape, axis = [1, *filters, out_channels], 3
    result = [x.shape[0], rows, cols, out_channels]
    if not 0 < elems(result) <= MOST_ELEMS:
        return None
    weights, quant = graph.weights(shape, axis)
    bias = graph.bias(x, quant, out_channels)
    return graph.append(op, [x.name, weights, bias], result, graph.quant(), padding=padding, stride_h=strides[0], stride_w=strides[1],
                        dilation_h_factor=dilations[0], dilation_w_factor=dilations[1],
                        fused_activation_function=graph.activation(), **options)


def dense(graph, x):
    rng = graph.random
    channels = rng.choice([1, 3, 8, 16, 40])
    keep = rng.random() < 0.7
    shape = [*x.shape[:-1], channels] if keep else [elems(x.shape[:-1]), channels]
    if elems(shape) > MOST_ELEMS:
        return None
    weights, _ = graph.weights([channels, x.shape[-1]], 0)
    return graph.append("FULLY_CONNECTED", [x.name, weights, "-"], shape, graph.quant(), keep_num_dims=keep,
                        fused_activation_function=graph.activation())


def matrices(graph, x):
    if graph.type == "uint8" or len(x.shape) < 2:
        return None
    other = graph.beside(x, lambda t: t.shape[:-2] == x.shape[:-2] and t.shape[-1] == x.shape[-1] and len(t.shape) == len(x.shape))
    return graph.append("BATCH_MATMUL", [x.name, other.name], [*x.shape[:-1], other.shape[-2]], graph.quant(), adj_y=True)


def transposed_convolution(graph, x):
    if not is_image(x) or graph.type == "uint8":
        return None
    rng = graph.random
    filters, strides = [rng.randint(1, 4), rng.randint(1, 4)], [rng.randint(1, 3), rng.randint(1, 3)]
    padding, channels = rng.choice(["SAME", "VALID"]), rng.choice([1, 3, 8, 17])
    if padding == "SAME":
        size = [extent * stride for extent, stride in zip(x.shape[1:3], strides)]
    else:
        size = [(extent - 1) * stride + reach for extent, stride, reach in zip(x.shape[1:3], strides, filters)]
    shape = [x.shape[0], *size, channels]
    if elems(shape) > MOST_ELEMS:
        return None
    real = graph.type == "float32"
    weights = graph.constant("w", "float32" if real else "int8", [channels, *filters, x.shape[3]],
                             None if real else {"scale": 0.01, "zero_point": 0}, range=[-1, 1] if real else [-127, 127])
    return graph.append("TRANSPOSE_CONV", [graph.numbers("s", shape), weights, x.name], shape, graph.quant(), padding=padding,
                        stride_h=strides[0], stride_w=strides[1])


def elementwise(graph, x):
    rng = graph.random

    def fits(t):
        return len(t.shape) == len(x.shape) and all(b in (a, 1) for a, b in zip(x.shape, t.shape))

    other = graph.beside(x, fits).name
    if rng.random() < 0.35:
        other = graph.constant("c", graph.type, rng.choice([[x.shape[-1]], [1], x.shape]), graph.quant())
    operands = [x.name, other] if rng.random() < 0.7 else [other, x.name]
    return graph.append(rng.choice(["ADD", "SUB", "MUL"]), operands, x.shape, graph.quant(), fused_activation_function=graph.activation())


def extremum(graph, x):
    other = graph.beside(x, lambda t: t.shape == x.shape and t.quant == x.quant)
    return graph.append(graph.random.choice(["MAXIMUM", "MINIMUM"]), [x.name, other.name], x.shape, x.quant)


def pool(graph, x):
    rng = graph.random
    filters, strides = [rng.randint(1, 3), rng.randint(1, 3)], [rng.randint(1, 2), rng.randint(1, 2)]
    padding = rng.choice(["SAME", "VALID"])
    if not is_image(x) or filters[0] > x.shape[1] or filters[1] > x.shape[2]:
        return None
    rows, cols = (windows(size, f, s, 1, padding) for size, f, s in zip(x.shape[1:3], filters, strides))
    return graph.append(rng.choice(["MAX_POOL_2D", "AVERAGE_POOL_2D"]), [x.name], [x.shape[0], rows, cols, x.shape[3]], x.quant,
                        filter_height=filters[0], filter_width=filters[1], stride_h=strides[0], stride_w=strides[1], padding=padding,
                        fused_activation_function=graph.activation())


def function(graph, x):
    ops = {
        "int8": ["LOGISTIC", "TANH", "SOFTMAX", "HARD_SWISH", "LEAKY_RELU", "GELU", "ABS", "RELU", "RELU6", "RELU_N1_TO_1"],
        "uint8": ["LOGISTIC", "TANH", "SOFTMAX", "HARD_SWISH", "LEAKY_RELU", "RELU", "RELU6"],
        "int16": ["SOFTMAX", "LEAKY_RELU", "RELU", "RELU6"],
        "float32": ["LOGISTIC", "TANH", "SOFTMAX", "HARD_SWISH", "LEAKY_RELU", "GELU", "ABS", "RELU", "RELU6", "RELU_N1_TO_1"],
    }
    op = graph.random.choice(ops[graph.type])
    quant = x.quant if op.startswith("RELU") and graph.random.random() < 0.5 else graph.quant()
    if graph.type in FIXED.get(op, {}):
        scale, zero_point = FIXED[op][graph.type]
        quant = {"scale": scale, "zero_point": zero_point}
    options = {"LEAKY_RELU": {"alpha": 0.2}, "SOFTMAX": {"beta": graph.random.choice([1, 0.5])}}.get(op, {})
    return graph.append(op, [x.name], x.shape, quant, **options)


def float_function(graph, x):
    if graph.type != "float32":
        return None
    op = graph.random.choice(["EXP", "SQUARE", "SIN", "COS", "FLOOR", "CEIL", "ROUND", "SIGN", "NEG", "ELU", "LOG_SOFTMAX", "L2_NORMALIZATION"])
    return graph.append(op, [x.name], x.shape, None)


def squared_difference(graph, x):
    if graph.type not in ("int8", "float32"):
        return None
    other = graph.beside(x, lambda t: t.shape == x.shape)
    return graph.append("SQUARED_DIFFERENCE", [x.name, other.name], x.shape, graph.quant())


def reduction(graph, x):
    if len(x.shape) < 2:
        return None
    axes = sorted(graph.random.sample(range(1, len(x.shape)), graph.random.randint(1, len(x.shape) - 1)))
    keep = graph.random.random() < 0.6
    shape = [1 if i in axes else d for i, d in enumerate(x.shape)] if keep else [d for i, d in enumerate(x.shape) if i not in axes]
    op = graph.random.choice(["MEAN", "MEAN", "REDUCE_MAX", "REDUCE_MIN"] + ([] if graph.type in ("int16", "uint8") else ["SUM"]))
    quant = x.quant if op.startswith("REDUCE") else graph.quant()
    return graph.append(op, [x.name, graph.numbers("a", axes)], shape, quant, keep_dims=keep)


def pad(graph, x):
    if not is_image(x):
        return None
    pads = [[0, 0], *([graph.random.randint(0, 2), graph.random.randint(0, 2)] for _ in range(2)), [0, 0]]
    if graph.random.random() < 0.3:
        pads[3] = [graph.random.randint(0, 3), graph.random.randint(0, 3)]
    shape = [size + before + behind for size, (before, behind) in zip(x.shape, pads)]
    return graph.append("PAD", [x.name, graph.numbers("p", sum(pads, []), [4, 2])], shape, x.quant)


def mirror_pad(graph, x):
    if not is_image(x):
        return None
    mode = graph.random.choice(["REFLECT", "SYMMETRIC"])
    most = [0, *(min(2, size - (mode == "REFLECT")) for size in x.shape[1:3]), 0]
    pads = [[graph.random.randint(0, m), graph.random.randint(0, m)] for m in most]
    shape = [size + before + behind for size, (before, behind) in zip(x.shape, pads)]
    return graph.append("MIRROR_PAD", [x.name, graph.numbers("p", sum(pads, []), [4, 2])], shape, x.quant, mode=mode)


def tile(graph, x):
    counts = [graph.random.choice([1, 1, 2, 3]) for _ in x.shape]
    shape = [size * count for size, count in zip(x.shape, counts)]
    return None if elems(shape) > MOST_ELEMS else graph.append("TILE", [x.name, graph.numbers("m", counts)], shape, x.quant)


def reverse(graph, x):
    return graph.append("REVERSE_V2", [x.name, graph.numbers("a", [graph.random.randrange(len(x.shape))])], x.shape, x.quant)


def split(graph, x):
    ways = [(axis, count) for axis, size in enumerate(x.shape) for count in (2, 3) if size > 1 and size % count == 0]
    if not ways:
        return None
    axis, count = graph.random.choice(ways)
    shape = list(x.shape)
    shape[axis] //= count
    return graph.append_several("SPLIT", [graph.numbers("a", [axis]), x.name], count, shape, x.quant, num_splits=count)


def unpack(graph, x):
    axes = [axis for axis, size in enumerate(x.shape) if 1 < size <= 4]
    if not axes or len(x.shape) < 2:
        return None
    axis = graph.random.choice(axes)
    shape = x.shape[:axis] + x.shape[axis + 1:]
    return graph.append_several("UNPACK", [x.name], x.shape[axis], shape, x.quant, num=x.shape[axis], axis=axis)


def pack(graph, x):
    if len(x.shape) > 3:
        return None
    other = graph.beside(x, lambda t: t.shape == x.shape and t.quant == x.quant)
    axis = graph.random.randint(0, len(x.shape))
    return graph.append("PACK", [x.name, other.name], x.shape[:axis] + [2] + x.shape[axis:], x.quant, values_count=2, axis=axis)


def concatenation(graph, x):
    axis = graph.random.randrange(1, len(x.shape)) if len(x.shape) > 1 else 0

    def fits(t):
        return len(t.shape) == len(x.shape) and t.quant == x.quant and all(
            a == b or i == axis for i, (a, b) in enumerate(zip(t.shape, x.shape)))

    other = graph.beside(x, fits)
    shape = list(x.shape)
    shape[axis] += other.shape[axis]
    return None if elems(shape) > MOST_ELEMS else graph.append("CONCATENATION", [x.name, other.name], shape, x.quant, axis=axis)


def transpose(graph, x):
    order = list(range(len(x.shape)))
    graph.random.shuffle(order)
    return graph.append("TRANSPOSE", [x.name, graph.numbers("p", order)], [x.shape[i] for i in order], x.quant)


def reshape(graph, x):
    count = elems(x.shape)
    shapes = [[1, count], [1, 1, 1, count]]
    for d in range(2, 40):
        if count % d == 0:
            shapes += [[d, count // d], [1, d, count // d], [1, d, 1, count // d], [1, 1, d, count // d]]
    shape = graph.random.choice(shapes)
    return graph.append("RESHAPE", [x.name, graph.numbers("s", shape)], shape, x.quant)


def part(graph, x):
    rng = graph.random
    begin = [rng.randint(0, size - 1) for size in x.shape]
    end = [rng.randint(b + 1, size) for b, size in zip(begin, x.shape)]
    if rng.random() < 0.5:
        shape = [e - b for b, e in zip(begin, end)]
        return graph.append("SLICE", [x.name, graph.numbers("b", begin), graph.numbers("s", shape)], shape, x.quant)
    steps = [rng.randint(1, 2) for _ in x.shape]
    shape = [-(-(e - b) // step) for b, e, step in zip(begin, end, steps)]
    return graph.append("STRIDED_SLICE", [x.name, *(graph.numbers("b", each) for each in (begin, end, steps))], shape, x.quant)


def gather(graph, x):
    if graph.type == "uint8":
        return None
    axis = graph.random.randrange(len(x.shape))
    indices = [graph.random.randrange(x.shape[axis]) for _ in range(graph.random.randint(1, 6))]
    shape = list(x.shape)
    shape[axis] = len(indices)
    return graph.append("GATHER", [x.name, graph.numbers("i", indices)], shape, x.quant, axis=axis)


def resize(graph, x):
    if not is_image(x) or graph.type == "int16":
        return None
    size = [graph.random.randint(1, 16), graph.random.randint(1, 16)]
    shape = [x.shape[0], *size, x.shape[3]]
    if elems(shape) > MOST_ELEMS:
        return None
    corners, centers = graph.random.choice([(False, False), (True, False), (False, True)])
    op = graph.random.choice(["RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"])
    return graph.append(op, [x.name, graph.numbers("s", size)], shape, x.quant, align_corners=corners, half_pixel_centers=centers)


def prelu(graph, x):
    if not is_image(x) or graph.type not in ("int8", "float32"):
        return None
    quant = None if graph.type == "float32" else {"scale": 0.004, "zero_point": 0}
    return graph.append("PRELU", [x.name, graph.constant("a", graph.type, [1, 1, x.shape[3]], quant)], x.shape, graph.quant())


def blocks(graph, x):
    if is_image(x) and x.shape[3] % 4 == 0 and graph.random.random() < 0.5:
        shape = [x.shape[0], 2 * x.shape[1], 2 * x.shape[2], x.shape[3] // 4]
        return graph.append("DEPTH_TO_SPACE", [x.name], shape, x.quant, block_size=2)
    if not is_image(x) or x.shape[1] % 2 or x.shape[2] % 2:
        return None
    shape = [x.shape[0], x.shape[1] // 2, x.shape[2] // 2, 4 * x.shape[3]]
    return graph.append("SPACE_TO_DEPTH", [x.name], shape, x.quant, block_size=2)


MAKERS = 4 * [convolution] + 3 * [elementwise] + 2 * [function, dense, part] + [
    transposed_convolution, matrices, extremum, squared_difference, float_function, pool, reduction, pad, mirror_pad, tile, reverse, split,
    unpack, pack, concatenation, transpose, reshape, gather, resize, prelu, blocks]


def random_case(rng, name, most_ops):
    graph = Graph(rng)
    for _ in range(rng.randint(2, most_ops)):
        rng.choice(MAKERS)(graph, rng.choice(graph.results[-3:]))
    return graph.case(name)


def random_suite(seed, count, most_ops):
    rng = random.Random(seed)
    cases = []
    while len(cases) < count:
        case = random_case(rng, f"random_{seed}_{len(cases)}", most_ops)
        if case:
            cases.append(case)
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="of the choice (default 1)")
    parser.add_argument("--count", type=int, default=500, help="how many graphs (default 500)")
    parser.add_argument("--ops", type=int, default=12, help="most ops of one (default 12)")
    arguments = parser.parse_args()
    if arguments.count < 1 or arguments.ops < 2:
        parser.error("--count is at least 1, --ops at least 2")
    print(f"suite: random\ndescription: random graphs of seed {arguments.seed}, by scripts/random_suite.py\ncases:")
    for case in random_suite(arguments.seed, arguments.count, arguments.ops):
        print("  - " + json.dumps(case))
    return 0


if __name__ == "__main__":
    sys.exit(main())
