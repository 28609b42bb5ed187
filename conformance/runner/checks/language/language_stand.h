// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A case's language model, for the CPU and, compiled, for the NPU, and what conversations with it give.
// What the NPU gives is seen by the witness: one observation a conversation.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_LANGUAGE_LANGUAGE_STAND_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_LANGUAGE_LANGUAGE_STAND_H_

#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/runner/checks/language/conversation.h"
#include "conformance/runner/checks/language/step_judge.h"
#include "conformance/runner/checks/workbench.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/session/session.h"

namespace npukit::conformance {

using Script = std::vector<TokenStep>;
using ObservedSteps = std::vector<StepValues>;  // by the script's steps

class LanguageStand {
 public:
  // Sees the model compiled. An error says why it is no language model.
  static litert::Expected<LanguageStand> Build(Workbench& bench);

  const std::vector<std::string>& caches() const { return caches_; }
  int32_t context() const { return context_; }
  // By tokens; 1 is decode.
  const std::map<int32_t, std::string>& signatures() const { return signatures_; }
  int32_t shortest_prefill() const { return std::next(signatures_.begin())->first; }
  bool has_prefill() const { return signatures_.size() > 1; }
  // Not where an op may round once: what it hands on can't be known.
  bool judges_values() const { return judges_values_; }

  // So many tokens, the same each time; others for another `speaker`.
  TokenStep Step(int32_t length, int32_t position, int32_t speaker = 0) const;
  // A prompt in chunks, one of them not full, then tokens one by one.
  Script Usual(int32_t speaker = 0) const;
  // The context from its first position to its last: in chunks, with single tokens before, at and
  // behind each power of two; and once more in chunks that such positions lie within.
  Script WholeContext() const;

  struct NpuRun {
    // Caches of which each is one buffer of the session, input and output.
    std::vector<std::string> shared;
    int32_t fill = 0;  // what caches hold at first
  };
  // A conversation of its own session.
  litert::Expected<ObservedSteps> OnNpu(const Script& script, const NpuRun& run) const;
  // Conversations step by step in turn, each with a session of its own. All scripts are equally long.
  litert::Expected<std::vector<ObservedSteps>> InTurn(const std::vector<Script>& scripts) const;
  // Of one such conversation.
  litert::Expected<StepJudge> OpenJudge(int32_t fill) const;
  // By signature: how many dispatch ops it runs.
  litert::Expected<std::vector<uint64_t>> DispatchOps() const;

 private:
  explicit LanguageStand(Workbench& bench) : bench_(&bench) {}
  litert::Expected<ObservedSteps> TakeAll(Session& session, const Script& script,
                                          const NpuRun& run) const;
  litert::Expected<std::unique_ptr<Session>> Open(const std::vector<std::string>& shared) const;

  Workbench* bench_;
  std::vector<std::string> caches_;
  int32_t context_ = 0;
  bool judges_values_ = true;
  std::map<int32_t, std::string> signatures_;
  std::vector<uint8_t> compiled_;  // empty where observations are judged
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_LANGUAGE_LANGUAGE_STAND_H_
