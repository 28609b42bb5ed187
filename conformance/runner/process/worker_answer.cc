// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/worker_answer.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "conformance/observation/byte_text.h"
#include "conformance/runner/process/child_pool.h"

namespace npukit::conformance {
namespace {

// How an answer goes through the pipe.
struct Sent {
  uint32_t status = kLiteRtStatusOk;
  std::string text;
  static auto Fields(auto& self) { return std::tie(self.status, self.text); }
};

std::string Send(const litert::Expected<std::string>& answer) {
  ByteWriter writer;
  if (answer) {
    writer.Put(Sent{kLiteRtStatusOk, *answer});
  } else {
    writer.Put(Sent{static_cast<uint32_t>(answer.Error().Status()), answer.Error().Message()});
  }
  return writer.Take();
}

WorkerAnswer Receive(const std::string& report) {
  ByteReader reader(report);
  Sent sent;
  if (!reader.Get(sent) || !reader.at_end())
    return {litert::Error(kLiteRtStatusErrorRuntimeFailure, "the process's answer is cut off")};
  if (sent.status == kLiteRtStatusOk) return {std::move(sent.text), true};
  return {litert::Error(static_cast<LiteRtStatus>(sent.status), sent.text), true};
}

}  // namespace

ChildLimits LimitedByRunner() {
  ChildLimits limits;
  limits.timeout = std::chrono::hours(1);
  return limits;
}

WorkerAnswer AskWorker(const std::function<litert::Expected<std::string>()>& ask,
                       const ChildLimits& limits) {
  const auto outcome = RunTask({[&] { return Send(ask()); }, limits});
  if (!outcome) return {outcome.Error()};
  if (outcome->end == ChildOutcome::End::kReported) return Receive(outcome->report);
  std::string why = "the process " + HowItEnded(*outcome);
  if (!outcome->stage.empty()) why += " in " + outcome->stage;
  return {litert::Error(kLiteRtStatusErrorRuntimeFailure, std::move(why))};
}

}  // namespace npukit::conformance
