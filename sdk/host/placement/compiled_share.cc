// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/compiled_share.h"

#include <fmt/format.h>

#include <memory>
#include <span>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "sdk/host/partition/copy.h"

namespace npukit {
namespace {

// A model of some of the bodies, sharing their buffers.
std::unique_ptr<Model> CopyBodies(const Model& bodies, std::span<const size_t> which) {
  auto copy = std::make_unique<Model>(bodies.shared_buffers());
  copy->external_buffers = bodies.external_buffers;
  copy->external_buffer_groups = bodies.external_buffer_groups;
  for (size_t i : which) {
    Subgraph& to = copy->AddSubgraph();
    CopySubgraphFields(bodies.subgraph(i), to);
    CopyWholeSubgraph(bodies.subgraph(i), to);
  }
  return copy;
}

// The specs of the partitions of one compilation, which are the plugin's until this ends.
class PartitionSpecs {
 public:
  explicit PartitionSpecs(const LoadedPlugin& plugin) : plugin_(plugin) {}
  ~PartitionSpecs() { (void)Clear(); }
  PartitionSpecs(const PartitionSpecs&) = delete;
  PartitionSpecs& operator=(const PartitionSpecs&) = delete;

  litert::Expected<void> Set(size_t partition, const std::vector<CompileSpec>& specs) {
    if (specs.empty()) return {};
    set_.push_back(partition);
    return plugin_.SetCompileSpecs(partition, specs);
  }
  // To the end, even if a call fails: gives the first error.
  litert::Expected<void> Clear() {
    litert::Expected<void> result;
    for (size_t partition : std::exchange(set_, {})) {
      litert::Expected<void> cleared = plugin_.SetCompileSpecs(partition, {});
      if (result) result = std::move(cleared);
    }
    return result;
  }

 private:
  const LoadedPlugin& plugin_;
  std::vector<size_t> set_;
};

// FNV-1a; tells apart, in goldens, bytecode that changed.
uint64_t HashOf(std::span<const uint8_t> bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

// Of what goes into a file.
litert::Expected<void> CheckBytecode(const CompiledPartitions& result, const std::string& plugin) {
  for (size_t i = 0; i < result.modules.size(); ++i) {
    if (!result.modules[i].bytes.empty()) continue;
    return litert::Unexpected(
        kLiteRtStatusErrorCompilation,
        fmt::format("{}: module {} has no bytecode, but an executable for this process "
                    "(LiteRtGetCompiledResultHandle): the compiled model could not be saved. Was "
                    "the plugin asked for {}?",
                    plugin, i, NPUKIT_SPEC_ENABLE_JIT));
  }
  return {};
}

}  // namespace

litert::Expected<CompiledShare> CompileShare(Preparation& preparation, const Attempt& attempt,
                                             size_t plugin, std::vector<size_t> partitions) {
  const LoadedPlugin& compiler = *preparation.plugins()[plugin];
  CompiledShare share{
      .plugin = plugin, .partitions = std::move(partitions), .result = {}, .specs = {}};
  PartitionSpecs given(compiler);
  for (size_t i = 0; i < share.partitions.size(); ++i) {
    share.specs.push_back(preparation.specs().Of(plugin, attempt.OpsOf(share.partitions[i])));
    LITERT_RETURN_IF_ERROR(given.Set(i, share.specs.back()));
  }
  const PartitionedModel& partitioned = attempt.partitioned;
  const bool all = share.partitions.size() == partitioned.partitions.size();
  // A plugin compiles all subgraphs of the model that it is given.
  const auto some = all ? nullptr : CopyBodies(*partitioned.bodies, share.partitions);
  auto result =
      compiler.Compile(preparation.soc_models()[plugin], all ? *partitioned.bodies : *some);
  if (!result) return litert::Unexpected(result.Error());
  LITERT_RETURN_IF_ERROR(given.Clear());
  if (preparation.options().drop_bytecode_as_litert) {
    for (size_t i = 0; i < result->modules.size(); ++i) {
      if (result->executables[i] != nullptr) result->modules[i] = SharedBytes::Copy({});
    }
  }
  if (!preparation.options().just_in_time)
    LITERT_RETURN_IF_ERROR(CheckBytecode(*result, compiler.Describe()));
  share.result = std::move(*result);
  return share;
}

std::string ToString(const CompiledShare& share) {
  std::string text;
  for (size_t i = 0; i < share.result.modules.size(); ++i) {
    const std::span<const uint8_t> bytes = share.result.modules[i].bytes;
    text += fmt::format("module {}: {} bytes, {:016x}\n", i, bytes.size(), HashOf(bytes));
  }
  for (size_t i = 0; i < share.result.calls.size(); ++i) {
    const CompiledPartitions::Call& call = share.result.calls[i];
    text += fmt::format("partition {}: {} of module {}\n", share.partitions[i], call.entry_point,
                        call.module);
  }
  return text;
}

}  // namespace npukit
