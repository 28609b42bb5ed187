// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/ordering/image_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/tests/made_network.h"
#include "reference_plugin/compiler/tests/stand_in_op.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

const Shape kImage = {1, 8, 4, 2};
const Shape kSmall = {1, 1, 1, 2};

// Layers with a name each.
class Made {
 public:
  ValueId Input(Shape shape) { return AddInput(network, std::move(shape)); }
  // An elementwise layer over an image.
  ValueId Image(const char* name, ValueId x) {
    auto map = std::make_shared<Map>();
    map->x = x;
    map->row_elems = 8;
    return Add(name, kImage, std::move(map));
  }
  // The same with a second operand that is there as a whole.
  ValueId Scaled(const char* name, ValueId x, ValueId factor) {
    auto binary = std::make_shared<Binary>();
    binary->a.value = x;
    binary->b.value = factor;
    binary->a_is_image = true;
    binary->row_elems = 8;
    return Add(name, kImage, std::move(binary));
  }
  // What is no image of several rows.
  ValueId Other(const char* name, Shape shape, std::vector<ValueId> operands) {
    return Add(name, std::move(shape), std::make_shared<StandInOp>(std::move(operands)));
  }
  std::vector<std::string> Order() {
    JoinImageRuns(network);
    std::vector<std::string> names;
    for (const Layer& layer : network.layers) names.push_back(layer.name);
    return names;
  }

  Network network;

 private:
  ValueId Add(const char* name, Shape shape, std::shared_ptr<const LayerOp> op) {
    const ValueId id = AddValue(network, std::move(shape));
    AddLayer(network, id, std::move(op));
    network.layers.back().name = name;
    return id;
  }
};

TEST(JoinImageRuns, SmallLayersGoBeforeTheImagesThatTheyStandBetween) {
  Made made;
  const ValueId x = made.Input(kImage);
  const ValueId mean = made.Other("mean", kSmall, {x});
  const ValueId real = made.Image("real", x);
  const ValueId factor = made.Other("factor", kSmall, {made.Other("real_mean", kSmall, {mean})});
  made.Image("last", made.Scaled("scaled", real, factor));
  EXPECT_THAT(made.Order(), ElementsAre("mean", "real_mean", "factor", "real", "scaled", "last"));
}

TEST(JoinImageRuns, LayersStandBehindTheirOperands) {
  Made made;
  const ValueId first = made.Image("first", made.Input(kImage));
  const ValueId second = made.Image("second", first);
  const ValueId mean = made.Other("mean", kSmall, {first});
  const ValueId all = made.Other("all", kSmall, {second});
  made.Scaled("scaled", made.Scaled("third", second, mean), all);
  EXPECT_THAT(made.Order(), ElementsAre("first", "mean", "second", "all", "third", "scaled"));
}

TEST(JoinImageRuns, WhatNoImageFollowsStays) {
  Made made;
  const ValueId x = made.Input(kImage);
  const ValueId small = made.Input(kSmall);
  made.Image("image", x);
  made.Other("small", kSmall, {small});
  made.Image("unrelated", x);
  EXPECT_THAT(made.Order(), ElementsAre("image", "small", "unrelated"));
}

TEST(JoinImageRuns, LargeResultsStay) {
  Made made;
  const ValueId small = made.Input(kSmall);
  const ValueId image = made.Image("image", made.Input(kImage));
  made.Other("large", {1, 1, 1, 5000}, {small});
  made.Image("next", image);
  EXPECT_THAT(made.Order(), ElementsAre("image", "large", "next"));
}

}  // namespace
}  // namespace acme::compiler
