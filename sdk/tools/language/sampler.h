// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the next token by the logits.

#ifndef NPUKIT_SDK_TOOLS_LANGUAGE_SAMPLER_H_
#define NPUKIT_SDK_TOOLS_LANGUAGE_SAMPLER_H_

#include <cstdint>
#include <random>
#include <span>

namespace npukit::tools {

struct SamplerOptions {
  double temperature = 0;  // 0: greedy
  int top_k = 0;           // only of the so many likeliest; 0: of all
  uint64_t seed = 1;
};

// The same seed gives the same choices on every machine for the same logits.
class Sampler {
 public:
  explicit Sampler(const SamplerOptions& options) : options_(options), engine_(options.seed) {}

  // A number in [0, 1), the next of the seed: 53 bits, as many as a double holds. Distributions of
  // the standard library may differ from one library to the other; its engines don't.
  double Draw() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  // Greedy: the largest logit, of equal ones the first; the draw does not matter. NaNs are not
  // chosen. `logits` has an element at least.
  int32_t Choose(std::span<const float> logits, double draw) const;

 private:
  SamplerOptions options_;
  std::mt19937_64 engine_;
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_LANGUAGE_SAMPLER_H_
