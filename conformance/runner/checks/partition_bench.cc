// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/partition_bench.h"

#include <fmt/format.h>
#include <algorithm>
#include <optional>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/compare_output.h"
#include "litert/c/litert_model.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/diagnostics/graph_oracle.h"

namespace npukit::conformance {
namespace {

constexpr size_t kMaxPartitions = 4;
// Input sets beyond the case's patterns: all random.
constexpr size_t kFirstRandomSet = 100;

// A number of the whole: cycles of all partitions.
void AddNumber(const std::string& name, double value, CheckReport& report) {
  for (auto& [known, sum] : report.numbers) {
    if (known != name) continue;
    sum += value;
    return;
  }
  report.numbers.emplace_back(name, value);
}

}  // namespace

litert::Expected<std::vector<DispatchPort>> PortsOf(const Subgraph& body) {
  std::vector<DispatchPort> ports;
  auto add = [&](Tensor* tensor, bool is_input, size_t index) -> litert::Expected<void> {
    DispatchPort port{
        .is_input = is_input, .index = static_cast<int>(index), .tensor = tensor->name};
    LITERT_RETURN_IF_ERROR(LiteRtGetRankedTensorType(tensor, &port.type));
    const std::optional<uint64_t> dense = DenseBytes(tensor->element_type, tensor->shape);
    if (!dense) return litert::Unexpected(kLiteRtStatusErrorUnsupported, "a tensor without a size");
    port.dense_bytes = *dense;
    ports.push_back(std::move(port));
    return {};
  };
  for (size_t i = 0; i < body.inputs.size(); ++i)
    LITERT_RETURN_IF_ERROR(add(body.inputs[i], true, i));
  for (size_t i = 0; i < body.outputs.size(); ++i)
    LITERT_RETURN_IF_ERROR(add(body.outputs[i], false, i));
  return ports;
}

litert::Expected<std::vector<PartitionSource>> SourcesOf(const PartitionedModel& partitioned,
                                                         const Artifacts& artifacts) {
  std::vector<PartitionSource> sources;
  const size_t count = std::min(partitioned.partitions.size(), kMaxPartitions);
  for (size_t i = 0; i < count && i < artifacts.calls.size(); ++i) {
    PartitionSource source;
    source.bodies = partitioned.bodies.get();
    source.body = &partitioned.bodies->subgraph(i);
    source.module = &artifacts.modules[artifacts.calls[i].module];
    source.entry_point = artifacts.calls[i].entry_point;
    LITERT_ASSIGN_OR_RETURN(source.ports, PortsOf(*source.body));
    sources.push_back(std::move(source));
  }
  return sources;
}

litert::Expected<std::vector<PartitionSource>> PartitionSources(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(PartitionedModel * partitioned, bench.partitioned());
  LITERT_ASSIGN_OR_RETURN(const Artifacts* artifacts, bench.artifacts());
  return SourcesOf(*partitioned, *artifacts);
}

litert::Expected<std::unique_ptr<PartitionInvocation>> PartitionInvocation::Load(
    VendorDevice& device, const PartitionSource& source, GuardedMemory::At at,
    std::span<const SharedPort> shared) {
  LITERT_ASSIGN_OR_RETURN(Bytecode bytecode, Bytecode::Create(*source.module));
  std::unique_ptr<PartitionInvocation> loaded(new PartitionInvocation(std::move(bytecode)));
  LITERT_ASSIGN_OR_RETURN(
      loaded->invocation_,
      VendorInvocation::Create(device, loaded->bytecode_.buffer(), source.entry_point.c_str(),
                               source.num_inputs(), source.num_outputs()));
  LITERT_ASSIGN_OR_RETURN(loaded->attached_, AttachedInvocation::Create(*loaded->invocation_,
                                                                        source.ports, at, shared));
  return loaded;
}

litert::Expected<void> PartitionInvocation::Close() {
  litert::Expected<void> detached = attached_->Close();
  litert::Expected<void> closed = invocation_->Close();
  return detached ? closed : detached;
}

litert::Expected<std::string> OracleProblem(const Workbench& bench, const PartitionSource& source,
                                            const InputSet& inputs, const OutputSet& outputs) {
  // A worker's verdict is discarded.
  if (Witness::Get().is_noting()) return std::string();
  if (HandsOnRoundedOnce(bench.claims(), *source.body)) {
    return litert::Unexpected(kLiteRtStatusErrorUnsupported, "one of several ops rounds once");
  }
  GraphOracle oracle(*source.bodies, *source.body);
  if (auto run = oracle.Run(inputs); !run)
    return litert::Unexpected(kLiteRtStatusErrorUnsupported, run.Error().Message());
  for (size_t i = 0; i < outputs.size(); ++i) {
    LITERT_ASSIGN_OR_RETURN(const kernels::RoundedOnce rounded,
                            CompareOutput(bench, oracle, *source.body, i, outputs[i]));
    if (rounded.comparison.ok()) continue;
    return fmt::format("output {}: {}", i,
                       DescribeComparison(rounded.comparison, oracle.output(i).elems()));
  }
  return std::string();
}

litert::Expected<OutputSet> RunFresh(Workbench& bench, const PartitionSource& source,
                                     const InputSet& inputs) {
  LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
  LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
  LITERT_ASSIGN_OR_RETURN(OutputSet outputs, loaded->Run(inputs));
  LITERT_RETURN_IF_ERROR(loaded->Close());
  LITERT_RETURN_IF_ERROR(device->Close());
  return outputs;
}

litert::Expected<FreshRuns> MakeFreshRuns(Workbench& bench, const PartitionSource& source,
                                          size_t count) {
  FreshRuns fresh;
  for (size_t i = 0; i < count; ++i) {
    LITERT_ASSIGN_OR_RETURN(InputSet inputs, bench.Inputs(*source.body, kFirstRandomSet + i));
    LITERT_ASSIGN_OR_RETURN(OutputSet outputs, RunFresh(bench, source, inputs));
    fresh.inputs.push_back(std::move(inputs));
    fresh.outputs.push_back(std::move(outputs));
  }
  return fresh;
}

litert::Expected<std::unique_ptr<VendorDevice>> OpenDevice(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(auto library, bench.dispatch());
  return VendorDevice::Create(std::move(library), bench.under_test().specs);
}

CheckAnswer ForEachPartition(Workbench& bench,
                             const std::function<CheckAnswer(const PartitionSource&)>& check) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<PartitionSource> sources, PartitionSources(bench));
  CheckReport report = CheckReport::Pass();
  std::optional<CheckReport> skipped;
  size_t judged = 0;
  for (size_t i = 0; i < sources.size(); ++i) {
    CheckAnswer answer = check(sources[i]);
    const std::string where = fmt::format("partition {}: ", i);
    if (!answer) return CheckReport::Fail(where + answer.Error().Message());
    if (answer->answer == CheckReport::Answer::kFail)
      return CheckReport::Fail(where + answer->detail);
    if (answer->answer == CheckReport::Answer::kSkip) {
      if (!skipped) skipped = std::move(*answer);
      continue;
    }
    ++judged;
    for (const auto& [name, value] : answer->numbers) AddNumber(name, value, report);
    if (report.detail.empty()) report.detail = answer->detail;
  }
  if (judged == 0 && skipped) return std::move(*skipped);
  return report;
}

void ThreadRuns::Add(OutputSet set) {
  if (std::find(outputs.begin(), outputs.end(), set) == outputs.end())
    outputs.push_back(std::move(set));
}

std::string ThreadRuns::Problem(const OutputSet& expected) const {
  if (!error.empty()) return error;
  if (outputs.empty()) return "it did not run";
  for (const OutputSet& set : outputs) {
    std::string difference = OutputDifference(expected, set);
    if (!difference.empty()) return difference;
  }
  return {};
}

void RunInCompany(PartitionInvocation& loaded, const InputSet& inputs, int runs,
                  std::atomic<int>& busy, ThreadRuns& observed) {
  constexpr int kMostTimes = 25;
  int done = 0;
  while (observed.error.empty() && busy > 0 && done < kMostTimes * runs) {
    auto outputs = loaded.Run(inputs);
    if (outputs) {
      observed.Add(std::move(*outputs));
    } else {
      observed.error = outputs.Error().Message();
    }
    if (++done == runs) --busy;
  }
  if (done < runs) --busy;
}

std::string OutputDifference(const OutputSet& expected, const OutputSet& actual) {
  if (expected.size() != actual.size()) return "the numbers of outputs differ";
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].size() != actual[i].size()) return fmt::format("output {} has another size", i);
    const auto where = std::mismatch(expected[i].begin(), expected[i].end(), actual[i].begin());
    if (where.first == expected[i].end()) continue;
    return fmt::format("output {} differs from byte {} on", i, where.first - expected[i].begin());
  }
  return {};
}

}  // namespace npukit::conformance
