// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: a function of the device's dispatch library, run by the host's own classes.

#ifndef NPUKIT_SDK_REMOTE_TESTING_HOST_RUN_H_
#define NPUKIT_SDK_REMOTE_TESTING_HOST_RUN_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/dispatch/client/buffer_registration.h"
#include "sdk/host/runtime/dispatch/client/dispatch_device.h"
#include "sdk/host/runtime/dispatch/client/dispatch_invocation.h"
#include "sdk/host/runtime/dispatch/dispatch_library.h"
#include "sdk/remote/testing/remote_script.h"

namespace npukit::remote {

struct HostRun {
  std::string error;  // empty: all went well
  std::vector<uint8_t> output;
};

// Of the host's device and invocation of a program with two inputs, of which `first` is the first element, and an output
// of kElems elements, from the device's making to its end: the output after `run`.
template <typename Run>
litert::Expected<std::vector<uint8_t>> TryRunOnHost(const std::string& path,
                                                    const std::string& program, float first,
                                                    Run run) {
  LITERT_ASSIGN_OR_RETURN(const auto library, DispatchLibrary::Load(path));
  LITERT_ASSIGN_OR_RETURN(const auto device,
                          DispatchDevice::Create(library->client(), library->options()));
  LITERT_ASSIGN_OR_RETURN(
      const auto invocation,
      DispatchInvocation::Create(
          *device,
          DispatchExecutable::OfBytecode(
              {reinterpret_cast<const uint8_t*>(program.data()), program.size()}),
          "main", 2, 1));
  alignas(64) float memory[3][16] = {{first, 2, 3, 4, 5}, {10, 20, 30, 40, 50}, {}};
  std::vector<std::unique_ptr<BufferRegistration>> buffers;
  for (int i = 0; i < 3; ++i) {
    LITERT_ASSIGN_OR_RETURN(
        auto buffer,
        BufferRegistration::Create(
            *device, {reinterpret_cast<uint8_t*>(memory[i]), kElems * sizeof(float)}, FloatType()));
    DispatchPort port{};
    port.is_input = i < 2;
    port.index = i % 2;
    port.type = FloatType();
    port.dense_bytes = kElems * sizeof(float);
    LITERT_RETURN_IF_ERROR(invocation->Requirements(port).HasValue()
                               ? litert::Expected<void>()
                               : litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, "asked"));
    LITERT_RETURN_IF_ERROR(invocation->Attach(port, *buffer));
    buffers.push_back(std::move(buffer));
  }
  LITERT_RETURN_IF_ERROR(run(*invocation));
  std::vector<uint8_t> output(kElems * sizeof(float));
  std::memcpy(output.data(), memory[2], output.size());
  LITERT_RETURN_IF_ERROR(invocation->DetachAll());
  for (auto& buffer : buffers) LITERT_RETURN_IF_ERROR(buffer->Close());
  LITERT_RETURN_IF_ERROR(invocation->Close());
  LITERT_RETURN_IF_ERROR(device->Close());
  return output;
}

inline HostRun RunOnHost(const std::string& path, const std::string& program, float first = 1) {
  auto output = TryRunOnHost(path, program, first, [](const DispatchInvocation& invocation) {
    return invocation.Invoke();
  });
  if (!output) return {.error = output.Error().Message(), .output = {}};
  return {.error = {}, .output = std::move(*output)};
}

// What the library's metrics say of what `run` does with that invocation.
template <typename Run>
litert::Expected<DispatchMetrics> MeasureOnHost(const std::string& path, Run run) {
  DispatchMetrics metrics;
  LITERT_RETURN_IF_ERROR(TryRunOnHost(
      path, kProgram, 1, [&](const DispatchInvocation& invocation) -> litert::Expected<void> {
        LITERT_RETURN_IF_ERROR(invocation.StartMetrics(0));
        LITERT_RETURN_IF_ERROR(run(invocation));
        LITERT_ASSIGN_OR_RETURN(metrics, invocation.StopMetrics());
        return {};
      }));
  return metrics;
}

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_TESTING_HOST_RUN_H_
