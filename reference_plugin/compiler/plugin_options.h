// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a host may ask of AcmeCorp's compiler, by LiteRT's opaque options or by compile specs: the
// same keys with the same values. Opaque options hold for every Compile of a plugin object; a spec
// goes before them.
//
// The opaque options are found under the identifier "acmecorp"; the payload is TOML text that ends
// in a zero, as LiteRT's vendors have it:
//
//   optimization_level = 2
//   dump_dir = "/tmp/stages"
//   force_partition_index = 3
//   enable_just_in_time = true

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_PLUGIN_OPTIONS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_PLUGIN_OPTIONS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "simulator/isa/expected.h"

namespace acme::compiler {

inline constexpr char kOpaqueOptionsIdentifier[] = "acmecorp";
// 0 .. 3, see CompileOptions.
inline constexpr char kOptimizationLevelKey[] = "optimization_level";
// Every selected op gets this partition index, 0 .. 2^24 - 1, in place of 0.
inline constexpr char kForcePartitionIndexKey[] = "force_partition_index";

// 0 or 1, see CompileOptions.
inline constexpr char kShorterContextsKey[] = "shorter_contexts";
// Whether executables are handed out beside the bytecode, true or false; npukit/plugin.h.
inline constexpr char kEnableJitKey[] = "enable_just_in_time";

// Values by key, as text.
using PluginOptions = std::map<std::string, std::string>;

// Whether a value makes sense under a key; unknown keys do not.
Expected<void> CheckPluginOption(const std::string& key, const std::string& value);
// A number that CheckPluginOption has let through.
uint32_t PluginOptionNumber(std::string_view value);

// One "key = value" a line: decimal numbers, true, false and basic strings; comments and empty lines. Errors
// name the line: what is neither, unknown and repeated keys, values that make no sense.
Expected<PluginOptions> ParsePluginOptions(std::string_view toml);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_PLUGIN_OPTIONS_H_
