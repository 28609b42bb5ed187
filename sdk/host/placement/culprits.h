// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which ops make a compilation fail.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_CULPRITS_H_
#define NPUKIT_SDK_HOST_PLACEMENT_CULPRITS_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/placement/apply_result.h"
#include "sdk/host/placement/place.h"
#include "sdk/host/placement/preparation.h"

namespace npukit {

// Learns from failure to failure of one application of plugins to a model.
class CulpritSearch {
 public:
  explicit CulpritSearch(Preparation& preparation) : preparation_(preparation) {}

  // After `error` of compiling all partitions of a plugin in `attempt` together. Cuts them until
  // each either compiles or is a single op, which is then excluded; then forgets that plugin's cuts,
  // unless nothing was excluded: then only the pieces compile. Changes nothing but `exclusions`. Errors:
  // each partition compiles alone, but not together; an odml.npu_call does not compile.
  litert::Expected<ApplyResult::Failure> Find(size_t plugin, Attempt attempt,
                                              const litert::Error& error, Exclusions& exclusions);

 private:
  // Excludes or cuts each partition of the plugin that does not compile alone; whether any was.
  litert::Expected<bool> CutThoseThatFail(size_t plugin, const Attempt& attempt,
                                          Exclusions& exclusions,
                                          std::vector<std::string>& culprits);

  Preparation& preparation_;
  std::set<std::vector<OpId>> compile_alone_;  // partitions that are known to
  std::set<size_t> in_pieces_;                 // plugins whose partitions have been cut for good
  uint32_t last_piece_ = 0;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_CULPRITS_H_
