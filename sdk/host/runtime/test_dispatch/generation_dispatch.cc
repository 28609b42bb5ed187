// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A dispatch library of the release of LiteRT that NPUKIT_TEST_GENERATION names, by what its tables
// and functions are like: 210 (2.1.0, 2.1.1), 212, 213, 214, 215 (2.1.5, 2.1.6) or 220. It does
// nothing but see that each call brings what that release's calls bring.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "litert/c/internal/litert_runtime_context.h"
#include "litert/c/litert_environment.h"
#include "litert/c/litert_environment_options.h"
#include "litert/vendors/c/litert_dispatch_api.h"

#define NPUKIT_TEST_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

[[maybe_unused]] constexpr int kGeneration = NPUKIT_TEST_GENERATION;

class Device {};
Device device;

// 0 when something else than this release's arguments arrived.
bool as_expected = true;
bool initialized = false;

LiteRtDispatchDeviceContext Handle() {
  return reinterpret_cast<LiteRtDispatchDeviceContext>(&device);
}

// Whether the options tell where the dispatch libraries are, as the host's do; not to a library
// that is linked in, which lies nowhere.
template <typename Get>
bool HasDirectory(LiteRtEnvironmentOptions options, Get get_value) {
  LiteRtAny value = {};
  const LiteRtStatus status = get_value(options, kLiteRtEnvOptionTagDispatchLibraryDir, &value);
#if defined(NPUKIT_TEST_LINKED)
  return status == kLiteRtStatusErrorNotFound;
#else
  return status == kLiteRtStatusOk && value.type == kLiteRtAnyTypeString;
#endif
}

#if NPUKIT_TEST_GENERATION >= 215
const LiteRtRuntimeContext* Table(const void* context) {
  // Before 2.2.0 it starts with its first function.
  const size_t shift = kGeneration == 215 ? sizeof(LiteRtAbiHeader) : 0;
  return reinterpret_cast<const LiteRtRuntimeContext*>(static_cast<const char*>(context) - shift);
}

LiteRtStatus Initialize(const void* context, LiteRtEnvironment environment, LiteRtOptions) {
  LiteRtEnvironmentOptions options = nullptr;
  const LiteRtRuntimeContext* const host = Table(context);
  as_expected = host->get_environment_options(environment, &options) == kLiteRtStatusOk &&
                HasDirectory(options, host->get_environment_options_value);
  initialized = true;
  return kLiteRtStatusOk;
}

LiteRtStatus CreateDevice(const void* context, LiteRtOptions options,
                          LiteRtDispatchDeviceContext* created) {
  as_expected = as_expected && context != nullptr && options != nullptr;
  *created = Handle();
  return kLiteRtStatusOk;
}

LiteRtStatus CreateInvocation(const void* context, LiteRtDispatchDeviceContext of,
                              LiteRtDispatchExecutableType, const LiteRtMemBuffer* bytecode,
                              const char* name, int num_inputs, int num_outputs,
                              LiteRtDispatchInvocationContext* created) {
  as_expected = as_expected && context != nullptr && of == Handle() && bytecode->size == 3 &&
                bytecode->alloc_base_file_offset == 0 && std::strcmp(name, "main") == 0 &&
                num_inputs == 1 && num_outputs == 2;
  *created = reinterpret_cast<LiteRtDispatchInvocationContext>(&device);
  return as_expected ? kLiteRtStatusOk : kLiteRtStatusErrorInvalidArgument;
}
#else
#if NPUKIT_TEST_GENERATION >= 213
LiteRtStatus Initialize(LiteRtEnvironment environment, LiteRtOptions) {
  LiteRtEnvironmentOptions options = nullptr;
  as_expected = LiteRtGetEnvironmentOptions(environment, &options) == kLiteRtStatusOk &&
                HasDirectory(options, LiteRtGetEnvironmentOptionsValue);
  initialized = true;
  return kLiteRtStatusOk;
}
#else
LiteRtStatus Initialize(LiteRtEnvironmentOptions options, LiteRtOptions) {
  as_expected = HasDirectory(options, LiteRtGetEnvironmentOptionsValue);
  initialized = true;
  return kLiteRtStatusOk;
}
#endif

#if NPUKIT_TEST_GENERATION >= 214
LiteRtStatus CreateDevice(LiteRtOptions options, LiteRtDispatchDeviceContext* created) {
  as_expected = as_expected && options != nullptr;
#else
LiteRtStatus CreateDevice(LiteRtDispatchDeviceContext* created) {
#endif
  *created = Handle();
  return kLiteRtStatusOk;
}

LiteRtStatus CreateInvocation(LiteRtDispatchDeviceContext of, LiteRtDispatchExecutableType,
                              const LiteRtMemBuffer* bytecode, const char* name, int num_inputs,
                              int num_outputs, LiteRtDispatchInvocationContext* created) {
  as_expected = as_expected && of == Handle() && bytecode->size == 3 &&
                std::strcmp(name, "main") == 0 && num_inputs == 1 && num_outputs == 2;
  *created = reinterpret_cast<LiteRtDispatchInvocationContext>(&device);
  return as_expected ? kLiteRtStatusOk : kLiteRtStatusErrorInvalidArgument;
}
#endif

[[maybe_unused]] LiteRtStatus CheckCompatibility(LiteRtApiVersion, LiteRtEnvironmentOptions,
                                                 LiteRtOptions) {
  return initialized ? kLiteRtStatusOk : kLiteRtStatusErrorRuntimeFailure;
}

LiteRtStatus GetText(const char** text) {
  *text = as_expected ? "as expected" : "wrong arguments";
  return kLiteRtStatusOk;
}

LiteRtStatus GetCapabilities(int* capabilities) {
  *capabilities = kLiteRtDispatchCapabilitiesBasic;
  return kLiteRtStatusOk;
}

LiteRtStatus DestroyDevice(LiteRtDispatchDeviceContext destroyed) {
  return destroyed == Handle() ? kLiteRtStatusOk : kLiteRtStatusErrorInvalidArgument;
}

LiteRtStatus DestroyInvocation(LiteRtDispatchInvocationContext) { return kLiteRtStatusOk; }

LiteRtStatus NotCalled() { return kLiteRtStatusErrorUnsupported; }

template <typename Function>
void* Entry(Function* function) {
  return reinterpret_cast<void*>(function);
}

void* const interface[] = {
  Entry(Initialize),         //
  Entry(GetText),            // get_vendor_id
  Entry(GetText),            // get_build_id
  Entry(GetCapabilities),    //
  Entry(CreateDevice),       //
  Entry(DestroyDevice),      //
  Entry(NotCalled),          // get_input_requirements
  Entry(NotCalled),          // get_output_requirements
  Entry(NotCalled),          // register_tensor_buffer
  Entry(NotCalled),          // unregister_tensor_buffer
  Entry(CreateInvocation),   //
  Entry(DestroyInvocation),  //
#if NPUKIT_TEST_GENERATION >= 213
  Entry(NotCalled),  // invocation_context_set_scheduling_info
#endif
  Entry(NotCalled),  // attach_input
  Entry(NotCalled),  // attach_output
  Entry(NotCalled),  // detach_input
  Entry(NotCalled),  // detach_output
  Entry(NotCalled),  // invoke
  Entry(NotCalled),  // the five functions of metrics
  Entry(NotCalled),
  Entry(NotCalled),
  Entry(NotCalled),
  Entry(NotCalled),
#if NPUKIT_TEST_GENERATION >= 212
  Entry(CheckCompatibility),
#endif
#if NPUKIT_TEST_GENERATION >= 213
  Entry(NotCalled),  // invocation_context_set_options
#endif
};

// LiteRtDispatchApi of the release.
struct Api {
#if NPUKIT_TEST_GENERATION >= 220
  LiteRtAbiHeader header;
#endif
  LiteRtApiVersion version;
  const void* interface;
  const void* async;
  const void* graph;
#if NPUKIT_TEST_GENERATION >= 215
  const void* handlers;
#endif
};

}  // namespace

NPUKIT_TEST_EXPORT LiteRtStatus LiteRtDispatchGetApi(LiteRtDispatchApi* api) {
  Api filled = {};
  filled.version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR, LITERT_API_VERSION_PATCH};
  filled.interface = interface;
  std::memcpy(static_cast<void*>(api), &filled, sizeof(filled));
  return kLiteRtStatusOk;
}
