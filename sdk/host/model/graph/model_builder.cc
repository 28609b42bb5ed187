// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/graph/model_builder.h"

#include <algorithm>
#include <utility>

#include "sdk/host/model/graph/model_verifier.h"

namespace npukit {

Quantization PerTensor(float scale, int64_t zero_point) {
  Quantization quantization;
  quantization.scale = {scale};
  quantization.zero_point = {zero_point};
  return quantization;
}

Quantization PerChannel(std::vector<float> scales, int32_t dimension,
                        std::vector<int64_t> zero_points) {
  Quantization quantization;
  quantization.zero_point =
      zero_points.empty() ? ZeroPoints(scales.size(), 0) : std::move(zero_points);
  quantization.scale = std::move(scales);
  quantization.quantized_dimension = dimension;
  return quantization;
}

ModelBuilder::ModelBuilder() : model_(std::make_unique<Model>()), current_(&model_->AddSubgraph()) {
  current_->name = "main";
}

ModelBuilder::~ModelBuilder() = default;

Tensor* ModelBuilder::AddTensor(std::string name, LiteRtElementType type, Shape shape,
                                Quantization quantization) {
  Tensor& tensor = current_->AddTensor();
  tensor.name = std::move(name);
  tensor.element_type = type;
  tensor.has_rank = true;
  if (std::any_of(shape.begin(), shape.end(), [](int32_t dim) { return dim < 0; })) {
    tensor.shape_signature = shape;
    std::replace_if(
        shape.begin(), shape.end(), [](int32_t dim) { return dim < 0; }, 1);
  }
  tensor.shape = std::move(shape);
  tensor.has_quantization = !quantization.is_default();
  tensor.quantization = std::move(quantization);
  return &tensor;
}

Tensor* ModelBuilder::Input(std::string name, LiteRtElementType type, Shape shape,
                            Quantization quantization) {
  Tensor* tensor = AddTensor(std::move(name), type, std::move(shape), std::move(quantization));
  current_->inputs.push_back(tensor);
  return tensor;
}

Tensor* ModelBuilder::Value(std::string name, LiteRtElementType type, Shape shape,
                            Quantization quantization) {
  return AddTensor(std::move(name), type, std::move(shape), std::move(quantization));
}

Tensor* ModelBuilder::Constant(std::string name, LiteRtElementType type, Shape shape,
                               std::span<const uint8_t> bytes, Quantization quantization) {
  Tensor* tensor = AddTensor(std::move(name), type, std::move(shape), std::move(quantization));
  tensor->weights.buffer_id = model_->buffers().Add(SharedBytes::Copy(bytes));
  return tensor;
}

Tensor* ModelBuilder::SharedConstant(std::string name, LiteRtElementType type, Shape shape,
                                     const Tensor& same_bytes_as, Quantization quantization) {
  Tensor* tensor = AddTensor(std::move(name), type, std::move(shape), std::move(quantization));
  tensor->weights.buffer_id = same_bytes_as.weights.buffer_id;
  return tensor;
}

void ModelBuilder::Output(Tensor* tensor) { current_->outputs.push_back(tensor); }

Op* ModelBuilder::AddOp(LiteRtOpCode code, OpOptions options, const std::vector<Tensor*>& inputs,
                        const std::vector<Tensor*>& outputs, int32_t version) {
  Op& op = current_->AddOp();
  op.code = code;
  op.version = version;
  op.options = std::move(options);
  for (Tensor* input : inputs) Subgraph::AddInput(op, input);
  for (Tensor* output : outputs) Subgraph::AddOutput(op, *output);
  return &op;
}

Op* ModelBuilder::AddOp(LiteRtOpCode code, const std::vector<Tensor*>& inputs,
                        const std::vector<Tensor*>& outputs, int32_t version) {
  return AddOp(code, DefaultOptions(code), inputs, outputs, version);
}

Op* ModelBuilder::AddCustomOp(std::string custom_code, std::vector<uint8_t> custom_options,
                              const std::vector<Tensor*>& inputs,
                              const std::vector<Tensor*>& outputs, int32_t version) {
  Op* op = AddOp(kLiteRtOpCodeTflCustom, OpOptions(), inputs, outputs, version);
  op->custom_code = std::move(custom_code);
  op->has_custom_options = !custom_options.empty();
  op->custom_options = std::move(custom_options);
  return op;
}

Op* ModelBuilder::AddComposite(std::string name, int32_t decomposition_subgraph,
                               const std::vector<Tensor*>& inputs,
                               const std::vector<Tensor*>& outputs) {
  StableHLOCompositeOptions options;
  options.name = std::move(name);
  options.decomposition_subgraph_index = decomposition_subgraph;
  return AddOp(kLiteRtOpCodeShloComposite, std::move(options), inputs, outputs);
}

int32_t ModelBuilder::BeginSubgraph(std::string name) {
  current_ = &model_->AddSubgraph();
  current_->name = std::move(name);
  return static_cast<int32_t>(model_->subgraphs().size() - 1);
}

void ModelBuilder::SelectSubgraph(int32_t index) {
  current_ = &model_->subgraph(static_cast<size_t>(index));
}

void ModelBuilder::AddSignature(std::string key) {
  auto& signature = *model_->signatures.emplace_back(std::make_unique<Signature>());
  signature.key = std::move(key);
  signature.subgraph = current_;
  for (Tensor* input : current_->inputs) signature.inputs.push_back({input->name, input});
  for (Tensor* output : current_->outputs) signature.outputs.push_back({output->name, output});
}

void ModelBuilder::AddMetadata(std::string_view name, std::vector<uint8_t> bytes) {
  model_->SetMetadata(name, SharedBytes::Take(std::move(bytes)));
}

litert::Expected<std::unique_ptr<Model>> ModelBuilder::Build() {
  if (auto verified = VerifyModel(*model_); !verified) return verified.Error();
  return BuildUnchecked();
}

std::unique_ptr<Model> ModelBuilder::BuildUnchecked() {
  // Lists the operator codes as a file would, so that the model equals itself saved and loaded.
  auto& codes = model_->operator_codes;
  for (const auto& subgraph : model_->subgraphs()) {
    for (const auto& op : subgraph->ops()) {
      auto place = std::find_if(codes.begin(), codes.end(), [&](const Model::OperatorCode& code) {
        return code.code == op->code && code.version == op->version &&
               code.custom_code == op->custom_code;
      });
      if (place == codes.end()) {
        place = codes.insert(
            codes.end(),
            {.code = op->code, .custom_code = op->custom_code, .version = op->version});
      }
      op->operator_code_hint = static_cast<uint32_t>(place - codes.begin());
    }
  }
  return std::move(model_);
}

}  // namespace npukit
