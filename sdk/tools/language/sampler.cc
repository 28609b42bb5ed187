// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/language/sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace npukit::tools {

int32_t Sampler::Choose(std::span<const float> logits, double draw) const {
  // NaN, which compares with nothing, as the least likely.
  const auto logit = [&](int32_t token) {
    const float value = logits[static_cast<size_t>(token)];
    return std::isnan(value) ? -INFINITY : value;
  };
  std::vector<int32_t> tokens(logits.size());
  std::iota(tokens.begin(), tokens.end(), 0);
  const auto likelier = [&](int32_t a, int32_t b) {
    return logit(a) != logit(b) ? logit(a) > logit(b) : a < b;
  };
  if (options_.temperature <= 0) return *std::min_element(tokens.begin(), tokens.end(), likelier);

  const auto wanted = static_cast<size_t>(options_.top_k);
  const size_t count = wanted == 0 ? tokens.size() : std::min(wanted, tokens.size());
  std::partial_sort(tokens.begin(), tokens.begin() + static_cast<ptrdiff_t>(count), tokens.end(),
                    likelier);
  std::vector<double> shares(count);
  double sum = 0;
  for (size_t i = 0; i < count; ++i) {
    // The largest logit is taken off all of them: no exponential is above 1, whatever the logits.
    // Infinite logits leave no number; the likeliest is taken then.
    shares[i] =
        std::exp((double{logit(tokens[i])} - double{logit(tokens[0])}) / options_.temperature);
    sum += shares[i];
  }
  double left = draw * sum;
  for (size_t i = 0; i < count; ++i) {
    left -= shares[i];
    if (left < 0) return tokens[i];
  }
  // Rounding may leave a rest above all shares.
  return tokens[0];
}

}  // namespace npukit::tools
