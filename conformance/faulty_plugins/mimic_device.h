// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mimic's "hardware": runs a partition, or a graph of them, on the host's CPU kernels.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_DEVICE_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_DEVICE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/faulty_plugins/mimic_caches.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/session/session.h"

namespace npukit::conformance::mimic {

// What an invocation context runs. One thread at a time.
class Computation {
 public:
  virtual ~Computation() = default;
  virtual size_t num_inputs() const = 0;
  virtual size_t num_outputs() const = 0;
  // Bytes of a port; 0 for one that a fault let through.
  virtual size_t InputBytes(size_t index) const = 0;
  virtual size_t OutputBytes(size_t index) const = 0;
  // Buffers are as long as their ports; null where none is attached.
  virtual LiteRtStatus Run(const std::vector<uint8_t*>& inputs,
                           const std::vector<uint8_t*>& outputs) = 0;
  virtual uint64_t runs() const = 0;
  // What op `op` of the partition gave in the last run, and its type; empty if there is none.
  virtual std::span<const uint8_t> ResultOf(size_t op, LiteRtRankedTensorType& type) const {
    (void)op;
    (void)type;
    return {};
  }
  // The buffers that its nodes have as scratchpads, and where they lie for the run that follows.
  virtual std::vector<uint64_t> Scratchpads() const { return {}; }
  virtual void UseScratchpads(const std::vector<uint8_t*>& /*memory*/) {}
  // Memory for an inner edge of a graph; none for its own.
  virtual LiteRtStatus BindEdge(uint64_t edge, std::span<uint8_t> memory) {
    (void)edge;
    (void)memory;
    return kLiteRtStatusErrorInvalidArgument;
  }
};

// An entry point made ready to run.
class Program : public Computation {
 public:
  static litert::Expected<std::unique_ptr<Program>> Load(std::span<const uint8_t> bytecode,
                                                         const char* entry_point, size_t num_inputs,
                                                         size_t num_outputs);

  ~Program() override;

  size_t num_inputs() const override { return inputs_; }
  size_t num_outputs() const override { return outputs_; }
  size_t InputBytes(size_t index) const override;
  size_t OutputBytes(size_t index) const override;
  LiteRtStatus Run(const std::vector<uint8_t*>& inputs,
                   const std::vector<uint8_t*>& outputs) override;
  uint64_t runs() const override { return runs_; }
  std::span<const uint8_t> ResultOf(size_t op, LiteRtRankedTensorType& type) const override;

  // How many invocation contexts there are, for faults. Thread-safe.
  static void set_contexts_alive(size_t count);
  // A run did not come about, or ran beside another device's; for faults.
  static void NoteFailedRun();
  void set_crossed(bool crossed) { crossed_ = crossed; }

 private:
  Program() = default;
  void SetInputs(const std::vector<uint8_t*>& inputs, const std::vector<uint8_t*>& outputs);
  // The values of another output, where it has as many.
  void Exchange(size_t index, std::vector<uint8_t>& values) const;
  void CopyOutputs(const std::vector<uint8_t*>& outputs);
  // Whether the program begins with such an op.
  bool Computes(LiteRtOpCode code) const;
  void PlantInMemory(const std::vector<uint8_t*>& inputs);

  std::unique_ptr<Session> session_;   // null for a program that does nothing
  SignatureRunner* runner_ = nullptr;  // of the session
  size_t inputs_ = 0;
  size_t outputs_ = 0;
  uint64_t runs_ = 0;
  bool second_entry_ = false;                      // of its module
  bool marked_ = false;                            // by the header's extra field
  bool second_soc_ = false;                        // compiled for it, and marked so
  bool has_failed_ = false;                        // a run of it
  bool crossed_ = false;                           // another device ran at the same time
  bool same_process_ = false;                      // the bytecode was compiled by this process
  std::vector<std::vector<uint8_t>> kept_inputs_;  // for faults
  std::optional<CacheFaults> caches_;
};

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_DEVICE_H_
