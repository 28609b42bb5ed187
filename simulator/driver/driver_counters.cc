// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The part of the C face that reports what a run cost.

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "simulator/driver/acme_driver.h"
#include "simulator/driver/driver_objects.h"
#include "simulator/trace/chrome_trace.h"

namespace acme::driver {
namespace {

// The last run's result, or why there is none.
AcmeStatus ResultOf(AcmeContext* context, const RunResult** result) {
  if (context == nullptr) return Fail(kAcmeInvalidArgument, "null argument");
  if (context->context.Busy()) return Fail(kAcmeBusy, "the context is running");
  *result = context->context.result();
  return *result != nullptr ? kAcmeOk : Fail(kAcmeNotFound, "no run of this context has succeeded");
}

}  // namespace
}  // namespace acme::driver

extern "C" {

const char* AcmeEngineName(size_t engine) {
  return engine < kAcmeEngineCount ? acme::NameOfEngine(static_cast<int>(engine)).data()
                                   : nullptr;  // literals
}

const char* AcmeStallName(size_t stall) {
  return stall < kAcmeStallCount ? acme::NameOfStall(static_cast<int>(stall)).data() : nullptr;
}

AcmeStatus AcmeContextGetCounters(AcmeContext* context, AcmeCounters* counters) {
  using acme::driver::Fail;
  const acme::RunResult* result = nullptr;
  if (counters == nullptr)
    return Fail(kAcmeInvalidArgument, "AcmeContextGetCounters: null argument");
  if (counters->struct_size != sizeof(AcmeCounters))
    return Fail(kAcmeInvalidArgument, "counters.struct_size is wrong");
  if (AcmeStatus status = acme::driver::ResultOf(context, &result); status != kAcmeOk)
    return status;
  const acme::Counters& from = result->counters;
  const acme::ModuleEntry& entry = context->context.entry();
  const acme::Hardware& hw = *context->context.module().hardware;
  *counters = AcmeCounters{};
  counters->struct_size = sizeof(AcmeCounters);
  counters->cycles = from.cycles;
  counters->instructions = from.instructions;
  counters->macs = from.macs;
  counters->array_macs = from.array_macs;
  const acme::ModuleVariant* const variant = context->context.variant();
  counters->useful_macs = variant != nullptr ? variant->macs : entry.macs;
  counters->dram_read_bytes = from.dram_read_bytes;
  counters->dram_write_bytes = from.dram_write_bytes;
  counters->scratchpad_bytes = from.scratchpad_bytes;
  counters->accumulator_bytes = from.accumulator_bytes;
  for (uint64_t cycles : variant != nullptr ? variant->roofline_cycles : entry.roofline_cycles)
    counters->roofline_cycles = std::max(counters->roofline_cycles, cycles);
  counters->energy_pj = from.energy_pj;
  if (from.cycles > 0) {
    counters->utilisation =
        static_cast<double>(from.array_macs) /
        (static_cast<double>(from.cycles) * static_cast<double>(hw.PeakMacsPerCycle()));
  }
  for (int e = 0; e < kAcmeEngineCount; ++e) {
    counters->busy_cycles[e] = from.busy_cycles[e];
    for (int s = 0; s < kAcmeStallCount; ++s)
      counters->stall_cycles[e][s] = from.stall_cycles[e][s];
  }
  return kAcmeOk;
}

AcmeStatus AcmeContextGetProfile(AcmeContext* context, const AcmeHandleProfile** records,
                                 size_t* count) {
  using acme::driver::Fail;
  const acme::RunResult* result = nullptr;
  if (records == nullptr || count == nullptr)
    return Fail(kAcmeInvalidArgument, "AcmeContextGetProfile: null argument");
  if (AcmeStatus status = acme::driver::ResultOf(context, &result); status != kAcmeOk)
    return status;
  return acme::driver::Guarded([&] {
    context->profile.clear();
    for (const acme::HandleCounters& from : result->profile) {
      AcmeHandleProfile to = {};
      to.handle = from.handle;
      to.cycles = from.cycles;
      for (int e = 0; e < kAcmeEngineCount; ++e) to.busy_cycles[e] = from.busy_cycles[e];
      for (int e = 0; e < kAcmeEngineCount; ++e) {
        for (int s = 0; s < kAcmeStallCount; ++s)
          to.stall_cycles[e][s] = static_cast<uint64_t>(from.stall_cycles[e][s]);
      }
      to.instructions = from.instructions;
      to.macs = from.macs;
      to.array_macs = from.array_macs;
      to.dram_bytes = from.dram_bytes;
      to.dram_read_bytes = from.dram_read_bytes;
      to.energy_pj = from.energy_pj;
      context->profile.push_back(to);
    }
    *records = context->profile.data();
    *count = context->profile.size();
    return kAcmeOk;
  });
}

AcmeStatus AcmeContextWriteTrace(AcmeContext* context, const char* path) {
  using acme::driver::Fail;
  const acme::RunResult* result = nullptr;
  if (path == nullptr) return Fail(kAcmeInvalidArgument, "AcmeContextWriteTrace: null argument");
  if (AcmeStatus status = acme::driver::ResultOf(context, &result); status != kAcmeOk)
    return status;
  if (result->trace.empty()) return Fail(kAcmeNotFound, "the last run kept no trace");
  return acme::driver::Guarded([&] {
    const acme::LoadedModule& module = context->context.module();
    acme::TraceContext trace{module.hardware->name, module.hardware->clock_mhz,
                             result->counters.cycles, result->scratchpad_levels,
                             [&module](uint32_t handle) { return module.HandleName(handle); }};
    acme::Expected<void> written = acme::WriteChromeTrace(path, result->trace, trace);
    return written ? kAcmeOk : Fail(written.Error());
  });
}

}  // extern "C"
