// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mimic's compile specs (npukit/compile_spec.h): a file for the SoC, of which it wants no more than
// that it can be opened; and that intermediate values are kept, which it does anyway.

#include <cstring>
#include <fstream>
#include <string>

#include "conformance/faulty_plugins/fault.h"
#include "npukit/compile_spec.h"

namespace {

using npukit::conformance::mimic::Fault;
using npukit::conformance::mimic::Has;

LiteRtStatus CheckSpec(size_t partition, const NpukitCompileSpec& spec) {
  if (spec.key == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if (std::strcmp(spec.key, NPUKIT_SPEC_KEEP_INTERMEDIATES) == 0) {
    const bool is_known = partition == 0 || partition == NPUKIT_ALL_PARTITIONS ||
                          !Has(Fault::specs_of_first_partition);
    return is_known ? kLiteRtStatusOk : kLiteRtStatusErrorUnsupported;
  }
  if (std::strcmp(spec.key, NPUKIT_SPEC_SOC_FILE) != 0) {
    if (Has(Fault::unknown_spec_invalid)) return kLiteRtStatusErrorInvalidArgument;
    return Has(Fault::knows_every_spec) ? kLiteRtStatusOk : kLiteRtStatusErrorUnsupported;
  }
  const std::string path(static_cast<const char*>(spec.data), spec.size_bytes);
  const bool is_there = std::ifstream(path).is_open() || Has(Fault::takes_missing_soc_file);
  return is_there ? kLiteRtStatusOk : kLiteRtStatusErrorFileIO;
}

}  // namespace

LiteRtStatus NpukitSetCompileSpecs(LiteRtCompilerPlugin plugin, size_t partition,
                                   const NpukitCompileSpec* specs, size_t num_specs) {
  if (plugin == nullptr || (specs == nullptr && num_specs > 0))
    return kLiteRtStatusErrorInvalidArgument;
  if (num_specs == 0 && Has(Fault::keeps_specs)) return kLiteRtStatusErrorInvalidArgument;
  for (size_t i = 0; i < num_specs; ++i) {
    if (const LiteRtStatus status = CheckSpec(partition, specs[i]); status != kLiteRtStatusOk)
      return status;
  }
  return kLiteRtStatusOk;
}
