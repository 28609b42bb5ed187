// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What cases cost in an earlier run, recorded in a file, against what they cost in this one.

#ifndef NPUKIT_CONFORMANCE_VERDICT_BASELINE_H_
#define NPUKIT_CONFORMANCE_VERDICT_BASELINE_H_

#include <map>
#include <string>
#include <vector>

#include "conformance/spec/claims/claims.h"
#include "conformance/verdict/case_result.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// Numbers by their names in conformance/observation/run_costs.h.
using Costs = std::map<std::string, double>;

struct Baseline {
  std::string file;
  std::string manufacturer;
  double allowed_growth = 0;  // a part: 0.02 allows two percent more
  bool exact = false;         // less is told, too, and so is each other metric: a simulator's
  std::map<std::string, Costs> cases;  // by name, "models/resnet_int8"
};

// InvalidArgument with "file: ..." for what is no baseline.
litert::Expected<Baseline> ParseBaseline(const std::string& text, const std::string& file);
// Of that file. An error, too, where it is another vendor's.
litert::Expected<Baseline> LoadBaseline(const std::string& path, const std::string& manufacturer);
// A line for each case.
std::string WriteBaseline(const Baseline& baseline);

// Of the results that measured, and passed. What is allowed is what the baseline before it allowed.
Baseline RecordBaseline(const std::string& manufacturer, const Baseline& before,
                        const std::vector<CaseResult>& results);

// A result "<case>/performance.baseline" for each case of the baseline that this run measured:
// failed if it costs more than recorded and allowed, or, of an exact baseline, anything else, unless
// the claims expect it. Numbers: cycles and baseline_cycles, and in the same way what differs.
std::vector<CaseResult> JudgeBaseline(const Baseline& baseline,
                                      const std::vector<CaseResult>& results, const Claims& claims);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_VERDICT_BASELINE_H_
