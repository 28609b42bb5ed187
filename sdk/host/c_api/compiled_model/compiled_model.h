// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// LiteRT's compiled model over npukit's session.

#ifndef NPUKIT_SDK_HOST_C_API_COMPILED_MODEL_COMPILED_MODEL_H_
#define NPUKIT_SDK_HOST_C_API_COMPILED_MODEL_COMPILED_MODEL_H_

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/internal/litert_scheduling_info.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_profiler.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/c_api/compiled_model/run_queue.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/session/session.h"

namespace npukit {

// What is wrong with a buffer or shape for an input or output, with its name.
litert::Unexpected BadBuffer(const PortInfo& port, const std::string& what);

}  // namespace npukit

// One thread at a time. Whatever looks at the session waits for the asynchronous runs first.
class LiteRtCompiledModelT {
 public:
  // Takes the folders of plugins and dispatch libraries from the environment, which may be null.
  // The model is copied, its buffers are shared. Errors: those of a session; the options ask for
  // the NPU alone and an op has to stay on the CPU.
  static litert::Expected<std::unique_ptr<LiteRtCompiledModelT>> Create(
      LiteRtEnvironment environment, const npukit::Model& model, LiteRtOptions options);
  ~LiteRtCompiledModelT();

  LiteRtEnvironment environment() const { return environment_; }
  bool IsFullyAccelerated() const;

  // -- Signatures: in the file's order; a model without one has a single nameless one -------------

  // IndexOOB for a signature that is not there.
  litert::Expected<npukit::SignatureRunner*> Runner(size_t signature);
  // Lent until an input is resized, or a run has changed the size of what it is about and this is
  // asked again.
  litert::Expected<LiteRtTensorBufferRequirements> Requirements(size_t signature, bool is_input,
                                                                size_t index);
  // Makes the session anew. `strict`: only dimensions that the model as given leaves open may change.
  litert::Expected<void> Resize(size_t signature, size_t input, std::span<const int> dims,
                                bool strict);

  // -- Running ------------------------------------------------------------------------------------

  // What differs in one run.
  struct RunSettings {
    LiteRtOptions options = nullptr;                   // lasts until the run has ended
    const LiteRtSchedulingInfo* scheduling = nullptr;  // null: that of all runs
  };
  // Waits for the inputs' events first. Errors: buffers that do not fit, by name; what the run
  // gives; kLiteRtStatusCancelled.
  litert::Expected<void> RunWith(size_t signature, std::span<const LiteRtTensorBuffer> inputs,
                                 std::span<const LiteRtTensorBuffer> outputs,
                                 const RunSettings& settings);
  // Of all runs; null for none.
  litert::Expected<void> SetScheduling(const LiteRtSchedulingInfo* info);
  // Returns while the run is under way, if all of the model's dispatch libraries run
  // asynchronously; `*is_async` says so, and each output has an event then, whose status is the
  // run's. Runs come one after the other. What does not fit is told at once. `on_error` is called
  // by the run.
  litert::Expected<void> RunAsync(size_t signature, std::span<const LiteRtTensorBuffer> inputs,
                                  std::span<const LiteRtTensorBuffer> outputs,
                                  const RunSettings& settings, bool* is_async,
                                  void (*on_error)(LiteRtCompiledModel, const litert::Error&));
  void SetCancellation(void* data, bool (*is_cancelled)(void*)) {
    Settle();
    cancellation_data_ = data;
    is_cancelled_ = is_cancelled;
  }

  // -- Observing ----------------------------------------------------------------------------------

  litert::Expected<void> StartMetrics(int detail_level);
  litert::Expected<void> StopMetrics(LiteRtMetrics metrics);
  // Made at first use; owned.
  LiteRtProfiler profiler();

  // Keeps a message, prints it or drops it, as the program's options say; by default it is kept.
  // On any thread: waits for no run, as a run may wait for the caller.
  void Report(const std::string& message);
  // What was kept, of runs that have ended too. Errors, as in LiteRT: InvalidArgument if nothing is
  // reported, Unsupported if it is printed.
  litert::Expected<std::string> Errors() const;
  litert::Expected<void> ClearErrors();
  // By signature and key.
  bool HasSignature(size_t signature) const { return KeyOf(signature).HasValue(); }
  std::map<std::pair<size_t, std::string>, std::string>& annotations() { return annotations_; }

 private:
  LiteRtCompiledModelT() = default;
  struct AsyncRun;

  void Settle() { runs_.WaitUntilIdle(); }
  litert::Expected<void> CheckKeepsErrors() const;
  litert::Expected<npukit::SignatureRunner*> KnownRunner(size_t signature);
  litert::Expected<void> CheckCounts(size_t signature, size_t num_inputs, size_t num_outputs);
  // With no asynchronous run under way, or as one.
  litert::Expected<void> RunNow(npukit::SignatureRunner& runner,
                                std::span<const LiteRtTensorBuffer> inputs,
                                std::span<const LiteRtTensorBuffer> outputs,
                                const RunSettings& settings);
  litert::Expected<void> Compute(npukit::SignatureRunner& runner,
                                 std::span<const LiteRtTensorBuffer> inputs,
                                 std::span<const LiteRtTensorBuffer> outputs);
  litert::Expected<void> OpenSession();
  litert::Expected<std::string> KeyOf(size_t signature) const;
  const npukit::Subgraph& GivenSubgraph(size_t signature) const;
  bool IsCancelled() const { return is_cancelled_ != nullptr && is_cancelled_(cancellation_data_); }
  void DropRequirements();

  LiteRtEnvironment environment_ = nullptr;
  std::unique_ptr<npukit::Model> model_;            // as given
  std::unique_ptr<LiteRtOptionsT> plugin_options_;  // null: none were given
  npukit::SessionOptions options_;
  bool cpu_is_allowed_ = true;
  std::unique_ptr<npukit::Session> session_;
  struct Lent {
    LiteRtTensorBufferRequirements requirements = nullptr;
    size_t size_bytes = 0;
  };
  std::map<std::pair<size_t, size_t>, Lent> requirements_;
  bool (*is_cancelled_)(void*) = nullptr;
  void* cancellation_data_ = nullptr;
  std::optional<int> metrics_level_;  // nullopt: no collection was started
  std::optional<LiteRtSchedulingInfo> scheduling_;
  std::map<size_t, npukit::SignatureRunner*> runners_;  // of the session, by signature
  LiteRtProfiler profiler_ = nullptr;
  LiteRtErrorReporterMode error_reporter_ = kLiteRtErrorReporterModeBuffer;
  mutable std::mutex errors_mutex_;
  std::string errors_;
  std::map<std::pair<size_t, std::string>, std::string> annotations_;
  npukit::RunQueue runs_;  // ends before what its runs use
};

#endif  // NPUKIT_SDK_HOST_C_API_COMPILED_MODEL_COMPILED_MODEL_H_
