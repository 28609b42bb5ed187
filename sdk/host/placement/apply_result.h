// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A compiled model, and what is known of how it came about.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_APPLY_RESULT_H_
#define NPUKIT_SDK_HOST_PLACEMENT_APPLY_RESULT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/metadata/delegate_metadata.h"
#include "sdk/host/partition/constant_report.h"
#include "sdk/host/partition/partition_model.h"
#include "sdk/host/plugin/loaded_plugin.h"

namespace npukit {

struct ApplyResult {
  struct Partition {
    Op* dispatch_op = nullptr;  // in `model`
    size_t plugin = 0;          // into `shares`
    std::string entry_point;
    size_t module = 0;               // into `modules`
    std::vector<uint32_t> ops;       // into `ops` below; by position in the body
    std::vector<CompileSpec> specs;  // as the plugin got them
    std::vector<CompiledPartitions::DebugHandle> debug_handles;
    std::vector<DelegateRecord::InPlace> in_place;
  };
  struct Module {
    BufferStore::Id buffer = BufferStore::kEmpty;  // in the model's store
    size_t size_bytes = 0;
    LiteRtJitExecutable executable = nullptr;  // see CompiledPartitions
  };
  // What a plugin did.
  struct Share {
    std::string manufacturer;
    std::string path;
    std::string soc_model;         // empty: the plugin's default
    std::string first_listed_soc;  // which is the default of npukit's plugins; empty: it lists none
    std::vector<size_t> partitions;
    std::vector<size_t> modules;
    uint64_t compile_ns = 0;
  };
  // A compilation that failed, after which another succeeded (OnCompileFailure::kSplit).
  struct Failure {
    std::string plugin;
    std::string message;                // the plugin's
    std::vector<std::string> culprits;  // ops that were left on the CPU; none: compiled in smaller
                                        // partitions
  };
  struct Times {
    uint64_t partition_ns = 0;  // asking and outlining included
    uint64_t compile_ns = 0;
    uint64_t embed_ns = 0;
  };
  // With DISPATCH_OPs, metadata and the build stamp; equal to the given one if nothing was selected.
  std::unique_ptr<Model> model;
  std::vector<Partition> partitions;
  std::vector<Module> modules;
  std::vector<PlacedOp> ops;  // of the given model after the plugins' transformations
  std::vector<Share> shares;  // one per plugin given, in order
  // What the plugins made for this process lives as long as these.
  std::vector<std::shared_ptr<void>> executable_owners;
  ConstantReport constants;
  std::vector<Failure> failures;
  std::vector<std::string> warnings;  // Preparation::Warnings
  Times times;

  // Those compiled before included.
  size_t npu_op_count() const;
};

// One line per op and partition, for goldens.
std::string ToString(const ApplyResult& result);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_APPLY_RESULT_H_
