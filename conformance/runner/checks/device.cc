// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class device: what a device's compiler plugin gives beside this machine's.

#include <fmt/format.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/observed_rewrite.h"
#include "conformance/runner/checks/partition_bench.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/model_diff.h"

namespace npukit::conformance::checks::device {
namespace {

// What one of the two makes of the case's model. Selecting nothing, or compiling nothing, is an answer.
struct Compilation {
  ObservedRewrite rewrite;
  PartitionedModel partitioned;
  litert::Expected<Artifacts> artifacts = Artifacts();
};

litert::Expected<Compilation> CompileBy(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  LITERT_ASSIGN_OR_RETURN(const VendorPlugin* plugin, bench.plugin());
  LITERT_ASSIGN_OR_RETURN(ObservedRewrite rewrite,
                          ObserveRewrite(bench.under_test(), *plugin, *model));
  LITERT_ASSIGN_OR_RETURN(
      PartitionedModel partitioned,
      PartitionWith(*plugin, nullptr, rewrite.model != nullptr ? *rewrite.model : *model));
  Compilation made{.rewrite = std::move(rewrite), .partitioned = std::move(partitioned)};
  if (made.partitioned.partitions.empty()) return made;
  made.artifacts = [&]() -> litert::Expected<Artifacts> {
    LITERT_ASSIGN_OR_RETURN(const VendorResult result,
                            plugin->Compile(nullptr, *made.partitioned.bodies));
    return result.Read();
  }();
  return made;
}

// The first line that one has and the other has not in its place; empty if there is none.
std::string FirstDifference(const std::string& here, const std::string& there) {
  std::istringstream of_here(here);
  std::istringstream of_there(there);
  std::string line;
  std::string other;
  while (true) {
    const bool is_more = static_cast<bool>(std::getline(of_here, line));
    const bool is_other = static_cast<bool>(std::getline(of_there, other));
    if (!is_more && !is_other) return {};
    if (is_more && is_other && line == other) continue;
    return fmt::format("here '{}', on the device '{}'", is_more ? line : "", is_other ? other : "");
  }
}

// How the graphs differ that the transformations leave; empty if they do not.
std::string RewriteDifference(const Model& given, const Compilation& here,
                              const Compilation& there) {
  const Model& ours = here.rewrite.model != nullptr ? *here.rewrite.model : given;
  const Model& theirs = there.rewrite.model != nullptr ? *there.rewrite.model : given;
  return npukit::FirstDifference(ours, theirs).value_or("");
}

// Where bytes differ: what the device computes with either.
CheckAnswer CompareOutputs(Workbench& bench, const Compilation& here, const Compilation& there,
                           const std::string& difference) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<PartitionSource> sources_here,
                          SourcesOf(here.partitioned, *here.artifacts));
  LITERT_ASSIGN_OR_RETURN(const std::vector<PartitionSource> sources_there,
                          SourcesOf(there.partitioned, *there.artifacts));
  NPUKIT_CHECK_THAT(sources_here.size() == sources_there.size(), difference);
  for (size_t i = 0; i < sources_here.size(); ++i) {
    LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(*sources_here[i].body, 0));
    LITERT_ASSIGN_OR_RETURN(const OutputSet expected, RunFresh(bench, sources_here[i], inputs));
    LITERT_ASSIGN_OR_RETURN(const OutputSet actual, RunFresh(bench, sources_there[i], inputs));
    const std::string outputs = OutputDifference(expected, actual);
    NPUKIT_CHECK_THAT(outputs.empty(), fmt::format("partition {}: compiled on the device, {}; {}",
                                                   i, outputs, difference));
  }
  return CheckReport::Pass("the same outputs, though " + difference);
}

}  // namespace

CheckAnswer compilers_agree(Workbench& bench) {
  PluginUnderTest desk = bench.under_test();
  LITERT_ASSIGN_OR_RETURN(const bool are_two,
                          Witness::Get().Observe<bool>("two compiler plugins", [&] {
                            return litert::Expected<bool>(!desk.desk_plugin_path.empty());
                          }));
  if (!are_two)
    return CheckReport::Skip("there are no two compiler plugins, the device's and this machine's");
  desk.plugin_path = desk.desk_plugin_path;
  Workbench other(desk, bench.spec());
  LITERT_ASSIGN_OR_RETURN(const Compilation here, CompileBy(other));
  LITERT_ASSIGN_OR_RETURN(const Compilation there, CompileBy(bench));
  LITERT_ASSIGN_OR_RETURN(const Model* model, bench.model());
  const std::string rewrite = RewriteDifference(*model, here, there);
  NPUKIT_CHECK_THAT(rewrite.empty(), "the graph is rewritten otherwise on the device: " + rewrite);
  const std::string selection =
      FirstDifference(ToString(here.partitioned), ToString(there.partitioned));
  NPUKIT_CHECK_THAT(selection.empty(), "other ops are selected: " + selection);
  if (!here.artifacts.HasValue() && !there.artifacts.HasValue())
    return CheckReport::Pass("neither compiles it");
  NPUKIT_CHECK_THAT(here.artifacts.HasValue(),
                    "compiles on the device alone: " + here.artifacts.Error().Message());
  NPUKIT_CHECK_THAT(there.artifacts.HasValue(),
                    "compiles here alone: " + there.artifacts.Error().Message());
  const std::string difference = ArtifactDifference(*here.artifacts, *there.artifacts);
  if (difference.empty()) return CheckReport::Pass();
  return CompareOutputs(bench, here, there, difference);
}

}  // namespace npukit::conformance::checks::device
