// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/samples/language_inputs.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace npukit {
namespace {

constexpr auto kInt32 = kLiteRtElementTypeInt32;

constexpr int32_t kLayersPerGlobal = 3;
constexpr double kLocalBase = 10'000;
constexpr double kGlobalBase = 1'000'000;
// Added to what is hidden. An integer's must leave steps for what is not; to a float's, none of a
// hidden column is left in the sum.
constexpr float kHiddenInteger = -100.0f;
constexpr float kHiddenFloat = -10'000.0f;

const char* MaskName(bool is_local) { return is_local ? "local_mask" : "global_mask"; }

std::vector<int32_t> CountUp(int32_t count) {
  std::vector<int32_t> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

}  // namespace

bool IsLocalLayer(const LanguageModelShape& shape, int32_t layer) {
  return shape.family == LanguageFamily::kGemma && (layer + 1) % kLayersPerGlobal != 0;
}

bool HasLayer(const LanguageModelShape& shape, bool is_local) {
  for (int32_t layer = 0; layer < shape.layers; ++layer) {
    if (IsLocalLayer(shape, layer) == is_local) return true;
  }
  return false;
}

std::string RopePort(bool is_local, bool is_sine) {
  return fmt::format("pos_emb{}_{}", is_local ? "_local" : "", is_sine ? "sin" : "cos");
}

std::string MaskPort(bool is_local) { return is_local ? "mask_local" : "mask_global"; }

std::string CachePort(int32_t layer, bool is_value) {
  return fmt::format("kv_cache_{}_{}", is_value ? 'v' : 'k', layer);
}

std::string SlicePort(int32_t layer, bool is_value) {
  return fmt::format("kv_slice_{}_{}", is_value ? 'v' : 'k', layer);
}

Tensor* LanguageInputs::Table() {
  return weights_.Matrix("embedding", shape_.vocabulary, shape_.width, table_rms());
}

float LanguageInputs::table_rms() const {
  return 1.0f / std::sqrt(static_cast<float>(shape_.width));
}

float LanguageInputs::embedding_rms() const {
  return shape_.family == LanguageFamily::kGemma ? 1.0f : table_rms();
}

LanguageValue LanguageInputs::Embed(Tensor* tokens) {
  Tensor* table = Table();
  const LanguageValue flat = ops_.Reshape("tokens/flat", {tokens}, {tokens_count_});
  Tensor* rows =
      builder_.Value("embedding/rows", kLiteRtElementTypeFloat32, {tokens_count_, shape_.width});
  builder_.AddOp(kLiteRtOpCodeTflEmbeddingLookup, {flat.tensor, table}, {rows}, 3);
  const LanguageValue x =
      ops_.Reshape("embedding/tokens", {rows, table_rms()}, {1, tokens_count_, shape_.width});
  if (shape_.family != LanguageFamily::kGemma) return x;
  const float root = std::sqrt(static_cast<float>(shape_.width));
  Tensor* factor = weights_.Floats("embedding/factor", {1}, {root});
  Tensor* scaled = builder_.Value("embedding/scaled", kLiteRtElementTypeFloat32, x.shape());
  builder_.AddOp(kLiteRtOpCodeTflMul, {x.tensor, factor}, {scaled});
  return {scaled, embedding_rms()};
}

LanguageValue LanguageInputs::AngleRows(bool is_local, bool is_sine, Tensor* positions) {
  const int32_t half = shape_.head_dim / 2;
  const std::string name =
      fmt::format("{}_{}", is_local ? "local" : "global", is_sine ? "sines" : "cosines");
  Tensor* table = weights_.Numbers("rope/" + name, {shape_.context, half}, 1.0f, [&] {
    std::vector<float> values;
    for (int32_t position = 0; position < shape_.context; ++position) {
      for (int32_t i = 0; i < half; ++i) {
        const double angle =
            position * std::pow(is_local ? kLocalBase : kGlobalBase, -double{1} * i / half);
        values.push_back(static_cast<float>(is_sine ? std::sin(angle) : std::cos(angle)));
      }
    }
    return values;
  });
  Tensor* rows = builder_.Value("rope/" + name + "/rows", table->element_type,
                                {tokens_count_, half}, table->quantization);
  builder_.AddOp(kLiteRtOpCodeTflGather, {table, positions}, {rows}, 2);
  ops_.SetScope("rope/");
  return ops_.Reshape(name, {rows}, {1, tokens_count_, 1, half});
}

LanguageInputs::Rope LanguageInputs::Angles(Tensor* positions, bool is_local) {
  const LanguageValue cosines = AngleRows(is_local, false, positions);
  return {cosines, AngleRows(is_local, true, positions)};
}

Tensor* LanguageInputs::Compare(LiteRtOpCode code, const std::string& name, Tensor* a, Tensor* b,
                                std::vector<int32_t> shape) {
  Tensor* y = builder_.Value(name, kLiteRtElementTypeBool, std::move(shape));
  builder_.AddOp(code, {a, b}, {y});
  return y;
}

float LanguageInputs::HiddenValue() const {
  return weights_.is_integer() ? kHiddenInteger : kHiddenFloat;
}

Tensor* LanguageInputs::Shade(bool hidden) {
  return weights_.Numbers(hidden ? "mask/hidden" : "mask/seen", {1}, kMaskRange,
                          [=, this] { return std::vector<float>{hidden ? HiddenValue() : 0}; });
}

Tensor* LanguageInputs::OrEarlier(const std::string& name, Tensor* hidden, Tensor* columns,
                                  Tensor* last, const std::vector<int32_t>& grid) {
  Tensor* earlier = Compare(kLiteRtOpCodeTflLessEqual, name + "/earlier", columns, last, grid);
  return Compare(kLiteRtOpCodeTflLogicalOr, name + "/hidden", hidden, earlier, grid);
}

LanguageValue LanguageInputs::Chosen(const std::string& name, Tensor* hidden,
                                     std::vector<int32_t> shape) {
  Tensor* off = Shade(true);
  Tensor* chosen = builder_.Value(name, off->element_type, std::move(shape), off->quantization);
  builder_.AddOp(kLiteRtOpCodeTflSelectV2, {hidden, off, Shade(false)}, {chosen});
  return {chosen};
}

LanguageValue LanguageInputs::Mask(Tensor* positions, bool is_local) {
  const std::string name = MaskName(is_local);
  ops_.SetScope(name + "/");
  Tensor* columns = weights_.Integers("columns", {1, shape_.context}, CountUp(shape_.context));
  const LanguageValue rows = ops_.Reshape("rows", {positions}, {tokens_count_, 1});
  const std::vector<int32_t> grid = {tokens_count_, shape_.context};
  Tensor* hidden = Compare(kLiteRtOpCodeTflGreater, name + "/later", columns, rows.tensor, grid);
  if (is_local) {
    Tensor* far = builder_.Value(name + "/before", kInt32, {tokens_count_, 1});
    builder_.AddOp(kLiteRtOpCodeTflSub,
                   {rows.tensor, weights_.Integers("window", {1}, {shape_.window})}, {far});
    hidden = OrEarlier(name, hidden, columns, far, grid);
  }
  return ops_.Reshape("mask", Chosen(name + "/chosen", hidden, grid),
                      {1, 1, tokens_count_, shape_.context});
}

LanguageValue LanguageInputs::Among(const std::string& name, bool is_local) {
  const auto values = [&] {
    std::vector<float> numbers;
    for (int32_t row = 0; row < tokens_count_; ++row) {
      for (int32_t column = 0; column < tokens_count_; ++column) {
        const bool is_far = is_local && column <= row - shape_.window;
        numbers.push_back(column > row || is_far ? HiddenValue() : 0);
      }
    }
    return numbers;
  };
  return {weights_.Numbers(fmt::format("{}/among_{}", name, tokens_count_),
                           {tokens_count_, tokens_count_}, kMaskRange, values)};
}

LanguageValue LanguageInputs::SplitMask(Tensor* first, Tensor* tokens, bool is_local) {
  const std::string name = MaskName(is_local);
  ops_.SetScope(name + "/");
  const auto plus = [&](const std::string& what, const std::vector<int32_t>& numbers) {
    Tensor* y = builder_.Value(name + "/" + what, kInt32, {tokens_count_, 1});
    Tensor* by =
        weights_.Integers(fmt::format("{}_{}", what, tokens_count_), {tokens_count_, 1}, numbers);
    builder_.AddOp(kLiteRtOpCodeTflAdd, {by, first}, {y});
    return y;
  };
  Tensor* columns = weights_.Integers("columns", {1, shape_.context}, CountUp(shape_.context));
  const std::vector<int32_t> grid = {tokens_count_, shape_.context};
  const std::vector<int32_t> zeros(static_cast<size_t>(tokens_count_), 0);
  Tensor* hidden =
      Compare(kLiteRtOpCodeTflGreaterEqual, name + "/empty", columns, plus("end", zeros), grid);
  if (is_local) {
    std::vector<int32_t> back = CountUp(tokens_count_);
    for (int32_t& row : back) row -= shape_.window;
    hidden = OrEarlier(name, hidden, columns, plus("before", back), grid);
  }
  const LanguageValue past = Chosen(name + "/past", hidden, grid);
  const std::vector<int32_t> row = {1, tokens_count_};
  Tensor* padding = Compare(kLiteRtOpCodeTflLess, name + "/padding", tokens,
                            weights_.Integers("none", {1}, {0}), row);
  const LanguageValue valid = Chosen(name + "/valid", padding, row);
  const LanguageValue among = Among(name, is_local);
  Tensor* fresh = builder_.Value(name + "/new", among.tensor->element_type, among.shape(),
                                 among.tensor->quantization);
  builder_.AddOp(kLiteRtOpCodeTflMinimum, {among.tensor, valid.tensor}, {fresh}, 2);
  return ops_.Reshape("mask", ops_.Concatenate("both", past, {fresh}),
                      {1, 1, tokens_count_, shape_.context + tokens_count_});
}

LanguageInputs::CacheBegins LanguageInputs::Begins(Tensor* positions) {
  const LanguageValue first = ops_.Slice("positions/first", {positions}, {0}, {1});
  const LanguageValue zero{weights_.Integers("zero", {1}, {0})};
  const LanguageValue zeros{weights_.Integers("zeros", {2}, {0, 0})};
  const LanguageValue before = ops_.Concatenate("positions/before", zeros, first);
  Tensor* keys = ops_.Concatenate("positions/keys", before, zero).tensor;
  const LanguageValue none{weights_.Integers("more_zeros", {3}, {0, 0, 0})};
  return {keys, ops_.Concatenate("positions/values", none, first).tensor};
}

void AddSignature(ModelBuilder& builder, const std::string& key,
                  const std::vector<std::pair<std::string, Tensor*>>& outputs) {
  for (const auto& [name, tensor] : outputs) builder.Output(tensor);
  builder.AddSignature(key);
  Signature& signature = *builder.model().signatures.back();
  for (size_t i = 0; i < outputs.size(); ++i) signature.outputs[i].name = outputs[i].first;
}

}  // namespace npukit
