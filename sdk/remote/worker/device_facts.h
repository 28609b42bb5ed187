// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a device tells of itself.

#ifndef NPUKIT_SDK_REMOTE_WORKER_DEVICE_FACTS_H_
#define NPUKIT_SDK_REMOTE_WORKER_DEVICE_FACTS_H_

#include <string>
#include <string_view>

#include "sdk/remote/wire/facts.h"

namespace npukit::remote {

// `worker_version` is the program's; the folder is where files that are sent stay.
DeviceFacts FactsOfDevice(const std::string& worker_version, const std::string& cache_folder);

// A CPU's name out of the text of /proc/cpuinfo: "model name", or of a processor that has none the
// numbers that stand for it ("implementer 0x41, part 0xd0b"); empty: neither stands there.
std::string CpuName(std::string_view cpuinfo);

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WORKER_DEVICE_FACTS_H_
