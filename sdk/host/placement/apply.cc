// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/placement/compiled_share.h"
#include "sdk/host/placement/culprits.h"
#include "sdk/host/placement/embed.h"
#include "sdk/host/placement/preparation.h"

namespace npukit {
namespace {

uint64_t NowNs() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

// A preparation and its first attempt, by whose numbers specs call partitions.
struct Planned {
  std::unique_ptr<Preparation> preparation;
  Exclusions exclusions;
  Attempt attempt;
};

litert::Expected<Planned> Plan(const Model& model, Plugins plugins, const ApplyOptions& options) {
  Planned planned;
  LITERT_ASSIGN_OR_RETURN(planned.preparation, Preparation::Make(model, plugins, options));
  LITERT_ASSIGN_OR_RETURN(planned.attempt, planned.preparation->TryWithinLimit(planned.exclusions));
  CompileSpecs& specs = planned.preparation->specs();
  LITERT_RETURN_IF_ERROR(specs.SetPartitions(planned.attempt.OpsOfPartitions()));
  LITERT_RETURN_IF_ERROR(specs.CheckAllAreKnown());
  return planned;
}

// A plugin's share that did not compile.
struct FailedShare {
  size_t plugin = 0;
  litert::Error error;
};

// Compiles each plugin's partitions, up to the first that fails.
std::optional<FailedShare> CompileShares(Preparation& preparation, const Attempt& attempt,
                                         std::vector<CompiledShare>& compiled,
                                         std::vector<ApplyResult::Share>& shares) {
  for (size_t p = 0; p < shares.size(); ++p) {
    std::vector<size_t> which = attempt.PartitionsOf(p);
    if (which.empty()) continue;
    const uint64_t begin_ns = NowNs();
    auto share = CompileShare(preparation, attempt, p, std::move(which));
    shares[p].compile_ns += NowNs() - begin_ns;
    if (!share) return FailedShare{.plugin = p, .error = share.Error()};
    compiled.push_back(std::move(*share));
  }
  return std::nullopt;
}

// Everything, anew whenever a failure changed the partitions.
litert::Expected<std::vector<CompiledShare>> Compile(Planned& planned, ApplyResult& result) {
  Preparation& preparation = *planned.preparation;
  CulpritSearch search(preparation);
  while (true) {
    std::vector<CompiledShare> compiled;
    const auto failed = CompileShares(preparation, planned.attempt, compiled, result.shares);
    if (!failed) return compiled;
    const size_t p = failed->plugin;
    const litert::Error error(
        failed->error.Status(),
        fmt::format("{}; compiled were {}", failed->error.Message(),
                    ListPartitions(planned.attempt.partitioned, planned.attempt.PartitionsOf(p))));
    if (preparation.options().on_compile_failure == OnCompileFailure::kFail)
      return litert::Unexpected(error);
    LITERT_ASSIGN_OR_RETURN(
        ApplyResult::Failure failure,
        search.Find(p, std::move(planned.attempt), failed->error, planned.exclusions));
    result.failures.push_back(std::move(failure));
    LITERT_ASSIGN_OR_RETURN(planned.attempt, preparation.TryWithinLimit(planned.exclusions));
  }
}

std::vector<ApplyResult::Share> SharesOf(const Preparation& preparation) {
  std::vector<ApplyResult::Share> shares;
  for (size_t p = 0; p < preparation.plugins().size(); ++p) {
    ApplyResult::Share& share = shares.emplace_back();
    share.manufacturer = preparation.plugins()[p]->manufacturer();
    share.path = preparation.plugins()[p]->path();
    share.soc_model = preparation.soc_models()[p];
    if (const auto& listed = preparation.plugins()[p]->soc_models(); !listed.empty())
      share.first_listed_soc = listed.front();
  }
  return shares;
}

}  // namespace

litert::Expected<PartitionPlan> PlanPartitions(const Model& model, Plugins plugins,
                                               const ApplyOptions& options) {
  LITERT_ASSIGN_OR_RETURN(Planned planned, Plan(model, plugins, options));
  std::vector<std::string> warnings = planned.preparation->Warnings(planned.attempt);
  return PartitionPlan{.partitioned = std::move(planned.attempt.partitioned),
                       .warnings = std::move(warnings)};
}

litert::Expected<ApplyResult> ApplyPlugins(const Model& model, Plugins plugins,
                                           const ApplyOptions& options) {
  const uint64_t begin_ns = NowNs();
  LITERT_ASSIGN_OR_RETURN(Planned planned, Plan(model, plugins, options));
  Preparation& preparation = *planned.preparation;
  const uint64_t partitioned_ns = NowNs();

  ApplyResult result;
  result.shares = SharesOf(preparation);
  LITERT_ASSIGN_OR_RETURN(std::vector<CompiledShare> compiled, Compile(planned, result));
  const uint64_t compiled_ns = NowNs();

  result.warnings = preparation.Warnings(planned.attempt);
  result.constants = ReportConstants(preparation.model(), planned.attempt.partitioned);
  LITERT_RETURN_IF_ERROR(Embed(preparation.given(), preparation.origins(),
                               std::move(planned.attempt.partitioned), std::move(compiled),
                               result));
  result.times = {.partition_ns = partitioned_ns - begin_ns,
                  .compile_ns = compiled_ns - partitioned_ns,
                  .embed_ns = NowNs() - compiled_ns};
  return result;
}

size_t ApplyResult::npu_op_count() const {
  return static_cast<size_t>(
      std::count_if(ops.begin(), ops.end(), [](const PlacedOp& op) { return op.is_on_npu(); }));
}

std::string ToString(const ApplyResult& result) {
  std::string text;
  for (const PlacedOp& op : result.ops) text += ToString(op) + "\n";
  for (size_t p = 0; p < result.partitions.size(); ++p) {
    const ApplyResult::Partition& partition = result.partitions[p];
    text += fmt::format("partition {}: {} of module {}, op {} of the result\n", p,
                        partition.entry_point, partition.module, partition.dispatch_op->index);
  }
  return text;
}

}  // namespace npukit
