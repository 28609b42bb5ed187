# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Ops that only move elements, and those that find or take places: makers, each of a graph and a tensor."""

from random_graphs.graph import Kind, elems, is_image, joined_range

INDEX = Kind("int32")


def moved(graph, op, x, inputs, shape, **options):
    return graph.append(op, inputs, shape, x.kind, x.range, **options)


def pad(graph, x):
    if not is_image(x):
        return None
    pads = [[0, 0], *([graph.random.randint(0, 2), graph.random.randint(0, 2)] for _ in range(2)), [0, 0]]
    if graph.random.random() < 0.3:
        pads[3] = [graph.random.randint(0, 3), graph.random.randint(0, 3)]
    shape = [size + before + behind for size, (before, behind) in zip(x.shape, pads)]
    inputs = [x.name, graph.numbers("p", sum(pads, []), [4, 2])]
    if x.type == "int32":
        return graph.append("PAD", inputs, shape, x.kind, (min(0, x.range[0]), max(0, x.range[1])))
    if graph.random.random() < 0.3:
        value = [0.5] if x.type == "float32" else [7]
        return graph.append("PADV2", [*inputs, graph.constant("v", x.kind, [1], data=value)], shape, x.kind)
    return graph.append("PAD", inputs, shape, x.kind)


def mirror_pad(graph, x):
    if not is_image(x):
        return None
    mode = graph.random.choice(["REFLECT", "SYMMETRIC"])
    most = [0, *(min(2, size - (mode == "REFLECT")) for size in x.shape[1:3]), 0]
    pads = [[graph.random.randint(0, m), graph.random.randint(0, m)] for m in most]
    shape = [size + before + behind for size, (before, behind) in zip(x.shape, pads)]
    return moved(graph, "MIRROR_PAD", x, [x.name, graph.numbers("p", sum(pads, []), [4, 2])], shape, mode=mode)


def tile(graph, x):
    if x.type == "bool" or not x.shape:
        return None
    counts = [graph.random.choice([1, 1, 2, 3]) for _ in x.shape]
    shape = [size * count for size, count in zip(x.shape, counts)]
    return moved(graph, "TILE", x, [x.name, graph.numbers("m", counts)], shape) if graph.fits(shape) else None


def broadcast(graph, x):
    ones = [axis for axis, size in enumerate(x.shape) if size == 1]
    if x.type == "bool" or not ones:
        return None
    shape = list(x.shape)
    shape[graph.random.choice(ones)] = graph.random.randint(2, 6)
    return moved(graph, "BROADCAST_TO", x, [x.name, graph.numbers("s", shape)], shape) if graph.fits(shape) else None


def reverse(graph, x):
    if x.type == "bool" or not x.shape:
        return None
    return moved(graph, "REVERSE_V2", x, [x.name, graph.numbers("a", [graph.random.randrange(len(x.shape))])], x.shape)


def split(graph, x):
    ways = [(axis, count) for axis, size in enumerate(x.shape) for count in (2, 3) if size > 1 and size % count == 0]
    if not ways or x.type == "bool":
        return None
    axis, count = graph.random.choice(ways)
    shape = list(x.shape)
    shape[axis] //= count
    return graph.append_several("SPLIT", [graph.numbers("a", [axis]), x.name], count * [(shape, x.kind, x.range)], num_splits=count)


def uneven_split(graph, x):
    axes = [axis for axis, size in enumerate(x.shape) if size > 1]
    if not axes or x.type == "bool":
        return None
    axis = graph.random.choice(axes)
    at = graph.random.randint(1, x.shape[axis] - 1)
    sizes = [at, x.shape[axis] - at]
    outputs = [([*x.shape[:axis], size, *x.shape[axis + 1:]], x.kind, x.range) for size in sizes]
    return graph.append_several("SPLIT_V", [x.name, graph.numbers("s", sizes), graph.numbers("a", [axis], [])], outputs, num_splits=2)


def unpack(graph, x):
    axes = [axis for axis, size in enumerate(x.shape) if 1 < size <= 4]
    if not axes or len(x.shape) < 2 or x.type == "bool":
        return None
    axis = graph.random.choice(axes)
    outputs = x.shape[axis] * [(x.shape[:axis] + x.shape[axis + 1:], x.kind, x.range)]
    return graph.append_several("UNPACK", [x.name], outputs, num=x.shape[axis], axis=axis)


def pack(graph, x):
    if len(x.shape) > 3 or x.type == "bool":
        return None
    other = graph.beside(x, lambda t: t.shape == x.shape and t.kind == x.kind)
    axis = graph.random.randint(0, len(x.shape))
    return graph.append("PACK", [x.name, other.name], x.shape[:axis] + [2] + x.shape[axis:], x.kind, joined_range(x, other),
                        values_count=2, axis=axis)


def concatenation(graph, x):
    if x.type == "bool" or not x.shape:
        return None
    axis = graph.random.randrange(1, len(x.shape)) if len(x.shape) > 1 else 0

    def fits(t):
        return len(t.shape) == len(x.shape) and t.kind == x.kind and all(
            a == b or i == axis for i, (a, b) in enumerate(zip(t.shape, x.shape)))

    other = graph.beside(x, fits)
    shape = list(x.shape)
    shape[axis] += other.shape[axis]
    if not graph.fits(shape):
        return None
    return graph.append("CONCATENATION", [x.name, other.name], shape, x.kind, joined_range(x, other), axis=axis)


def deeper_reshape(graph, x):
    """To five or six axes and more, or one."""
    count = elems(x.shape)
    if graph.random.random() < 0.2:
        return moved(graph, "RESHAPE", x, [x.name, graph.numbers("s", [count])], [count])
    shape = []
    for _ in range(graph.random.choice([4, 4, 5])):
        factors = [f for f in (1, 2, 3, 4, 5, 6, 8) if count % f == 0]
        shape.append(graph.random.choice(factors))
        count //= shape[-1]
    shape.insert(graph.random.randint(0, len(shape)), count)
    return moved(graph, "RESHAPE", x, [x.name, graph.numbers("s", shape)], shape)


def shuffle(graph, x, groups):
    """Of an image's channels the first of each group, the second of each, and so on; by pixels, or by planes as other layouts have them."""
    batches, rows, cols, channels = x.shape
    there, back = [0, 1, 2, 3], None
    if graph.random.random() < 0.4:
        there, back = [0, 3, 1, 2], [0, 2, 3, 1]
        x = moved(graph, "TRANSPOSE", x, [x.name, graph.numbers("p", there)], [x.shape[i] for i in there])
    at = there.index(3)
    grouped = [*x.shape[:at], groups, channels // groups, *x.shape[at + 1:]]
    order = list(range(5))
    order[at], order[at + 1] = at + 1, at
    y = moved(graph, "RESHAPE", x, [x.name, graph.numbers("s", grouped)], grouped)
    y = moved(graph, "TRANSPOSE", y, [y.name, graph.numbers("p", order)], [grouped[i] for i in order])
    y = moved(graph, "RESHAPE", y, [y.name, graph.numbers("s", x.shape)], x.shape)
    return y if back is None else moved(graph, "TRANSPOSE", y, [y.name, graph.numbers("p", back)], [batches, rows, cols, channels])


def transpose(graph, x):
    if not x.shape:
        return None
    order = list(range(len(x.shape)))
    graph.random.shuffle(order)
    return moved(graph, "TRANSPOSE", x, [x.name, graph.numbers("p", order)], [x.shape[i] for i in order])


def reshape(graph, x):
    count = elems(x.shape)
    shapes = [[1, count], [1, 1, 1, count]]
    for d in range(2, 40):
        if count % d == 0:
            shapes += [[d, count // d], [1, d, count // d], [1, d, 1, count // d], [1, 1, d, count // d]]
    shape = graph.random.choice(shapes)
    return moved(graph, "RESHAPE", x, [x.name, graph.numbers("s", shape)], shape)


def expansion(graph, x):
    if len(x.shape) > 3:
        return None
    axis = graph.random.randint(0, len(x.shape))
    return moved(graph, "EXPAND_DIMS", x, [x.name, graph.numbers("a", [axis], [])], [*x.shape[:axis], 1, *x.shape[axis:]])


def squeeze(graph, x):
    axes = [axis for axis, size in enumerate(x.shape) if size == 1]
    if not axes or len(x.shape) < 3 or x.type == "bool":
        return None
    axis = graph.random.choice(axes)
    return moved(graph, "SQUEEZE", x, [x.name], [*x.shape[:axis], *x.shape[axis + 1:]], squeeze_dims=[axis])


def part(graph, x):
    rng = graph.random
    if not x.shape:
        return None
    begin = [rng.randint(0, size - 1) for size in x.shape]
    end = [rng.randint(b + 1, size) for b, size in zip(begin, x.shape)]
    if rng.random() < 0.5:
        shape = [e - b for b, e in zip(begin, end)]
        return moved(graph, "SLICE", x, [x.name, graph.numbers("b", begin), graph.numbers("s", shape)], shape)
    return strided_part(graph, x, begin, end)


def strided_part(graph, x, begin, end):
    """Axes forwards or backwards, to their ends by masks, or a place of them alone, which is no axis of the result."""
    rng = graph.random
    masks = {"begin_mask": 0, "end_mask": 0, "shrink_axis_mask": 0}
    steps, shape = [], []
    for axis, size in enumerate(x.shape):
        b, e, step = begin[axis], end[axis], rng.choice([1, 1, 1, 2, 3])
        kind = rng.random()
        if kind < 0.1:
            masks["shrink_axis_mask"] |= 1 << axis
            end[axis], step = b + 1, 1
        elif kind < 0.2:
            masks["begin_mask"] |= 1 << axis
            shape.append(-(-e // step))
        elif kind < 0.3:
            masks["end_mask"] |= 1 << axis
            shape.append(-(-(size - b) // step))
        elif kind < 0.4:  # from the last element to the one at b
            masks["end_mask"] |= (b == 0) << axis
            begin[axis], end[axis], step = e - 1, b - 1, -step
            shape.append(-(-(e - b) // -step))
        else:
            begin[axis] = b - size if kind < 0.6 else b
            shape.append(-(-(e - b) // step))
        steps.append(step)
    used = {key: mask for key, mask in masks.items() if mask}
    return moved(graph, "STRIDED_SLICE", x, [x.name, *(graph.numbers("b", each) for each in (begin, end, steps))], shape, **used)


def blocks(graph, x):
    if is_image(x) and x.shape[3] % 4 == 0 and graph.random.random() < 0.5:
        shape = [x.shape[0], 2 * x.shape[1], 2 * x.shape[2], x.shape[3] // 4]
        return moved(graph, "DEPTH_TO_SPACE", x, [x.name], shape, block_size=2)
    if not is_image(x) or x.shape[1] % 2 or x.shape[2] % 2:
        return None
    shape = [x.shape[0], x.shape[1] // 2, x.shape[2] // 2, 4 * x.shape[3]]
    return moved(graph, "SPACE_TO_DEPTH", x, [x.name], shape, block_size=2)


def batches(graph, x):
    """Space to batches, or back where the batches allow."""
    if not is_image(x):
        return None
    if x.shape[0] % 4 == 0:
        shape = [x.shape[0] // 4, 2 * x.shape[1], 2 * x.shape[2], x.shape[3]]
        inputs = [x.name, graph.numbers("b", [2, 2]), graph.numbers("c", 4 * [0], [2, 2])]
        return moved(graph, "BATCH_TO_SPACE_ND", x, inputs, shape)
    if x.type == "int32":  # padded with 0
        return None
    pads = [0, x.shape[1] % 2, 0, x.shape[2] % 2]
    shape = [4 * x.shape[0], (x.shape[1] + 1) // 2, (x.shape[2] + 1) // 2, x.shape[3]]
    return moved(graph, "SPACE_TO_BATCH_ND", x, [x.name, graph.numbers("b", [2, 2]), graph.numbers("p", pads, [2, 2])], shape)


# Places.


def best_place(graph, x):
    if x.type == "bool" or not x.shape:
        return None
    axis = graph.random.randrange(len(x.shape))
    shape = [*x.shape[:axis], *x.shape[axis + 1:]]
    if not shape:
        return None
    return graph.append(graph.random.choice(["ARG_MAX", "ARG_MIN"]), [x.name, graph.numbers("a", [axis], [])], shape, INDEX,
                        (0, x.shape[axis] - 1), output_type="INT32")


def best_values(graph, x):
    if x.type == "bool" or not x.shape:
        return None
    count = graph.random.randint(1, min(8, x.shape[-1]))
    shape = [*x.shape[:-1], count]
    return graph.append_several("TOPK_V2", [x.name, graph.numbers("k", [count], [])],
                                [(shape, x.kind, x.range), (shape, INDEX, (0, x.shape[-1] - 1))])


def places(graph, most, fits):
    """Tensors of places 0..most that the graph computed."""
    return [t for t in graph.results if t.type == "int32" and 0 <= t.range[0] and t.range[1] <= most and fits(t)]


def gather(graph, x):
    if x.type not in ("int8", "int16", "float32", "int32") or not x.shape:
        return None
    axis = graph.random.randrange(len(x.shape))
    computed = places(graph, x.shape[axis] - 1, lambda t: len(t.shape) <= 2 and elems(t.shape) <= 64)
    if computed and graph.random.random() < 0.7:
        at = graph.random.choice(computed)
        name, count = at.name, at.shape
    else:
        indices = [graph.random.randrange(x.shape[axis]) for _ in range(graph.random.randint(1, 6))]
        name, count = graph.numbers("i", indices), [len(indices)]
    shape = [*x.shape[:axis], *count, *x.shape[axis + 1:]]
    if len(shape) > 5 or not graph.fits(shape):
        return None
    return moved(graph, "GATHER", x, [x.name, name], shape, axis=axis)


def gather_points(graph, x):
    if x.type == "bool" or not x.shape:
        return None
    rng = graph.random
    depth, count = rng.randint(1, len(x.shape)), rng.randint(1, 5)
    indices = [rng.randrange(x.shape[axis]) for _ in range(count) for axis in range(depth)]
    return moved(graph, "GATHER_ND", x, [x.name, graph.numbers("i", indices, [count, depth])], [count, *x.shape[depth:]])


def embedding(graph, x):
    computed = places(graph, 40, lambda t: len(t.shape) == 1)
    if not computed:
        return None
    at = graph.random.choice(computed)
    rows, width = at.range[1] + 1 + graph.random.randint(0, 3), graph.random.choice([1, 5, 16])
    kind = graph.kind(graph.random.choice(["float32", x.type if x.type != "bool" else "int8"]))
    known = (-50, 50)
    table = graph.constant("e", kind, [rows, width], **({"range": list(known)} if kind.type == "int32" else {}))
    return graph.append("EMBEDDING_LOOKUP", [at.name, table], [*at.shape, width], kind, *([known] if kind.type == "int32" else []))


def update(graph, x):
    """A part of x, or another of its kind, written into x."""
    if x.type == "bool" or not x.shape:
        return None
    rng = graph.random
    other = graph.beside(x, lambda t: len(t.shape) == len(x.shape) and t.kind == x.kind and all(a <= b for a, b in zip(t.shape, x.shape)))
    computed = [t for t in graph.results if t.type == "int32" and t.shape == [len(x.shape)]]
    if computed and rng.random() < 0.8:
        at = rng.choice(computed).name
    else:
        at = graph.numbers("i", [rng.randint(0, b - a) for a, b in zip(other.shape, x.shape)])
    return graph.append("DYNAMIC_UPDATE_SLICE", [x.name, other.name, at], x.shape, x.kind, joined_range(x, other))
