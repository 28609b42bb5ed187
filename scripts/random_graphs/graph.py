# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""A case as it grows: tensors of any type, and ops on them."""

import math
from typing import NamedTuple, Optional

INTEGERS = ("int8", "uint8", "int16")
WEIGHTS = {"int8": ["int8"], "uint8": ["uint8"], "int16": ["int8"], "float32": ["float32", "float32", "int8"]}
BIASES = {"int8": "int32", "uint8": "int32", "int16": "int64", "float32": "float32"}
SCALES = {"int8": [0.02, 0.05, 0.1, 0.031], "uint8": [0.02, 0.05, 0.1], "int16": [0.001, 0.0003]}
ZERO_POINTS = {"int8": [0, -3, 17, -128, 40], "uint8": [0, 128, 120, 255], "int16": [0]}
# What TFLite fixes: results of functions whose range is known.
FIXED = {
    "LOGISTIC": {"int8": (1 / 256, -128), "uint8": (1 / 256, 0), "int16": (1 / 32768, 0)},
    "TANH": {"int8": (1 / 128, 0), "uint8": (1 / 128, 128), "int16": (1 / 32768, 0)},
    "SOFTMAX": {"int8": (1 / 256, -128), "uint8": (1 / 256, 0), "int16": (1 / 32768, 0)},
}
MOST = {"int4": 7, "int8": 127, "uint8": 127, "int16": 32767}
NO_RANGE = (-math.inf, math.inf)
INT32_MOST = 2**31 - 1


class Kind(NamedTuple):
    """What a tensor's elements are: their type and, of quantised ones, scale and zero point."""
    type: str
    quant: Optional[tuple] = None

    def described(self, **more):
        described = {"type": self.type, **more}
        if self.quant:
            described["quant"] = {"scale": self.quant[0], "zero_point": self.quant[1]}
        return described


class Tensor(NamedTuple):
    """`range` holds every value of an int32 tensor; of a float32 tensor it is what is known (perhaps nothing)."""
    name: str
    shape: list
    kind: Kind
    range: tuple = NO_RANGE

    @property
    def type(self):
        return self.kind.type


def joined_range(*tensors):
    """Of what is one of their elements."""
    return min(t.range[0] for t in tensors), max(t.range[1] for t in tensors)


def elems(shape):
    return math.prod(shape)


def spread(a, b):
    """The shape of what two operands make together; None where they do not fit."""
    count = max(len(a), len(b))
    pairs = list(zip([1] * (count - len(a)) + a, [1] * (count - len(b)) + b))
    return [max(pair) for pair in pairs] if all(x == y or 1 in (x, y) for x, y in pairs) else None


def is_image(x):
    return len(x.shape) == 4 and x.type != "bool"


def is_number(x):
    return x.type in (*INTEGERS, "float32")


class Sizes(NamedTuple):
    """How large the graphs are: an image's extents and channels, and the most elements of a result."""
    extents: tuple
    channels: tuple
    most_elems: int


SMALL = Sizes((1, 12), (1, 2, 3, 4, 8, 16, 17, 24, 33), 20000)
LARGE = Sizes((10, 70), (1, 3, 8, 16, 24, 33, 64, 100), 300000)


class Graph:
    """Makers choose with `random` and append ops; they return None where nothing fits."""

    def __init__(self, rng, sizes):
        self.random, self.sizes = rng, sizes
        self.main_type = rng.choice(["int8", "int8", "int8", "uint8", "int16", "float32", "float32", "int32"])
        self.inputs, self.constants, self.variables, self.ops, self.results = {}, {}, {}, [], []
        self.read = set()
        self.count = 0
        shape = [1 if rng.random() < 0.9 else 2, rng.randint(*sizes.extents), rng.randint(*sizes.extents), rng.choice(sizes.channels)]
        for _ in range(1 if rng.random() < 0.7 else 2):
            self.add_input(shape)

    # Tensors.

    def name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def kind(self, type_name):
        """The type with a scale and a zero point of its own."""
        if type_name not in INTEGERS:
            return Kind(type_name)
        return Kind(type_name, (self.random.choice(SCALES[type_name]), self.random.choice(ZERO_POINTS[type_name])))

    def reach(self, name):
        """The largest magnitude that a quantised operand stands for."""
        described = self.constants.get(name) or next(t for t in self.results if t.name == name).kind.described()
        quant = described["quant"]
        scales = quant["scales"] if "scales" in quant else [quant["scale"]]
        return MOST[described["type"]] * sum(scales) / len(scales)

    def sum_kind(self, x, other, terms):
        """x's type for sums of so many products with `other`, by name. Random scales saturate nearly all of many terms, and hide what
        goes wrong before: every other time it is one that such sums fill, three deviations of them."""
        kind = self.kind(x.type)
        if kind.quant is None or self.random.random() < 0.5:
            return kind
        return Kind(x.type, (float(f"{math.sqrt(terms) * x.kind.quant[0] * self.reach(other):.4g}"), kind.quant[1]))

    def add_input(self, shape):
        kind = self.kind(self.main_type)
        known = (-100, 100) if kind.type == "int32" else NO_RANGE
        tensor = Tensor(self.name("x"), shape, kind, known)
        more = {"range": list(known)} if kind.type == "int32" else {}
        self.inputs[tensor.name] = kind.described(shape=shape, **more)
        self.results.append(tensor)

    def constant(self, prefix, kind, shape, **more):
        name = self.name(prefix)
        self.constants[name] = kind.described(shape=shape, **more)
        return name

    def numbers(self, prefix, values, shape=None):
        return self.constant(prefix, Kind("int32"), [len(values)] if shape is None else shape, data=values)

    def variable(self, shape):
        name = self.name("v")
        self.variables[name] = {"type": "float32", "shape": shape}
        return name

    def stored(self, shape, kind, **more):
        """Floats that a DEQUANTIZE makes of a constant; nothing else reads them."""
        name = self.name("d")
        self.ops.append({"op": "DEQUANTIZE", "in": [self.constant("w", kind, shape, **more)], "out": {name: {"type": "float32", "shape": shape}}})
        return name

    def weights(self, x, shape, axis, narrow=False):
        """Of a product with x: their name, and their scales. Narrow ones may have 4 bits."""
        if narrow and x.type == "float32" and shape[1] % 32 == 0 and self.random.random() < 0.5:
            scales = self.constant("s", Kind("float16"), [shape[0], shape[1] // 32], range=[0.004, 0.1])
            return self.constant("w", Kind("int4"), shape, quant={"scales_tensor": scales, "block_size": 32}), None
        type_name = self.random.choice(WEIGHTS[x.type])
        if type_name == "float32" and self.random.random() < 0.25:
            return self.stored(shape, self.random.choice([Kind("float16"), Kind("int8", (0.01, 0))])), None
        if type_name == "float32":
            return self.constant("w", Kind(type_name), shape), None
        if narrow and x.type != "uint8" and self.random.random() < 0.4:
            return self.narrow_weights(x, shape, axis)
        if type_name == "uint8":
            kind = Kind(type_name, (0.01, self.random.choice([128, 110])))
            return self.constant("w", kind, shape), [0.01]
        if self.random.random() < 0.5:
            scales = [round(0.004 + 0.001 * (7 * i % 13), 4) for i in range(shape[axis])]
            return self.constant("w", Kind(type_name), shape, quant={"scales": scales, "axis": axis}, range=[-127, 127]), scales
        return self.constant("w", Kind(type_name, (0.01, 0)), shape, range=[-127, 127]), [0.01]

    def narrow_weights(self, x, shape, axis):
        if self.random.random() < 0.5:
            scales = [round(0.05 + 0.01 * (5 * i % 11), 4) for i in range(shape[axis])]
            return self.constant("w", Kind("int4"), shape, quant={"scales": scales, "axis": axis}, range=[-7, 7]), scales
        return self.constant("w", Kind("int4", (0.1, 0)), shape, range=[-7, 7]), [0.1]

    def bias(self, x, weight_scales, channels):
        if self.random.random() < 0.3:
            return "-"
        if x.type == "float32":
            return self.constant("b", Kind("float32"), [channels], range=[-1, 1])
        scales = [round(scale * x.kind.quant[0], 12) for scale in weight_scales]
        quant = {"scales": scales, "axis": 0} if len(scales) > 1 else {"scale": scales[0]}
        return self.constant("b", Kind(BIASES[x.type]), [channels], quant=quant, range=[-2000, 2000])

    def activation(self):
        return self.random.choice(["NONE", "NONE", "NONE", "RELU", "RELU6", "RELU_N1_TO_1"])

    def beside(self, x, fits):
        """A tensor of x's type to go with x: one of the last that fit, perhaps x itself."""
        return self.random.choice([tensor for tensor in self.results if tensor.type == x.type and fits(tensor)])

    def fits(self, shape):
        return 0 < elems(shape) <= self.sizes.most_elems

    # Ops.

    def append(self, op, inputs, shape, kind, known=NO_RANGE, **options):
        return self.append_several(op, inputs, [(shape, kind, known)], **options)

    def append_several(self, op, inputs, outputs, **options):
        """Outputs are (shape, kind, range)."""
        results = [Tensor(self.name("t"), *each) for each in outputs]
        out = {result.name: result.kind.described(shape=result.shape) for result in results}
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
        if self.variables:
            graph["variables"] = self.variables
        return {"name": f"{name}_{self.main_type}", "checks": ["numerics.oracle", "state.each_soc"], "graph": graph}
