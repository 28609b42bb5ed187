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
//
// NPUKIT_REGISTER_DISPATCH(ContosoDevice) exports nothing, but tells the host
// about the class before main: for devices that are linked into the program, any
// number of them. Where NPUKIT_LINKED_PLUGINS is defined, NPUKIT_EXPORT_DISPATCH
// does the same. The class lies in a namespace of the vendor's own. See
// npukit/static_plugin.h.

#include "litert/cc/litert_macros.h"              // IWYU pragma: export
#include "npukit/device.h"                        // IWYU pragma: export
#include "npukit/dispatch_types.h"                // IWYU pragma: export
#include "npukit/internal/dispatch_boundary.h"    // IWYU pragma: export
#include "npukit/internal/dispatch_extensions.h"  // IWYU pragma: export
#include "npukit/internal/queried_dispatch.h"     // IWYU pragma: export
#include "npukit/internal/scratchpad_calls.h"     // IWYU pragma: export
#include "npukit/internal/static_registration.h"  // IWYU pragma: export

// clang-format off
// All that a dispatch library exports, as FUNCTION(result, symbol, parameters,
// arguments, implementation).
#if defined(NPUKIT_ABI_2_3)
#define NPUKIT_INTERNAL_DISPATCH_FUNCTIONS_THAT_QUERY(FUNCTION)                \
  FUNCTION(LiteRtStatus, LiteRtDispatchQueryInterface,                         \
           (LiteRtDispatchInterfaceId id, LiteRtApiVersion version,            \
            LiteRtInterface* interface_table),                                 \
           (id, version, interface_table),                                     \
           NpukitQueriedDispatch::QueryInterface)
#define NPUKIT_INTERNAL_QUERIED_DISPATCH(Class)                                \
  using NpukitQueriedDispatch = ::npukit::internal::QueriedDispatch<Class>;
#else
#define NPUKIT_INTERNAL_DISPATCH_FUNCTIONS_THAT_QUERY(FUNCTION)
#define NPUKIT_INTERNAL_QUERIED_DISPATCH(Class)
#endif

#define NPUKIT_INTERNAL_DISPATCH_FUNCTIONS(FUNCTION)                           \
  NPUKIT_INTERNAL_DISPATCH_FUNCTIONS_THAT_QUERY(FUNCTION)                      \
  FUNCTION(LiteRtStatus, LiteRtDispatchGetApi,                                 \
           (LiteRtDispatchApi* api), (api), NpukitDispatchBoundary::GetApi)    \
  FUNCTION(LiteRtStatus, NpukitDispatchSetCompileSpecs,                        \
           (LiteRtDispatchDeviceContext device,                                \
            const NpukitCompileSpec* specs, size_t num_specs),                 \
           (device, specs, num_specs), NpukitDispatchExtensions::SetSpecs)     \
  FUNCTION(LiteRtStatus, NpukitDispatchSetRecording,                           \
           (LiteRtDispatchInvocationContext context, uint32_t record),         \
           (context, record), NpukitDispatchExtensions::SetRecording)          \
  FUNCTION(LiteRtStatus, NpukitDispatchGetNumProfileEvents,                    \
           (LiteRtDispatchInvocationContext context, size_t* num),             \
           (context, num), NpukitDispatchExtensions::GetNumEvents)             \
  FUNCTION(LiteRtStatus, NpukitDispatchGetProfileEvent,                        \
           (LiteRtDispatchInvocationContext context, size_t position,          \
            NpukitProfileEvent* event),                                        \
           (context, position, event), NpukitDispatchExtensions::GetEvent)     \
  FUNCTION(LiteRtStatus, NpukitDispatchGetLastError,                           \
           (LiteRtDispatchInvocationContext context,                           \
            NpukitDebugHandle* handle, char* buffer, size_t size),             \
           (context, handle, buffer, size),                                    \
           NpukitDispatchExtensions::GetLastError)                             \
  FUNCTION(LiteRtStatus, NpukitDispatchGetEventStatus,                         \
           (LiteRtEvent event, LiteRtStatus* status,                           \
            NpukitDebugHandle* handle, char* buffer, size_t size),             \
           (event, status, handle, buffer, size),                              \
           NpukitDispatchExtensions::GetEventStatus)                           \
  FUNCTION(LiteRtStatus, NpukitDispatchGetIntermediate,                        \
           (LiteRtDispatchInvocationContext context,                           \
            NpukitDebugHandle handle, int output_index,                        \
            LiteRtRankedTensorType* type, const void** data,                   \
            size_t* size_bytes),                                               \
           (context, handle, output_index, type, data, size_bytes),            \
           NpukitDispatchExtensions::GetIntermediate)

#define NPUKIT_INTERNAL_CHECK_DISPATCH(Class)                                  \
  static_assert(std::is_base_of_v<::npukit::Device, Class>,                    \
                #Class " must derive from npukit::Device")

#if defined(NPUKIT_ABI_2_2)
#define NPUKIT_REGISTER_DISPATCH(Class)                                        \
  static_assert(sizeof(Class) == 0, NPUKIT_INTERNAL_ABI_OF_LINKED_PLUGINS)
#else
#define NPUKIT_REGISTER_DISPATCH(Class)                                        \
  namespace {                                                                  \
  const auto NPUKIT_INTERNAL_JOIN(npukit_registration_, __COUNTER__) = [] {    \
    using NpukitDispatchBoundary =                                             \
        ::npukit::internal::DispatchBoundary<Class>;                           \
    using NpukitDispatchExtensions =                                           \
        ::npukit::internal::DispatchExtensions<Class>;                         \
    const NpukitStaticSymbol symbols[] = {                                     \
        NPUKIT_INTERNAL_DISPATCH_FUNCTIONS(NPUKIT_INTERNAL_STATIC_SYMBOL)};    \
    return ::npukit::internal::StaticRegistration(                             \
        kNpukitStaticPluginDispatch, Class::kVendorId, symbols);               \
  }();                                                                         \
  }  /* namespace */                                                           \
  NPUKIT_INTERNAL_CHECK_DISPATCH(Class)
#endif

#if defined(NPUKIT_LINKED_PLUGINS)
#define NPUKIT_EXPORT_DISPATCH(Class) NPUKIT_REGISTER_DISPATCH(Class)
#else
#define NPUKIT_EXPORT_DISPATCH(Class)                                          \
  namespace {                                                                  \
  using NpukitDispatchBoundary = ::npukit::internal::DispatchBoundary<Class>;  \
  using NpukitDispatchExtensions =                                             \
      ::npukit::internal::DispatchExtensions<Class>;                           \
  NPUKIT_INTERNAL_QUERIED_DISPATCH(Class)                                      \
  }                                                                            \
  extern "C" {                                                                 \
  NPUKIT_INTERNAL_DISPATCH_FUNCTIONS(NPUKIT_INTERNAL_EXPORT_FUNCTION)          \
  }  /* extern "C" */                                                          \
  NPUKIT_INTERNAL_CHECK_DISPATCH(Class)
#endif
// clang-format on

#endif  // NPUKIT_DISPATCH_H_
