// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_TOOLS_TENSORS_WAV_H_
#define NPUKIT_SDK_TOOLS_TENSORS_WAV_H_

#include <cstdint>
#include <span>
#include <vector>

#include "litert/cc/litert_expected.h"

namespace npukit::tools {

// Samples of all channels in turn, in [-1, 1): integers of n bits over 2^(n-1).
struct Audio {
  int channels = 1;
  int rate_hz = 0;
  bool are_floats = false;  // in the file
  std::vector<float> samples;

  int64_t frames() const { return static_cast<int64_t>(samples.size()) / channels; }
  // One sample a frame: the mean of its channels.
  std::vector<float> Mixed() const;
};

bool LooksLikeWav(std::span<const uint8_t> bytes);

// RIFF WAVE of integers of 8, 16, 24 and 32 bits and floats of 32 and 64. Errors say what was found.
litert::Expected<Audio> ParseWav(std::span<const uint8_t> bytes);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_TENSORS_WAV_H_
