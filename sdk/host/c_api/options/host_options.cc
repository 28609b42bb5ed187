// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/options/host_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>

#include "litert/c/options/litert_compiler_options.h"
#include "litert/c/options/litert_cpu_options.h"
#include "litert/c/options/litert_runtime_options.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/c_api/support/toml_options.h"

namespace npukit {
namespace {

// One kind of options as its text says them; empty if the program set none.
class OptionText {
 public:
  static litert::Expected<OptionText> Read(const LiteRtOptionsT& options, const char* identifier) {
    OptionText text(identifier);
    void* data = nullptr;
    if (options.opaque_options == nullptr ||
        LiteRtFindOpaqueOptionsData(options.opaque_options, identifier, &data) != kLiteRtStatusOk ||
        data == nullptr) {
      return text;
    }
    if (text.values_.Parse(static_cast<const char*>(data)) != kLiteRtStatusOk) {
      return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                text.identifier_ + ": expected lines of key = value");
    }
    return text;
  }

  // Nullopt if it was not set.
  litert::Expected<std::optional<int64_t>> Number(const char* key, int64_t low,
                                                  int64_t high) const {
    const TomlValue* value = values_.Find(key);
    if (value == nullptr) return std::optional<int64_t>();
    const int64_t* number = std::get_if<int64_t>(value);
    if (number != nullptr && *number >= low && *number <= high) return std::optional(*number);
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("{}: {}: expected a number from {} to {}{}", identifier_, key, low, high,
                    number == nullptr ? "" : fmt::format(", found {}", *number)));
  }

 private:
  explicit OptionText(const char* identifier) : identifier_(identifier) {}

  std::string identifier_;
  TomlOptions values_;
};

constexpr int64_t kAny = std::numeric_limits<int32_t>::max();

}  // namespace

litert::Expected<HostOptions> ReadHostOptions(const LiteRtOptionsT* options) {
  HostOptions host;
  if (options == nullptr) return host;
  LITERT_ASSIGN_OR_RETURN(const OptionText cpu,
                          OptionText::Read(*options, LrtGetCpuOptionsIdentifier()));
  // As in LiteRT, 0 and less leave the choice to the host.
  LITERT_ASSIGN_OR_RETURN(const auto threads, cpu.Number("num_threads", -kAny, kMaxCpuThreads));
  if (threads) host.threads = static_cast<int>(std::max<int64_t>(*threads, 1));

  LITERT_ASSIGN_OR_RETURN(const OptionText runtime,
                          OptionText::Read(*options, LrtGetRuntimeOptionsIdentifier()));
  LITERT_ASSIGN_OR_RETURN(const auto mode,
                          runtime.Number("error_reporter_mode", kLiteRtErrorReporterModeNone,
                                         kLiteRtErrorReporterModeBuffer));
  if (mode) host.error_reporter = static_cast<LiteRtErrorReporterMode>(*mode);

  LITERT_ASSIGN_OR_RETURN(const OptionText compiler,
                          OptionText::Read(*options, LrtGetCompilerOptionsIdentifier()));
  LITERT_ASSIGN_OR_RETURN(const auto max_partitions, compiler.Number("max_partitions", 0, kAny));
  if (max_partitions) host.max_partitions = static_cast<size_t>(*max_partitions);
  return host;
}

}  // namespace npukit
