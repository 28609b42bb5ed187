// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is different between two runs.

#ifndef NPUKIT_CONFORMANCE_VERDICT_CHANGES_H_
#define NPUKIT_CONFORMANCE_VERDICT_CHANGES_H_

#include <string>
#include <string_view>
#include <vector>

#include "conformance/verdict/case_result.h"

namespace npukit::conformance {

struct Change {
  enum class Kind {
    kNewFailure,    // failed now, did not before
    kFixed,         // failed before, passes now
    kOtherFailure,  // fails for another reason
    kOtherResult,   // skipped where it passed, and the like
    kNumber,        // same result, another number of cycles or a larger part of the bound
    kAdded,         // was not there before
    kGone,          // is not there any more
  };
  Kind kind = Kind::kOtherResult;
  std::string name;
  std::string detail;  // "passed -> failed: elem 3 is ..."
};
std::string_view ChangeName(Change::Kind kind);  // "new failure", ...

// In the order of the kinds, then of the new run. Results not run on either side say nothing.
std::vector<Change> Compare(const std::vector<CaseResult>& before,
                            const std::vector<CaseResult>& after);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_VERDICT_CHANGES_H_
