// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/elementwise/map_value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"

namespace acme::compiler {
namespace {

// A quantised integer of at most 16 bits; nothing of another type.
std::optional<int32_t> IntegerOf(uint32_t element, Dtype dtype) {
  switch (dtype) {
    case Dtype::kI8:
      return static_cast<int8_t>(element);
    case Dtype::kU8:
      return static_cast<uint8_t>(element);
    case Dtype::kI16:
      return static_cast<int16_t>(element);
    default:
      return std::nullopt;
  }
}

uint32_t MaskOf(Dtype dtype) {
  return SizeBytes(dtype) >= sizeof(uint32_t) ? ~0u : (1u << (8 * SizeBytes(dtype))) - 1;
}

std::optional<uint32_t> Dequantized(const Map& map, uint32_t element) {
  const std::optional<int32_t> stored = IntegerOf(element, map.in);
  if (!stored || map.out != Dtype::kF32) return std::nullopt;
  const double scale = std::bit_cast<float>(map.a.mult);
  const auto real = static_cast<float>(scale * static_cast<double>(*stored - map.a.zp));
  return std::bit_cast<uint32_t>(std::min(std::max(real, std::bit_cast<float>(map.clamp.lo)),
                                          std::bit_cast<float>(map.clamp.hi)));
}

std::optional<uint32_t> Quantized(const Map& map, uint32_t element) {
  if (map.in != Dtype::kF32 || !IntegerOf(0, map.out)) return std::nullopt;
  const float steps =
      std::round(std::bit_cast<float>(element) / std::bit_cast<float>(map.dst.mult));
  // Beyond it TFLite's results depend on the machine.
  constexpr float kLargest = 1 << 30;
  if (!(std::abs(steps) < kLargest)) return std::nullopt;
  const int32_t stored =
      std::clamp(static_cast<int32_t>(steps) + map.dst.zp, map.clamp.lo, map.clamp.hi);
  return static_cast<uint32_t>(stored) & MaskOf(map.out);
}

std::optional<uint32_t> LookedUp(const Map& map, const Map::Table& table, uint32_t element) {
  const size_t out_bytes = SizeBytes(map.out);
  if (table.kind != LutKind::kDirect || SizeBytes(map.in) != 1 ||
      table.bytes.size() != kBytes * out_bytes)
    return std::nullopt;
  const size_t index = map.in == Dtype::kI8 ? (element + kBytes / 2) % kBytes : element;
  uint32_t value = 0;
  for (size_t byte = 0; byte < out_bytes; ++byte)
    value |= uint32_t{table.bytes[index * out_bytes + byte]} << (8 * byte);
  return value;
}

// Steps of one scale to real numbers and back, without a limit between: float32 has enough digits
// for 16 bits.
bool Undoes(const Map& then, const Map& first) {
  const auto* from = std::get_if<ConvertOp>(&first.function);
  const auto* to = std::get_if<ConvertOp>(&then.function);
  if (from == nullptr || to == nullptr || *from != ConvertOp::kDequantize ||
      *to != ConvertOp::kQuantize)
    return false;
  const float scale = std::bit_cast<float>(first.a.mult);
  // Neither overflows nor loses digits.
  if (!(scale > 0x1p-100f && scale < 0x1p100f)) return false;
  const ClampRange reals = OpenRange(Dtype::kF32);
  const ClampRange steps = OpenRange(first.in);
  return first.in == then.out && IntegerOf(0, first.in) && first.a.mult == then.dst.mult &&
         first.a.zp == then.dst.zp && first.clamp.lo == reals.lo && first.clamp.hi == reals.hi &&
         then.clamp.lo == steps.lo && then.clamp.hi == steps.hi;
}

}  // namespace

std::optional<uint32_t> ValueOf(const Map& map, uint32_t element) {
  if (const auto* table = std::get_if<Map::Table>(&map.function))
    return LookedUp(map, *table, element);
  const auto* conversion = std::get_if<ConvertOp>(&map.function);
  if (conversion == nullptr) return std::nullopt;
  if (*conversion == ConvertOp::kDequantize) return Dequantized(map, element);
  if (*conversion == ConvertOp::kQuantize) return Quantized(map, element);
  return std::nullopt;
}

std::optional<uint32_t> OperandOf(const Map& map, uint32_t result) {
  if (!IntegerOf(0, map.in)) return std::nullopt;
  for (uint32_t element = 0; element <= MaskOf(map.in); ++element) {
    if (ValueOf(map, element) == result) return element;
  }
  return std::nullopt;
}

bool HaveOneFunction(const Map& a, const Map& b) {
  if (a.in != b.in || a.out != b.out || a.function.index() != b.function.index()) return false;
  const auto* table = std::get_if<Map::Table>(&a.function);
  if (table != nullptr) {
    const auto& other = std::get<Map::Table>(b.function);
    return table->kind == other.kind && table->bytes == other.bytes;
  }
  if (const auto* unary = std::get_if<UnaryOp>(&a.function);
      unary != nullptr && *unary != std::get<UnaryOp>(b.function))
    return false;
  if (const auto* conversion = std::get_if<ConvertOp>(&a.function);
      conversion != nullptr && *conversion != std::get<ConvertOp>(b.function))
    return false;
  return a.a == b.a && a.b == b.b && a.dst == b.dst && a.clamp == b.clamp;
}

Map::Table TableOf(const ElementOfByte& elements, Dtype in, Dtype out) {
  Map::Table table;
  // From the type's lowest value on.
  const size_t lowest = in == Dtype::kI8 ? kBytes / 2 : 0;
  for (size_t i = 0; i < kBytes; ++i) {
    const uint32_t element = elements[(i + lowest) % kBytes];
    for (int64_t byte = 0; byte < SizeBytes(out); ++byte)
      table.bytes.push_back(static_cast<uint8_t>(element >> (8 * byte)));
  }
  return table;
}

std::optional<Map> Joined(const Map& first, const Map& then) {
  Map joined = first;
  joined.out = then.out;
  if (Undoes(then, first)) {
    joined.function = UnaryOp::kCopy;
    joined.clamp = then.clamp;
    joined.a = {.view = View::kA};
    return joined;
  }
  if (SizeBytes(first.in) != 1 || SizeBytes(then.out) > 2 || !IntegerOf(0, then.out))
    return std::nullopt;
  ElementOfByte elements;
  for (uint32_t byte = 0; byte < kBytes; ++byte) {
    const std::optional<uint32_t> middle = ValueOf(first, byte);
    const std::optional<uint32_t> value = middle ? ValueOf(then, *middle) : std::nullopt;
    if (!value) return std::nullopt;
    elements[byte] = *value;
  }
  joined.function = TableOf(elements, first.in, then.out);
  joined.a = {.view = View::kA};
  joined.clamp = {};
  return joined;
}

bool IsIdentity(const Map& map) {
  if (map.in != map.out) return false;
  if (const auto* unary = std::get_if<UnaryOp>(&map.function)) {
    const ClampRange open = OpenRange(map.in);
    return *unary == UnaryOp::kCopy && map.clamp.lo == open.lo && map.clamp.hi == open.hi;
  }
  if (!std::holds_alternative<Map::Table>(map.function)) return false;
  for (uint32_t i = 0; i < kBytes; ++i) {
    if (ValueOf(map, i) != i) return false;
  }
  return true;
}

}  // namespace acme::compiler
