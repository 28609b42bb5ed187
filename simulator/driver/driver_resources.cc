// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The part of the C face that tells of chips like a device with more of something.

#include <algorithm>
#include <string>

#include "simulator/driver/acme_driver.h"
#include "simulator/driver/driver_objects.h"
#include "simulator/hw/doubled_hardware.h"

extern "C" {

const char* AcmeResourceName(size_t index) {
  const auto resources = acme::DoubledResources();
  return index < resources.size() ? resources[index].data() : nullptr;  // literals, so terminated
}

AcmeStatus AcmeDeviceDescribeDoubled(AcmeDevice* device, size_t resource, char* text,
                                     size_t capacity_bytes, size_t* size_bytes) {
  using acme::driver::Fail;
  if (device == nullptr || size_bytes == nullptr || (text == nullptr && capacity_bytes != 0))
    return Fail(kAcmeInvalidArgument, "AcmeDeviceDescribeDoubled: null argument");
  const auto resources = acme::DoubledResources();
  if (resource >= resources.size()) return Fail(kAcmeNotFound, "there is no such resource");
  return acme::driver::Guarded([&] {
    const auto doubled = acme::Doubled(*device->hardware, resources[resource]);
    if (!doubled) return Fail(doubled.Error());
    const std::string yaml = acme::HardwareYaml(*doubled);
    *size_bytes = yaml.size() + 1;
    if (capacity_bytes >= *size_bytes) std::copy_n(yaml.c_str(), *size_bytes, text);
    return kAcmeOk;
  });
}

}  // extern "C"
