// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A FlexBuffer of a model, to be read without trust.

#ifndef NPUKIT_SDK_HOST_MODEL_OPTIONS_FLEX_BUFFER_H_
#define NPUKIT_SDK_HOST_MODEL_OPTIONS_FLEX_BUFFER_H_

#include <flatbuffers/flexbuffers.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace npukit {

// A copy of verified bytes. flatbuffers 2.0's verifier accepts keys without an end, which are compared
// as strings with an end; a zero behind the bytes keeps that inside the copy.
class FlexBuffer {
 public:
  // nullopt if the bytes are no FlexBuffer.
  static std::optional<FlexBuffer> Verify(std::span<const uint8_t> bytes) {
    if (bytes.empty() || !flexbuffers::VerifyBuffer(bytes.data(), bytes.size(), nullptr))
      return std::nullopt;
    return FlexBuffer(bytes);
  }

  // Valid as long as this object.
  flexbuffers::Reference root() const {
    return flexbuffers::GetRoot(bytes_.data(), bytes_.size() - 1);
  }

 private:
  explicit FlexBuffer(std::span<const uint8_t> bytes) : bytes_(bytes.begin(), bytes.end()) {
    bytes_.push_back(0);
  }

  std::vector<uint8_t> bytes_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_OPTIONS_FLEX_BUFFER_H_
