// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/dispatch/driver_trace.h"

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "reference_plugin/dispatch/driver_handle.h"

namespace acme::dispatch {
namespace {

// The driver writes a whole trace to a file.
litert::Expected<nlohmann::json> ReadEvents(AcmeContext* context) {
  std::error_code error;
  std::string path = std::filesystem::temp_directory_path(error) / "acme_trace_XXXXXX";
  const int file = error ? -1 : mkstemp(path.data());
  if (file < 0)
    return litert::Unexpected(litert::Status::kErrorFileIO, "no temporary file for the trace");
  close(file);
  const AcmeStatus written = AcmeContextWriteTrace(context, path.c_str());
  std::ifstream in(path);
  nlohmann::json trace = nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
  unlink(path.c_str());
  LITERT_RETURN_IF_ERROR(CheckDriver(written, "trace"));
  if (trace.is_array()) return trace;
  if (!trace.is_object() || !trace.contains("traceEvents")) {
    return litert::Unexpected(litert::Status::kErrorRuntimeFailure,
                              "the driver wrote no trace events");
  }
  return std::move(trace["traceEvents"]);
}

}  // namespace

litert::Expected<std::string> ReadTrace(AcmeContext* context) {
  LITERT_ASSIGN_OR_RETURN(const nlohmann::json events, ReadEvents(context));
  return events.dump();
}

// Times are cycles over the clock, rounded to less than half a cycle.
litert::Expected<std::vector<npukit::ProfileEvent>> ReadProfile(AcmeContext* context,
                                                                int64_t clock_mhz) {
  LITERT_ASSIGN_OR_RETURN(const nlohmann::json events, ReadEvents(context));
  const auto cycles = [&](double us) {
    return static_cast<uint64_t>(std::llround(us * static_cast<double>(clock_mhz)));
  };
  std::vector<npukit::ProfileEvent> profile;
  for (const auto& event : events) {
    if (event.value("ph", "") != "X" || !event.contains("args")) continue;
    npukit::ProfileEvent slice;
    slice.handle = event["args"].value("handle", 0u);
    const char* unit = AcmeEngineName(event.value("tid", size_t{0}));
    slice.unit = unit != nullptr ? unit : "matrix weights";  // the matrix engine's second track
    slice.start_cycle = cycles(event.value("ts", 0.0));
    slice.end_cycle = slice.start_cycle + cycles(event.value("dur", 0.0));
    profile.push_back(std::move(slice));
  }
  return profile;
}

}  // namespace acme::dispatch
