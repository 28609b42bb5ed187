// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Descriptions of devices like one with twice as much of something, for NPUKIT_METRIC_DOUBLED_PREFIX.

#ifndef NPUKIT_REFERENCE_PLUGIN_DISPATCH_DOUBLED_DEVICES_H_
#define NPUKIT_REFERENCE_PLUGIN_DISPATCH_DOUBLED_DEVICES_H_

#include <map>
#include <string>

#include "simulator/driver/acme_driver.h"

namespace acme::dispatch {

// SoC files' texts by resource; without those of which no device has twice as much.
std::map<std::string, std::string> DescribeDoubled(::AcmeDevice* device);

}  // namespace acme::dispatch

#endif  // NPUKIT_REFERENCE_PLUGIN_DISPATCH_DOUBLED_DEVICES_H_
