// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A submission taken apart, with this kit's own view of what it must be, and what of it is not so.

#ifndef NPUKIT_CONFORMANCE_RUNNER_SUBMISSION_EXAMINATION_H_
#define NPUKIT_CONFORMANCE_RUNNER_SUBMISSION_EXAMINATION_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/observation/observation_file.h"
#include "conformance/report/json_report.h"
#include "conformance/runner/run_request.h"
#include "conformance/runner/submission/submission.h"
#include "conformance/runner/vendor/plugin_under_test.h"
#include "conformance/spec/claims/waivers.h"
#include "conformance/verdict/baseline.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// What is found; a submission without any is verified.
class Problems {
 public:
  void Add(std::string problem) {
    if (++count_ <= kMost) texts_.push_back(std::move(problem));
  }
  bool empty() const { return count_ == 0; }
  // The first of them.
  std::vector<std::string> texts() const;

 private:
  static constexpr size_t kMost = 20;
  size_t count_ = 0;
  std::vector<std::string> texts_;
};

// A submission with what it is judged by.
struct Examined {
  RunRecord record;
  PluginUnderTest under_test;
  std::optional<Waivers> waivers;
  std::optional<Baseline> baseline;
  std::unique_ptr<RunRequest> request;
  ObservationReader observations;
  size_t judged_again = 0;
};

// Reads what is in it, and makes the plan of its run by this kit's suites. Errors: what can't be read,
// another kit's version, waivers that ended, suites that this kit has not.
litert::Expected<Examined> Examine(const Submission& submission);

// Versions and digests; and that the run was whole.
void CompareIdentity(const Submission& submission, const Examined& examined, Problems& problems);
// Each result of the plan stands once, in its place; the others must be such as follow from them.
void CompareNames(const Examined& examined, Problems& problems);
// What the submission says of the whole, with what follows from its results (`whole`).
void CompareWhole(const Submission& submission, const Examined& examined, const RunRecord& whole,
                  Problems& problems);
// The libraries of a folder, without loading any.
litert::Expected<void> ComparePlugin(const std::string& folder, const RunInfo& info,
                                     Problems& problems);
// Waivers are granted by whoever verifies: those of the file at `path`, or, if it is empty, none.
litert::Expected<void> CompareWaivers(const std::string& path, const Submission& submission,
                                      Problems& problems);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_SUBMISSION_EXAMINATION_H_
