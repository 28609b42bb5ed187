// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class state on what is compiled for one claimed SoC and another.

#include <fmt/format.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/partition_bench.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::state {
namespace {

// A model as it was compiled for one SoC. `sources` refer to the others.
struct CompiledForSoc {
  std::string soc;
  PartitionedModel parts;
  Artifacts artifacts;
  std::vector<PartitionSource> sources;
};

// In the order of the claims. A deque, so that nothing moves.
litert::Expected<std::deque<CompiledForSoc>> CompileForEach(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  std::deque<CompiledForSoc> compiled;
  for (const std::string& soc : bench.claims().socs) {
    CompiledForSoc& of_soc = compiled.emplace_back();
    of_soc.soc = soc;
    LITERT_ASSIGN_OR_RETURN(of_soc.parts, PartitionWith(*plugin, soc.c_str(), *model));
    LITERT_ASSIGN_OR_RETURN(const VendorResult result,
                            plugin->Compile(soc.c_str(), *of_soc.parts.bodies));
    LITERT_ASSIGN_OR_RETURN(of_soc.artifacts, result.Read());
    LITERT_ASSIGN_OR_RETURN(of_soc.sources, SourcesOf(of_soc.parts, of_soc.artifacts));
  }
  return compiled;
}

// What a SoC's partition gave on a device of its own.
struct RunAlone {
  std::string soc;
  const PartitionSource* source = nullptr;
  OutputSet outputs;
};

}  // namespace

CheckAnswer each_soc(Workbench& bench) {
  if (bench.claims().socs.empty()) return CheckReport::Skip("no SoC is claimed");
  LITERT_ASSIGN_OR_RETURN(const std::deque<CompiledForSoc> compiled, CompileForEach(bench));
  std::string refused;
  size_t ran = 0;
  for (const CompiledForSoc& of_soc : compiled) {
    for (const PartitionSource& source : of_soc.sources) {
      LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
      const auto loaded = PartitionInvocation::Load(*device, source);
      // The device may be of another SoC.
      if (!loaded) refused = of_soc.soc + ": " + loaded.Error().Message();
      if (!loaded) continue;
      for (size_t set = 0; set < bench.pattern_count(); ++set) {
        LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(*source.body, set));
        LITERT_ASSIGN_OR_RETURN(const OutputSet outputs, (*loaded)->Run(inputs));
        const auto problem = OracleProblem(bench, source, inputs, outputs);
        if (!problem) return CheckReport::Skip("no oracle: " + problem.Error().Message());
        NPUKIT_CHECK_THAT(problem->empty(), "compiled for " + of_soc.soc + ": " + *problem);
        ++ran;
      }
    }
  }
  NPUKIT_CHECK_THAT(ran > 0, "what is compiled for any claimed SoC is refused: " + refused);
  return CheckReport::Pass();
}

CheckAnswer socs_together(Workbench& bench) {
  if (bench.claims().socs.size() < 2) return CheckReport::Skip("one SoC is claimed at most");
  LITERT_ASSIGN_OR_RETURN(const std::deque<CompiledForSoc> compiled, CompileForEach(bench));
  std::vector<RunAlone> alone;
  for (const CompiledForSoc& of_soc : compiled) {
    for (const PartitionSource& source : of_soc.sources) {
      LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(*source.body, 0));
      auto outputs = RunFresh(bench, source, inputs);
      // The device may be of another SoC.
      if (outputs) alone.push_back({of_soc.soc, &source, std::move(*outputs)});
    }
  }
  if (alone.empty() || alone.front().soc == alone.back().soc)
    return CheckReport::Skip("the device takes what is compiled for one SoC");
  LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
  std::vector<std::unique_ptr<PartitionInvocation>> loaded;
  for (const RunAlone& run : alone) {
    auto beside = PartitionInvocation::Load(*device, *run.source);
    NPUKIT_CHECK_THAT(
        beside, fmt::format("compiled for {}, it is taken alone and refused beside {}'s: {}",
                            run.soc, alone.front().soc, beside ? "" : beside.Error().Message()));
    loaded.push_back(std::move(*beside));
    LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(*run.source->body, 0));
    LITERT_ASSIGN_OR_RETURN(const OutputSet outputs, loaded.back()->Run(inputs));
    const std::string difference = OutputDifference(run.outputs, outputs);
    NPUKIT_CHECK_THAT(difference.empty(), fmt::format("compiled for {}, beside {}'s: {}", run.soc,
                                                      alone.front().soc, difference));
  }
  for (const auto& invocation : loaded) LITERT_RETURN_IF_ERROR(invocation->Close());
  LITERT_RETURN_IF_ERROR(device->Close());
  return CheckReport::Pass();
}

}  // namespace npukit::conformance::checks::state
