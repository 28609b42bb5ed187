// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/time_page/doubled_runs.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "npukit/metrics.h"
#include "sdk/tools/command_line/progress.h"
#include "sdk/tools/command_line/scratch_folder.h"
#include "sdk/tools/command_line/whole_file.h"
#include "sdk/tools/reports/bench_report.h"

namespace npukit::tools {
namespace {

// Texts of SoC files, by resource.
std::map<std::string, std::string> DescriptionsIn(std::span<const DispatchMetrics> metrics) {
  constexpr std::string_view kPrefix = NPUKIT_METRIC_DOUBLED_PREFIX;
  std::map<std::string, std::string> files;
  for (const DispatchMetrics& partition : metrics) {
    for (const DispatchMetrics::Metric& metric : partition.all()) {
      const auto* text = std::get_if<std::string>(&metric.value);
      if (text != nullptr && metric.name.starts_with(kPrefix))
        files.emplace(metric.name.substr(kPrefix.size()), *text);
    }
  }
  return files;
}

// Empty if the model can be compiled and timed for another SoC.
std::string WhyNot(const SessionFlags& flags, const Session& session,
                   std::span<const StepInfo> steps) {
  if (flags.device.is_asked()) return "it runs on a device, whose hardware can't be changed";
  if (!flags.jit || session.applied() == nullptr)
    return "the model was compiled before; with --jit and the plain model it is compiled anew";
  std::set<std::string> vendors;
  for (const StepInfo& step : steps) {
    if (step.target == Target::kNpu && step.delegate != nullptr)
      vendors.insert(step.delegate->plugin);
  }
  if (vendors.size() > 1) return "NPUs of several vendors run the model";
  return {};
}

litert::Expected<void> Time(const SessionFlags& flags, const Session& session,
                            const std::string& soc_file, DoubledRun& run) {
  LITERT_ASSIGN_OR_RETURN(SessionOptions options, flags.Options());
  std::erase_if(options.placement.specs, [](const CompileSpecRequest& request) {
    return request.spec.key == NPUKIT_SPEC_SOC_FILE;
  });
  options.soc.clear();
  options.placement.specs.push_back(
      {.spec = {.key = NPUKIT_SPEC_SOC_FILE, .bytes = {soc_file.begin(), soc_file.end()}},
       .where = "twice the " + run.resource});
  LITERT_ASSIGN_OR_RETURN(auto doubled, Session::Open(flags.model, std::move(options)));
  // Where the plugin takes other ops for another SoC the cycles are of other work.
  if (doubled->placement().npu_ops != session.placement().npu_ops) {
    return litert::Unexpected(
        kLiteRtStatusErrorCompilation,
        fmt::format("{} ops run on the NPU in place of {}: not comparable{}{}",
                    doubled->placement().npu_ops, session.placement().npu_ops,
                    doubled->placement().fallback_reason.empty() ? "" : "; ",
                    doubled->placement().fallback_reason));
  }
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, doubled->Runner(flags.signature));
  LITERT_RETURN_IF_ERROR(flags.inputs.Fill(*runner, doubled->model()));
  runner->EnableStepTimes(true);
  LITERT_RETURN_IF_ERROR(runner->StartMetrics(NPUKIT_METRICS_DETAIL_PER_OP));
  LITERT_RETURN_IF_ERROR(runner->Run());
  LITERT_ASSIGN_OR_RETURN(const auto metrics, runner->StopMetrics());
  run.cycles = MakeBenchReport(runner->steps(), runner->step_times(), metrics, {0}).cycles;
  run.layer_cycles = CyclesByName(LayersOf(runner->steps(), runner->step_times(), metrics));
  return doubled->Close();
}

}  // namespace

DoubledRuns RunDoubled(const SessionFlags& flags, const Session& session,
                       std::span<const StepInfo> steps, std::span<const DispatchMetrics> metrics) {
  DoubledRuns doubled;
  const std::map<std::string, std::string> descriptions = DescriptionsIn(metrics);
  doubled.not_measured = WhyNot(flags, session, steps);
  if (doubled.not_measured.empty() && descriptions.empty())
    doubled.not_measured = "the dispatch library describes no chip with more of something";
  if (!doubled.not_measured.empty()) return doubled;
  const auto folder = ScratchFolder::Create();
  if (!folder) {
    doubled.not_measured = folder.Error().Message();
    return doubled;
  }
  Progress progress;
  for (const auto& [resource, text] : descriptions) {
    progress.Show(fmt::format("compiling and running with twice the {}", resource));
    DoubledRun& run = doubled.runs.emplace_back();
    run.resource = resource;
    const std::string path = fmt::format("{}/{}.yaml", folder->path(), doubled.runs.size());
    auto timed = WriteWholeFile(path, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
    if (timed) timed = Time(flags, session, path, run);
    if (!timed) {
      run.layer_cycles.clear();
      run.cycles.reset();
      run.error =
          timed.Error().Message().empty() ? timed.Error().ToString() : timed.Error().Message();
    }
  }
  return doubled;
}

}  // namespace npukit::tools
