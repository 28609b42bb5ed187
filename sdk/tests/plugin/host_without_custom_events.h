// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A host whose table of functions lacks those of custom events, as LiteRT's releases before they came.

#ifndef NPUKIT_SDK_TESTS_PLUGIN_HOST_WITHOUT_CUSTOM_EVENTS_H_
#define NPUKIT_SDK_TESTS_PLUGIN_HOST_WITHOUT_CUSTOM_EVENTS_H_

#include <dlfcn.h>

#include <cstring>
#include <iterator>
#include <string_view>
#include <vector>

#include "litert/c/internal/litert_abi_header.h"
#include "litert/c/litert_common.h"

namespace npukit {

inline constexpr const char* kHostFunctions[] = {
#define CONTEXT_FUNCTION(result, member, function, parameters, arguments) #function,
#include "litert/c/internal/litert_runtime_context.def"
};

// How often one of the lacking functions was called.
inline int times_asked = 0;
inline LiteRtStatus HasNone() {
  ++times_asked;
  return kLiteRtStatusErrorUnsupported;
}

// The table of 2.2.0, with npukit's functions but for those of custom events.
inline const void* HostWithoutCustomEvents() {
  static const std::vector<void*> table = [] {
    std::vector<void*> words(1);
    const LiteRtAbiHeader header = {(1 + std::size(kHostFunctions)) * sizeof(void*), 1, 0, 0};
    std::memcpy(static_cast<void*>(words.data()), &header, sizeof(header));
    for (const char* name : kHostFunctions) {
      const std::string_view function_name = name;
      const bool is_lacking = function_name.find("CustomEvent") != std::string_view::npos ||
                              function_name == "LiteRtCreateManagedEvent";
      void* const function = is_lacking ? nullptr : dlsym(RTLD_DEFAULT, name);
      words.push_back(function != nullptr ? function : reinterpret_cast<void*>(&HasNone));
    }
    return words;
  }();
  return table.data();
}

}  // namespace npukit

#endif  // NPUKIT_SDK_TESTS_PLUGIN_HOST_WITHOUT_CUSTOM_EVENTS_H_
