// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A compiled case as it is seen to run. In the worker it is a session on the vendor's libraries; where
// observations are judged there is none, and its runs are those that were noted.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_OBSERVED_RUN_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_OBSERVED_RUN_H_

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/observation/run_costs.h"
#include "conformance/runner/checks/host_run.h"
#include "conformance/runner/checks/workbench.h"
#include "conformance/runner/vendor/guarded_memory.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/partition/partition_model.h"
#include "sdk/host/session/session.h"

namespace npukit::conformance {

using OutputSet = std::vector<std::vector<uint8_t>>;

// One run: facts, no opinion.
struct ObservedRun {
  struct Call {
    bool ran = false;
    std::string entry_point;
    InputSet inputs;
    OutputSet outputs;
    std::vector<OutputSet> again;  // of more runs with the same buffers and inputs
    std::string stray;             // what was written outside the buffers, between guard pages
    static auto Fields(auto& self) {
      return std::tie(self.ran, self.entry_point, self.inputs, self.outputs, self.again,
                      self.stray);
    }
  };
  std::vector<Call> calls;  // of each partition
  OutputSet outputs;        // of the signature
  RunCosts costs;           // where they were asked for
  static auto Fields(auto& self) { return std::tie(self.calls, self.outputs, self.costs); }
};

// A case's model, compiled, and what its partitions compute.
struct ObservedCase {
  std::unique_ptr<Model> model;  // null where observations are judged
  PartitionedModel parts;        // of the source model, by what was seen to be selected
};

// Where a model is compiled that runs in this process.
enum class Compiler {
  kElsewhere,  // in another process, as users do ahead of time
  kHere,       // for checks of values: another process would cost as much as all the rest
};

// The file that `npukit apply` writes, read back.
litert::Expected<ObservedCase> ObserveCompiled(Workbench& bench, Cut cut = Cut::kAsUsers,
                                               Compiler compiler = Compiler::kElsewhere);

class ObservedSession {
 public:
  enum class Costs { kUnasked, kAsked };

  // Takes the compiled model, or, just in time, a copy of the source.
  static litert::Expected<std::unique_ptr<ObservedSession>> Open(Workbench& bench,
                                                                 std::unique_ptr<Model> model,
                                                                 RunMode mode);

  // Of the source model; one empty key if it has no signatures.
  static litert::Expected<std::vector<std::string>> Keys(Workbench& bench);

  // With the case's pattern `index`. An error if what is said of it can't be: another number of
  // partitions, values of another size, inputs that it did not get.
  litert::Expected<ObservedRun> Run(const std::string& key, size_t index,
                                    const PartitionedModel& parts, Costs costs = Costs::kUnasked);
  // Only `outputs`, of a run whose variables are as before the first one.
  litert::Expected<ObservedRun> RunWhole(const std::string& key, size_t index);
  // After a Run: each partition once more by itself, with the same inputs, in buffers between guard
  // pages.
  litert::Expected<ObservedRun> RunGuarded(const std::string& key, const PartitionedModel& parts,
                                           GuardedMemory::At at);
  // Likewise, those whose outputs may be in inputs' buffers, in these.
  litert::Expected<ObservedRun> RunInPlace(const std::string& key, const PartitionedModel& parts);
  // Whether anything runs on the NPU; else why not.
  const std::string& fallback_reason() const { return fallback_reason_; }
  bool uses_npu() const { return partitions_ > 0; }

 private:
  explicit ObservedSession(Workbench& bench) : bench_(bench) {}
  litert::Expected<ObservedRun> RunNow(const std::string& key, size_t index, bool whole_only,
                                       Costs costs);

  Workbench& bench_;
  std::unique_ptr<Session> session_;
  uint64_t partitions_ = 0;
  std::string fallback_reason_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_OBSERVED_RUN_H_
