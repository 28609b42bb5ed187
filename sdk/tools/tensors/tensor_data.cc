// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/tensors/tensor_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <type_traits>

#include "sdk/host/kernels/half.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::tools {
namespace {

struct Half {
  uint16_t bits;
};
struct BrainFloat {
  uint16_t bits;
};

// fn(T{}) for the stored form of a type; false if there is none.
template <typename Fn>
bool WithStored(LiteRtElementType type, const Fn& fn) {
  switch (type) {
    case kLiteRtElementTypeBool:
    case kLiteRtElementTypeUInt8:
      return fn(uint8_t{}), true;
    case kLiteRtElementTypeInt8:
      return fn(int8_t{}), true;
    case kLiteRtElementTypeInt16:
      return fn(int16_t{}), true;
    case kLiteRtElementTypeUInt16:
      return fn(uint16_t{}), true;
    case kLiteRtElementTypeInt32:
      return fn(int32_t{}), true;
    case kLiteRtElementTypeUInt32:
      return fn(uint32_t{}), true;
    case kLiteRtElementTypeInt64:
      return fn(int64_t{}), true;
    case kLiteRtElementTypeUInt64:
      return fn(uint64_t{}), true;
    case kLiteRtElementTypeFloat16:
      return fn(Half{}), true;
    case kLiteRtElementTypeBFloat16:
      return fn(BrainFloat{}), true;
    case kLiteRtElementTypeFloat32:
      return fn(float{}), true;
    case kLiteRtElementTypeFloat64:
      return fn(double{}), true;
    default:
      return false;
  }
}

template <typename T>
long double NumberOf(T stored) {
  if constexpr (std::is_same_v<T, Half>) {
    return kernels::HalfToFloat(stored.bits);
  } else if constexpr (std::is_same_v<T, BrainFloat>) {
    return kernels::BFloat16ToFloat(stored.bits);
  } else {
    return stored;
  }
}

template <typename T>
T StoredFloat(long double number) {
  if constexpr (std::is_same_v<T, Half>) {
    return {kernels::FloatToHalf(static_cast<float>(number))};
  } else if constexpr (std::is_same_v<T, BrainFloat>) {
    return {kernels::FloatToBFloat16(static_cast<float>(number))};
  } else {
    return static_cast<T>(number);
  }
}

struct Range {
  long double low;
  long double high;
};

Range RangeOf(LiteRtElementType type) {
  Range range{0, 1};
  if (type == kLiteRtElementTypeBool) return range;
  WithStored(type, [&]<typename T>(T /*stored*/) {
    if constexpr (std::is_integral_v<T>)
      range = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
  });
  return range;
}

litert::Unexpected Wrong(std::string message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, std::move(message));
}

// Element by element; `number_at` gives the numbers in order. Numbers are long double, which holds
// every integer of 64 bits (its mantissa has 64 bits on x86-64, 113 on aarch64); a double would
// change some.
litert::Expected<TensorData> Convert(const std::function<long double(int64_t)>& number_at,
                                     bool are_floats, TensorData to,
                                     const Quantization& quantization) {
  const bool quantizes = are_floats && !IsFloat(to.type) && to.type != kLiteRtElementTypeBool &&
                         quantization.is_per_tensor() && quantization.scale[0] > 0;
  const Range range = RangeOf(to.type);
  int64_t bad_elem = -1;
  const auto integer_of = [&](int64_t elem) {
    long double number = number_at(elem);
    if (quantizes && !std::isnan(number)) {
      // Clamped, as a plugin would do it: a real number beyond the scale's range is no mistake. A
      // whole number that an integer type does not hold is one.
      number = std::clamp(std::round(number / quantization.scale[0]) + quantization.ZeroPointOf(0),
                          range.low, range.high);
    }
    const bool fits = number >= range.low && number <= range.high && number == std::trunc(number);
    if (!fits && bad_elem < 0) bad_elem = elem;
    return fits ? number : 0;
  };
  const bool known = WithStored(to.type, [&]<typename T>(T /*stored*/) {
    const int64_t count = to.elems();
    to.bytes.resize(static_cast<size_t>(count) * sizeof(T));
    for (int64_t i = 0; i < count; ++i) {
      T value;
      if constexpr (std::is_integral_v<T>) {
        value = static_cast<T>(integer_of(i));
      } else {
        value = StoredFloat<T>(number_at(i));
      }
      std::memcpy(to.bytes.data() + static_cast<size_t>(i) * sizeof(T), &value, sizeof(T));
    }
  });
  if (!known) return Wrong(fmt::format("numbers can't be made {}", ElementTypeName(to.type)));
  if (bad_elem >= 0) {
    return Wrong(fmt::format("element {} is {}, which {} does not hold{}", bad_elem,
                             static_cast<double>(number_at(bad_elem)), ElementTypeName(to.type),
                             are_floats && !quantizes && !IsFloat(to.type)
                                 ? " (the tensor has no scale to quantise it by)"
                                 : ""));
  }
  return to;
}

}  // namespace

int64_t TensorData::elems() const {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

std::string TensorData::TypeText() const {
  return fmt::format("{}[{}]", ElementTypeName(type), fmt::join(shape, ","));
}

bool IsNumber(LiteRtElementType type) {
  return WithStored(type, [](auto /*stored*/) {});
}

bool IsFloat(LiteRtElementType type) {
  return type == kLiteRtElementTypeFloat16 || type == kLiteRtElementTypeBFloat16 ||
         type == kLiteRtElementTypeFloat32 || type == kLiteRtElementTypeFloat64;
}

long double NumberAt(LiteRtElementType type, std::span<const uint8_t> bytes, int64_t elem) {
  long double number = 0;
  WithStored(type, [&]<typename T>(T stored) {
    std::memcpy(&stored, bytes.data() + static_cast<size_t>(elem) * sizeof(T), sizeof(T));
    number = NumberOf(stored);
  });
  return number;
}

litert::Expected<std::vector<int64_t>> FlatShape(LiteRtElementType type, uint64_t size_bytes) {
  const auto elem_bytes = static_cast<uint64_t>(ElementBits(type)) / 8;
  if (elem_bytes == 0 || size_bytes % elem_bytes != 0)
    return Wrong(
        fmt::format("{} bytes are no whole number of {}", size_bytes, ElementTypeName(type)));
  return std::vector<int64_t>{static_cast<int64_t>(size_bytes / elem_bytes)};
}

litert::Expected<TensorData> ConvertTo(const TensorData& data, LiteRtElementType type,
                                       const Quantization& quantization) {
  if (data.type == type) return data;
  if (!IsNumber(data.type) || !IsNumber(type)) {
    return Wrong(
        fmt::format("{} can't be made {}", ElementTypeName(data.type), ElementTypeName(type)));
  }
  return Convert([&](int64_t elem) { return NumberAt(data.type, data.bytes, elem); },
                 IsFloat(data.type),
                 {.name = data.name, .type = type, .shape = data.shape, .bytes = {}}, quantization);
}

litert::Expected<TensorData> FromNumbers(std::span<const long double> numbers, bool are_floats,
                                         std::vector<int64_t> shape, LiteRtElementType type,
                                         const Quantization& quantization) {
  return Convert([&](int64_t elem) { return numbers[static_cast<size_t>(elem)]; }, are_floats,
                 {.name = {}, .type = type, .shape = std::move(shape), .bytes = {}}, quantization);
}

}  // namespace npukit::tools
