// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/oracle/tensor_data.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "conformance/spec/graph/element_limits.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/tensor.h"

namespace npukit::conformance {
namespace {

using Pattern = DataSpec::Pattern;

constexpr double kDefaultFloatRange = 1.0;
constexpr double kDefaultIntRange = 100;
constexpr int kWideExponent = 24;

// splitmix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // [0, 1).
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

std::pair<double, double> DefaultRange(LiteRtElementType type) {
  if (IsFloat(type)) return {-kDefaultFloatRange, kDefaultFloatRange};
  const auto [low, high] = TypeLimits(type);
  if (ElementBits(type) <= 16) return {low, high};
  return {std::max(low, -kDefaultIntRange), kDefaultIntRange};
}

double Uniform(bool is_float, double low, double high, Random& random) {
  return is_float ? low + (high - low) * random.Unit()
                  : low + std::floor((high - low + 1) * random.Unit());
}

double Extreme(bool is_float, double low, double high, size_t index) {
  const double step = is_float ? (high - low) * 0x1p-20 : 1;
  const double zero = std::clamp(0.0, low, high);
  const double values[] = {low, high, zero, low + step, high - step, std::clamp(step, low, high)};
  return values[index % std::size(values)];
}

double Special(size_t index) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  // Of float32, after the infinities and zeros: the smallest denormal, another, the smallest normal
  // number, and close to the largest.
  const double values[] = {1.0,  kInf,     -kInf,     kNan,     0.0,    -0.0,
                           -1.5, 0x1p-149, -0x1p-140, 0x1p-126, 3.4e38, -3.4e38};
  return values[index % std::size(values)];
}

// Few, so that most results stay numbers, whatever the tensor's size: of a thousand elements that go
// into one, a special one in a hundred would make a NaN of each. The last element's is infinite.
double Rare(bool is_float, std::pair<double, double> range, size_t index, size_t elems,
            Random& random) {
  constexpr double kFew = 8;
  constexpr size_t kInfinity = 1;
  const auto [low, high] = range;
  const bool is_last = index + 1 == elems;
  if (!is_last && random.Unit() * static_cast<double>(elems) >= kFew)
    return Uniform(is_float, low, high, random);
  const size_t choice = is_last ? kInfinity : static_cast<size_t>(random.Next());
  return is_float ? Special(choice) : Extreme(is_float, low, high, choice);
}

double ElementValue(LiteRtElementType type, const DataSpec& data, std::pair<double, double> range,
                    size_t index, size_t elems, Random& random) {
  const bool is_float = IsFloat(type);
  const auto [low, high] = range;
  switch (data.pattern) {
    case Pattern::kWide:
      if (is_float) {
        const double magnitude = std::exp2(kWideExponent * (2 * random.Unit() - 1));
        return (random.Next() & 1) != 0 ? magnitude : -magnitude;
      }
      [[fallthrough]];
    case Pattern::kRandom:
      return Uniform(is_float, low, high, random);
    case Pattern::kRare:
      return Rare(is_float, range, index, elems, random);
    case Pattern::kSpecial:
      if (is_float) return Special(index);
      [[fallthrough]];
    case Pattern::kExtremes:
      // Consecutive periods are shifted, so that tensors of one shape do not meet extreme to like
      // extreme only.
      return Extreme(is_float, low, high, index + index / 6 + (random.Next() & 3));
    case Pattern::kZeros:
      return 0;
    case Pattern::kOnes:
      return 1;
    case Pattern::kIota:
      return static_cast<double>(index);
    case Pattern::kEvery:
      if (is_float) return low + (high - low) * random.Unit();
      return low + std::fmod(static_cast<double>(index), high - low + 1);
    case Pattern::kValues:
      return data.values.empty() ? 0 : data.values[index % data.values.size()];
    case Pattern::kFile:
    case Pattern::kLike:
      return 0;  // graph_model.cc's
  }
  return 0;
}

template <typename T>
void Store(double value, uint8_t* to) {
  const T stored = static_cast<T>(value);
  std::memcpy(to, &stored, sizeof stored);
}

// float32 to float16 or bfloat16 by truncation of a value that was rounded before: exactness does
// not matter here, only that the same bits come out everywhere.
uint16_t ToHalf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const uint32_t sign = bits >> 16 & 0x8000;
  const int exponent = static_cast<int>(bits >> 23 & 0xff) - 127 + 15;
  const uint32_t mantissa = bits >> 13 & 0x3ff;
  if ((bits >> 23 & 0xff) == 0xff)
    return static_cast<uint16_t>(sign | 0x7c00 | ((bits & 0x7fffff) != 0 ? 0x200 : 0));
  if (exponent >= 31) return static_cast<uint16_t>(sign | 0x7bff);
  if (exponent <= 0) return static_cast<uint16_t>(sign);
  return static_cast<uint16_t>(sign | static_cast<uint32_t>(exponent) << 10 | mantissa);
}

uint16_t ToBfloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<uint16_t>(bits >> 16);
}

// Random elements of a type that most tensors have, as ElementValue and StoreElement make them one by
// one: of a run's time so much went there that it could be seen.
template <typename T>
void FillRandom(std::pair<double, double> range, Random& random, std::vector<uint8_t>& bytes) {
  constexpr bool kIsFloat = std::is_floating_point_v<T>;
  constexpr auto kLow = static_cast<double>(std::numeric_limits<T>::lowest());
  constexpr auto kHigh = static_cast<double>(std::numeric_limits<T>::max());
  const auto [low, high] = range;
  const double span = kIsFloat ? high - low : high - low + 1;
  for (size_t at = 0; at < bytes.size(); at += sizeof(T)) {
    const double step = span * random.Unit();
    const double value = kIsFloat ? low + step : std::clamp(low + std::floor(step), kLow, kHigh);
    Store<T>(value, &bytes[at]);
  }
}

// False: the type is none of those.
bool FillRandom(LiteRtElementType type, std::pair<double, double> range, Random& random,
                std::vector<uint8_t>& bytes) {
  switch (type) {
    case kLiteRtElementTypeFloat32:
      FillRandom<float>(range, random, bytes);
      return true;
    case kLiteRtElementTypeInt8:
      FillRandom<int8_t>(range, random, bytes);
      return true;
    case kLiteRtElementTypeUInt8:
      FillRandom<uint8_t>(range, random, bytes);
      return true;
    case kLiteRtElementTypeInt16:
      FillRandom<int16_t>(range, random, bytes);
      return true;
    case kLiteRtElementTypeInt32:
      FillRandom<int32_t>(range, random, bytes);
      return true;
    default:
      return false;
  }
}

// `index` is needed for types that share a byte.
void StoreElement(LiteRtElementType type, double value, size_t index, std::vector<uint8_t>& bytes) {
  const int bits = ElementBits(type);
  if (bits < 8) {
    const int per_byte = 8 / bits;
    const int shift = static_cast<int>(index % per_byte) * bits;
    const auto raw = static_cast<uint8_t>(static_cast<int>(value) & ((1 << bits) - 1));
    bytes[index / per_byte] = static_cast<uint8_t>(bytes[index / per_byte] | raw << shift);
    return;
  }
  uint8_t* to = bytes.data() + index * static_cast<size_t>(bits / 8);
  switch (type) {
    case kLiteRtElementTypeFloat32:
      return Store<float>(value, to);
    case kLiteRtElementTypeFloat64:
      return Store<double>(value, to);
    case kLiteRtElementTypeFloat16:
      return Store<uint16_t>(ToHalf(static_cast<float>(value)), to);
    case kLiteRtElementTypeBFloat16:
      return Store<uint16_t>(ToBfloat(static_cast<float>(value)), to);
    case kLiteRtElementTypeUInt64:
      return Store<uint64_t>(value, to);
    default: {
      const auto wide = static_cast<int64_t>(value);
      std::memcpy(to, &wide, static_cast<size_t>(bits / 8));  // little-endian
    }
  }
}

}  // namespace

litert::Expected<std::vector<uint8_t>> MakeTensorData(LiteRtElementType type,
                                                      std::span<const int32_t> shape,
                                                      const DataSpec& data, const ValueRange& range,
                                                      uint64_t seed) {
  const std::optional<uint64_t> size_bytes = DenseBytes(type, shape);
  if (!size_bytes || ElementBits(type) > 64) {
    return litert::Unexpected(
        kLiteRtStatusErrorUnsupported,
        "no data can be made for a tensor of type " + ElementTypeName(type) + " with that shape");
  }
  std::vector<uint8_t> bytes(*size_bytes);
  size_t elems = 1;
  for (int32_t dim : shape) elems *= static_cast<size_t>(dim);
  const bool is_float = IsFloat(type);
  const auto [type_low, type_high] = TypeLimits(type);
  const std::pair<double, double> used_range = range ? *range : DefaultRange(type);
  Random random(seed);
  if (data.pattern == Pattern::kRandom && FillRandom(type, used_range, random, bytes)) return bytes;
  for (size_t i = 0; i < elems; ++i) {
    double value = ElementValue(type, data, used_range, i, elems, random);
    if (!is_float) value = std::clamp(std::isnan(value) ? 0.0 : value, type_low, type_high);
    StoreElement(type, value, i, bytes);
  }
  return bytes;
}

}  // namespace npukit::conformance
