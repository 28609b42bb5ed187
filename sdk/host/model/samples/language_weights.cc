// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/samples/language_weights.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace npukit {
namespace {

constexpr int32_t kMostInt8 = 127;
constexpr int32_t kMostInt4 = 7;
constexpr float kMostInt16 = 32767.0f;

// Uniform in [-127, 127], four of them a draw: std::mt19937's numbers are fixed by the standard, its
// distributions are not.
std::vector<int8_t> RandomBytes(size_t count, std::mt19937& engine) {
  std::vector<int8_t> bytes(count);
  for (size_t i = 0; i < count;) {
    const auto drawn = static_cast<uint32_t>(engine());
    for (uint32_t shift = 0; shift < 32 && i < count; shift += 8) {
      const auto byte = static_cast<int8_t>(static_cast<uint8_t>(drawn >> shift));
      bytes[i++] = std::max<int8_t>(byte, -kMostInt8);
    }
  }
  return bytes;
}

// The element with the lower index in the lower half of a byte.
std::vector<uint8_t> PackToInt4(const std::vector<int8_t>& values) {
  std::vector<uint8_t> packed((values.size() + 1) / 2);
  for (size_t i = 0; i < values.size(); ++i) {
    const auto narrow = static_cast<int32_t>(
        std::lround(static_cast<float>(values[i]) * kMostInt4 / static_cast<float>(kMostInt8)));
    packed[i / 2] |= static_cast<uint8_t>((narrow & 0xF) << (i % 2 * 4));
  }
  return packed;
}

std::span<const uint8_t> BytesOf(const std::vector<int8_t>& values) {
  return {reinterpret_cast<const uint8_t*>(values.data()), values.size()};
}

}  // namespace

bool LanguageWeights::is_integer() const {
  return recipe_ == LanguageRecipe::kInt8 || recipe_ == LanguageRecipe::kInt4 ||
         recipe_ == LanguageRecipe::kInt16ByInt8;
}

// FNV-1a.
uint32_t LanguageWeights::SeedOf(const std::string& name) const {
  uint32_t hash = 2166136261u ^ seed_;
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619u;
  return hash;
}

Tensor* LanguageWeights::Again(const std::string& name) {
  if (const auto here = here_.find(name); here != here_.end()) return here->second;
  const auto found = made_.find(name);
  if (found == made_.end()) return nullptr;
  const Tensor& first = *found->second;
  return here_[name] = builder_.SharedConstant(name, first.element_type, first.shape, first,
                                               first.quantization);
}

Tensor* LanguageWeights::Made(const std::string& name, Tensor* tensor) {
  made_[name] = tensor;
  here_[name] = tensor;
  return tensor;
}

Tensor* LanguageWeights::Matrix(const std::string& name, int32_t rows, int32_t cols, float rms) {
  if (Tensor* again = Again(name)) return again;
  std::mt19937 engine(SeedOf(name));
  // Rows differ by up to a quarter, so that a scale that is taken from a wrong row shows.
  const float scale = rms / (static_cast<float>(kMostInt8) / std::sqrt(3.0f));
  std::vector<float> scales(static_cast<size_t>(rows));
  for (float& row : scales) row = scale * (0.875f + static_cast<float>(engine() % 1024) / 4096.0f);
  const std::vector<int8_t> stored =
      RandomBytes(static_cast<size_t>(rows) * static_cast<size_t>(cols), engine);
  Tensor* made = nullptr;
  switch (recipe_) {
    case LanguageRecipe::kFloat: {
      std::vector<float> values(stored.size());
      for (size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(stored[i]) * scales[i / static_cast<size_t>(cols)];
      made = builder_.Constant<float>(name, {rows, cols}, values);
      break;
    }
    case LanguageRecipe::kDynamicInt4:
    case LanguageRecipe::kInt4: {
      for (float& row : scales) row *= static_cast<float>(kMostInt8) / kMostInt4;
      made = builder_.Constant(name, kLiteRtElementTypeInt4, {rows, cols}, PackToInt4(stored),
                               PerChannel(std::move(scales), 0));
      break;
    }
    case LanguageRecipe::kDynamicInt8:
    case LanguageRecipe::kInt8:
    case LanguageRecipe::kInt16ByInt8:
      made = builder_.Constant(name, kLiteRtElementTypeInt8, {rows, cols}, BytesOf(stored),
                               PerChannel(std::move(scales), 0));
      break;
  }
  return Made(name, made);
}

Tensor* LanguageWeights::Integers(const std::string& name, std::vector<int32_t> shape,
                                  const std::vector<int32_t>& values) {
  if (Tensor* again = Again(name)) return again;
  return Made(name, builder_.Constant<int32_t>(name, std::move(shape), values));
}

Tensor* LanguageWeights::Floats(const std::string& name, std::vector<int32_t> shape,
                                const std::vector<float>& values) {
  if (Tensor* again = Again(name)) return again;
  return Made(name, builder_.Constant<float>(name, std::move(shape), values));
}

Tensor* LanguageWeights::Numbers(const std::string& name, std::vector<int32_t> shape, float range,
                                 const std::function<std::vector<float>()>& values) {
  if (Tensor* again = Again(name)) return again;
  const std::vector<float> real = values();
  Tensor* made = nullptr;
  if (is_integer()) {
    const float scale = range / kMostInt16;
    std::vector<int16_t> stored(real.size());
    for (size_t i = 0; i < real.size(); ++i) {
      stored[i] =
          static_cast<int16_t>(std::lround(std::clamp(real[i] / scale, -kMostInt16, kMostInt16)));
    }
    made = builder_.Constant<int16_t>(name, std::move(shape), stored, QuantizationOf(range));
  } else {
    made = builder_.Constant<float>(name, std::move(shape), real);
  }
  return Made(name, made);
}

Quantization LanguageWeights::QuantizationOf(float range) const {
  return is_integer() ? PerTensor(range / kMostInt16) : Quantization{};
}

Tensor* LanguageWeights::NumbersInput(const std::string& name, std::vector<int32_t> shape,
                                      float range) {
  return builder_.Input(name, is_integer() ? kLiteRtElementTypeInt16 : kLiteRtElementTypeFloat32,
                        std::move(shape), QuantizationOf(range));
}

std::vector<float> LanguageWeights::Around(const std::string& name, int32_t count, float base,
                                           Signs signs) const {
  std::mt19937 engine(SeedOf(name));
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) {
    const auto drawn = static_cast<uint32_t>(engine());
    value = base * (0.9f + 0.2f * static_cast<float>(drawn % 4096) / 4096.0f);
    if (signs == Signs::kMixed && drawn >> 31 != 0) value = -value;
  }
  return values;
}

}  // namespace npukit
