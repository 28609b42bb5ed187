# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Layers with weights, windows or state: makers, each of a graph and a tensor."""

from random_graphs import movement
from random_graphs.graph import FIXED, Kind, elems, is_image, is_number, spread


def windows(size, filter_size, stride, dilation, padding):
    reach = (filter_size - 1) * dilation + 1
    if padding == "SAME":
        return -(-size // stride)
    return (size - reach) // stride + 1 if reach <= size else 0


def convolution(graph, x):
    if not is_image(x) or not is_number(x):
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
        groups = rng.choice([g for g in (1, 1, 1, 2, 3, 4) if channels % g == 0])
        op, out_channels = "CONV_2D", groups * rng.choice([1, 2, 4, 8, 12, 16, 20, 33, 40])
        shape, axis = [out_channels, *filters, channels // groups], 0
    else:
        options["depth_multiplier"] = rng.choice([1, 1, 1, 2])
        op, out_channels = "DEPTHWISE_CONV_2D", channels * options["depth_multiplier"]
        shape, axis = [1, *filters, out_channels], 3
    result = [x.shape[0], rows, cols, out_channels]
    if not graph.fits(result):
        return None
    weights, scales = graph.weights(x, shape, axis)
    bias = graph.bias(x, scales, out_channels)
    kind = graph.sum_kind(x, weights, elems(shape) // out_channels)
    return graph.append(op, [x.name, weights, bias], result, kind, padding=padding, stride_h=strides[0],
                        stride_w=strides[1], dilation_h_factor=dilations[0], dilation_w_factor=dilations[1],
                        fused_activation_function=graph.activation(), **options)


def pointwise(graph, x, channels, kind):
    shape = [channels, 1, 1, x.shape[3]]
    weights, scales = graph.weights(x, shape, 0)
    return graph.append("CONV_2D", [x.name, weights, graph.bias(x, scales, channels)], [*x.shape[:3], channels], kind,
                        padding="SAME", stride_h=1, stride_w=1, fused_activation_function=graph.activation())


def shuffled_units(graph, x):
    """Channels of which some go through convolutions and some past them, and that are shuffled between."""
    half = graph.random.choice([2, 3, 4, 6, 12])
    if not is_image(x) or not is_number(x) or not graph.fits([*x.shape[:3], 2 * half]):
        return None
    kind = graph.kind(x.type)
    joined = [pointwise(graph, x, half, kind), pointwise(graph, x, half, kind)]
    for _ in range(graph.random.randint(1, 3)):
        whole = graph.append("CONCATENATION", [t.name for t in joined], [*x.shape[:3], 2 * half], kind, axis=3)
        whole = movement.shuffle(graph, whole, 2)
        past = graph.append_several("SPLIT", [graph.numbers("a", [3]), whole.name], 2 * [([*x.shape[:3], half], kind)], num_splits=2)
        joined = [past, pointwise(graph, graph.results[-1], half, kind)]
    return graph.append("CONCATENATION", [t.name for t in joined], [*x.shape[:3], 2 * half], kind, axis=3)


def dense(graph, x):
    if not is_number(x) or not x.shape:
        return None
    rng = graph.random
    if x.type == "float32" and elems(x.shape) % 32 == 0 and rng.random() < 0.5:  # what blocks of weights need
        depth = rng.choice([size for size in (32, 64, 96) if elems(x.shape) % size == 0])
        x = shaped(graph, x, [elems(x.shape) // depth, depth])
    channels = rng.choice([1, 3, 8, 16, 40])
    keep = rng.random() < 0.7
    shape = [*x.shape[:-1], channels] if keep else [elems(x.shape[:-1]), channels]
    if not graph.fits(shape):
        return None
    weights, scales = graph.weights(x, [channels, x.shape[-1]], 0, narrow=True)
    return graph.append("FULLY_CONNECTED", [x.name, weights, graph.bias(x, scales, channels)], shape,
                        graph.sum_kind(x, weights, x.shape[-1]), keep_num_dims=keep,
                        fused_activation_function=graph.activation(), asymmetric_quantize_inputs=rng.random() < 0.3)


def matrices(graph, x):
    """x, or x transposed, by a tensor or a constant."""
    if x.type not in ("int8", "int16", "float32") or len(x.shape) < 2:
        return None
    rng = graph.random
    adj_x, adj_y = rng.random() < 0.25, rng.random() < 0.6
    rows, depth = x.shape[:-3:-1] if adj_x else x.shape[-2:]

    def fits(t):
        return len(t.shape) == len(x.shape) and t.shape[-1 if adj_y else -2] == depth and spread(x.shape[:-2], t.shape[:-2]) is not None

    others = [t for t in graph.results if t.type == x.type and fits(t)]
    if others and rng.random() < 0.8:
        other = rng.choice(others)
        name, shape = other.name, other.shape
    else:
        cols = rng.choice([1, 5, 16, 24])
        shape = [*x.shape[:-2], *([cols, depth] if adj_y else [depth, cols])]
        if not graph.fits(shape):
            return None
        name = graph.constant("m", graph.kind(x.type), shape)
    result = [*spread(x.shape[:-2], shape[:-2]), rows, shape[-2 if adj_y else -1]]
    if not graph.fits(result):
        return None
    return graph.append("BATCH_MATMUL", [x.name, name], result, graph.sum_kind(x, name, depth), adj_x=adj_x, adj_y=adj_y)


def attention(graph, x):
    """Each row of x looks at all rows: scores, weights that are 1 in sum, and what they make of the rows."""
    if x.type not in ("int8", "int16", "float32") or len(x.shape) not in (3, 4) or x.shape[-2] > 64:
        return None
    rng = graph.random
    rows = x.shape[-2]
    scores = graph.append("BATCH_MATMUL", [x.name, x.name], [*x.shape[:-1], rows], graph.sum_kind(x, x.name, x.shape[-1]), adj_y=True)
    if rng.random() < 0.5:
        scores = graph.append("MUL", [scores.name, graph.constant("c", graph.kind(x.type), [1])], scores.shape, graph.kind(x.type))
    if rng.random() < 0.5:
        mask = graph.constant("m", graph.kind(x.type), [*(1 for _ in x.shape[:-2]), rows, rows])
        scores = graph.append("ADD", [scores.name, mask], scores.shape, graph.kind(x.type))
    kind = Kind(x.type, FIXED["SOFTMAX"].get(x.type))
    weights = graph.append("SOFTMAX", [scores.name], scores.shape, kind, beta=1)
    return graph.append("BATCH_MATMUL", [weights.name, x.name], x.shape, graph.kind(x.type))


def transposed_convolution(graph, x):
    if not is_image(x) or not is_number(x):
        return None
    rng = graph.random
    filters, strides = [rng.randint(1, 4), rng.randint(1, 4)], [rng.randint(1, 3), rng.randint(1, 3)]
    padding, channels = rng.choice(["SAME", "VALID"]), rng.choice([1, 3, 8, 17])
    if padding == "SAME":
        size = [extent * stride for extent, stride in zip(x.shape[1:3], strides)]
    else:
        size = [(extent - 1) * stride + reach for extent, stride, reach in zip(x.shape[1:3], strides, filters)]
    shape = [x.shape[0], *size, channels]
    if not graph.fits(shape):
        return None
    if x.type == "float32":
        weights, scales = graph.constant("w", Kind("float32"), [channels, *filters, x.shape[3]], range=[-1, 1]), None
    else:
        weights, scales = graph.weights(x, [channels, *filters, x.shape[3]], 0)
    kind = graph.sum_kind(x, weights, max(1, elems(filters) // elems(strides)) * x.shape[3])
    return graph.append("TRANSPOSE_CONV", [graph.numbers("s", shape), weights, x.name, graph.bias(x, scales, channels)], shape,
                        kind, padding=padding, stride_h=strides[0], stride_w=strides[1],
                        fused_activation_function=graph.activation())


def pool(graph, x):
    if not is_image(x) or not is_number(x):
        return None
    rng = graph.random
    filters, strides = [rng.randint(1, 3), rng.randint(1, 3)], [rng.randint(1, 2), rng.randint(1, 2)]
    padding = rng.choice(["SAME", "VALID"])
    if filters[0] > x.shape[1] or filters[1] > x.shape[2]:
        return None
    rows, cols = (windows(size, f, s, 1, padding) for size, f, s in zip(x.shape[1:3], filters, strides))
    return graph.append(rng.choice(["MAX_POOL_2D", "AVERAGE_POOL_2D"]), [x.name], [x.shape[0], rows, cols, x.shape[3]], x.kind,
                        filter_height=filters[0], filter_width=filters[1], stride_h=strides[0], stride_w=strides[1], padding=padding,
                        fused_activation_function=graph.activation())


def resize(graph, x):
    if not is_image(x) or not is_number(x):
        return None
    size = [graph.random.randint(1, 16), graph.random.randint(1, 16)]
    shape = [x.shape[0], *size, x.shape[3]]
    if not graph.fits(shape):
        return None
    corners, centers = graph.random.choice([(False, False), (True, False), (False, True)])
    op = graph.random.choice(["RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"])
    return graph.append(op, [x.name, graph.numbers("s", size)], shape, x.kind, align_corners=corners, half_pixel_centers=centers)


def prelu(graph, x):
    if not is_image(x) or x.type not in ("int8", "uint8", "float32"):
        return None
    kind = Kind(x.type, {"int8": (0.004, 0), "uint8": (0.004, 100)}.get(x.type))
    return graph.append("PRELU", [x.name, graph.constant("a", kind, [1, 1, x.shape[3]])], x.shape, graph.kind(x.type))


def shaped(graph, x, shape):
    if x.shape == shape:
        return x
    return graph.append("RESHAPE", [x.name, graph.numbers("s", shape)], shape, x.kind, x.range)


def lstm(graph, x):
    """Over a sequence, from a state of zeros: of an image, along its rows."""
    if x.type != "float32" or len(x.shape) < 3 or x.shape[-2] > 8 or x.shape[-1] > 64:
        return None
    rng = graph.random
    x = shaped(graph, x, [elems(x.shape[:-2]), *x.shape[-2:]])
    batches, steps, size = x.shape
    cells = rng.choice([1, 4, 5, 16])
    kind = rng.choice([Kind("float32"), Kind("int8", (0.01, 0))])
    of_input = [graph.constant("w", kind, [cells, size]) for _ in range(4)]
    of_state = [graph.constant("r", kind, [cells, cells]) for _ in range(4)]
    biases = [graph.constant("b", Kind("float32"), [cells]) for _ in range(4)]
    states = [graph.variable([batches, cells]) for _ in range(2)]
    return graph.append("UNIDIRECTIONAL_SEQUENCE_LSTM", [x.name, *of_input, *of_state, *["-"] * 3, *biases, "-", "-", *states],
                        [batches, steps, cells], Kind("float32"), fused_activation_function="TANH")


def svdf(graph, x):
    """One step of a memory of zeros."""
    if x.type != "float32" or len(x.shape) < 2 or x.shape[-1] > 64 or elems(x.shape[:-1]) > 16:
        return None
    rng = graph.random
    x = shaped(graph, x, [elems(x.shape[:-1]), x.shape[-1]])
    units, rank, memory = rng.choice([1, 3, 8]), rng.choice([1, 2]), rng.choice([2, 3, 5])
    kind = rng.choice([Kind("float32"), Kind("int8", (0.01, 0))])
    inputs = [x.name, graph.constant("w", kind, [units * rank, x.shape[1]]), graph.constant("m", kind, [units * rank, memory]),
              graph.constant("b", Kind("float32"), [units]), graph.variable([x.shape[0], units * rank * memory])]
    return graph.append("SVDF", inputs, [x.shape[0], units], Kind("float32"), rank=rank,
                        fused_activation_function=rng.choice(["NONE", "RELU"]))
