// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_DEVICE_H_
#define NPUKIT_DEVICE_H_

// The base classes of a dispatch library. See npukit/dispatch.h.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "litert/c/internal/litert_custom_tensor_buffer_handlers_def.h"
#include "litert/c/internal/litert_scheduling_info.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_custom_tensor_buffer.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_ranked_tensor_type.h"
#include "npukit/dispatch_types.h"
#include "npukit/internal/namespace.h"

#if __has_include("litert/c/litert_profiler_types.h")
#include "litert/c/litert_profiler_types.h"
#else  // LiteRT 2.2.0's own headers, beside which `npukit new --upstream` puts ours.
#include "npukit/litert_c/litert_profiler_types.h"
#endif

NPUKIT_NAMESPACE_BEGIN

// One entry point of one module, ready to run. The boundary lets one thread at
// a time call an object; different objects, also of one device, are called by
// several threads at once.
class Invocation {
 public:
  Invocation() = default;
  Invocation(const Invocation&) = delete;
  Invocation& operator=(const Invocation&) = delete;
  virtual ~Invocation() = default;

  // Runs to the end. The views, one for each input and output in order, are
  // valid during the call. Inputs must not be written. May be called any number
  // of times, with other memory.
  virtual ::litert::Expected<void> Run(InputViews inputs, OutputViews outputs) = 0;

  // What the buffer of an input or output of the given type must be. Default:
  // host memory for the dense tensor.
  virtual ::litert::Expected<BufferRequirements> InputRequirements(
      size_t input, const ::litert::RankedTensorType& type) {
    (void)input;
    return DenseHostMemory(type);
  }
  virtual ::litert::Expected<BufferRequirements> OutputRequirements(
      size_t output, const ::litert::RankedTensorType& type) {
    (void)output;
    return DenseHostMemory(type);
  }

  // Bytes of an output, for the memory between the nodes of a graph, whose views
  // have no type. Only a device with kRunsGraphs needs it.
  virtual ::litert::Expected<size_t> OutputBytes(size_t output) {
    (void)output;
    return Unsupported("the size of an output is not known");
  }

  // Only with kHasScratchpads: where the run that follows has its working memory, as long and aligned as
  // ScratchpadRequirements() asked for, valid during that run, with any contents. Null data: the host
  // gave none, and the device brings its own.
  virtual void UseScratchpad(const ScratchpadView& memory) { (void)memory; }

  // Starts measuring, with more detail the higher the level (from 0); stops and
  // gives what was measured since. By themselves they measure nothing.
  virtual ::litert::Expected<void> StartMetrics(int detail_level) {
    (void)detail_level;
    return {};
  }
  virtual ::litert::Expected<std::vector<Metric>> StopMetrics() { return std::vector<Metric>(); }

  // Per-invocation options and scheduling; null resets. Only called where the device
  // says so: kTakesOptions, kTakesScheduling.
  virtual ::litert::Expected<void> SetOptions(LiteRtOptions options) {
    (void)options;
    return Unsupported("options per invocation are not supported");
  }
  virtual ::litert::Expected<void> SetScheduling(const LiteRtSchedulingInfo* info) {
    (void)info;
    return Unsupported("scheduling is not supported");
  }

  // For npukit/delegate_debug.h, all about the last Run(). `record` is a set of
  // NpukitRecord bits.
  virtual ::litert::Expected<void> SetRecording(uint32_t record) {
    if (record == 0) return {};
    return ::litert::Unexpected(kLiteRtStatusErrorUnsupported);  // optional: not logged
  }
  virtual ::litert::internal::Span<const ProfileEvent> Profile() const { return {}; }
  // Default: the message of the error that Run() returned, at no handle.
  virtual InvocationError LastError() const { return last_error_; }
  virtual ::litert::Expected<Intermediate> GetIntermediate(uint32_t handle, size_t output) {
    (void)handle;
    (void)output;
    return ::litert::Unexpected(::litert::Status::kErrorNotFound,
                                "intermediate values are not recorded");
  }

  static ::litert::Expected<BufferRequirements> DenseHostMemory(
      const ::litert::RankedTensorType& type) {
    const auto size_bytes = type.Bytes();
    if (!size_bytes) return size_bytes.Error();
    BufferRequirements requirements;
    requirements.size_bytes = *size_bytes;
    return requirements;
  }

  // For the boundary.
  void SetLastError(InvocationError error) { last_error_ = std::move(error); }

 private:
  static ::litert::Unexpected Unsupported(const char* what) {
    return ::litert::Unexpected(::litert::Status::kErrorUnsupported, what);
  }

  InvocationError last_error_;
};

// A piece of hardware, or the right to use it. A vendor's class derives from
// this and has, besides its overrides,
//
//   static constexpr const char* kVendorId = "Contoso";
//   static constexpr const char* kBuildId = "1.2.3";
//   static litert::Expected<std::unique_ptr<ContosoDevice>> Open(
//       const npukit::DeviceConfig& config);
//
// Open() fails with a reason if the hardware is not there. Called by several
// threads at once. Outlives its invocations.
//
// With kRunsAsync = true the library has the asynchronous interface: the
// boundary queues the runs of a device on a thread of its own, where each calls
// Run() once the events of its inputs are signalled.
//
// With kRunsGraphs = true it has the graph interface: the boundary loads an
// invocation for each node and runs them one after the other; its invocations
// then know their OutputBytes().
//
// With kHasScratchpads = true, too, a host of September 2026 or later may bring the working memory of an
// entry point, and share it between those that never run at the same time: ScratchpadRequirements()
// says how much, UseScratchpad() of the invocation where. Runs that were given the same memory never
// run at once.
//
// With kHasHooks = true the host tells it of the life of a model by OnHook(), in LiteRT from main of
// August 2026 on.
//
// With kBufferHandlers = the address of a constant the library brings functions for tensor buffers in
// memory of its own, which hosts from 2.2.0 on make, lock and destroy through them; requirements may
// then name their types. Earlier hosts have host memory alone.
//
// With kTakesOptions = true its invocations override SetOptions(), with kTakesScheduling = true
// SetScheduling(). Otherwise the library's table leaves the two functions null, as LiteRT allows: it
// calls them before every run, and what fails there is an error in its log each time.
class Device {
 public:
  static constexpr bool kRunsAsync = false;
  static constexpr bool kRunsGraphs = false;
  static constexpr bool kHasScratchpads = false;
  static constexpr bool kTakesOptions = false;
  static constexpr bool kTakesScheduling = false;
  static constexpr bool kHasHooks = false;
  static constexpr const LiteRtCustomTensorBufferHandlersDef* kBufferHandlers = nullptr;

  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  // Makes an entry point of a module ready to run. The bytecode may be anything:
  // verify it, and answer with an error if it is not yours.
  virtual ::litert::Expected<std::unique_ptr<Invocation>> Load(const LoadRequest& request) = 0;

  // Looks at a module before a graph names its entry points. By default it
  // takes all: Load() refuses those that it cannot run.
  virtual ::litert::Expected<void> CheckModule(LiteRtDispatchExecutableType type,
                                               ::litert::internal::Span<const uint8_t> bytecode) {
    (void)type;
    (void)bytecode;
    return {};
  }

  // With kHasScratchpads: the working memory that an entry point needs for a run, beside its inputs, outputs
  // and constants; 0 bytes: none. The request has no numbers of inputs and outputs.
  virtual ::litert::Expected<BufferRequirements> ScratchpadRequirements(
      const LoadRequest& request) {
    (void)request;
    return BufferRequirements{};
  }

  // For devices that must map memory before they use it: called for each
  // buffer, whose memory stays valid until Unregister(). The returned number
  // comes back with each view of the buffer.
  virtual ::litert::Expected<uint64_t> Register(LiteRtTensorBuffer buffer) {
    (void)buffer;
    return uint64_t{0};
  }
  virtual ::litert::Expected<void> Unregister(uint64_t registration) {
    (void)registration;
    return {};
  }

  // With kBufferHandlers: where a buffer lies that they made, by its handle, for runs that go on after
  // the call that starts them and may hold no lock. Null: only a lock gives it, and such a run ends
  // before the call.
  virtual void* AddressOf(HwMemoryHandle memory) const {
    (void)memory;
    return nullptr;
  }

  // With kHasHooks: whether to be called at all, asked once. LiteRT keeps a profiler of half a million
  // events for a model with hooks.
  virtual bool WantsHooks() const { return true; }

  // A model was begun or is done loading, a run begins or has ended, or the model goes
  // (litert/c/litert_profiler_types.h). Called on the thread that does it; types that are not
  // known are to be passed over. Must not throw.
  virtual void OnHook(LiteRtHookType type) { (void)type; }

  // Forgets the specs that were set: a new set of them follows, or none.
  virtual void ClearSpecs() {}
  // A compile spec for the invocations that are loaded after it; see
  // npukit/compile_spec.h. The bytes are valid during the call.
  virtual ::litert::Expected<void> SetSpec(const std::string& key,
                                           ::litert::internal::Span<const uint8_t> bytes) {
    (void)bytes;
    return ::litert::Unexpected(::litert::Status::kErrorUnsupported,
                                "unknown compile spec '" + key + "'");
  }
};

NPUKIT_NAMESPACE_END

#endif  // NPUKIT_DEVICE_H_
