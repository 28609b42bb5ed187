// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/testing/test_models.h"

#include <fmt/format.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/metadata/build_stamp.h"
#include "sdk/host/model/options/option_fields.h"
#include "sdk/host/model/options/subgraph_references.h"

namespace npukit {
namespace {

// Hands out values, each another one and none a default.
class Filler {
 public:
  template <typename T>
  void operator()(const char*, T& value) {
    ++count_;
    if constexpr (std::is_same_v<T, bool>) {
      value = !value;
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(1);
    } else if constexpr (std::is_arithmetic_v<T>) {
      value = static_cast<T>(count_) + (std::is_floating_point_v<T> ? static_cast<T>(0.25) : T{0});
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = fmt::format("text {}", count_);
    } else {
      FillVector(value);
    }
  }

 private:
  template <typename T>
  void FillVector(std::vector<T>& values) {
    for (int i = 0; i < 3; ++i) {
      T value{};
      (*this)("", value);
      values.push_back(value);
    }
  }
  void FillVector(std::vector<bool>& values) { values = {true, false, true}; }

  int count_ = 1;
};

Tensor* AddValue(ModelBuilder& builder, const std::string& name) {
  return builder.Value(name, kLiteRtElementTypeFloat32, {1});
}

void AddQuantizedTensors(ModelBuilder& builder) {
  const std::vector<int8_t> weights(64, 3);
  Tensor* scales = builder.Constant<float>("scales", {8}, std::vector<float>(8, 0.5f));
  Tensor* channels =
      builder.Constant<int8_t>("per_channel", {4, 16}, weights, PerChannel({1, 2, 3, 4}, 0));
  channels->quantization.min = {-1.0f, -2.0f};
  channels->quantization.max = {1.5f};
  Tensor* blockwise =
      builder.SharedConstant("blockwise", kLiteRtElementTypeInt8, {4, 16}, *channels);
  blockwise->quantization.blockwise = {.scales_tensor = static_cast<int32_t>(scales->index),
                                       .zero_points_tensor = -1,
                                       .block_size_elems = 8};
  Tensor* multi_axis =
      builder.SharedConstant("multi_axis", kLiteRtElementTypeInt8, {4, 16}, *channels);
  auto& details = multi_axis->quantization.multi_axis.emplace();
  details.scales_tensor = static_cast<int32_t>(scales->index);
  details.quantized_dimensions = {0, 1};
  Tensor* custom = builder.Value("custom", kLiteRtElementTypeInt16, {2}, PerTensor(0.125f, 7));
  custom->quantization.custom = std::vector<uint8_t>{1, 2, 3};
  Tensor* sparse = builder.Constant<int8_t>("sparse", {8, 16}, std::vector<int8_t>{1, 2, 3});
  Sparsity& sparsity = sparse->sparsity.emplace();
  sparsity.traversal_order = {0, 1};
  sparsity.block_map = {1};
  sparsity.dimensions.resize(4);
  sparsity.dimensions[0].dense_size = 8;
  for (size_t i = 1; i < 4; ++i)
    sparsity.dimensions[i].format = Sparsity::DimensionFormat::kSparseCsr;
  sparsity.dimensions[1].array_segments = std::vector<int32_t>{0, 70000};
  sparsity.dimensions[2].array_segments = std::vector<uint16_t>{0, 40000, 2};
  sparsity.dimensions[3].array_indices = std::vector<uint8_t>{1, 2, 200};
}

void AddOddTensors(ModelBuilder& builder) {
  for (int type = 1; type <= 23; ++type) {
    builder.Value(fmt::format("type {}", type), static_cast<LiteRtElementType>(type), {3});
  }
  builder.Value("scalar", kLiteRtElementTypeFloat32, {});
  Tensor* unranked = builder.Value("unranked", kLiteRtElementTypeFloat32, {});
  unranked->has_rank = false;
  unranked->empty_fields = 0;
  builder.Value("dynamic", kLiteRtElementTypeFloat32, {-1, 3, -1});
  builder.Value("state", kLiteRtElementTypeFloat32, {2})->is_variable = true;
  Tensor* variant = builder.Value("variant", kLiteRtElementTypeTfVariant, {});
  variant->variant_tensors = {
      {.shape = {2, 3}, .element_type = kLiteRtElementTypeInt32, .has_rank = true}};
  builder.model().external_buffer_groups = {"weights.bin"};
  builder.model().external_buffers = {
      {.id = 9, .group = 0, .offset = 100, .length = uint64_t{1} << 40, .packing = "none"}};
  builder.Value("external", kLiteRtElementTypeInt8, {4})->external_buffer = 9;
  Tensor* outside = builder.Constant<int32_t>("outside", {3}, {1, 2, 3});
  builder.model().buffers().SetOutside(outside->weights.buffer_id, true);
  Tensor* empty = builder.Value("empty constant", kLiteRtElementTypeInt32, {0});
  static const uint8_t kNothing = 0;
  empty->weights.buffer_id =
      builder.model().buffers().Add({.bytes = std::span<const uint8_t>(&kNothing, 0), .owner = {}});
}

void AddOddOps(ModelBuilder& builder, Tensor* x) {
  Op* lstm = builder.AddOp(kLiteRtOpCodeTflLstm, LSTMOptions{.cell_clip = 1.5f}, {x, nullptr, x},
                           {AddValue(builder, "h")}, 3);
  lstm->mutating_variable_inputs = {false, false, true};
  lstm->intermediates = {builder.Value("inner", kLiteRtElementTypeInt16, {1}, PerTensor(0.5f))};
  lstm->debug_metadata_index = 4;
  Op* custom = builder.AddCustomOp("Mine", {1, 2, 3}, {x}, {AddValue(builder, "mine")}, 2);
  custom->custom_options_format = 1;
  Op* outside = builder.AddCustomOp("Mine", {7, 8, 9, 10}, {x}, {AddValue(builder, "mine 2")}, 2);
  outside->custom_options_outside = true;
  Op* empty = builder.AddCustomOp("Other", {}, {x}, {AddValue(builder, "other")});
  empty->has_custom_options = true;
  builder.AddOp(kLiteRtOpCodeTflAdd, OpOptions(), {x, x}, {AddValue(builder, "no options")});
  builder.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {AddValue(builder, "default options")});
  Op* reshape =
      builder.AddOp(kLiteRtOpCodeTflReshape, ReshapeOptions{}, {x}, {AddValue(builder, "r")});
  reshape->options.empty_fields = 1;
}

}  // namespace

std::unique_ptr<Model> EveryOptionsTable() {
  ModelBuilder builder;
  Tensor* x = builder.Input("x", kLiteRtElementTypeFloat32, {1});
  Filler fill;
#define OPTIONS(table, union_name) OptionsKind::k##table,
  for (const OptionsKind kind : {
#include "sdk/host/model/options/op_options.def"
       }) {
    OpOptions options = OpOptions::Default(kind);
    VisitFields(options, fill);
    EditSubgraphReferences(options, [](const char*, int32_t& index) { index = 1; });
    builder.AddOp(kLiteRtOpCodeTflAbs, std::move(options), {x}, {AddValue(builder, "y")});
  }
  builder.BeginSubgraph("called by them");
  auto model = builder.Build();
  return model ? std::move(*model) : nullptr;
}

std::unique_ptr<Model> EveryFeature() {
  ModelBuilder builder;
  Tensor* x = builder.Input("x", kLiteRtElementTypeFloat32, {1});
  Tensor* y = builder.Input("y", kLiteRtElementTypeInt8, {2, 3}, PerTensor(0.25f, -128));
  AddQuantizedTensors(builder);
  AddOddTensors(builder);
  AddOddOps(builder, x);
  Tensor* sum = AddValue(builder, "sum");
  builder.AddComposite("my.composite", 1, {x, x}, {sum});
  builder.Output(sum);
  builder.Output(y);
  builder.AddSignature("serving_default");

  builder.BeginSubgraph("decomposition");
  Tensor* a = builder.Input("a", kLiteRtElementTypeFloat32, {1});
  Tensor* b = builder.Input("b", kLiteRtElementTypeFloat32, {1});
  Tensor* c = AddValue(builder, "c");
  builder.AddOp(kLiteRtOpCodeTflAdd, {a, b}, {c}, 2);
  builder.Output(c);
  builder.AddSignature("decomposition");
  builder.model().signatures.back()->deprecated_tag = "old";

  Model& model = builder.model();
  model.description = "every feature";
  model.has_description = true;
  builder.AddMetadata("note", {'h', 'i'});
  model.spare_buffers.push_back(model.buffers().Add(SharedBytes::Take({5, 6, 7})));
  model.trailing_bytes.push_back(SharedBytes::Take({'P', 'K', 3, 4}));
  model.main_subgraph().debug_metadata_index = 2;

  auto built = builder.Build();
  if (!built) return nullptr;
  // A code listed twice, as very old and very new files state it, and one that no op uses.
  auto& codes = (*built)->operator_codes;
  codes.push_back({.code = kLiteRtOpCodeTflAdd, .version = 2, .short_code_in_file = 0});
  (*built)->subgraph(1).op(0).operator_code_hint = static_cast<uint32_t>(codes.size() - 1);
  codes.push_back({.code = kLiteRtOpCodeTflMul, .long_code_in_file = 0});
  codes.push_back({.code = kLiteRtOpCodeShloAdd, .short_code_in_file = 0});
  return std::move(*built);
}

std::unique_ptr<Model> CompiledModel() {
  ModelBuilder builder;
  Tensor* x = builder.Input("x", kLiteRtElementTypeFloat32, {1});
  const auto module_a = builder.model().buffers().Add(SharedBytes::Take({10, 11, 12, 13, 14}));
  const auto module_b = builder.model().buffers().Add(SharedBytes::Take({20, 21}));
  Tensor* last = x;
  int count = 0;
  for (const auto& [entry_point, module] :
       {std::pair{"first", module_a}, {"other", module_b}, {"second", module_a}}) {
    Tensor* next = AddValue(builder, fmt::format("v{}", count++));
    Op* op = builder.AddCustomOp(kDispatchOpCustomCode, {}, {last}, {next});
    op->dispatch = DispatchInfo{.entry_point = entry_point, .bytecode = module};
    last = next;
  }
  builder.Output(last);
  builder.AddSignature("serving_default");
  auto model = builder.Build();
  if (!model || !SetBuildStamp(**model, {.soc_manufacturer = "AcmeCorp", .soc_model = "acme_a1"})) {
    return nullptr;
  }
  return std::move(*model);
}

}  // namespace npukit
