// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Those of a program's options (litert/c/options) that the host itself acts on; docs/abi.md lists
// them beside the ones that it takes without effect.

#ifndef NPUKIT_SDK_HOST_C_API_OPTIONS_HOST_OPTIONS_H_
#define NPUKIT_SDK_HOST_C_API_OPTIONS_HOST_OPTIONS_H_

#include <cstddef>
#include <optional>

#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/c_api/options/options.h"

namespace npukit {

inline constexpr int kMaxCpuThreads = 256;

struct HostOptions {
  int threads = 1;                                        // of the CPU kernels
  std::optional<LiteRtErrorReporterMode> error_reporter;  // nullopt: not said
  size_t max_partitions = 0;                              // 0: any number
};

// `options` may be null. kLiteRtStatusErrorInvalidArgument for text that can't be read and for
// values that make no sense, with the key.
litert::Expected<HostOptions> ReadHostOptions(const LiteRtOptionsT* options);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_C_API_OPTIONS_HOST_OPTIONS_H_
