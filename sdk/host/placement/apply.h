// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A plugin applied to a model: partition, compile, embed. Ahead of time the
// result is written to a file, just in time it is run as it is; no file takes
// part here.

#ifndef NPUKIT_SDK_HOST_PLACEMENT_APPLY_H_
#define NPUKIT_SDK_HOST_PLACEMENT_APPLY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/partition/partition_model.h"
#include "sdk/host/plugin/compiler_plugin.h"
#include "sdk/host/rewrite/rewrite.h"

namespace npukit {

struct ApplyOptions {
  std::string soc_model;  // empty: the plugin's default
};

struct ApplyResult {
  struct Partition {
    Op* call = nullptr;  // the dispatch op in `model`
    std::string entry_point;
    size_t module = 0;
    std::vector<uint32_t> ops;  // into `ops` below; by position in the body
    std::vector<CompiledPartitions::DebugHandle> debug_handles;
  };
  struct Module {
    BufferStore::Id buffer = BufferStore::kEmpty;  // in the model's store
    size_t size_bytes = 0;
    LiteRtJitExecutable executable = nullptr;  // see CompiledPartitions
  };
  struct Times {
    uint64_t partition_ns = 0;  // outlining included
    uint64_t compile_ns = 0;
    uint64_t embed_ns = 0;
  };
  std::unique_ptr<Model> model;  // with DISPATCH_OPs and the build stamp; equal
                                 // to the given one if nothing was selected
  std::vector<Partition> partitions;
  std::vector<Module> modules;
  std::vector<OpPlacementRecord> ops;  // every op of the given model, after the plugin's
                                       // transformations: which partition, or why none
  Times times;

  size_t npu_op_count() const;
};

// The given model is not changed and stays usable: on an error it can run on
// the CPU. Both models share their buffers, so `model` must not be read by
// other threads meanwhile. Errors: a transformation of the plugin breaks the graph; the SoC is
// unknown to the plugin; the plugin's selection or result is not valid; compiling failed (the
// message lists the partitions' ops).
litert::Expected<ApplyResult> ApplyPlugin(const Model& model, const CompilerPlugin& plugin,
                                          const ApplyOptions& options = {});

// The stages of it.
// The model after the plugin's transformations, of which the ops of partitions and placements are
// from here on, and where its ops come from; null if none matched. Errors name the plugin and the
// transformation.
struct RewrittenModel {
  std::unique_ptr<Model> model;
  OpOrigins origins;
};
litert::Expected<RewrittenModel> RewriteForPlugin(const Model& model, const CompilerPlugin& plugin);
litert::Expected<PartitionedModel> PartitionForPlugin(const Model& model,
                                                      const CompilerPlugin& plugin,
                                                      const ApplyOptions& options = {});
litert::Expected<CompiledPartitions> CompilePartitions(const PartitionedModel& partitioned,
                                                       const CompilerPlugin& plugin,
                                                       const ApplyOptions& options = {});
// Takes `partitioned.outer`. Errors only if the stamp does not fit.
litert::Expected<ApplyResult> EmbedBytecode(PartitionedModel partitioned,
                                            CompiledPartitions compiled,
                                            const std::string& manufacturer,
                                            const std::string& soc_model);

// Lists calls and modules; bytecode as size and hash, for goldens.
std::string ToString(const CompiledPartitions& compiled);
std::string ToString(const ApplyResult& result);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PLACEMENT_APPLY_H_
