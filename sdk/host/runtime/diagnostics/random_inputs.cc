// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/diagnostics/random_inputs.h"

#include <bit>
#include <cstddef>
#include <cstring>

namespace npukit {
namespace {

// SplitMix64 (public domain, Steele, Lea and Flood 2014): state that steps by a constant, then is
// mixed.
class Generator {
 public:
  Generator(uint64_t seed, uint64_t stream) : state_(Mix(seed) ^ Mix(~stream)) {}
  uint64_t Next() { return Mix(state_ += 0x9e3779b97f4a7c15u); }
  // In [-1, 1), a multiple of 2^-23.
  float NextFloat() {
    return static_cast<float>(static_cast<int64_t>(Next() >> 40) - (1 << 23)) * 0x1p-23f;
  }

 private:
  static uint64_t Mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  uint64_t state_;
};

template <typename T, typename Make>
void Fill(std::span<uint8_t> bytes, Make make) {
  for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    const T value = make();
    std::memcpy(bytes.data() + at, &value, sizeof(T));
  }
}

// The upper half of a float is a bfloat16; a float16 keeps 10 bits of the fraction. Values are
// multiples of 2^-23 below 1 in size, of which those under 2^-14 become zero.
uint16_t TruncateToFloat16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const int exponent = static_cast<int>((bits >> 23) & 0xff) - 127;
  if (exponent < -14) return 0;
  return static_cast<uint16_t>(((bits >> 16) & 0x8000u) |
                               static_cast<uint32_t>(exponent + 15) << 10 |
                               ((bits >> 13) & 0x3ffu));
}

}  // namespace

void FillRandom(const Tensor& tensor, uint64_t seed, uint64_t stream, std::span<uint8_t> bytes) {
  Generator random(seed, stream);
  const bool is_quantized = !tensor.quantization.scale.empty();
  // Any bits of the type, or a small index.
  auto whole = [&] { return is_quantized ? random.Next() >> 32 : random.Next() >> 62; };
  switch (tensor.element_type) {
    case kLiteRtElementTypeFloat32:
      return Fill<float>(bytes, [&] { return random.NextFloat(); });
    case kLiteRtElementTypeFloat64:
      return Fill<double>(bytes, [&] { return static_cast<double>(random.NextFloat()); });
    case kLiteRtElementTypeFloat16:
      return Fill<uint16_t>(bytes, [&] { return TruncateToFloat16(random.NextFloat()); });
    case kLiteRtElementTypeBFloat16:
      return Fill<uint16_t>(bytes, [&] {
        return static_cast<uint16_t>(std::bit_cast<uint32_t>(random.NextFloat()) >> 16);
      });
    case kLiteRtElementTypeBool:
      return Fill<uint8_t>(bytes, [&] { return static_cast<uint8_t>(random.Next() >> 63); });
    case kLiteRtElementTypeInt4:
      return Fill<uint8_t>(bytes, [&] { return static_cast<uint8_t>(random.Next() >> 56); });
    case kLiteRtElementTypeInt8:
    case kLiteRtElementTypeUInt8:
      return Fill<uint8_t>(bytes, [&] { return static_cast<uint8_t>(whole()); });
    case kLiteRtElementTypeInt16:
    case kLiteRtElementTypeUInt16:
      return Fill<uint16_t>(bytes, [&] { return static_cast<uint16_t>(whole()); });
    case kLiteRtElementTypeInt32:
    case kLiteRtElementTypeUInt32:
      return Fill<uint32_t>(bytes, [&] { return static_cast<uint32_t>(whole()); });
    case kLiteRtElementTypeInt64:
    case kLiteRtElementTypeUInt64:
      return Fill<uint64_t>(bytes, [&] { return whole(); });
    case kLiteRtElementTypeTfString:  // what they are: offsets are no numbers
      break;
    default:
      if (!bytes.empty()) std::memset(bytes.data(), 0, bytes.size());
  }
}

void FillRandomInputs(SignatureRunner& runner, uint64_t seed) {
  for (size_t i = 0; i < runner.inputs().size(); ++i) {
    FillRandom(*runner.inputs()[i].tensor, seed, i, runner.input(i));
  }
}

}  // namespace npukit
