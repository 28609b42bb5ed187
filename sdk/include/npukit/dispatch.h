// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_DISPATCH_H_
#define NPUKIT_DISPATCH_H_

// A dispatch library in two classes: a device that loads modules, and an
// invocation that runs an entry point of one. Derive, and export the device.
//
//   class ContosoInvocation : public npukit::Invocation {
//     litert::Expected<void> Run(npukit::InputViews inputs,
//                                npukit::OutputViews outputs) override;
//   };
//   class ContosoDevice : public npukit::Device {
//    public:
//     static constexpr const char* kVendorId = "Contoso";
//     static constexpr const char* kBuildId = "1.0";
//     static litert::Expected<std::unique_ptr<ContosoDevice>> Open(
//         const npukit::DeviceConfig& config);
//     litert::Expected<std::unique_ptr<npukit::Invocation>> Load(
//         const npukit::LoadRequest& request) override;
//   };
//   NPUKIT_EXPORT_DISPATCH(ContosoDevice)
//
// The macro stands once in a shared library, outside any namespace, and defines
// LiteRtDispatchGetApi and npukit's optional functions. Handles are checked,
// buffers locked and unlocked, exceptions turned into errors. The library links
// libLiteRt.so and is named libLiteRtDispatch_<name>.so.

#include "npukit/device.h"               // IWYU pragma: export
#include "npukit/dispatch_boundary.h"    // IWYU pragma: export
#include "npukit/dispatch_extensions.h"  // IWYU pragma: export
#include "npukit/dispatch_types.h"       // IWYU pragma: export

// clang-format off
#define NPUKIT_EXPORT_DISPATCH(Class)                                          \
  namespace {                                                                  \
  using NpukitDispatchExtensions = ::npukit::internal::DispatchExtensions;     \
  }                                                                            \
  extern "C" {                                                                 \
  LiteRtStatus LiteRtDispatchGetApi(LiteRtDispatchApi* api) {                  \
    return ::npukit::internal::DispatchBoundary<Class>::GetApi(api);           \
  }                                                                            \
  LiteRtStatus NpukitDispatchSetCompileSpecs(                                  \
      LiteRtDispatchDeviceContext device, const NpukitCompileSpec* specs,      \
      size_t num_specs) {                                                      \
    return NpukitDispatchExtensions::SetSpecs(device, specs, num_specs);       \
  }                                                                            \
  LiteRtStatus NpukitDispatchSetRecording(                                     \
      LiteRtDispatchInvocationContext context, uint32_t record) {              \
    return NpukitDispatchExtensions::SetRecording(context, record);            \
  }                                                                            \
  LiteRtStatus NpukitDispatchGetNumProfileEvents(                              \
      LiteRtDispatchInvocationContext context, size_t* num) {                  \
    return NpukitDispatchExtensions::GetNumEvents(context, num);               \
  }                                                                            \
  LiteRtStatus NpukitDispatchGetProfileEvent(                                  \
      LiteRtDispatchInvocationContext context, size_t position,                \
      NpukitProfileEvent* event) {                                             \
    return NpukitDispatchExtensions::GetEvent(context, position, event);       \
  }                                                                            \
  LiteRtStatus NpukitDispatchGetLastError(                                     \
      LiteRtDispatchInvocationContext context, NpukitDebugHandle* handle,      \
      char* buffer, size_t size) {                                             \
    return NpukitDispatchExtensions::GetLastError(context, handle, buffer,     \
                                                  size);                       \
  }                                                                            \
  LiteRtStatus NpukitDispatchGetEventStatus(                                   \
      LiteRtEvent event, LiteRtStatus* status, NpukitDebugHandle* handle,      \
      char* buffer, size_t size) {                                             \
    return NpukitDispatchExtensions::GetEventStatus(event, status, handle,     \
                                                    buffer, size);             \
  }                                                                            \
  LiteRtStatus NpukitDispatchGetIntermediate(                                  \
      LiteRtDispatchInvocationContext context, NpukitDebugHandle handle,       \
      int output_index, LiteRtRankedTensorType* type, const void** data,       \
      size_t* size_bytes) {                                                    \
    return NpukitDispatchExtensions::GetIntermediate(                          \
        context, handle, output_index, type, data, size_bytes);                \
  }                                                                            \
  }  /* extern "C" */                                                          \
  static_assert(std::is_base_of_v<::npukit::Device, Class>,                    \
                #Class " must derive from npukit::Device")
// clang-format on

#endif  // NPUKIT_DISPATCH_H_
