// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The check of class dispatch on places that a table does not have: GATHER's indices and others that are
// known only when a program runs. Which numbers those are is asked of the oracle.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/partition_bench.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/diagnostics/graph_oracle.h"

namespace npukit::conformance::checks::dispatch {
namespace {

// Inputs of which the oracle refuses one number.
struct RefusedInputs {
  InputSet inputs;
  std::string why;
};

template <class Index>
void SetLast(int64_t number, std::vector<uint8_t>& bytes) {
  const auto index = static_cast<Index>(std::clamp<int64_t>(
      number, std::numeric_limits<Index>::lowest(), std::numeric_limits<Index>::max()));
  std::memcpy(bytes.data() + bytes.size() - sizeof(Index), &index, sizeof(Index));
}

// False if the tensor's numbers are no places.
bool SetLast(const Tensor& tensor, int64_t number, std::vector<uint8_t>& bytes) {
  if (bytes.empty()) return false;
  if (tensor.element_type == kLiteRtElementTypeInt32) {
    SetLast<int32_t>(number, bytes);
  } else if (tensor.element_type == kLiteRtElementTypeInt64) {
    SetLast<int64_t>(number, bytes);
  } else {
    return false;
  }
  return true;
}

// Numbers that may be no places, the nearest to those that are first: extents of what is read beside the
// tensor, and what lies far off.
std::vector<int64_t> Candidates(const Subgraph& body, const Tensor& indices) {
  std::set<int64_t> extents;
  for (const auto& op : body.ops()) {
    if (std::find(op->inputs.begin(), op->inputs.end(), &indices) == op->inputs.end()) continue;
    for (const Tensor* beside : op->inputs) {
      if (beside != nullptr && beside != &indices)
        extents.insert(beside->shape.begin(), beside->shape.end());
    }
  }
  std::vector<int64_t> numbers(extents.begin(), extents.end());
  numbers.push_back(std::numeric_limits<int64_t>::max());
  return numbers;
}

// Why the oracle refuses the inputs; nothing if it does not.
std::optional<std::string> Refusal(const PartitionSource& source, const InputSet& inputs) {
  GraphOracle oracle(*source.bodies, *source.body);
  const auto run = oracle.Run(inputs);
  if (run) return std::nullopt;
  return run.Error().Message();
}

// Of inputs that the oracle takes: one input at a time with the first number past the table's end, the
// largest one, -1, and the least one.
std::vector<RefusedInputs> FindRefused(const PartitionSource& source, const InputSet& good) {
  std::vector<RefusedInputs> refused;
  const auto add = [&](size_t input, int64_t number) {
    RefusedInputs with{.inputs = good, .why = {}};
    if (!SetLast(*source.body->inputs[input], number, with.inputs[input])) return false;
    const auto why = Refusal(source, with.inputs);
    if (!why) return false;
    with.why = *why;
    refused.push_back(std::move(with));
    return true;
  };
  for (size_t i = 0; i < good.size(); ++i) {
    const std::vector<int64_t> past = Candidates(*source.body, *source.body->inputs[i]);
    if (std::none_of(past.begin(), past.end(), [&](int64_t number) { return add(i, number); }))
      continue;
    add(i, past.back());
    add(i, -1);
    add(i, std::numeric_limits<int64_t>::lowest());
  }
  return refused;
}

// A run that has to fail, and one that has to work.
CheckAnswer FailAndGoOn(PartitionInvocation& loaded, const RefusedInputs& refused,
                        const InputSet& good, const OutputSet& expected) {
  const auto outputs = loaded.Run(refused.inputs);
  NPUKIT_CHECK_THAT(!outputs, "no error, where one is expected: " + refused.why);
  LITERT_ASSIGN_OR_RETURN(const std::string stray, loaded.attached().StrayWrite());
  NPUKIT_CHECK_THAT(stray.empty(), stray + "; " + refused.why);
  LITERT_ASSIGN_OR_RETURN(auto error, loaded.invocation().LastError());
  NPUKIT_CHECK_THAT(
      !error || !error->message.empty(),
      "NpukitDispatchGetLastError has no message of a run that failed; " + refused.why);
  const auto next = loaded.Run(good);
  NPUKIT_CHECK_THAT(next, fmt::format("the next run fails: {}; the one before: {}",
                                      next ? "" : next.Error().Message(), refused.why));
  const std::string difference = OutputDifference(expected, *next);
  NPUKIT_CHECK_THAT(difference.empty(),
                    fmt::format("the next run: {}; the one before: {}", difference, refused.why));
  LITERT_ASSIGN_OR_RETURN(error, loaded.invocation().LastError());
  if (!error) return CheckReport::Pass();
  NPUKIT_CHECK_THAT(
      error->message.empty() && error->handle == NPUKIT_NO_DEBUG_HANDLE,
      fmt::format("NpukitDispatchGetLastError still tells of a failure after a run that went well: "
                  "handle {}, '{}'",
                  error->handle, error->message));
  return CheckReport::Pass();
}

}  // namespace

CheckAnswer bad_indices(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const InputSet good, bench.Inputs(*source.body, 0));
    if (const auto why = Refusal(source, good); why) return CheckReport::Skip("no oracle: " + *why);
    const std::vector<RefusedInputs> refused = FindRefused(source, good);
    if (refused.empty()) return CheckReport::Skip("no input holds places that may not exist");
    LITERT_ASSIGN_OR_RETURN(const OutputSet expected, RunFresh(bench, source, good));
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    // What lies before a table is out of reach where it stands at the beginning of its memory, what lies
    // behind it at the end.
    for (const auto at : {GuardedMemory::At::kStart, GuardedMemory::At::kEnd}) {
      LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source, at));
      for (const RefusedInputs& inputs : refused) {
        LITERT_ASSIGN_OR_RETURN(CheckReport report, FailAndGoOn(*loaded, inputs, good, expected));
        if (report.answer != CheckReport::Answer::kPass) return report;
      }
      LITERT_RETURN_IF_ERROR(loaded->Close());
    }
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::dispatch
