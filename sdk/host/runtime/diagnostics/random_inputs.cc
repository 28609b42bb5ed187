// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/diagnostics/random_inputs.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <vector>

#include "sdk/host/model/graph/op.h"

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

// Ops whose result has its first operand's elements, one for one.
bool KeepsElements(LiteRtOpCode code) {
  return code == kLiteRtOpCodeTflReshape || code == kLiteRtOpCodeTflExpandDims ||
         code == kLiteRtOpCodeTflSqueeze || code == kLiteRtOpCodeTflCast;
}

// What one op makes of a tensor's elements as indices; INT32_MAX if they are none.
int32_t ExtentIndexedBy(const Tensor& indices, const Tensor::User& user) {
  const Op& op = *user.op;
  const bool is_lookup = op.code == kLiteRtOpCodeTflEmbeddingLookup;
  const size_t indexed_input = is_lookup ? 1 : 0;
  if (user.input_index == indexed_input || op.inputs.size() <= indexed_input) return INT32_MAX;
  const Tensor* const indexed = op.inputs[indexed_input];
  if (indexed == nullptr || indexed->shape.empty()) return INT32_MAX;
  const std::vector<int32_t>& shape = indexed->shape;
  const auto rank = static_cast<int32_t>(shape.size());
  if (is_lookup) return shape[0];
  if (op.code == kLiteRtOpCodeTflGather) {
    const auto* const options = op.OptionsAs<GatherOptions>();
    int32_t axis = options == nullptr ? 0 : options->axis;
    if (axis < 0) axis += rank;
    return axis >= 0 && axis < rank ? shape[static_cast<size_t>(axis)] : INT32_MAX;
  }
  if (op.code == kLiteRtOpCodeTflGatherNd && !indices.shape.empty()) {
    // The last dimension of the indices is a place in so many dimensions.
    const int32_t depth = std::min(rank, indices.shape.back());
    if (depth > 0) return *std::min_element(shape.begin(), shape.begin() + depth);
  }
  return INT32_MAX;
}

}  // namespace

void FillRandom(const Tensor& tensor, uint64_t seed, uint64_t stream, std::span<uint8_t> bytes,
                int32_t extent) {
  Generator random(seed, stream);
  const bool is_quantized = !tensor.quantization.scale.empty();
  const uint64_t limit = static_cast<uint64_t>(std::max(1, extent));
  // Any bits of the type, or a small index.
  auto whole = [&] { return is_quantized ? random.Next() >> 32 : (random.Next() >> 62) % limit; };
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

int32_t IndexedExtent(const Tensor& tensor) {
  int32_t least = INT32_MAX;
  std::vector<const Tensor*> found = {&tensor};
  for (size_t i = 0; i < found.size(); ++i) {
    for (const Tensor::User& user : found[i]->users) {
      least = std::min(least, ExtentIndexedBy(*found[i], user));
      if (!KeepsElements(user.op->code) || user.input_index != 0 || user.op->outputs.empty())
        continue;
      const Tensor* const next = user.op->outputs.front();
      if (std::find(found.begin(), found.end(), next) == found.end()) found.push_back(next);
    }
  }
  return least;
}

void FillRandomInputs(SignatureRunner& runner, uint64_t seed) {
  for (size_t i = 0; i < runner.inputs().size(); ++i) {
    const Tensor& tensor = *runner.inputs()[i].tensor;
    FillRandom(tensor, seed, i, runner.input(i), IndexedExtent(tensor));
  }
}

}  // namespace npukit
