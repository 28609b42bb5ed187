// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The check of class dispatch on memory that a library brings for tensor buffers
// (LiteRtCustomTensorBufferHandlersDef), made and mapped as LiteRT does.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/async_run.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/dispatch/client/buffer_handlers.h"

namespace npukit::conformance::checks::dispatch {
namespace {

using OwnBuffer = std::unique_ptr<BufferRegistration>;

constexpr uint8_t kOutputFill = 0x5a;

// The bytes i * step + 1.
std::vector<uint8_t> Pattern(size_t size_bytes, size_t step) {
  std::vector<uint8_t> bytes(size_bytes);
  for (size_t i = 0; i < size_bytes; ++i) bytes[i] = static_cast<uint8_t>(i * step + 1);
  return bytes;
}

litert::Expected<void> Write(const BufferRegistration& buffer, const std::vector<uint8_t>& bytes) {
  return buffer.WhileMapped(kLiteRtTensorBufferLockModeWrite, [&](std::span<uint8_t> mapped) {
    std::copy_n(bytes.begin(), std::min(bytes.size(), mapped.size()), mapped.begin());
  });
}

litert::Expected<std::vector<uint8_t>> Read(const BufferRegistration& buffer, size_t size_bytes) {
  std::vector<uint8_t> bytes;
  LITERT_RETURN_IF_ERROR(
      buffer.WhileMapped(kLiteRtTensorBufferLockModeRead, [&](std::span<uint8_t> mapped) {
        bytes.assign(mapped.begin(),
                     mapped.begin() + static_cast<ptrdiff_t>(std::min(size_bytes, mapped.size())));
      }));
  return bytes;
}

// The steps of the patterns that are written to a buffer, one after the other.
constexpr size_t kPatternSteps[] = {3, 7};

// Whether memory that malloc gives to others lies within the buffer: then the library took less of it
// than the buffer has bytes. Blocks of all kinds of sizes, so that what was left free behind the
// buffer is met.
litert::Expected<bool> IsSharedWithHeap(const BufferRegistration& buffer, size_t size_bytes) {
  constexpr size_t kBlockBytes[] = {4000, 2000, 1000, 480, 240, 112, 48, 24};
  constexpr size_t kBytesOfEach = size_t{512} << 10;
  std::vector<std::unique_ptr<uint8_t[]>> blocks;
  bool is_shared = false;
  LITERT_RETURN_IF_ERROR(
      buffer.WhileMapped(kLiteRtTensorBufferLockModeRead, [&](std::span<uint8_t> mapped) {
        const auto begin = reinterpret_cast<uintptr_t>(mapped.data());
        for (const size_t block_bytes : kBlockBytes) {
          for (size_t sum_bytes = 0; sum_bytes < kBytesOfEach; sum_bytes += block_bytes) {
            blocks.emplace_back(new uint8_t[block_bytes]);
            const auto block = reinterpret_cast<uintptr_t>(blocks.back().get());
            is_shared = is_shared || (block < begin + size_bytes && begin < block + block_bytes);
          }
        }
      }));
  return is_shared;
}

// What a buffer by itself held.
struct ObservedBuffer {
  bool is_shared = false;                      // with what others have of malloc
  std::vector<std::vector<uint8_t>> patterns;  // by kPatternSteps
  uint64_t clear_status = 0;
  std::vector<uint8_t> cleared;
  static auto Fields(auto& self) {
    return std::tie(self.is_shared, self.patterns, self.clear_status, self.cleared);
  }
};

litert::Expected<ObservedBuffer> TryBuffer(const VendorDevice& device, uint64_t type,
                                           const DispatchPort& port) {
  LITERT_ASSIGN_OR_RETURN(
      const OwnBuffer buffer,
      BufferRegistration::CreateOwn(device.device(), device.library().environment(),
                                    static_cast<LiteRtTensorBufferType>(type), port.dense_bytes,
                                    port.type));
  ObservedBuffer observed;
  LITERT_ASSIGN_OR_RETURN(observed.is_shared, IsSharedWithHeap(*buffer, port.dense_bytes));
  if (observed.is_shared) return observed;  // writing would spoil what others have
  for (const size_t step : kPatternSteps) {
    LITERT_RETURN_IF_ERROR(Write(*buffer, Pattern(port.dense_bytes, step)));
    LITERT_ASSIGN_OR_RETURN(observed.patterns.emplace_back(), Read(*buffer, port.dense_bytes));
  }
  const LiteRtStatus cleared = VendorCall("clear_func", LiteRtClearTensorBuffer, buffer->buffer());
  observed.clear_status = static_cast<uint64_t>(cleared);
  LITERT_ASSIGN_OR_RETURN(observed.cleared, Read(*buffer, port.dense_bytes));
  LITERT_RETURN_IF_ERROR(buffer->Close());
  return observed;
}

// What is wrong with it; empty if nothing is.
std::string Problem(const ObservedBuffer& observed, size_t size_bytes) {
  if (observed.is_shared) {
    return fmt::format("malloc gives others memory within its {} bytes: it was made too short",
                       size_bytes);
  }
  if (observed.patterns.size() != std::size(kPatternSteps))
    return "not all that was written is told";
  for (size_t i = 0; i < observed.patterns.size(); ++i) {
    if (observed.patterns[i] != Pattern(size_bytes, kPatternSteps[i]))
      return "what was written between lock and unlock is not there";
  }
  const auto cleared = static_cast<LiteRtStatus>(observed.clear_status);
  if (cleared == kLiteRtStatusErrorUnsupported) return {};
  if (cleared != kLiteRtStatusOk) return "clear_func gave " + StatusText(cleared);
  if (observed.cleared != std::vector<uint8_t>(size_bytes))
    return "a cleared buffer is not all zeros";
  return {};
}

// The ports of an invocation that accept the library's own memory, with buffers in it.
class OwnPorts {
 public:
  static litert::Expected<OwnPorts> Attach(PartitionInvocation& loaded,
                                           const VendorDevice& device) {
    OwnPorts ports(loaded);
    for (const AttachedInvocation::Slot& slot : loaded.attached().slots()) {
      const PortRequirements& requirements = slot.requirements;
      const bool is_own = requirements.own_type != kLiteRtTensorBufferTypeUnknown &&
                          requirements.strides_elems.empty();
      ports.buffers_.push_back(nullptr);
      if (!is_own) continue;
      LITERT_ASSIGN_OR_RETURN(ports.buffers_.back(),
                              BufferRegistration::CreateOwn(
                                  device.device(), device.library().environment(),
                                  requirements.own_type, requirements.size_bytes, slot.port.type));
      ports.any_ = true;
      (void)loaded.invocation().TryDetach(slot.port, slot.buffer->handle());
      const LiteRtStatus status =
          loaded.invocation().TryAttach(slot.port, ports.buffers_.back()->handle());
      if (status != kLiteRtStatusOk) return CallFailed("attaching a buffer in own memory", status);
    }
    return ports;
  }
  bool any() const { return any_; }

  litert::Expected<void> WriteAll(const InputSet& inputs) {
    loaded_->attached().WriteAll(inputs, kOutputFill);
    return ForEach([&](const AttachedInvocation::Slot& slot, const BufferRegistration& buffer) {
      if (slot.port.is_input) return Write(buffer, inputs[static_cast<size_t>(slot.port.index)]);
      return Write(buffer, std::vector<uint8_t>(slot.port.dense_bytes, kOutputFill));
    });
  }
  litert::Expected<OutputSet> ReadAll() {
    OutputSet outputs = loaded_->attached().ReadAll();
    LITERT_RETURN_IF_ERROR(ForEach([&](const AttachedInvocation::Slot& slot,
                                       const BufferRegistration& buffer) -> litert::Expected<void> {
      if (slot.port.is_input) return {};
      LITERT_ASSIGN_OR_RETURN(outputs[static_cast<size_t>(slot.port.index)],
                              Read(buffer, slot.port.dense_bytes));
      return {};
    }));
    return outputs;
  }
  // As it was before, so that who attached can detach.
  litert::Expected<void> Close() {
    return ForEach([&](const AttachedInvocation::Slot& slot,
                       BufferRegistration& buffer) -> litert::Expected<void> {
      const LiteRtStatus detached = loaded_->invocation().TryDetach(slot.port, buffer.handle());
      if (detached != kLiteRtStatusOk)
        return CallFailed("detaching a buffer in own memory", detached);
      (void)loaded_->invocation().TryAttach(slot.port, slot.buffer->handle());
      return buffer.Close();
    });
  }

 private:
  explicit OwnPorts(PartitionInvocation& loaded) : loaded_(&loaded) {}
  template <typename Body>
  litert::Expected<void> ForEach(const Body& body) {
    for (size_t i = 0; i < buffers_.size(); ++i) {
      if (buffers_[i] == nullptr) continue;
      LITERT_RETURN_IF_ERROR(body(loaded_->attached().slots()[i], *buffers_[i]));
    }
    return {};
  }

  PartitionInvocation* loaded_;
  std::vector<OwnBuffer> buffers_;  // by slot; null for host memory
  bool any_ = false;
};

// Runs with buffers in own memory wherever a port accepts it.
struct ObservedRuns {
  bool is_any = false;  // whether a port does
  std::vector<OutputSet> synchronous;
  std::vector<OutputSet> asynchronous;  // empty where the library has none
  static auto Fields(auto& self) {
    return std::tie(self.is_any, self.synchronous, self.asynchronous);
  }
};

litert::Expected<ObservedRuns> TryRuns(PartitionInvocation& loaded, VendorDevice& device,
                                       const PartitionSource& source,
                                       const std::vector<InputSet>& inputs) {
  LITERT_ASSIGN_OR_RETURN(OwnPorts ports, OwnPorts::Attach(loaded, device));
  ObservedRuns observed{.is_any = ports.any(), .synchronous = {}, .asynchronous = {}};
  if (!ports.any()) return observed;
  for (const InputSet& set : inputs) {
    LITERT_RETURN_IF_ERROR(ports.WriteAll(set));
    const LiteRtStatus status = loaded.invocation().TryInvoke();
    if (status != kLiteRtStatusOk) return CallFailed("invoke", status);
    LITERT_ASSIGN_OR_RETURN(observed.synchronous.emplace_back(), ports.ReadAll());
  }
  for (const InputSet& set : inputs) {
    if (!RunsAsynchronously(device, source)) break;
    LITERT_RETURN_IF_ERROR(ports.WriteAll(set));
    LITERT_ASSIGN_OR_RETURN(const RunEvents events,
                            StartRun(loaded.invocation(), source.num_outputs()));
    LITERT_RETURN_IF_ERROR(WaitForAll(events));
    LITERT_ASSIGN_OR_RETURN(observed.asynchronous.emplace_back(), ports.ReadAll());
  }
  LITERT_RETURN_IF_ERROR(ports.Close());
  return observed;
}

std::string Problem(const char* way, const std::vector<OutputSet>& observed,
                    const std::vector<OutputSet>& expected) {
  if (observed.size() != expected.size()) return fmt::format("not all {} runs are told", way);
  for (size_t i = 0; i < observed.size(); ++i) {
    const std::string difference = OutputDifference(expected[i], observed[i]);
    if (!difference.empty())
      return fmt::format("{} run {} in the library's own memory: {}", way, i + 1, difference);
  }
  return {};
}

CheckAnswer RunInOwnMemory(PartitionInvocation& loaded, VendorDevice& device,
                           const PartitionSource& source, const FreshRuns& fresh) {
  LITERT_ASSIGN_OR_RETURN(const ObservedRuns observed,
                          Witness::Get().Observe<ObservedRuns>("runs in own memory", [&] {
                            return TryRuns(loaded, device, source, fresh.inputs);
                          }));
  if (!observed.is_any) return CheckReport::Pass();
  std::string wrong = Problem("synchronous", observed.synchronous, fresh.outputs);
  if (wrong.empty() && !observed.asynchronous.empty())
    wrong = Problem("asynchronous", observed.asynchronous, fresh.outputs);
  NPUKIT_CHECK_THAT(wrong.empty(), std::move(wrong));
  return CheckReport::Pass();
}

using Types = std::vector<uint64_t>;

// Those that the library brings functions for.
litert::Expected<Types> ObserveTypes(const VendorDevice& device) {
  return Witness::Get().Observe<Types>("types of own memory", [&]() -> litert::Expected<Types> {
    const BufferHandlers* const handlers = device.library().tables().buffer_handlers;
    if (handlers == nullptr) return Types();
    const auto types = HandledTypes(*handlers);
    return Types(types.begin(), types.end());
  });
}

// One buffer of each type, as long as the first port.
CheckAnswer KeepsAll(const VendorDevice& device, const Types& types,
                     const PartitionSource& source) {
  const DispatchPort& port = source.ports.front();
  for (const uint64_t type : types) {
    LITERT_ASSIGN_OR_RETURN(const ObservedBuffer observed,
                            Witness::Get().Observe<ObservedBuffer>("a buffer in own memory", [&] {
                              return TryBuffer(device, type, port);
                            }));
    const std::string wrong = Problem(observed, port.dense_bytes);
    NPUKIT_CHECK_THAT(wrong.empty(), fmt::format("a buffer of type {}: {}", type, wrong));
  }
  return CheckReport::Pass();
}

}  // namespace

CheckAnswer own_memory(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const Types types, ObserveTypes(*device));
    if (types.empty()) return CheckReport::Skip("the library brings no memory of its own");
    LITERT_ASSIGN_OR_RETURN(CheckReport report, KeepsAll(*device, types, source));
    if (report.answer == CheckReport::Answer::kFail) return report;
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 3));
    LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
    LITERT_ASSIGN_OR_RETURN(report, RunInOwnMemory(*loaded, *device, source, fresh));
    if (report.answer == CheckReport::Answer::kFail) return report;
    LITERT_RETURN_IF_ERROR(loaded->Close());
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::dispatch
