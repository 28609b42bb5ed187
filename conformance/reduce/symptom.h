// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a trial of a model on a plugin showed, and what `npukit reduce --while` looks for. Pure.

#ifndef NPUKIT_CONFORMANCE_REDUCE_SYMPTOM_H_
#define NPUKIT_CONFORMANCE_REDUCE_SYMPTOM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/observation/child_outcome.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// How a trial ended.
enum class Ending {
  kFine,
  kNotOnNpu,      // the model can't be used, or nothing was selected
  kNotLoaded,     // nor the plugin
  kWrongRequest,  // nor the SoC model, plugin or compile spec that was asked for
  kCompileFails,
  kLoadFails,
  kRunFails,
  kDiffers,  // from the oracles' bounds, by partition
  kCrashes,
  kHangs,
};
// Names in files and on the command line, in the order of the enumerators.
inline constexpr const char* kEndingNames[] = {
    "fine",       "not-on-npu", "not-loaded", "wrong-request", "compile-fails",
    "load-fails", "run-fails",  "differs",    "crashes",       "hangs"};

struct Observed {
  Ending ending = Ending::kFine;
  std::string message;
  int signal = 0;                // kCrashes; 0: the process called exit()
  std::optional<double> run_ms;  // the fastest of some runs, where times were asked for
  std::optional<double> cycles;  // likewise, of the NPU
};

// One line of JSON, and back; an error for other text.
std::string ToText(const Observed& observed);
litert::Expected<Observed> ParseObserved(std::string_view text);
// Whether there was a trial at all: the model met the plugin, and something was selected.
bool IsOnNpu(Ending ending);
// Of a trial's process: its report, or how it died.
Observed ObservedIn(const ChildOutcome& outcome);

struct Symptom {
  enum class Limit { kNone, kRunMs, kCycles };

  Ending ending = Ending::kFine;
  Limit limit = Limit::kNone;  // of slower-than; `ending` is kFine
  double amount = 0;
  std::string message;        // stands in the trial's message; empty: any
  std::optional<int> signal;  // kCrashes: this one

  bool IsShownBy(const Observed& observed) const;
  bool needs_times() const { return limit != Limit::kNone; }
  // "differs", "slower-than 5ms".
  std::string ToString() const;
};

// "compile-fails", "slower-than 5ms", "slower-than=2e6cycles"; units ns, us, ms (also where none
// stands), s and cycles.
litert::Expected<Symptom> ParseSymptom(std::string_view text);

// Whether `word` goes on with a value of --while that so far is `value`.
bool BelongsToSymptom(std::string_view value, std::string_view word);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_REDUCE_SYMPTOM_H_
