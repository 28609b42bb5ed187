// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/records.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "simulator/isa/footprint.h"

namespace acme::compiler {
namespace {

template <class T>
T Load(const Value& value, int32_t index) {
  T element;
  std::memcpy(&element, value.constant.data() + sizeof(T) * static_cast<size_t>(index), sizeof(T));
  return element;
}

void AppendLittleEndian(uint64_t value, int bytes, std::vector<uint8_t>& out) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

int64_t IntegerBias(const Value* bias, int32_t channel) {
  if (bias == nullptr) return 0;
  return bias->dtype == Dtype::kI64 ? Load<int64_t>(*bias, channel) : Load<int32_t>(*bias, channel);
}

}  // namespace

std::string ToString(const Requantization& requantization) {
  const std::vector<FixedPoint>& scales = requantization.scales;
  const std::vector<double>& reals = requantization.reals;
  std::string text = fmt::format("scales {}", scales.size());
  if (!scales.empty()) text += fmt::format(" first {}", ToString(scales.front()));
  if (!reals.empty()) text += fmt::format(" real {} first {:g}", reals.size(), reals.front());
  return text +
         fmt::format(" out zp {} clamp {}", requantization.out_zp, ToString(requantization.clamp));
}

int64_t RecordBytes(const Requantization& requantization, Dtype dtype) {
  if (dtype == Dtype::kF32) return kFloatRecordBytes;
  return requantization.rounding == Rounding::kReal ? kRealRecordBytes : kIntegerRecordBytes;
}

void AppendRecord(const Requantization& requantization, const Value* bias, int32_t channel,
                  Dtype dtype, std::vector<uint8_t>& out) {
  if (dtype == Dtype::kF32) {
    AppendLittleEndian(bias == nullptr ? 0 : Load<uint32_t>(*bias, channel), 4, out);
    return;
  }
  AppendLittleEndian(static_cast<uint64_t>(IntegerBias(bias, channel)), 5, out);
  const auto of_channel = [&](const auto& scales) {
    return scales[scales.size() == 1 ? 0 : static_cast<size_t>(channel)];
  };
  if (requantization.rounding == Rounding::kReal) {
    AppendLittleEndian(std::bit_cast<uint64_t>(of_channel(requantization.reals)), 8, out);
    return;
  }
  const FixedPoint scale = of_channel(requantization.scales);
  AppendLittleEndian(static_cast<uint32_t>(scale.mult), 4, out);
  AppendLittleEndian(static_cast<uint8_t>(scale.shift), 1, out);
}

}  // namespace acme::compiler
