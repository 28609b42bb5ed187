// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The timeline of a context's last run, which the driver writes as a Chrome trace.

#ifndef NPUKIT_REFERENCE_PLUGIN_DISPATCH_DRIVER_TRACE_H_
#define NPUKIT_REFERENCE_PLUGIN_DISPATCH_DRIVER_TRACE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "npukit/dispatch_types.h"
#include "simulator/driver/acme_driver.h"

namespace acme::dispatch {

// The trace's events, a JSON array.
litert::Expected<std::string> ReadTrace(AcmeContext* context);

// The engines' work, by debug handles.
litert::Expected<std::vector<npukit::ProfileEvent>> ReadProfile(AcmeContext* context,
                                                                int64_t clock_mhz);

}  // namespace acme::dispatch

#endif  // NPUKIT_REFERENCE_PLUGIN_DISPATCH_DRIVER_TRACE_H_
