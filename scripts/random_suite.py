#!/usr/bin/env python3
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""A suite of random graphs for the conformance kit, on standard output.

Cases that people write are of the combinations that they think of. These are a dozen operators in a row, each on one of the
last results: of every type, with weights of the kinds that converters make, with places and conditions that the graph
computes; small enough for a thousand of them to take seconds. The same seed gives the same bytes everywhere.

    scripts/random_suite.py --seed 7 > random.yaml
    npukit conform --plugin-dir build/lib --suite ./random.yaml --report out    # failures made small

Values are compared for the default SoC and for each claimed one. Ops that the vendor does not claim run on the CPU.
"""

import argparse
import json
import random
import sys

sys.dont_write_bytecode = True
from random_graphs import arithmetic, graph, layers, movement  # noqa: E402

# Each as often as it stands here.
MAKERS = (
    4 * [layers.convolution] + 3 * [arithmetic.elementwise] + 2 * [arithmetic.function, layers.dense, movement.part] + [
        layers.transposed_convolution, layers.matrices, layers.attention, layers.pool, layers.resize, layers.prelu, layers.lstm, layers.svdf,
        layers.shuffled_units,
        arithmetic.extremum, arithmetic.remainder, arithmetic.division, arithmetic.float_function, arithmetic.squared_difference,
        arithmetic.reduction, arithmetic.running_sum, arithmetic.comparison, arithmetic.logic, arithmetic.select,
        arithmetic.requantize, arithmetic.dequantize, arithmetic.cast,
        movement.pad, movement.mirror_pad, movement.tile, movement.broadcast, movement.reverse, movement.split,
        movement.uneven_split, movement.unpack, movement.pack, movement.concatenation, movement.transpose, movement.reshape, movement.deeper_reshape,
        movement.expansion, movement.squeeze, movement.blocks, movement.batches, movement.best_place, movement.best_values,
        movement.gather, movement.gather_points, movement.embedding, movement.update])
SIZES = {"small": graph.SMALL, "large": graph.LARGE}


def random_case(rng, name, most_ops, sizes):
    grown = graph.Graph(rng, sizes)
    for _ in range(rng.randint(2, most_ops)):
        rng.choice(MAKERS)(grown, rng.choice(grown.results[-3:]))
    return grown.case(name)


def random_suite(seed, count, most_ops, sizes=graph.SMALL):
    rng = random.Random(seed)
    cases = []
    while len(cases) < count:
        case = random_case(rng, f"random_{seed}_{len(cases)}", most_ops, sizes)
        if case:
            cases.append(case)
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="of the choice (default 1)")
    parser.add_argument("--count", type=int, default=500, help="how many graphs (default 500)")
    parser.add_argument("--ops", type=int, default=12, help="most ops of one, of those that fit (default 12)")
    parser.add_argument("--size", choices=SIZES, default="small", help="of the images; large ones take a second a graph (default small)")
    arguments = parser.parse_args()
    if arguments.count < 1 or arguments.ops < 2:
        parser.error("--count is at least 1, --ops at least 2")
    print(f"suite: random\ndescription: random graphs of seed {arguments.seed}, by scripts/random_suite.py\ncases:")
    for case in random_suite(arguments.seed, arguments.count, arguments.ops, SIZES[arguments.size]):
        print("  - " + json.dumps(case))
    return 0


if __name__ == "__main__":
    sys.exit(main())
