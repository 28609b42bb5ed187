// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// In the place of the decoders, which the module can't link (libpng.a, libjpeg.a) and has no use for.

#include "sdk/tools/tensors/image.h"

namespace npukit::tools {

litert::Expected<Image> DecodeImage(std::span<const uint8_t> /*bytes*/) {
  return litert::Unexpected(kLiteRtStatusErrorUnsupported, "images are given as arrays");
}

}  // namespace npukit::tools
