// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Cycles of earlier runs, recorded in a file, against those of this one.

#ifndef NPUKIT_CONFORMANCE_VERDICT_BASELINE_H_
#define NPUKIT_CONFORMANCE_VERDICT_BASELINE_H_

#include <map>
#include <string>
#include <vector>

#include "conformance/spec/claims/claims.h"
#include "conformance/verdict/case_result.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

struct Baseline {
  std::string file;
  std::string manufacturer;
  double allowed_growth = 0;             // a part: 0.02 allows two percent more
  std::map<std::string, double> cycles;  // by case, "models/resnet_int8"
};

// InvalidArgument with "file: ..." for what is no baseline.
litert::Expected<Baseline> ParseBaseline(const std::string& text, const std::string& file);
std::string WriteBaseline(const Baseline& baseline);

// Of the results of performance.cycles_repeatable that passed. `allowed_growth` is that of the
// baseline before it.
Baseline RecordBaseline(const std::string& manufacturer, double allowed_growth,
                        const std::vector<CaseResult>& results);

// A result "<case>/performance.baseline" for each case of the baseline that this run measured:
// failed if it takes more cycles than recorded and allowed, unless the claims expect it. Numbers:
// cycles, baseline_cycles.
std::vector<CaseResult> JudgeBaseline(const Baseline& baseline,
                                      const std::vector<CaseResult>& results, const Claims& claims);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_VERDICT_BASELINE_H_
