// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// libFuzzer target: any bytes are an error or a model that survives being saved and loaded again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sdk/host/model/graph/model_diff.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using npukit::SharedBytes;
  auto model = npukit::ParseModel(SharedBytes::Copy({data, size}));
  if (!model) return 0;
  auto saved = npukit::SerializeModel(**model);
  if (!saved) std::abort();
  auto again = npukit::ParseModel(SharedBytes::Take(std::move(*saved)));
  if (!again || !npukit::FieldsEqual(**model, **again)) std::abort();
  return 0;
}
