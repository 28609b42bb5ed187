// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/verdict/crash_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace npukit::conformance {
namespace {

constexpr size_t kMaxNameBytes = 160;
// Libraries that do what they are told.
constexpr std::string_view kSystemLibraries[] = {
    "libc.so",    "libc-",      "libm.so",     "libstdc++.so", "libgcc_s.so", "ld-linux",
    "libpthread", "libasan.so", "libubsan.so", "libtsan.so",   "linux-vdso",  "[vdso]"};

struct Frame {
  std::string_view library;  // without folders
  std::string_view symbol;   // may be empty
  std::string_view offset;   // "0x12", into the symbol or the library

  bool IsSystem() const {
    return std::any_of(std::begin(kSystemLibraries), std::end(kSystemLibraries),
                       [&](std::string_view name) { return library.starts_with(name); });
  }
};

std::optional<Frame> FrameOf(std::string_view line) {
  const size_t open = line.find('(');
  const size_t address = line.rfind(")[");
  if (open == std::string_view::npos || address == std::string_view::npos || address < open)
    return std::nullopt;
  std::string_view file = line.substr(0, open);
  file = file.substr(file.rfind('/') + 1);
  const std::string_view place = line.substr(open + 1, address - open - 1);
  const size_t plus = place.rfind("+0x");
  if (file.empty() || plus == std::string_view::npos) return std::nullopt;
  return Frame{.library = file, .symbol = place.substr(0, plus), .offset = place.substr(plus + 1)};
}

std::string Text(const Frame& frame) {
  if (frame.symbol.empty()) return fmt::format("{}+{}", frame.library, frame.offset);
  const bool is_long = frame.symbol.size() > kMaxNameBytes;
  return fmt::format("{}{} in {}", frame.symbol.substr(0, kMaxNameBytes), is_long ? "..." : "",
                     frame.library);
}

}  // namespace

std::string CrashPlace(std::string_view stack) {
  std::optional<Frame> innermost;
  while (!stack.empty()) {
    const size_t end = std::min(stack.find('\n'), stack.size());
    const std::optional<Frame> frame = FrameOf(stack.substr(0, end));
    if (frame && !frame->IsSystem()) return Text(*frame);
    if (frame && !innermost) innermost = frame;
    stack.remove_prefix(std::min(end + 1, stack.size()));
  }
  return innermost ? Text(*innermost) : std::string();
}

}  // namespace npukit::conformance
