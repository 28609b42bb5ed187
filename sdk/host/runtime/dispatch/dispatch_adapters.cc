// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/dispatch_adapters.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <utility>

#include "litert/c/internal/litert_runtime_context.h"
#include "litert/c/litert_environment.h"
#include "sdk/host/runtime/dispatch/adaptive_context.h"

namespace npukit {
namespace {

// LiteRtMemBuffer of abi 2.2.
struct MemBuffer22 {
  LiteRtMemBuffer buffer;
  size_t alloc_base_file_offset;
};

// -- Signatures of the other releases -------------------------------------------------------------

using Initialize210 = LiteRtStatus (*)(LiteRtEnvironmentOptions, LiteRtOptions);
using Initialize215 = LiteRtStatus (*)(const void*, LiteRtEnvironment, LiteRtOptions);
using CreateDevice210 = LiteRtStatus (*)(LiteRtDispatchDeviceContext*);
using CreateDevice215 = LiteRtStatus (*)(const void*, LiteRtOptions, LiteRtDispatchDeviceContext*);
using CreateInvocation215 = LiteRtStatus (*)(const void*, LiteRtDispatchDeviceContext,
                                             LiteRtDispatchExecutableType, const MemBuffer22*,
                                             const char*, int, int,
                                             LiteRtDispatchInvocationContext*);

struct Place {
  bool taken = false;
  DispatchGeneration generation = DispatchGeneration::kV213;
  const void* context = nullptr;
  AdaptiveContext* adaptive = nullptr;  // behind `context`, where the library's table can't be told
  LiteRtDispatchInitializeT initialize = nullptr;
  LiteRtDispatchDeviceContextCreateT create_device = nullptr;
  LiteRtDispatchInvocationContextCreateT create_invocation = nullptr;
};

constexpr size_t kPlaces = 128;
std::mutex mutex;
std::array<Place, kPlaces> places;

LiteRtStatus CallInitialize(const Place& place, LiteRtEnvironment environment,
                            LiteRtOptions options) {
  if (place.context != nullptr) {
    const auto initialize = std::bit_cast<Initialize215>(place.initialize);
    if (place.adaptive != nullptr) place.adaptive->SetHandles(environment, options);
    const LiteRtStatus status = initialize(place.context, environment, options);
    if (status != kLiteRtStatusErrorWrongVersion || place.adaptive == nullptr ||
        !place.adaptive->AssumeHeader()) {
      return status;
    }
    return initialize(place.context, environment, options);
  }
  LiteRtEnvironmentOptions environment_options = nullptr;
  if (environment != nullptr) {
    const LiteRtStatus status = LiteRtGetEnvironmentOptions(environment, &environment_options);
    if (status != kLiteRtStatusOk) return status;
  }
  return std::bit_cast<Initialize210>(place.initialize)(environment_options, options);
}

// 2.1.3 takes the place of the answer only, 2.1.4 the options before it, and nothing in the library
// tells them apart. Called as 2.1.4, one of 2.1.3 writes its device over the first word of the
// options, where it is found and undone.
LiteRtStatus CreateDevice213Or214(const Place& place, LiteRtOptions options,
                                  LiteRtDispatchDeviceContext* device) {
  if (options == nullptr || device == nullptr) return place.create_device(options, device);
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  void* const word = options;
  LiteRtDispatchDeviceContext before = nullptr;
  LiteRtDispatchDeviceContext after = nullptr;
  std::memcpy(&before, word, sizeof(void*));
  *device = nullptr;
  const LiteRtStatus status = place.create_device(options, device);
  std::memcpy(&after, word, sizeof(void*));
  if (after == before) return status;
  std::memcpy(word, &before, sizeof(void*));
  if (status == kLiteRtStatusOk && *device == nullptr) *device = after;
  return status;
}

LiteRtStatus CallCreateDevice(const Place& place, LiteRtOptions options,
                              LiteRtDispatchDeviceContext* device) {
  switch (place.generation) {
    case DispatchGeneration::kV210:
    case DispatchGeneration::kV212:
      return std::bit_cast<CreateDevice210>(place.create_device)(device);
    case DispatchGeneration::kV213:
      return CreateDevice213Or214(place, options, device);
    case DispatchGeneration::kV215:
    case DispatchGeneration::kV220:
    case DispatchGeneration::kQueried:
      break;
  }
  if (place.adaptive != nullptr) place.adaptive->SetHandles(nullptr, options);
  return std::bit_cast<CreateDevice215>(place.create_device)(place.context, options, device);
}

LiteRtStatus CallCreateInvocation(const Place& place, LiteRtDispatchDeviceContext device,
                                  LiteRtDispatchExecutableType type, const LiteRtMemBuffer* buffer,
                                  const char* name, int num_inputs, int num_outputs,
                                  LiteRtDispatchInvocationContext* invocation) {
  const MemBuffer22 larger = {buffer != nullptr ? *buffer : LiteRtMemBuffer{}, 0};
  return std::bit_cast<CreateInvocation215>(place.create_invocation)(
      place.context, device, type, buffer != nullptr ? &larger : nullptr, name, num_inputs,
      num_outputs, invocation);
}

template <size_t kPlace>
struct Adapters {
  static LiteRtStatus Initialize(LiteRtEnvironment environment, LiteRtOptions options) {
    return CallInitialize(places[kPlace], environment, options);
  }
  static LiteRtStatus CreateDevice(LiteRtOptions options, LiteRtDispatchDeviceContext* device) {
    return CallCreateDevice(places[kPlace], options, device);
  }
  static LiteRtStatus CreateInvocation(LiteRtDispatchDeviceContext device,
                                       LiteRtDispatchExecutableType type,
                                       const LiteRtMemBuffer* buffer, const char* name,
                                       int num_inputs, int num_outputs,
                                       LiteRtDispatchInvocationContext* invocation) {
    return CallCreateInvocation(places[kPlace], device, type, buffer, name, num_inputs, num_outputs,
                                invocation);
  }
};

// For libraries that can't be asked.
LiteRtStatus AlwaysCompatible(LiteRtApiVersion, LiteRtEnvironmentOptions, LiteRtOptions) {
  return kLiteRtStatusOk;
}

const void* ContextFor(DispatchGeneration generation) {
  const auto* const table = reinterpret_cast<const char*>(LrtGetRuntimeContext());
  if (generation >= DispatchGeneration::kV220) return table;
  if (generation == DispatchGeneration::kV215) return table + sizeof(LiteRtAbiHeader);
  return nullptr;
}

template <size_t kPlace>
void Install(DispatchGeneration generation, LiteRtDispatchInterface& basic) {
  if (generation != DispatchGeneration::kV213 && basic.initialize != nullptr) {
    basic.initialize = &Adapters<kPlace>::Initialize;
  }
  if (basic.device_context_create != nullptr) {
    basic.device_context_create = &Adapters<kPlace>::CreateDevice;
  }
  if (generation >= DispatchGeneration::kV215 && basic.invocation_context_create != nullptr) {
    basic.invocation_context_create = &Adapters<kPlace>::CreateInvocation;
  }
  if (generation == DispatchGeneration::kV210) basic.check_runtime_compatibility = AlwaysCompatible;
}

using Installer = void (*)(DispatchGeneration, LiteRtDispatchInterface&);

template <size_t... kAll>
constexpr std::array<Installer, kPlaces> Installers(std::index_sequence<kAll...>) {
  return {&Install<kAll>...};
}

bool IsFor(const Place& place, DispatchGeneration generation,
           const LiteRtDispatchInterface& basic) {
  return place.generation == generation && place.initialize == basic.initialize &&
         place.create_device == basic.device_context_create &&
         place.create_invocation == basic.invocation_context_create;
}

}  // namespace

bool AdaptToAbi21(DispatchGeneration generation, LiteRtDispatchInterface& basic) {
  static constexpr std::array<Installer, kPlaces> kInstallers =
      Installers(std::make_index_sequence<kPlaces>());
  const std::lock_guard<std::mutex> lock(mutex);
  for (size_t i = 0; i < kPlaces; ++i) {
    Place& place = places[i];
    // One that is taken is read without the mutex: it is never written to again.
    if (place.taken && !IsFor(place, generation, basic)) continue;
    if (!place.taken) {
      AdaptiveContext* adaptive =
          generation == DispatchGeneration::kV215 ? AdaptiveContext::Create() : nullptr;
      place = {.taken = true,
               .generation = generation,
               .context = adaptive != nullptr ? adaptive->table() : ContextFor(generation),
               .adaptive = adaptive,
               .initialize = basic.initialize,
               .create_device = basic.device_context_create,
               .create_invocation = basic.invocation_context_create};
    }
    kInstallers[i](generation, basic);
    return true;
  }
  return false;
}

}  // namespace npukit
