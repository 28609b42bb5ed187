// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/movement/movement.h"

#include <vector>

#include "sdk/host/kernels/oracle/kernel_oracle.h"

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

}  // namespace

litert::Expected<size_t> ElemBytes(const Node& node, const Operand& operand) {
  const int bits = ElementBits(operand.type());
  if (bits == 0 || bits % 8 != 0)
    return UnsupportedNode(node, &operand, "has an element type that cannot be moved");
  return static_cast<size_t>(bits) / 8;
}

litert::Expected<std::unique_ptr<Kernel>> PrepareMovement(const Node& node,
                                                          MovementFactory factory) {
  litert::Expected<size_t> elem_bytes = ElemBytes(node, *node.outputs[0]);
  if (!elem_bytes) return elem_bytes.Error();
  return factory(node, *elem_bytes);
}

litert::Expected<void> OracleByMoving(const Node& node, std::span<const OracleTensor* const> inputs,
                                      std::span<OracleTensor> outputs, MovementFactory factory,
                                      InputMask moving_inputs) {
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
