// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Sources of libraries as each generation of LiteRT and of its vendors' plugins has them, in C.

#ifndef NPUKIT_SDK_TOOLS_DOCTOR_TESTS_LIBRARY_SOURCES_H_
#define NPUKIT_SDK_TOOLS_DOCTOR_TESTS_LIBRARY_SOURCES_H_

#include <string>
#include <vector>

namespace npukit::tools {

std::string DispatchOf2_1a();
// Before v2.2.0: 48 bytes, the version first.
std::string DispatchOf48();
// From v2.2.0 on: 56 bytes, a header, which many leave zero, first.
std::string DispatchOf56(const char* basic, const char* header);
std::string DispatchOf2_2();
std::string DispatchOfAug();
std::string DispatchOfQi();
std::string CompilerOf2_1a();
std::string CompilerOfTables();
std::string CompilerOfQi();
// A LiteRT library: what it exports beside, and the size of the table that it passes.
std::string HostOf(const std::vector<std::string>& exports, const char* context);
std::string HostOf2_1a();
std::string HostOf2_1b();
std::string HostOfMidOr2_2();
std::string HostOfAug1();
std::string HostOfAug2();
std::string HostOfQi();
// One that answers each host in its layout: 48 bytes for those before v2.2.0, 56 for later ones.
std::string DispatchOfBoth(const char* also);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_DOCTOR_TESTS_LIBRARY_SOURCES_H_
