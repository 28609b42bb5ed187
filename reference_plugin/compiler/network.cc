// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/network.h"

#include <algorithm>
#include <sstream>

namespace acme::compiler {
namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};

void Print(std::ostream& out, const FixedPoint& value) { out << value.mult << "p" << value.shift; }

void Print(std::ostream& out, const ClampRange& range) {
  out << "[" << range.lo << ", " << range.hi << "]";
}

void Print(std::ostream& out, const Binary::Operand& operand) {
  out << "v" << operand.value << " strides";
  for (int32_t stride : operand.stride_elems) out << " " << stride;
  out << " zp " << operand.zero_point << " scale ";
  Print(out, operand.scale);
}

void Print(std::ostream& out, const MatMul& op) {
  out << "matmul m " << op.m << " k " << op.k << " n " << op.n << " x v" << op.x << " zp "
      << op.act_zp << " w v" << op.w << " zp " << op.weight_zp << " bias "
      << (op.bias == kNoValue ? "none" : "v" + std::to_string(op.bias)) << " scales "
      << op.requantize.size() << " first ";
  if (!op.requantize.empty()) Print(out, op.requantize.front());
  out << " out zp " << op.out_zp << " clamp ";
  Print(out, op.clamp);
}

void Print(std::ostream& out, const Binary& op) {
  out << NameOf(op.op) << " extent";
  for (int32_t extent : op.extent) out << " " << extent;
  for (const OuterDimension& outer : op.outer) {
    out << " outer " << outer.extent << " (" << outer.a_stride_elems << ", " << outer.b_stride_elems
        << ")";
  }
  out << " a ";
  Print(out, op.a);
  out << " b ";
  Print(out, op.b);
  out << " left shift " << op.left_shift << " out zp " << op.out_zp << " scale ";
  Print(out, op.out_scale);
  out << " clamp ";
  Print(out, op.clamp);
}

void Print(std::ostream& out, const RmsNorm& op) {
  out << "rms_norm rows " << op.rows << " cols " << op.cols << " x v" << op.x << " weight "
      << (op.weight == kNoValue ? "none" : "v" + std::to_string(op.weight)) << " epsilon "
      << op.epsilon;
}

}  // namespace

int64_t Value::Elems() const {
  int64_t elems = 1;
  for (int32_t dim : shape) elems *= dim;
  return elems;
}

std::vector<ValueId> Layer::Inputs() const {
  std::vector<ValueId> ids =
      std::visit(Overloaded{[](const MatMul& op) {
                              return std::vector<ValueId>{op.x, op.w, op.bias};
                            },
                            [](const Binary& op) {
                              return std::vector<ValueId>{op.a.value, op.b.value};
                            },
                            [](const RmsNorm& op) {
                              return std::vector<ValueId>{op.x, op.weight};
                            }},
                 op);
  std::erase(ids, kNoValue);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::string Network::ToString() const {
  std::ostringstream out;
  out << "network " << name << "\n";
  for (size_t i = 0; i < values.size(); ++i) {
    const Value& value = values[i];
    out << "  v" << i << " " << NameOf(value.dtype) << " [";
    for (size_t d = 0; d < value.shape.size(); ++d) out << (d == 0 ? "" : ",") << value.shape[d];
    out << "]";
    if (value.is_constant()) out << " constant";
    if (value.input_index >= 0) out << " input " << value.input_index;
    if (value.output_index >= 0) out << " output " << value.output_index;
    out << " '" << value.name << "'\n";
  }
  for (const Layer& layer : layers) {
    out << "  v" << layer.output << " = ";
    std::visit([&](const auto& op) { Print(out, op); }, layer.op);
    out << "  # op " << layer.source_op << "\n";
  }
  return out.str();
}

}  // namespace acme::compiler
