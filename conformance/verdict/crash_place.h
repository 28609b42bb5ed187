// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_CONFORMANCE_VERDICT_CRASH_PLACE_H_
#define NPUKIT_CONFORMANCE_VERDICT_CRASH_PLACE_H_

#include <string>
#include <string_view>

namespace npukit::conformance {

// "contoso::Lower(int) in libLiteRtCompilerPlugin_Contoso.so": the innermost frame that is not of the C
// or C++ library, where whose mistake it is shows; without a symbol "libContoso.so+0x1234"; only the
// libraries of the system: the innermost of all. Empty if no line of the stack is a frame, as
// backtrace_symbols_fd writes them: "FILE(SYMBOL+0x12)[0x7f00]".
std::string CrashPlace(std::string_view stack);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_VERDICT_CRASH_PLACE_H_
