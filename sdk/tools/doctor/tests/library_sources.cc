// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/doctor/tests/library_sources.h"

namespace npukit::tools {
namespace {

constexpr char kCommon[] = R"(
  typedef struct { unsigned short size, major, minor, zero; } Header;
  #define F(n) static int f##n(void) { return n; }
  F(0) F(1)
  #define P (void*)f0
  #define FIVE P, P, P, P, (void*)f1
  #define TABLE25 FIVE, FIVE, FIVE, FIVE, FIVE
)";

const std::vector<std::string> kExportsOfMid = {"LiteRtGetSubgraphName",
                                                "LiteRtExternalLiteRtBufferContextGetRunOptions"};
const std::vector<std::string> kExportsOfAug = {"LiteRtGetSubgraphName",
                                                "LiteRtExternalLiteRtBufferContextGetRunOptions",
                                                "LiteRtDispatchGetHooks"};

}  // namespace

std::string DispatchOf2_1a() {
  return std::string(kCommon) + R"(
    int LiteRtLockTensorBuffer(void*, void**, int);
    int LiteRtDispatchGetApi(void* api) { return LiteRtLockTensorBuffer(api, 0, 0); })";
}
std::string DispatchOf48() {
  return std::string(kCommon) + R"(
    static void* basic[] = {TABLE25};
    static struct { int version[3]; void *basic, *async, *graph, *handlers; } api =
        {{0, 1, 0}, basic, 0, 0, 0};
    int LiteRtDispatchGetApi(void* out) { __builtin_memcpy(out, &api, sizeof api); return 0; })";
}
std::string DispatchOf56(const char* basic, const char* header) {
  return std::string(kCommon) + "static void* basic[] = {" + basic + R"(};
    static struct { Header header; int version[3]; void *basic, *async, *graph, *handlers; } api =
        {)" +
         header + R"(, {0, 1, 0}, basic, 0, 0, 0};
    int LiteRtDispatchGetApi(void* out) { __builtin_memcpy(out, &api, sizeof api); return 0; })";
}
std::string DispatchOf2_2() { return DispatchOf56("TABLE25", "{56, 1, 0, 0}"); }
std::string DispatchOfAug() { return DispatchOf56("TABLE25, P", "{56, 1, 0, 0}"); }
std::string DispatchOfQi() {
  return std::string(kCommon) + R"(
    static struct { Header header; void* functions[28]; } basic =
        {{232, 1, 0, 0}, {TABLE25, P, P, P}};
    int LiteRtDispatchQueryInterface(int id, const void** out) {
      *out = &basic; return id; })";
}
std::string CompilerOf2_1a() {
  return R"(int LiteRtGetNumSubgraphOps(void*); 
    int LiteRtCreateCompilerPlugin(void* p) { return LiteRtGetNumSubgraphOps(p); })";
}
std::string CompilerOfTables() {
  return "int LiteRtCreateCompilerPlugin(void) { return 0; }"
         "int LiteRtGetCompilerPluginSDKVersion(void) { return 0; }";
}
std::string CompilerOfQi() { return "int LiteRtCompilerPluginQueryInterface(void) { return 0; }"; }

std::string HostOf(const std::vector<std::string>& exports, const char* context) {
  std::string source = std::string(kCommon) + R"(
    int LiteRtCreateEnvironment(void) { return 0; }
    int LiteRtLockTensorBuffer(void) { return 0; }
    int LiteRtGetNumSubgraphOps(void) { return 0; }
    const char* asks = "LiteRtDispatchGetApi";)";
  for (const std::string& name : exports) source += "int " + name + "(void) { return 0; }\n";
  if (*context != 0) {
    source += std::string("struct { Header header; void* first; } context = {") + context + ", P};";
  }
  return source;
}
std::string HostOf2_1a() { return HostOf({}, ""); }
std::string HostOf2_1b() { return HostOf({"LiteRtGetSubgraphName"}, ""); }
std::string HostOfMidOr2_2() { return HostOf(kExportsOfMid, "{400, 1, 0, 0}"); }
std::string HostOfAug1() { return HostOf(kExportsOfAug, "{400, 1, 0, 0}"); }
std::string HostOfAug2() { return HostOf(kExportsOfAug, "{408, 1, 1, 0}"); }
std::string HostOfQi() {
  return HostOf({}, "") + R"(const char* query = "LiteRtDispatchQueryInterface";)";
}

std::string DispatchOfBoth(const char* also) {
  return std::string(kCommon) + R"(
    static void* basic[] = {TABLE25, P};
    static struct { int version[3]; void *basic, *async, *graph, *handlers; } older =
        {{0, 1, 0}, basic, 0, 0, 0};
    static struct { Header header; int version[3]; void *basic, *async, *graph, *handlers; } newer =
        {{56, 1, 0, 0}, {0, 1, 0}, basic, 0, 0, 0};
    int LiteRtDispatchGetApi(long* out) {
      if (*out == 0) __builtin_memcpy(out, &older, sizeof older);
      else __builtin_memcpy(out, &newer, sizeof newer);
      return 0; })" +
         also;
}

}  // namespace npukit::tools
