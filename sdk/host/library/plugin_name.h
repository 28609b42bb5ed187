// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What users call a plugin.

#ifndef NPUKIT_SDK_HOST_LIBRARY_PLUGIN_NAME_H_
#define NPUKIT_SDK_HOST_LIBRARY_PLUGIN_NAME_H_

#include <string_view>

namespace npukit {

// Manufacturers' names are compared without regard to case.
bool IsSameName(std::string_view a, std::string_view b);

// Whether the user's `name` means the compiler plugin of that manufacturer and path: its
// manufacturer, or what follows libLiteRtCompilerPlugin_ in its file name, or "linked:".
bool MeansPlugin(std::string_view manufacturer, std::string_view path, std::string_view name);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_LIBRARY_PLUGIN_NAME_H_
