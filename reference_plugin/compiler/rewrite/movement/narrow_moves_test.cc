// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/movement/narrow_moves.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/movement/resize.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/tests/made_network.h"
#include "reference_plugin/compiler/tests/stand_in_op.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

constexpr float kScale = 0.5f;
constexpr int32_t kZeroPoint = -3;

// Networks are made by functions from one value to the next.
class Made {
 public:
  ValueId Input(Dtype dtype, const Shape& shape) { return OfType(AddInput(network, shape), dtype); }
  ValueId Value(Dtype dtype, const Shape& shape) { return OfType(AddValue(network, shape), dtype); }
  ValueId Convert(ConvertOp op, ValueId x, Dtype to, float scale = kScale,
                  int32_t zero_point = kZeroPoint) {
    auto map = std::make_shared<Map>();
    map->function = op;
    map->x = x;
    map->in = network.value(x).dtype;
    map->out = to;
    const ClampRange open = OpenRange(to);
    map->clamp = {.lo = open.lo, .hi = open.hi};
    isa::VQuant& quant = op == ConvertOp::kQuantize ? map->dst : map->a;
    quant.mult = std::bit_cast<uint32_t>(scale);
    quant.zp = zero_point;
    return Add(std::move(map), to, network.value(x).shape);
  }
  ValueId Dequantize(ValueId x, float scale = kScale, int32_t zero_point = kZeroPoint) {
    return Convert(ConvertOp::kDequantize, x, Dtype::kF32, scale, zero_point);
  }
  ValueId Quantize(ValueId x, float scale = kScale, Dtype to = Dtype::kI8) {
    return Convert(ConvertOp::kQuantize, x, to, scale);
  }
  ValueId Reshape(ValueId x, const Shape& shape) {
    return Moved(x, network.value(x).Elems(), shape);
  }
  // The first elements of x.
  ValueId Head(ValueId x, int32_t elems) { return Moved(x, elems, {elems}); }
  // One after the other; nothing: a fill of so many elements.
  ValueId Concatenate(const std::vector<ValueId>& parts, int32_t filled = 0, float fill = 0) {
    auto move = std::make_shared<Move>();
    int64_t at = 0;
    for (ValueId part : parts) {
      const auto elems = static_cast<int32_t>(network.value(part).Elems());
      move->pieces.push_back({.from = part, .to_base_elems = at, .dims = {{elems, 1, 1}}});
      at += elems;
    }
    if (filled > 0)
      move->pieces.push_back(
          {.fill = std::bit_cast<uint32_t>(fill), .to_base_elems = at, .dims = {{filled, 0, 1}}});
    return Add(std::move(move), network.value(parts[0]).dtype, {static_cast<int32_t>(at) + filled});
  }
  // So often.
  ValueId Repeat(ValueId x, int32_t times) {
    const auto elems = static_cast<int32_t>(network.value(x).Elems());
    auto move = std::make_shared<Move>();
    move->pieces = {{.from = x, .dims = {{elems, 1, 1}, {times, 0, elems}}}};
    return Add(std::move(move), network.value(x).dtype, {elems * times});
  }
  // [1, n, 1, 1], each row twice.
  ValueId Double(ValueId x) {
    auto resize = std::make_shared<Resize>();
    resize->x = x;
    resize->dtype = network.value(x).dtype;
    resize->in_h = network.value(x).shape[1];
    for (int32_t row = 0; row < 2 * resize->in_h; ++row) resize->rows.push_back({row / 2, row / 2});
    resize->cols = {{0, 0}};
    const int32_t rows = 2 * resize->in_h;
    return Add(std::move(resize), network.value(x).dtype, {1, rows, 1, 1});
  }
  ValueId Use(ValueId x) {
    return Add(std::make_shared<StandInOp>(std::vector{x}), network.value(x).dtype,
               network.value(x).shape);
  }
  void Output(ValueId id) { MakeOutput(network, id); }

  // What remains: a word a layer, with the type of its result.
  std::vector<std::string> Narrowed() {
    NarrowMoves(network);
    std::vector<std::string> words;
    for (const Layer& layer : network.layers)
      words.push_back(WordOf(layer) + " " + std::string(NameOf(network.value(layer.output).dtype)));
    return words;
  }

  Network network;

 private:
  ValueId OfType(ValueId id, Dtype dtype) {
    network.values[static_cast<size_t>(id)].dtype = dtype;
    return id;
  }
  ValueId Add(std::shared_ptr<const LayerOp> op, Dtype dtype, const Shape& shape) {
    const ValueId id = Value(dtype, shape);
    AddLayer(network, id, std::move(op));
    return id;
  }
  ValueId Moved(ValueId x, int64_t elems, const Shape& shape) {
    auto move = std::make_shared<Move>();
    move->pieces = {{.from = x, .dims = {{static_cast<int32_t>(elems), 1, 1}}}};
    return Add(std::move(move), network.value(x).dtype, shape);
  }
  std::string WordOf(const Layer& layer) const {
    if (const auto* map = layer.As<Map>()) {
      const auto* conversion = std::get_if<ConvertOp>(&map->function);
      return conversion != nullptr ? std::string(NameOf(*conversion)) : "table";
    }
    if (const auto* resize = layer.As<Resize>())
      return fmt::format("resize as {}", NameOf(resize->dtype));
    const auto* move = layer.As<Move>();
    if (move == nullptr) return "use";
    return move->IsReshape(network) ? "reshape" : "move";
  }
};

// -- Conversions to a narrower type ----------------------------------------------------------------

TEST(NarrowMoves, QuantiseBeforeTheyMove) {
  Made made;
  made.Output(made.Quantize(made.Repeat(made.Input(Dtype::kF32, {8}), 3)));
  EXPECT_THAT(made.Narrowed(), ElementsAre("quant i8", "move i8"));
  EXPECT_EQ(made.network.layers[1].output, made.network.outputs[0]);
  EXPECT_EQ(made.network.value(made.network.layers[0].output).Elems(), 8);
}

TEST(NarrowMoves, MakeATableOfConversionsThatMeet) {
  Made made;
  const ValueId x = made.Input(Dtype::kI8, {1, 8, 1, 1});
  made.Output(made.Quantize(made.Double(made.Double(made.Dequantize(x))), 0.7f));
  EXPECT_THAT(made.Narrowed(), ElementsAre("table i8", "resize as i8 i8", "resize as i8 i8"));
  EXPECT_EQ(made.network.layers[0].As<Map>()->x, x);
}

TEST(NarrowMoves, LoseConversionsThatUndoEachOther) {
  for (Dtype dtype : {Dtype::kI8, Dtype::kU8, Dtype::kI16}) {
    Made made;
    const ValueId x = made.Input(dtype, {8});
    made.Output(made.Quantize(made.Repeat(made.Dequantize(x), 2), kScale, dtype));
    EXPECT_THAT(made.Narrowed(), ElementsAre("move " + std::string(NameOf(dtype))));
    EXPECT_EQ(made.network.layers[0].As<Move>()->pieces[0].from, x)
        << "not under another name, by which regions of layers do not know it";
  }
}

TEST(NarrowMoves, KeepTheFloatsBetweenOtherStepsOfInt16) {
  Made made;
  const ValueId x = made.Input(Dtype::kI16, {8});
  made.Output(made.Quantize(made.Dequantize(x), 0.7f, Dtype::kI16));
  EXPECT_THAT(made.Narrowed(), ElementsAre("dequant f32", "quant i16"));
}

TEST(NarrowMoves, LookThroughChangesOfShape) {
  Made made;
  const ValueId x = made.Input(Dtype::kI8, {8});
  const ValueId flat = made.Reshape(made.Dequantize(x), {1, 8, 1, 1});
  made.Output(made.Quantize(made.Reshape(made.Double(flat), {4, 4})));
  EXPECT_THAT(made.Narrowed(), ElementsAre("reshape i8", "resize as i8 i8", "reshape i8"));
}

TEST(NarrowMoves, StayBehindAMereChangeOfShape) {
  Made made;
  made.Output(made.Quantize(made.Reshape(made.Use(made.Input(Dtype::kF32, {8})), {2, 4})));
  EXPECT_THAT(made.Narrowed(), ElementsAre("use f32", "reshape f32", "quant i8"));
}

TEST(NarrowMoves, CarryFillsAsTheyWouldBeQuantised) {
  Made made;
  made.Output(made.Quantize(made.Concatenate({made.Input(Dtype::kF32, {8})}, 4, 2.3f)));
  EXPECT_THAT(made.Narrowed(), ElementsAre("quant i8", "move i8"));
  // 2.3 / 0.5 = 4.6: 5 steps from -3.
  EXPECT_EQ(made.network.layers[1].As<Move>()->pieces[1].fill, 2u);
}

TEST(NarrowMoves, LeaveFillsThatMachinesQuantiseDifferently) {
  Made made;
  made.Output(made.Quantize(made.Concatenate({made.Input(Dtype::kF32, {8})}, 4, 1e30f)));
  EXPECT_THAT(made.Narrowed(), ElementsAre("move f32", "quant i8"));
}

TEST(NarrowMoves, QuantiseEachPartOfAConcatenation) {
  Made made;
  const ValueId a = made.Dequantize(made.Input(Dtype::kI8, {8}));
  const ValueId b = made.Dequantize(made.Input(Dtype::kI8, {8}), 0.25f);
  made.Output(made.Quantize(made.Concatenate({a, b})));
  EXPECT_THAT(made.Narrowed(), ElementsAre("table i8", "move i8"));
}

TEST(NarrowMoves, QuantiseConstantsBeforehand) {
  Made made;
  const ValueId x = made.Input(Dtype::kF32, {8});
  const ValueId c = made.Value(Dtype::kF32, {2});
  auto bytes = std::make_shared<std::vector<uint8_t>>(8);
  const float values[] = {1.0f, -1.0f};
  std::memcpy(bytes->data(), values, sizeof(values));
  Value& constant = made.network.values[static_cast<size_t>(c)];
  constant.owned = bytes;
  constant.constant = *bytes;
  made.Output(made.Quantize(made.Concatenate({x, c})));
  EXPECT_THAT(made.Narrowed(), ElementsAre("quant i8", "move i8"));
  const Value& folded = made.network.value(made.network.layers[1].As<Move>()->pieces[1].from);
  EXPECT_EQ(std::vector<uint8_t>(folded.constant.begin(), folded.constant.end()),
            (std::vector<uint8_t>{0xff, 0xfb}));
}

TEST(NarrowMoves, WeighBytesWhereFewElementsAreTaken) {
  Made made;
  made.Output(made.Quantize(made.Head(made.Input(Dtype::kF32, {1000}), 8)));
  EXPECT_THAT(made.Narrowed(), ElementsAre("move f32", "quant i8"));
}

TEST(NarrowMoves, WeighBytesWhereOthersReadWhatIsMoved) {
  // The wide move stays: a narrow one beside it saves nothing.
  Made made;
  const ValueId padded = made.Concatenate({made.Input(Dtype::kF32, {8})}, 1);
  made.Output(made.Quantize(padded));
  made.Output(made.Use(padded));
  EXPECT_THAT(made.Narrowed(), ElementsAre("move f32", "quant i8", "use f32"));
  // Unless conversions go.
  Made bytes;
  const ValueId moved = bytes.Repeat(bytes.Dequantize(bytes.Input(Dtype::kI8, {8})), 2);
  bytes.Output(bytes.Quantize(moved));
  bytes.Output(bytes.Quantize(moved));
  EXPECT_THAT(bytes.Narrowed(), ElementsAre("move i8", "reshape i8"));
}

// -- Conversions to a wider type -------------------------------------------------------------------

TEST(NarrowMoves, DequantiseWhatTheyMoved) {
  Made made;
  const ValueId x = made.Input(Dtype::kI8, {8});
  made.Output(made.Use(made.Concatenate({made.Dequantize(x)}, 4)));
  EXPECT_THAT(made.Narrowed(), ElementsAre("move i8", "dequant f32", "use f32"));
  EXPECT_EQ(made.network.layers[0].As<Move>()->pieces[1].fill, 0xfdu);
}

TEST(NarrowMoves, StayWhereAFillIsNoStep) {
  Made made;
  const ValueId x = made.Input(Dtype::kI8, {8});
  made.Output(made.Use(made.Concatenate({made.Dequantize(x)}, 4, 0.3f)));
  EXPECT_THAT(made.Narrowed(), ElementsAre("dequant f32", "move f32", "use f32"));
}

TEST(NarrowMoves, DequantiseOnceBehindSeveralMoves) {
  Made made;
  const ValueId x = made.Input(Dtype::kI8, {1, 8, 1, 1});
  made.Output(made.Use(made.Head(made.Double(made.Dequantize(x)), 12)));
  EXPECT_THAT(made.Narrowed(), ElementsAre("resize as i8 i8", "move i8", "dequant f32", "use f32"));
}

TEST(NarrowMoves, DequantiseBeforeManyCopies) {
  Made made;
  const ValueId x = made.Input(Dtype::kI8, {8});
  made.Output(made.Use(made.Repeat(made.Dequantize(x), 100)));
  EXPECT_THAT(made.Narrowed(), ElementsAre("dequant f32", "move f32", "use f32"));
}

TEST(NarrowMoves, WantOneScaleOfAllParts) {
  Made made;
  const ValueId a = made.Dequantize(made.Input(Dtype::kI8, {8}));
  const ValueId b = made.Dequantize(made.Input(Dtype::kI8, {8}), 0.25f);
  made.Output(made.Use(made.Concatenate({a, b})));
  EXPECT_THAT(made.Narrowed(), ElementsAre("dequant f32", "dequant f32", "move f32", "use f32"));
}

TEST(NarrowMoves, LeaveBordersToConvolutions) {
  Made made;
  const ValueId padded = made.Concatenate({made.Dequantize(made.Input(Dtype::kI8, {8}))}, 4);
  const ValueId y = made.Value(Dtype::kF32, {8});
  auto conv = std::make_shared<Conv>();
  conv->x = padded;
  AddLayer(made.network, y, std::move(conv));
  made.Output(y);
  EXPECT_EQ(made.Narrowed().front(), "dequant f32");
}

TEST(NarrowMoves, LeaveLayersThatNobodyEverRead) {
  Made made;
  made.Dequantize(made.Input(Dtype::kI8, {8}));
  EXPECT_THAT(made.Narrowed(), ElementsAre("dequant f32"));
}

}  // namespace
}  // namespace acme::compiler
