// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/oracle/oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "sdk/host/kernels/half.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/packed_integers.h"

namespace npukit::kernels {
namespace {

bool IsFloat(LiteRtElementType type) {
  return type == kLiteRtElementTypeFloat32 || type == kLiteRtElementTypeFloat16 ||
         type == kLiteRtElementTypeBFloat16 || type == kLiteRtElementTypeFloat64;
}

template <typename T>
T LoadAt(const uint8_t* bytes, int64_t elem) {
  T value;
  std::memcpy(&value, bytes + elem * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}

double LoadFloat(LiteRtElementType type, const uint8_t* bytes, int64_t elem) {
  switch (type) {
    case kLiteRtElementTypeFloat32:
      return LoadAt<float>(bytes, elem);
    case kLiteRtElementTypeFloat64:
      return LoadAt<double>(bytes, elem);
    case kLiteRtElementTypeFloat16:
      return HalfToFloat(LoadAt<uint16_t>(bytes, elem));
    default:
      return BFloat16ToFloat(LoadAt<uint16_t>(bytes, elem));
  }
}

// Distance between neighbouring float32 at the magnitude of `value`.
double UlpOf(double value) {
  if (!std::isfinite(value)) return 0;
  const double magnitude = std::max(std::fabs(value), 0x1p-126);
  return std::ldexp(1.0, std::ilogb(magnitude) - 23);
}

double Difference(double expected, double actual) {
  if (std::isnan(expected) && std::isnan(actual)) return 0;
  if (expected == actual) return 0;  // also infinities
  const double difference = std::fabs(expected - actual);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

double AllowedAt(const Tolerance& tolerance, const OracleTensor& expected, int64_t elem,
                 double value) {
  const double bound = expected.bounds.empty() ? 0 : expected.bounds[elem];
  switch (tolerance.kind) {
    case Tolerance::Kind::kExact:
    case Tolerance::Kind::kRunningBound:
      return bound;
    case Tolerance::Kind::kSteps:
      return bound + tolerance.amount;
    case Tolerance::Kind::kUlps:
      return bound + tolerance.amount * UlpOf(value);
  }
  return bound;
}

double LargestFinite(LiteRtElementType type) {
  if (type == kLiteRtElementTypeFloat16) return 65504;
  if (type == kLiteRtElementTypeBFloat16) return 0x1.fep127;
  if (type == kLiteRtElementTypeFloat64) return std::numeric_limits<double>::max();
  return std::numeric_limits<float>::max();
}

// The bound of what overflows, or is clamped to the largest number, is infinite, and so is every
// difference from an infinity: neither tells a NaN, a small number or the other sign from what is right.
// A factor of two is far beyond what an error of rounding takes from the largest number.
bool MissesOverflow(LiteRtElementType type, const Mismatch& here) {
  const double largest = LargestFinite(type);
  if (!(std::fabs(here.expected) >= largest)) return false;
  return !(std::copysign(1.0, here.expected) * here.actual >= largest / 2);
}

void NoteMismatch(Comparison& comparison, const Mismatch& mismatch) {
  ++comparison.differing_elems;
  auto excess = [](const Mismatch& m) { return std::fabs(m.actual - m.expected) - m.allowed; };
  comparison.worst.push_back(mismatch);
  std::stable_sort(comparison.worst.begin(), comparison.worst.end(),
                   [&](const Mismatch& a, const Mismatch& b) { return excess(a) > excess(b); });
  if (comparison.worst.size() > kMaxMismatches) comparison.worst.pop_back();
}

}  // namespace

double OracleTensor::largest_finite() const {
  double largest = 0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  }
  return largest;
}

bool OracleTensor::is_float() const { return IsFloat(type); }

int64_t OracleTensor::elems() const {
  int64_t product = 1;
  for (int32_t dim : shape) product *= dim;
  return product;
}

bool OracleTensor::is_uncertain() const {
  return std::any_of(bounds.begin(), bounds.end(), [](double bound) { return bound != 0; });
}

OracleTensor OracleTensor::FromBytes(LiteRtElementType type, Shape shape,
                                     std::span<const uint8_t> bytes) {
  OracleTensor tensor{.type = type, .shape = std::move(shape)};
  if (!IsFloat(type)) {
    tensor.bytes.assign(bytes.begin(), bytes.end());
    return tensor;
  }
  tensor.values.resize(tensor.elems());
  tensor.bounds.resize(tensor.elems());
  for (int64_t i = 0; i < tensor.elems(); ++i) tensor.values[i] = LoadFloat(type, bytes.data(), i);
  return tensor;
}

std::vector<uint8_t> OracleTensor::ToBytes() const {
  if (!is_float()) return bytes;
  std::vector<uint8_t> dense(values.size() * ElementBits(type) / 8);
  auto store = [&](int64_t elem, auto value) {
    std::memcpy(dense.data() + elem * static_cast<int64_t>(sizeof(value)), &value, sizeof(value));
  };
  for (int64_t i = 0; i < static_cast<int64_t>(values.size()); ++i) {
    const auto narrow = static_cast<float>(values[i]);
    if (type == kLiteRtElementTypeFloat32) store(i, narrow);
    if (type == kLiteRtElementTypeFloat64) store(i, values[i]);
    if (type == kLiteRtElementTypeFloat16) store(i, FloatToHalf(narrow));
    if (type == kLiteRtElementTypeBFloat16) store(i, FloatToBFloat16(narrow));
  }
  return dense;
}

litert::Expected<std::vector<OracleTensor>> RunOracle(const Node& node,
                                                      std::span<const OracleTensor* const> inputs) {
  const Operator* op = FindOperator(*node.op);
  if (op == nullptr) return UnsupportedNode(node, "no oracle for this operator");
  if (inputs.size() != node.inputs.size()) {
    return InvalidNode(node, fmt::format("the oracle got {} inputs, the op has {}", inputs.size(),
                                         node.inputs.size()));
  }
  std::vector<OracleTensor> constants(inputs.size());
  std::vector<const OracleTensor*> resolved(inputs.begin(), inputs.end());
  for (size_t i = 0; i < resolved.size(); ++i) {
    const Operand* operand = node.inputs[i];
    if (resolved[i] != nullptr || operand == nullptr) continue;
    if (!operand->has_constant() && operand->elems() != 0) {
      return NodeError(node, kLiteRtStatusErrorMissingInputTensor, operand, "has no value");
    }
    constants[i] = OracleTensor::FromBytes(operand->type(), operand->shape, operand->constant);
    resolved[i] = &constants[i];
  }
  std::vector<OracleTensor> outputs;
  for (const Operand* operand : node.outputs) {
    OracleTensor& output =
        outputs.emplace_back(OracleTensor{.type = operand->type(), .shape = operand->shape});
    const int64_t elems = output.elems();
    if (output.is_float()) {
      output.values.resize(elems);
      output.bounds.resize(elems);
    } else {
      output.bytes.resize(DenseBytes(output.type, output.shape).value_or(0));
    }
  }
  if (litert::Expected<void> done = op->parts.oracle(node, resolved, outputs); !done)
    return done.Error();
  return outputs;
}

litert::Expected<std::vector<OracleTensor>> RunOracle(
    const Node& node, std::span<const std::span<const uint8_t>> inputs) {
  std::vector<OracleTensor> tensors(inputs.size());
  std::vector<const OracleTensor*> pointers(inputs.size(), nullptr);
  for (size_t i = 0; i < inputs.size() && i < node.inputs.size(); ++i) {
    const Operand* operand = node.inputs[i];
    if (operand == nullptr || inputs[i].empty()) continue;
    if (inputs[i].size() != DenseBytes(operand->type(), operand->shape)) {
      return InvalidNode(node, operand, fmt::format("got {} bytes", inputs[i].size()));
    }
    tensors[i] = OracleTensor::FromBytes(operand->type(), operand->shape, inputs[i]);
    pointers[i] = &tensors[i];
  }
  return RunOracle(node, pointers);
}

litert::Expected<Comparison> CompareWithOracle(const Node& node, const OracleTensor& expected,
                                               std::span<const uint8_t> actual) {
  const Operator* op = FindOperator(*node.op);
  if (op == nullptr) return UnsupportedNode(node, "no oracle for this operator");
  if (actual.size() != DenseBytes(expected.type, expected.shape)) {
    return InvalidNode(node, fmt::format("the output to compare has {} bytes, expected shape {}",
                                         actual.size(), ShapeText(expected.shape)));
  }
  const Tolerance& tolerance = op->parts.tolerance.For(expected.type);
  Comparison comparison;
  for (int64_t i = 0; i < expected.elems(); ++i) {
    Mismatch here{.elem = i};
    if (expected.is_float()) {
      here.expected = expected.values[i];
      here.actual = LoadFloat(expected.type, actual.data(), i);
    } else {
      here.expected = static_cast<double>(IntegerAt(expected.type, expected.bytes, i));
      here.actual = static_cast<double>(IntegerAt(expected.type, actual, i));
    }
    here.allowed = AllowedAt(tolerance, expected, i, here.expected);
    // Of infinite errors that were set against each other: nothing is known of a number's own.
    if (std::isnan(here.allowed) && std::isfinite(here.expected))
      here.allowed = std::numeric_limits<double>::infinity();
    const double difference = Difference(here.expected, here.actual);
    comparison.max_difference = std::max(comparison.max_difference, difference);
    if (expected.is_float() && here.allowed > 0 && std::isfinite(here.allowed)) {
      comparison.max_bound_use = std::max(comparison.max_bound_use, difference / here.allowed);
    }
    // A bound that is NaN, beside a NaN that was met, takes nothing away.
    const bool is_outside = difference != 0 && !(difference <= here.allowed);
    if (is_outside || (expected.is_float() && MissesOverflow(expected.type, here)))
      NoteMismatch(comparison, here);
  }
  return comparison;
}

}  // namespace npukit::kernels
