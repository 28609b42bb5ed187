// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/compile_spec_flags.h"

#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "sdk/tools/command_line/invalid_argument.h"
#include "sdk/tools/command_line/whole_file.h"

namespace npukit::tools {

std::optional<uint32_t> ReadIndex(std::string_view text) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::vector<uint8_t>> HexBytes(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    uint8_t byte = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + i + 2, byte, 16);
    if (error != std::errc() || end != text.data() + i + 2) return std::nullopt;
    bytes.push_back(byte);
  }
  return bytes;
}

litert::Expected<CompileSpecRequest> ParseCompileSpec(const std::string& text) {
  const std::string where = "--spec '" + text + "'";
  const auto wrong = [&](const std::string& why) {
    return InvalidArgument(where + ": " + why +
                           "; expected [PLUGIN][#PARTITION]:KEY=VALUE or KEY=VALUE");
  };
  const size_t equals = text.find('=');
  if (equals == std::string::npos) return wrong("there is no '='");
  CompileSpecRequest request;
  request.where = where;
  request.spec.key = text.substr(0, equals);
  if (const size_t colon = request.spec.key.find(':'); colon != std::string::npos) {
    request.plugin = request.spec.key.substr(0, colon);
    request.spec.key.erase(0, colon + 1);
    if (const size_t hash = request.plugin.find('#'); hash != std::string::npos) {
      const auto partition = ReadIndex(request.plugin.substr(hash + 1));
      if (!partition) return wrong("no partition number after '#'");
      request.partition = *partition;
      request.plugin.erase(hash);
    }
  }
  if (request.spec.key.empty()) return wrong("there is no key");
  const std::string value = text.substr(equals + 1);
  if (value.starts_with("@")) {
    LITERT_ASSIGN_OR_RETURN(request.spec.bytes, ReadRegularFile(value.substr(1)));
  } else if (value.starts_with("hex:")) {
    auto bytes = HexBytes(std::string_view(value).substr(4));
    if (!bytes) return wrong("not pairs of hexadecimal digits");
    request.spec.bytes = std::move(*bytes);
  } else {
    request.spec.bytes.assign(value.begin(), value.end());
  }
  return request;
}

litert::Expected<CompileSpecRequest> SocFileSpec(const std::string& soc_file) {
  std::error_code error;
  const std::string path = std::filesystem::absolute(soc_file, error).string();
  if (error || !std::filesystem::is_regular_file(path, error)) {
    return litert::Unexpected(kLiteRtStatusErrorFileIO,
                              "--soc-file: " + soc_file + " is not a file that can be read");
  }
  CompileSpecRequest request;
  request.spec = {.key = NPUKIT_SPEC_SOC_FILE, .bytes = {path.begin(), path.end()}};
  request.where = "--soc-file";
  return request;
}

}  // namespace npukit::tools
