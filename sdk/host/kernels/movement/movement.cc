// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/movement/movement.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/packed_integers.h"

namespace npukit::kernels {
namespace {

template <typename T>
std::span<const uint8_t> AsBytes(const std::vector<T>& values) {
  return {reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T)};
}

template <typename T>
std::span<uint8_t> AsWritableBytes(std::vector<T>& values) {
  return {reinterpret_cast<uint8_t*>(values.data()), values.size() * sizeof(T)};
}

enum class Part { kValues, kBounds };

// Moves the values, or the bounds, of all tensors.
litert::Expected<void> MovePart(const Node& node, Part part,
                                std::span<const OracleTensor* const> inputs,
                                std::span<OracleTensor> outputs, MovementFactory factory,
                                InputMask moving) {
  const bool wide = outputs[0].is_float() || part == Part::kBounds;
  litert::Expected<size_t> elem_bytes = wide ? sizeof(double) : ElemBytes(node, *node.outputs[0]);
  if (!elem_bytes) return elem_bytes.Error();
  litert::Expected<std::unique_ptr<Kernel>> kernel = factory(node, *elem_bytes);
  if (!kernel) return kernel.Error();

  std::vector<std::vector<double>> zeros(inputs.size());
  std::vector<std::span<const uint8_t>> in(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr) continue;
    if (((moving >> i) & 1) == 0) {
      in[i] = inputs[i]->bytes;
    } else if (part == Part::kValues) {
      in[i] = wide ? AsBytes(inputs[i]->values) : std::span<const uint8_t>(inputs[i]->bytes);
    } else if (inputs[i]->bounds.empty()) {
      zeros[i].resize(inputs[i]->elems());
      in[i] = AsBytes(zeros[i]);
    } else {
      in[i] = AsBytes(inputs[i]->bounds);
    }
  }
  std::vector<std::span<uint8_t>> out;
  for (OracleTensor& output : outputs) {
    if (part == Part::kBounds) {
      output.bounds.resize(output.elems());
      out.push_back(AsWritableBytes(output.bounds));
    } else {
      out.push_back(wide ? AsWritableBytes(output.values) : std::span<uint8_t>(output.bytes));
    }
  }
  return RunKernelOnce(**kernel, in, out);
}

// A packed tensor's place in scratch.
struct UnpackedPlace {
  bool is_packed = false;
  size_t offset = 0;
  int64_t elems = 0;
};

// A kernel that moves bytes as one that moves elements of which several lie in a byte: they are unpacked
// before it runs, and its results packed. Scratch: the inner kernel's, the unpacked tensors, the spans
// that are handed on.
class PackedMovementKernel final : public Kernel {
 public:
  PackedMovementKernel(const Node& node, std::unique_ptr<Kernel> inner)
      : inner_(std::move(inner)), type_(node.outputs[0]->type()) {
    scratch_bytes_ = AlignedTo64(inner_->scratch_bytes());
    packed_bytes_ = inner_->packed_bytes();
    for (const Operand* input : node.inputs) inputs_.push_back(Place(input));
    for (const Operand* output : node.outputs) outputs_.push_back(Place(output));
    spans_ = scratch_bytes_;
    scratch_bytes_ += inputs_.size() * sizeof(std::span<const uint8_t>) +
                      outputs_.size() * sizeof(std::span<uint8_t>);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    uint8_t* scratch = context.scratch.data();
    auto* inputs = reinterpret_cast<std::span<const uint8_t>*>(scratch + spans_);
    auto* outputs = reinterpret_cast<std::span<uint8_t>*>(inputs + inputs_.size());
    for (size_t i = 0; i < inputs_.size(); ++i) {
      inputs[i] = context.inputs[i];
      if (!inputs_[i].is_packed) continue;
      auto* to = reinterpret_cast<int8_t*>(scratch + inputs_[i].offset);
      for (int64_t e = 0; e < inputs_[i].elems; ++e) to[e] = PackedAt(type_, context.inputs[i], e);
      inputs[i] = {scratch + inputs_[i].offset, static_cast<size_t>(inputs_[i].elems)};
    }
    for (size_t i = 0; i < outputs_.size(); ++i)
      outputs[i] = {scratch + outputs_[i].offset, static_cast<size_t>(outputs_[i].elems)};
    RunContext inner = context;
    inner.inputs = {inputs, inputs_.size()};
    inner.outputs = {outputs, outputs_.size()};
    inner.scratch = context.scratch.first(inner_->scratch_bytes());
    if (auto done = inner_->Run(inner); !done) return done;
    for (size_t i = 0; i < outputs_.size(); ++i) {
      std::ranges::fill(context.outputs[i], uint8_t{0});
      for (int64_t e = 0; e < outputs_[i].elems; ++e)
        PutPacked(type_, context.outputs[i], e, static_cast<int8_t>(outputs[i][e]));
    }
    return {};
  }

 private:
  // Indices and sizes stay as they are.
  UnpackedPlace Place(const Operand* operand) {
    if (operand == nullptr || operand->type() != type_) return {};
    UnpackedPlace place{.is_packed = true, .offset = scratch_bytes_, .elems = operand->elems()};
    scratch_bytes_ += AlignedTo64(static_cast<size_t>(place.elems));
    return place;
  }

  std::unique_ptr<Kernel> inner_;
  LiteRtElementType type_;
  std::vector<UnpackedPlace> inputs_;
  std::vector<UnpackedPlace> outputs_;
  size_t spans_ = 0;
};

}  // namespace

litert::Expected<size_t> ElemBytes(const Node& node, const Operand& operand) {
  const int bits = ElementBits(operand.type());
  if (bits == 0 || bits % 8 != 0)
    return UnsupportedNode(node, &operand, "has an element type that cannot be moved");
  return static_cast<size_t>(bits) / 8;
}

litert::Expected<std::unique_ptr<Kernel>> PrepareMovement(const Node& node,
                                                          MovementFactory factory) {
  if (IsPacked(node.outputs[0]->type())) {
    litert::Expected<std::unique_ptr<Kernel>> of_bytes = factory(node, 1);
    if (!of_bytes) return of_bytes;
    return std::unique_ptr<Kernel>(
        std::make_unique<PackedMovementKernel>(node, std::move(*of_bytes)));
  }
  litert::Expected<size_t> elem_bytes = ElemBytes(node, *node.outputs[0]);
  if (!elem_bytes) return elem_bytes.Error();
  return factory(node, *elem_bytes);
}

litert::Expected<void> OracleByMoving(const Node& node, std::span<const OracleTensor* const> inputs,
                                      std::span<OracleTensor> outputs, MovementFactory factory,
                                      InputMask moving_inputs) {
  if (IsPacked(node.outputs[0]->type())) return OracleByKernel(node, inputs, outputs);
  bool uncertain = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr || !inputs[i]->is_uncertain()) continue;
    if (((moving_inputs >> i) & 1) == 0) {
      return UnsupportedNode(node, node.inputs[i], "is uncertain and decides where elements go");
    }
    uncertain = true;
  }
  if (auto done = MovePart(node, Part::kValues, inputs, outputs, factory, moving_inputs); !done)
    return done;
  if (!uncertain) return {};
  return MovePart(node, Part::kBounds, inputs, outputs, factory, moving_inputs);
}

}  // namespace npukit::kernels
