// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/customized/customized_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"

namespace npukit::kernels {
namespace {

using Tensors = std::vector<NpukitOpTensor>;
constexpr size_t kMaxScratchBytes = size_t{1} << 40;

NpukitOpTensor TensorOf(const Operand* operand, const std::vector<int32_t>* declared) {
  NpukitOpTensor tensor = {};
  tensor.name = "";
  if (operand == nullptr) return tensor;
  tensor.name = operand->tensor->name.c_str();
  tensor.element_type = operand->type();
  const std::vector<int32_t>& shape = declared != nullptr ? *declared : operand->shape;
  tensor.rank = static_cast<uint32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), tensor.dims);
  const Quantization& quantization = operand->quantization();
  if (quantization.is_per_tensor()) {
    tensor.scale = quantization.scale.front();
    tensor.zero_point = quantization.ZeroPointOf(0);
  }
  if (operand->has_constant()) {
    tensor.data = const_cast<uint8_t*>(operand->constant.data());
    tensor.size_bytes = operand->constant.size();
  }
  return tensor;
}

const std::vector<int32_t>& DeclaredShape(const Tensor& tensor) {
  return tensor.shape_signature.empty() ? tensor.shape : tensor.shape_signature;
}

template <typename List>
Tensors TensorsOf(const List& operands, bool declared) {
  Tensors tensors;
  for (const Operand* operand : operands) {
    const bool has = declared && operand != nullptr;
    tensors.push_back(TensorOf(operand, has ? &DeclaredShape(*operand->tensor) : nullptr));
  }
  return tensors;
}

// An object of the package, and everything that may be asked of it.
class Object {
 public:
  static litert::Expected<Object> Create(const Node& node, HeldFactory factory) {
    Object object(std::move(factory));
    object.op_ = object.factory_.factory.create();
    if (object.op_ == nullptr)
      return NodeError(node, kLiteRtStatusErrorMemoryAllocationFailure,
                       object.factory_.source->path() + ": create gave null");
    const NpukitOpVtable* v = object.op_->vtable;
    if (v == nullptr || v->load == nullptr || v->trace == nullptr || v->reshape == nullptr ||
        v->setup == nullptr || v->forward == nullptr || v->last_error == nullptr)
      return NodeError(
          node, kLiteRtStatusErrorInvalidArgument,
          object.factory_.source->path() + ": the operator's vtable has a null function");
    return object;
  }
  Object(Object&& other) noexcept
      : factory_(std::move(other.factory_)), op_(std::exchange(other.op_, nullptr)) {}
  Object& operator=(Object&&) = delete;
  // Freed by its package, whose library goes after it.
  ~Object() {
    if (op_ != nullptr) factory_.factory.free_op(op_);
  }

  const NpukitOpVtable& v() const { return *op_->vtable; }
  NpukitOp* get() const { return op_; }

  std::string Why(const char* call, LiteRtStatus status) const {
    const char* text = v().last_error(op_);
    std::string why =
        factory_.source->path() + ": " + call + " gave " + litert::internal::StatusString(status);
    if (text != nullptr && *text != '\0') why += std::string(": ") + text;
    return why;
  }
  litert::Expected<void> Check(const Node& node, const char* call, LiteRtStatus status) const {
    if (status == kLiteRtStatusOk) return {};
    return NodeError(node, status, Why(call, status));
  }

  litert::Expected<void> LoadAndTrace(const Node& node) {
    NpukitOpAttributes attributes = {};
    attributes.struct_size = sizeof(attributes);
    const std::string name = CustomizedOpName(*node.op);
    attributes.name = name.c_str();
    attributes.version = node.op->version;
    std::span<const uint8_t> bytes = node.op->custom_options;
    if (const auto* composite = node.op->OptionsAs<StableHLOCompositeOptions>()) {
      bytes = composite->composite_attributes;
      attributes.version = composite->version;
    }
    attributes.options = bytes.data();
    attributes.options_size_bytes = bytes.size();
    LITERT_RETURN_IF_ERROR(Check(node, "load", v().load(op_, &attributes)));
    const Tensors inputs = TensorsOf(node.inputs, /*declared=*/true);
    const Tensors outputs = TensorsOf(node.outputs, /*declared=*/true);
    return Check(node, "trace",
                 v().trace(op_, inputs.data(), inputs.size(), outputs.data(), outputs.size()));
  }

 private:
  explicit Object(HeldFactory factory) : factory_(std::move(factory)) {}
  HeldFactory factory_;
  NpukitOp* op_ = nullptr;
};

litert::Expected<void> CheckRanks(const Node& node) {
  const auto fits = [](const Operand* operand) {
    return operand == nullptr || operand->shape.size() <= NPUKIT_OP_MAX_RANK;
  };
  if (std::all_of(node.inputs.begin(), node.inputs.end(), fits) &&
      std::all_of(node.outputs.begin(), node.outputs.end(), [&](const Operand* operand) {
        return DeclaredShape(*operand->tensor).size() <= NPUKIT_OP_MAX_RANK;
      }))
    return {};
  return UnsupportedNode(node, "packages take tensors of at most 8 dimensions");
}

litert::Expected<std::vector<Shape>> Reshape(const Node& node, Object& object) {
  const Tensors inputs = TensorsOf(node.inputs, /*declared=*/false);
  Tensors outputs = TensorsOf(node.outputs, /*declared=*/true);
  LITERT_RETURN_IF_ERROR(object.Check(node, "reshape",
                                      object.v().reshape(object.get(), inputs.data(), inputs.size(),
                                                         outputs.data(), outputs.size())));
  std::vector<Shape> shapes;
  for (const NpukitOpTensor& output : outputs) {
    if (output.rank > NPUKIT_OP_MAX_RANK ||
        std::any_of(output.dims, output.dims + output.rank, [](int32_t dim) { return dim < 0; }))
      return InvalidNode(node, "reshape left an output without a shape");
    shapes.emplace_back(output.dims, output.dims + output.rank);
  }
  return shapes;
}

class CustomizedKernel : public Kernel {
 public:
  CustomizedKernel(Object object, std::string name, Tensors inputs, Tensors outputs,
                   size_t scratch_bytes)
      : object_(std::move(object)),
        name_(std::move(name)),
        inputs_(std::move(inputs)),
        outputs_(std::move(outputs)) {
    scratch_bytes_ = scratch_bytes;
  }

  // The object takes one thread at a time, whatever the kernel interface allows.
  litert::Expected<void> Run(const RunContext& context) const override {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < inputs_.size(); ++i) {
      inputs_[i].data = const_cast<uint8_t*>(context.inputs[i].data());
      inputs_[i].size_bytes = context.inputs[i].size();
    }
    for (size_t i = 0; i < outputs_.size(); ++i) {
      outputs_[i].data = context.outputs[i].data();
      outputs_[i].size_bytes = context.outputs[i].size();
    }
    const LiteRtStatus status = object_.v().forward(
        object_.get(), inputs_.data(), inputs_.size(), outputs_.data(), outputs_.size(),
        scratch_bytes_ == 0 ? nullptr : context.scratch.data());
    if (status == kLiteRtStatusOk) return {};
    return litert::Unexpected(status, name_ + ": " + object_.Why("forward", status));
  }

 private:
  Object object_;
  std::string name_;
  mutable std::mutex mutex_;
  mutable Tensors inputs_;  // names are the model's, which outlives kernels
  mutable Tensors outputs_;
};

}  // namespace

std::string CustomizedOpName(const Op& op) {
  if (op.code == kLiteRtOpCodeTflCustom) return op.custom_code;
  if (const auto* composite = op.OptionsAs<StableHLOCompositeOptions>()) return composite->name;
  return {};
}

litert::Expected<Inferred> InferCustomized(const Node& node, const HeldFactory& factory) {
  LITERT_RETURN_IF_ERROR(CheckRanks(node));
  LITERT_ASSIGN_OR_RETURN(Object object, Object::Create(node, factory));
  LITERT_RETURN_IF_ERROR(object.LoadAndTrace(node));
  LITERT_ASSIGN_OR_RETURN(std::vector<Shape> shapes, Reshape(node, object));
  return Inferred{.shapes = std::move(shapes), .needs_value_of = {}};
}

litert::Expected<std::unique_ptr<Kernel>> PrepareCustomized(const Node& node, HeldFactory factory) {
  LITERT_RETURN_IF_ERROR(CheckRanks(node));
  LITERT_ASSIGN_OR_RETURN(Object object, Object::Create(node, std::move(factory)));
  LITERT_RETURN_IF_ERROR(object.LoadAndTrace(node));
  LITERT_RETURN_IF_ERROR(Reshape(node, object));
  Tensors inputs = TensorsOf(node.inputs, /*declared=*/false);
  Tensors outputs = TensorsOf(node.outputs, /*declared=*/false);
  size_t scratch_bytes = 0;
  LITERT_RETURN_IF_ERROR(
      object.Check(node, "setup",
                   object.v().setup(object.get(), inputs.data(), inputs.size(), outputs.data(),
                                    outputs.size(), &scratch_bytes)));
  if (scratch_bytes > kMaxScratchBytes)
    return InvalidNode(node, fmt::format("setup asks for {} bytes of scratch", scratch_bytes));
  std::unique_ptr<Kernel> kernel = std::make_unique<CustomizedKernel>(
      std::move(object), NodeName(node), std::move(inputs), std::move(outputs), scratch_bytes);
  return kernel;
}

}  // namespace npukit::kernels
