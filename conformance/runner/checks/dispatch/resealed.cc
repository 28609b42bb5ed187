// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The check of class dispatch on what stands behind a checksum: bytecode that is damaged, and whose
// checksum is right all the same (npukit/extensions/reseal.h).

#include "npukit/extensions/reseal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "conformance/spec/text/text_hash.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::dispatch {
namespace {

// Flipped bits, one at a time, all over the module.
constexpr size_t kFlips = 1024;
// Of those that are accepted, so many run: a damaged program may take long.
constexpr size_t kRuns = 6;
// Of a library that loads slowly fewer are tried, and their number is not told.
constexpr std::clock_t kLongest = 3 * CLOCKS_PER_SEC / 2;

// What became of the damaged modules.
struct ObservedDamages {
  bool is_unsupported = false;
  bool is_whole = false;  // all flips were tried
  uint64_t resealed = 0;  // those that the library found a checksum in
  uint64_t refused = 0;   // of these
  std::string stray;      // what one that ran wrote outside of its buffers
  static auto Fields(auto& self) {
    return std::tie(self.is_unsupported, self.is_whole, self.resealed, self.refused, self.stray);
  }
};

// Runs what was accepted. How that ends and what it computes is open: a constant may have changed.
std::string StrayWriteOf(VendorInvocation& invocation, const PartitionSource& source,
                         const InputSet& inputs) {
  const auto attached = AttachedInvocation::Create(invocation, source.ports);
  if (!attached) return {};
  (void)(*attached)->Run(inputs);
  const auto stray = (*attached)->StrayWrite();
  return stray ? *stray : std::string();
}

litert::Expected<ObservedDamages> LoadDamaged(VendorDevice& device, const PartitionSource& source,
                                              const InputSet& inputs, uint64_t seed) {
  ObservedDamages observed;
  const auto reseal = device.library().Find<NpukitDispatchResealT>("NpukitDispatchReseal");
  observed.is_unsupported = reseal == nullptr;
  if (observed.is_unsupported) return observed;
  const std::vector<uint8_t>& whole = *source.module;
  const size_t bits = 8 * whole.size();
  const size_t flips = std::min(kFlips, bits);
  const std::clock_t begin_time = std::clock();  // the processor's, whatever else it does
  size_t runs = 0;
  for (size_t i = 0; i < flips; ++i) {
    if (std::clock() - begin_time > kLongest) return observed;
    std::vector<uint8_t> damaged = whole;
    // One anywhere within each of as many stretches.
    const size_t begin = i * bits / flips;
    const size_t length = (i + 1) * bits / flips - begin;
    const size_t bit = begin + HashText(fmt::format("reseal {}", i), seed) % length;
    const size_t at = bit / 8;
    damaged[at] ^= static_cast<uint8_t>(1u << bit % 8);
    if (VendorCall("NpukitDispatchReseal", reseal, damaged.data(), damaged.size()) !=
        kLiteRtStatusOk) {
      continue;
    }
    ++observed.resealed;
    LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(damaged));
    const auto invocation =
        VendorInvocation::Create(device, bytecode.buffer(), source.entry_point.c_str(),
                                 source.num_inputs(), source.num_outputs());
    if (!invocation) ++observed.refused;
    if (!invocation || runs == kRuns) continue;
    ++runs;
    observed.stray = StrayWriteOf(**invocation, source, inputs);
    if (observed.stray.empty()) continue;
    observed.stray = fmt::format("with a bit of byte {} flipped, it {}", at, observed.stray);
    break;
  }
  observed.is_whole = true;
  return observed;
}

// Sealing unchanged bytes again leaves the checksum as it is.
litert::Expected<bool> IsUnchanged(const VendorDevice& device, const PartitionSource& source) {
  const auto reseal = device.library().Find<NpukitDispatchResealT>("NpukitDispatchReseal");
  if (reseal == nullptr) return true;
  std::vector<uint8_t> bytes = *source.module;
  const LiteRtStatus status =
      VendorCall("NpukitDispatchReseal", reseal, bytes.data(), bytes.size());
  return status == kLiteRtStatusOk && bytes == *source.module;
}

}  // namespace

CheckAnswer resealed(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    Witness& witness = Witness::Get();
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(
        const bool is_unchanged,
        witness.Observe<bool>("an undamaged module", [&] { return IsUnchanged(*device, source); }));
    NPUKIT_CHECK_THAT(is_unchanged, "resealing an undamaged module changes it, or fails");
    LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(*source.body, 0));
    LITERT_ASSIGN_OR_RETURN(const ObservedDamages observed,
                            witness.Observe<ObservedDamages>("damaged modules", [&] {
                              return LoadDamaged(*device, source, inputs, bench.under_test().seed);
                            }));
    if (observed.is_unsupported) return CheckReport::Skip("the library reseals no bytecode");
    NPUKIT_CHECK_THAT(observed.stray.empty(), observed.stray);
    LITERT_RETURN_IF_ERROR(device->Close());
    CheckReport report = CheckReport::Pass();
    if (!observed.is_whole) return report;
    report.numbers = {{"resealed_modules", static_cast<double>(observed.resealed)},
                      {"refused_modules", static_cast<double>(observed.refused)}};
    return report;
  });
}

}  // namespace npukit::conformance::checks::dispatch
