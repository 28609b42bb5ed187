# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Elementwise ops, functions, reductions and conversions between types: makers, each of a graph and a tensor."""

import math

from random_graphs.graph import FIXED, INT32_MOST, INTEGERS, NO_RANGE, Kind, is_number, joined_range, spread

# Of float32 functions, where their results lie.
RANGES = {"LOGISTIC": (0, 1), "SOFTMAX": (0, 1), "TANH": (-1, 1), "RELU6": (0, 6), "RELU_N1_TO_1": (-1, 1), "SIN": (-1, 1), "COS": (-1, 1),
          "SIGN": (-1, 1), "RELU": (0, math.inf), "ABS": (0, math.inf), "SQUARE": (0, math.inf)}


def combined(op, a, b):
    """The range of an op on int32 ranges; None where it would overflow."""
    if op == "ADD":
        result = (a[0] + b[0], a[1] + b[1])
    elif op == "SUB":
        result = (a[0] - b[1], a[1] - b[0])
    else:
        ends = [x * y for x in a for y in b]
        result = (min(ends), max(ends))
    return result if max(map(abs, result)) <= INT32_MOST else None


def elementwise(graph, x):
    if x.type == "bool":
        return None
    rng = graph.random

    tensor = graph.beside(x, lambda t: spread(x.shape, t.shape) is not None)
    other, known, shape = tensor.name, tensor.range, spread(x.shape, tensor.shape)
    if rng.random() < 0.35:
        shape = x.shape
        more = {"range": [-9, 9]} if x.type == "int32" else {}
        other, known = graph.constant("c", graph.kind(x.type), rng.choice([x.shape[-1:], [1], x.shape]), **more), (-9, 9)
    if shape != x.shape and not graph.fits(shape):
        return None
    op = rng.choice(["ADD", "SUB", "MUL"])
    turned = rng.random() >= 0.7
    if x.type == "int32":
        known = combined(op, known, x.range) if turned else combined(op, x.range, known)
        if known is None:
            return None
    operands = [other, x.name] if turned else [x.name, other]
    activation = "NONE" if x.type == "int32" else graph.activation()
    return graph.append(op, operands, shape, graph.kind(x.type), known if x.type == "int32" else NO_RANGE,
                        fused_activation_function=activation)


def extremum(graph, x):
    if x.type == "bool":
        return None
    other = graph.beside(x, lambda t: t.shape == x.shape and t.kind == x.kind)
    return graph.append(graph.random.choice(["MAXIMUM", "MINIMUM"]), [x.name, other.name], x.shape, x.kind, joined_range(x, other))


def remainder(graph, x):
    """Places for GATHER and its like come of this."""
    if x.type != "int32":
        return None
    divisor = graph.random.choice([2, 3, 5, 8, -7])
    op = graph.random.choice(["FLOOR_MOD", "FLOOR_MOD", "FLOOR_DIV"])
    by = graph.numbers("c", [divisor], [1])
    if op == "FLOOR_MOD":
        known = (0, divisor - 1) if divisor > 0 else (divisor + 1, 0)
    else:
        ends = [x.range[0] // divisor, x.range[1] // divisor]
        known = (min(ends), max(ends))
    return graph.append(op, [x.name, by], x.shape, x.kind, known)


def division(graph, x):
    if x.type != "float32":
        return None
    by = graph.constant("c", Kind("float32"), graph.random.choice([x.shape[-1:], [1]]), range=[0.5, 3])
    return graph.append("DIV", [x.name, by], x.shape, x.kind, fused_activation_function=graph.activation())


def function(graph, x):
    ops = {
        "int8": ["LOGISTIC", "TANH", "SOFTMAX", "HARD_SWISH", "LEAKY_RELU", "GELU", "ABS", "RELU", "RELU6", "RELU_N1_TO_1", "EXP", "ELU", "NEG"],
        "uint8": ["LOGISTIC", "TANH", "SOFTMAX", "HARD_SWISH", "LEAKY_RELU", "GELU", "RELU", "RELU6", "RELU_N1_TO_1"],
        "int16": ["SOFTMAX", "LEAKY_RELU", "RELU", "RELU6", "LOGISTIC", "TANH", "GELU", "EXP"],
        "float32": ["LOGISTIC", "TANH", "SOFTMAX", "HARD_SWISH", "LEAKY_RELU", "GELU", "ABS", "RELU", "RELU6", "RELU_N1_TO_1"],
    }
    if x.type not in ops or not x.shape:
        return None
    op = graph.random.choice(ops[x.type])
    if op == "NEG":
        return graph.append(op, [x.name], x.shape, x.kind)
    kind = x.kind if op.startswith("RELU") and graph.random.random() < 0.5 else graph.kind(x.type)
    if x.type in FIXED.get(op, {}):
        kind = Kind(x.type, FIXED[op][x.type])
    options = {"LEAKY_RELU": {"alpha": 0.2}, "SOFTMAX": {"beta": graph.random.choice([1, 0.5])}}.get(op, {})
    return graph.append(op, [x.name], x.shape, kind, RANGES.get(op, NO_RANGE) if x.type == "float32" else NO_RANGE, **options)


def float_function(graph, x):
    if x.type != "float32" or not x.shape:
        return None
    ops = ["EXP", "SQUARE", "SIN", "COS", "FLOOR", "CEIL", "ROUND", "SIGN", "NEG", "ELU", "LOG_SOFTMAX", "L2_NORMALIZATION"]
    if x.range[0] >= 0:
        ops += ["SQRT", "SQRT"]
    op = graph.random.choice(ops)
    return graph.append(op, [x.name], x.shape, x.kind, RANGES.get(op, NO_RANGE))


def squared_difference(graph, x):
    if x.type not in ("int8", "float32"):
        return None
    other = graph.beside(x, lambda t: t.shape == x.shape)
    return graph.append("SQUARED_DIFFERENCE", [x.name, other.name], x.shape, graph.kind(x.type))


def reduction(graph, x):
    if len(x.shape) < 2 or x.type == "bool":
        return None
    first = 0 if graph.random.random() < 0.15 else 1
    axes = sorted(graph.random.sample(range(first, len(x.shape)), graph.random.randint(1, len(x.shape) - 1)))
    keep = graph.random.random() < 0.6
    shape = [1 if i in axes else d for i, d in enumerate(x.shape)] if keep else [d for i, d in enumerate(x.shape) if i not in axes]
    ops = ["REDUCE_MAX", "REDUCE_MIN"]
    if x.type != "int32":
        ops += ["MEAN", "MEAN", "SUM"]
    op = graph.random.choice(ops)
    extreme = op.startswith("REDUCE")
    return graph.append(op, [x.name, graph.numbers("a", axes)], shape, x.kind if extreme else graph.kind(x.type),
                        x.range if extreme else NO_RANGE, keep_dims=keep)


def running_sum(graph, x):
    if x.type not in ("float32", "int32") or not x.shape:
        return None
    axis = graph.random.randrange(len(x.shape))
    known = NO_RANGE
    if x.type == "int32":
        most = x.shape[axis] * max(map(abs, x.range))
        if most > INT32_MOST:
            return None
        known = (-most, most)
    return graph.append("CUMSUM", [x.name, graph.numbers("a", [axis], [])], x.shape, x.kind, known,
                        exclusive=graph.random.random() < 0.5, reverse=graph.random.random() < 0.5)


def comparison(graph, x):
    if x.type not in ("float32", "int32"):
        return None
    op = graph.random.choice(["EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL", "NOT_EQUAL"])
    if graph.random.random() < 0.5:
        other = graph.beside(x, lambda t: t.shape == x.shape).name
    else:
        other = graph.constant("c", x.kind, graph.random.choice([[1], x.shape[-1:]]), range=[-1, 1] if x.type == "float32" else [-9, 9])
    return graph.append(op, [x.name, other], x.shape, Kind("bool"))


def logic(graph, x):
    if x.type != "bool":
        return None
    if graph.random.random() < 0.3:
        return graph.append("LOGICAL_NOT", [x.name], x.shape, x.kind)
    other = graph.beside(x, lambda t: t.shape == x.shape)
    return graph.append(graph.random.choice(["LOGICAL_AND", "LOGICAL_OR"]), [x.name, other.name], x.shape, x.kind)


def select(graph, x):
    """Of x and its like, where a condition of the same shape (or of one column) says so."""
    if x.type == "bool":
        return None
    conditions = [t for t in graph.results if t.type == "bool" and t.shape in (x.shape, [*x.shape[:-1], 1])]
    if not conditions and x.type in ("float32", "int32"):
        conditions = [comparison(graph, x)]
    if not conditions:
        return None
    condition = graph.random.choice(conditions)
    other = graph.beside(x, lambda t: t.shape == x.shape and t.kind == x.kind)
    ways = [x.name, other.name] if graph.random.random() < 0.5 else [other.name, x.name]
    return graph.append("SELECT_V2", [condition.name, *ways], x.shape, x.kind, joined_range(x, other))


def requantize(graph, x):
    if not is_number(x):
        return None
    return graph.append("QUANTIZE", [x.name], x.shape, graph.kind(graph.random.choice(INTEGERS)))


def dequantize(graph, x):
    if x.type not in INTEGERS:
        return None
    return graph.append("DEQUANTIZE", [x.name], x.shape, Kind("float32"), (-128, 128))


def cast(graph, x):
    if x.type == "float32":  # other values have no int32
        return graph.append("CAST", [x.name], x.shape, Kind("int32"), x.range) if max(map(abs, x.range)) < 2**20 else None
    known = {"int8": (-128, 127), "uint8": (0, 255), "int16": (-32768, 32767), "bool": (0, 1), "int32": x.range}[x.type]
    to = graph.random.choice(["float32"] if x.type in ("int16", "int32") else ["float32", "int32"])
    return graph.append("CAST", [x.name], x.shape, Kind(to), known)
