// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A case's model through the whole host: compiled ahead of time or in memory, run, and each
// partition's values held against the oracle with the inputs that it really had.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_HOST_RUN_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_HOST_RUN_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/oracle/sum_statistics.h"
#include "conformance/runner/checks/workbench.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/host/session/session.h"

namespace npukit::conformance {

// A compiled model and the bodies of its partitions.
struct CompiledCase {
  std::unique_ptr<Model> model;
  // Subgraph i is what dispatch op i computes, counted in model order.
  std::unique_ptr<Model> bodies;
};

// As `npukit apply` cuts it, or each op by itself, so that its inputs and outputs are seen.
enum class Cut { kAsUsers, kOpByOp };

// Those of `npukit apply` without flags, but for the cut and the run's compile specs.
ApplyOptions ApplyOptionsFor(const PluginUnderTest& under_test, Cut cut);
// Those of `npukit run` with --plugin-dir and --plugin, and the run's compile specs.
SessionOptions SessionOptionsFor(const PluginUnderTest& under_test);

// The file that `npukit apply` writes of the model. An error if nothing was selected.
litert::Expected<std::vector<uint8_t>> CompileToFile(const Model& model, const LoadedPlugin& plugin,
                                                     const ApplyOptions& options);

// The same in a process of its own, as vendors' users have it: bytecode that works only beside its
// compiler does not run here. Empty if that process came to no end of its own: here it will come to
// the same one, and the runner sees it.
litert::Expected<std::vector<uint8_t>> CompileInWorker(Workbench& bench, const Model& model,
                                                       Cut cut);

// The case's model, compiled to a file and read back, in this process.
litert::Expected<CompiledCase> CompileAhead(Workbench& bench);

enum class RunMode { kAheadOfTime, kJustInTime };
// Takes the model.
litert::Expected<std::unique_ptr<Session>> OpenSession(Workbench& bench,
                                                       std::unique_ptr<Model> model, RunMode mode);

// Signature keys of the session, or one empty key.
std::vector<std::string> RunnerKeys(const Session& session);

// The values of the case's pattern `index`, in the order of the runner's inputs.
litert::Expected<InputSet> InputsFor(Workbench& bench, const SignatureRunner& runner, size_t index);
// Sets all inputs to them and runs.
litert::Expected<void> RunWithInputs(Workbench& bench, SignatureRunner& runner, size_t index);
std::vector<std::vector<uint8_t>> Outputs(const SignatureRunner& runner);

// How near a run came to the oracle.
struct Judgement {
  std::string problem;          // empty: within the bounds
  double worst_bound_use = 0;   // of floats, 1 is the limit
  std::string worst_where;      // of worst_bound_use: the element, its values; empty if it is 0
  double worst_difference = 0;  // absolute; steps for integers
  size_t partitions = 0;        // that were compared
  std::string not_judged;       // why a partition was left out
  // A partition of floats was left out because its bounds are as large as its values, or infinite.
  // Or one that holds several ops, of which one rounds once: what it hands on can't be known.
  bool unbounded = false;
  int64_t rounded_once = 0;  // elements that are right by a claim of `rounding: once` alone
};
struct ObservedRun;
// Statistics of sums over several runs, by the number of a partition of one op.
using SumsByPartition = std::map<size_t, SumStatistics>;
// Of a run whose partitions have these bodies; values have their sizes. `sums`, if not null, gathers
// what partitions of one sum err. In a worker, whose verdict is discarded, only what decides about
// `unbounded` is compared.
litert::Expected<Judgement> JudgePartitions(const Workbench& bench, const ObservedRun& run,
                                            const Model& bodies, SumsByPartition* sums = nullptr);

// Dispatch ops in the order of CompiledCase's bodies; null for those that the runner does not run.
std::vector<const Op*> DispatchOpsOf(const Session& session, const SignatureRunner& runner);

// A deep copy, by way of bytes.
litert::Expected<std::unique_ptr<Model>> CopyThroughFile(const Model& model);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_HOST_RUN_H_
