// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One partition of a case, ready to run on the vendor's dispatch library.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_PARTITION_BENCH_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_PARTITION_BENCH_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/vendor/attached_invocation.h"
#include "conformance/runner/vendor/bytecode.h"
#include "conformance/runner/vendor/vendor_device.h"
#include "conformance/runner/vendor/vendor_invocation.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

using OutputSet = std::vector<std::vector<uint8_t>>;

// Everything needed to load partition `index` again and again. Keeps references to the workbench's
// parts.
struct PartitionSource {
  const Subgraph* body = nullptr;
  const Model* bodies = nullptr;
  const std::vector<uint8_t>* module = nullptr;
  std::string entry_point;
  std::vector<DispatchPort> ports;

  size_t num_inputs() const { return body->inputs.size(); }
  size_t num_outputs() const { return body->outputs.size(); }
};

// The inputs and outputs of a partition.
litert::Expected<std::vector<DispatchPort>> PortsOf(const Subgraph& body);

// Of a compiled model's partitions, which must outlive what is returned.
litert::Expected<std::vector<PartitionSource>> SourcesOf(const PartitionedModel& partitioned,
                                                         const Artifacts& artifacts);

// Of each partition; beyond the fourth they are left out, so that a case's time stays bounded.
litert::Expected<std::vector<PartitionSource>> PartitionSources(Workbench& bench);

// A partition loaded, with its buffers, in the order in which it must be closed.
class PartitionInvocation {
 public:
  static litert::Expected<std::unique_ptr<PartitionInvocation>> Load(
      VendorDevice& device, const PartitionSource& source,
      GuardedMemory::At at = GuardedMemory::At::kEnd, std::span<const SharedPort> shared = {});
  // In order: buffers, invocation. Errors of any of them.
  litert::Expected<void> Close();

  VendorInvocation& invocation() { return *invocation_; }
  AttachedInvocation& attached() { return *attached_; }
  litert::Expected<OutputSet> Run(const InputSet& inputs, uint8_t output_fill = 0x5a) {
    return attached_->Run(inputs, output_fill);
  }

 private:
  explicit PartitionInvocation(Bytecode bytecode) : bytecode_(std::move(bytecode)) {}
  Bytecode bytecode_;
  std::unique_ptr<VendorInvocation> invocation_;
  std::unique_ptr<AttachedInvocation> attached_;
};

// How outputs lie outside the oracle's bounds; empty if they do not, and in a worker whose
// observations are judged elsewhere. Unsupported if there is no oracle.
litert::Expected<std::string> OracleProblem(const Workbench& bench, const PartitionSource& source,
                                            const InputSet& inputs, const OutputSet& outputs);

// What a fresh device and invocation give for the inputs: what other ways of running are compared
// with.
litert::Expected<OutputSet> RunFresh(Workbench& bench, const PartitionSource& source,
                                     const InputSet& inputs);

// Outputs of a fresh invocation for a number of input sets, all random.
struct FreshRuns {
  std::vector<InputSet> inputs;
  std::vector<OutputSet> outputs;
};
litert::Expected<FreshRuns> MakeFreshRuns(Workbench& bench, const PartitionSource& source,
                                          size_t count);

litert::Expected<std::unique_ptr<VendorDevice>> OpenDevice(Workbench& bench);

// Calls `check` for each partition and puts its number before what fails. A skip where all are
// skipped; numbers of one name are added up.
CheckAnswer ForEachPartition(Workbench& bench,
                             const std::function<CheckAnswer(const PartitionSource&)>& check);

// What one thread saw of runs beside others: outputs that differ, in the order in which they came.
struct ThreadRuns {
  std::string error;  // empty: it came to its end
  std::vector<OutputSet> outputs;
  void Add(OutputSet set);
  static auto Fields(auto& self) { return std::tie(self.error, self.outputs); }
  // How it is not that one set of outputs alone; empty if it is.
  std::string Problem(const OutputSet& expected) const;
};

// So many runs on one of several threads, of which `busy` have runs to do; and more until none has, so that
// all have company however short a run is.
void RunInCompany(PartitionInvocation& loaded, const InputSet& inputs, int runs,
                  std::atomic<int>& busy, ThreadRuns& observed);

// "output 0 differs from byte 12 on"; empty if equal.
std::string OutputDifference(const OutputSet& expected, const OutputSet& actual);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_PARTITION_BENCH_H_
