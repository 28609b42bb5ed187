// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/dispatch/doubled_devices.h"

#include <cstddef>
#include <utility>

namespace acme::dispatch {

std::map<std::string, std::string> DescribeDoubled(::AcmeDevice* device) {
  std::map<std::string, std::string> soc_files;
  for (size_t i = 0; AcmeResourceName(i) != nullptr; ++i) {
    size_t size_bytes = 0;
    if (AcmeDeviceDescribeDoubled(device, i, nullptr, 0, &size_bytes) != kAcmeOk) continue;
    std::string text(size_bytes, 0);
    if (AcmeDeviceDescribeDoubled(device, i, text.data(), text.size(), &size_bytes) != kAcmeOk)
      continue;
    text.pop_back();  // the zero
    soc_files.emplace(AcmeResourceName(i), std::move(text));
  }
  return soc_files;
}

}  // namespace acme::dispatch
