// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The memory that Mimic's functions work in, which the host may bring: as long as their outputs, which
// are computed there.

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "conformance/faulty_plugins/fault.h"
#include "conformance/faulty_plugins/mimic_bytecode.h"
#include "conformance/faulty_plugins/mimic_graph.h"
#include "conformance/faulty_plugins/mimic_objects.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/session/session.h"

namespace npukit::conformance::mimic {
namespace {

using Key = std::pair<LiteRtDispatchExecutableHandle, std::string>;
std::mutex scratchpads_mutex;
std::map<Key, LiteRtTensorBufferHandle> scratchpads;

Key KeyOf(LiteRtDispatchExecutableHandle executable, const std::string& function) {
  if (Has(Fault::queried_scratchpads_one_for_all)) return {0, ""};
  return {executable, Has(Fault::queried_scratchpads_by_executable) ? "" : function};
}

}  // namespace

LiteRtTensorBufferHandle ScratchpadOf(LiteRtDispatchExecutableHandle executable,
                                      const std::string& function) {
  const std::lock_guard<std::mutex> lock(scratchpads_mutex);
  const auto found = scratchpads.find(KeyOf(executable, function));
  return found != scratchpads.end() ? found->second : 0;
}

#if defined(NPUKIT_ABI_2_3)
namespace {

litert::Expected<size_t> BytesFor(LiteRtDispatchExecutableHandle executable, const char* function) {
  const auto bytecode = BytecodeOf(executable);
  if (!bytecode || function == nullptr)
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "no executable, or no function");
  LITERT_ASSIGN_OR_RETURN(auto decoded, DecodeBytecode(*bytecode));
  if (decoded.model == nullptr) return size_t{0};
  LITERT_ASSIGN_OR_RETURN(auto session,
                          Session::Create(std::move(decoded.model), SessionOptions{}));
  const auto runner = session->Runner(function);
  if (!runner && Has(Fault::queried_scratchpad_of_any_function)) return size_t{16};
  if (!runner) return runner.Error();
  size_t size_bytes = 0;
  for (const PortInfo& port : (*runner)->outputs()) size_bytes += port.size_bytes;
  return size_bytes;
}

LiteRtStatus GetRequirements(LiteRtDispatchDeviceContext device,
                             LiteRtDispatchExecutableHandle executable, const char* function,
                             LiteRtTensorBufferRequirements* out) {
  if (!IsDevice(device)) return kLiteRtStatusErrorInvalidArgument;
  if (out == nullptr && !Has(Fault::queried_scratchpad_null_crash))
    return kLiteRtStatusErrorInvalidArgument;
  const auto needed = BytesFor(executable, function);
  if (!needed) return needed.Error().Status();
  static size_t calls = 0;
  const size_t size_bytes = *needed + (Has(Fault::queried_scratchpad_grows) ? ++calls : 0);
  const LiteRtTensorBufferType type = Has(Fault::queried_scratchpad_elsewhere)
                                          ? kLiteRtTensorBufferTypeAhwb
                                          : kLiteRtTensorBufferTypeHostMemory;
  LiteRtTensorBufferRequirements made = nullptr;
  const LiteRtStatus status = LiteRtCreateTensorBufferRequirementsWithAlignment(
      1, &type, size_bytes, 0, nullptr, Has(Fault::queried_scratchpad_alignment) ? 48 : 64, &made);
  *out = made;
  return status;
}

LiteRtStatus Attach(LiteRtDispatchDeviceContext device, LiteRtDispatchExecutableHandle executable,
                    const char* function, LiteRtTensorBufferHandle handle) {
  if (!IsDevice(device)) return kLiteRtStatusErrorInvalidArgument;
  const auto needed = BytesFor(executable, function);
  if (!needed) return needed.Error().Status();
  size_t size_bytes = 0;
  {
    const std::lock_guard<std::mutex> lock(handles_mutex);
    const auto found = device->buffers.find(handle);
    if (found == device->buffers.end()) return kLiteRtStatusErrorNotFound;
    LiteRtGetTensorBufferSize(found->second, &size_bytes);
  }
  if (size_bytes < *needed && !Has(Fault::queried_scratchpad_too_small))
    return kLiteRtStatusErrorInvalidArgument;
  const std::lock_guard<std::mutex> lock(scratchpads_mutex);
  LiteRtTensorBufferHandle& attached = scratchpads[KeyOf(executable, function)];
  if (attached == 0 || !Has(Fault::queried_scratchpad_kept)) attached = handle;
  return kLiteRtStatusOk;
}

}  // namespace

void AddScratchpadFunctions(LiteRtDispatchGraphInterface_V1& table) {
  if (Has(Fault::queried_scratchpad_without_functions)) return;
  table.get_scratchpad_requirements = GetRequirements;
  table.attach_scratchpad_buffer = Attach;
}
#endif

}  // namespace npukit::conformance::mimic
