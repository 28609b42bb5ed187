// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Compile specs (npukit/compile_spec.h) as users write them: --spec and --soc-file.

#ifndef NPUKIT_SDK_TOOLS_FLAGS_COMPILE_SPEC_FLAGS_H_
#define NPUKIT_SDK_TOOLS_FLAGS_COMPILE_SPEC_FLAGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/metadata/compile_spec.h"

namespace npukit::tools {

// "KEY=VALUE", "PLUGIN:KEY=VALUE", "#PARTITION:KEY=VALUE", "PLUGIN#PARTITION:KEY=VALUE". A value
// that begins with "@" names a file, with "hex:" it is digits; anything else is taken as it is.
litert::Expected<CompileSpecRequest> ParseCompileSpec(const std::string& text);

// NPUKIT_SPEC_SOC_FILE with the file's whole path. An error if there is no such file.
litert::Expected<CompileSpecRequest> SocFileSpec(const std::string& soc_file);

// Decimal digits and nothing else.
std::optional<uint32_t> ReadIndex(std::string_view text);
// Pairs of hexadecimal digits.
std::optional<std::vector<uint8_t>> HexBytes(std::string_view text);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_FLAGS_COMPILE_SPEC_FLAGS_H_
