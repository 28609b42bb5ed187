// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// Loads the plugin of this folder as a host does, and applies it to a graph.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <string>
#include <vector>

#include "litert/vendors/c/litert_compiler_plugin_api.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/partition/selection.h"
#include "sdk/tests/expect_ok.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;

// The functions of a plugin, by name.
class Library {
 public:
  Library() : handle_(dlopen(NPUKIT_DOC_EXAMPLE_PLUGIN, RTLD_NOW | RTLD_LOCAL)) {
    EXPECT_NE(handle_, nullptr) << dlerror();
  }
  ~Library() { dlclose(handle_); }

  template <class F>
  F Get(const char* name) {
    void* symbol = dlsym(handle_, name);
    EXPECT_NE(symbol, nullptr) << name;
    return reinterpret_cast<F>(symbol);
  }
#define CALL(name) Get<name##T>(#name)

 private:
  void* handle_;
};

constexpr auto kFloat = kLiteRtElementTypeFloat32;

TEST(DocExamplePluginTest, ExportsAll16Functions) {
  Library library;
  for (const char* name :
       {"LiteRtGetCompilerPluginVersion", "LiteRtGetCompilerPluginSocManufacturer",
        "LiteRtCreateCompilerPlugin", "LiteRtDestroyCompilerPlugin",
        "LiteRtGetCompilerPluginSupportedHardware", "LiteRtGetNumCompilerPluginSupportedSocModels",
        "LiteRtGetCompilerPluginSupportedSocModel", "LiteRtCompilerPluginPartition",
        "LiteRtCompilerPluginCompile", "LiteRtDestroyCompiledResult",
        "LiteRtGetCompiledResultByteCode", "LiteRtCompiledResultNumByteCodeModules",
        "LiteRtGetCompiledResultCallInfo", "LiteRtGetNumCompiledResultCalls",
        "LiteRtCompilerPluginRegisterAllTransformations",
        "LiteRtCompilerPluginCheckCompilerCompatibility"}) {
    EXPECT_NE(library.Get<void*>(name), nullptr);
  }
  EXPECT_STREQ(library.CALL(LiteRtGetCompilerPluginSocManufacturer)(), "DocExample");
}

TEST(DocExamplePluginTest, SelectsFloatMulAndSub) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* i = b.Input("i", kLiteRtElementTypeInt32, {2});
  Tensor* mul = b.Value("mul", kFloat, {2});
  Tensor* add = b.Value("add", kFloat, {2});
  Tensor* sub = b.Value("sub", kFloat, {2});
  Tensor* int_mul = b.Value("int_mul", kLiteRtElementTypeInt32, {2});
  b.AddOp(kLiteRtOpCodeTflMul, {x, x}, {mul});
  b.AddOp(kLiteRtOpCodeTflAdd, {mul, x}, {add});
  b.AddOp(kLiteRtOpCodeTflSub, {add, x}, {sub});
  b.AddOp(kLiteRtOpCodeTflMul, {i, i}, {int_mul});
  b.Output(sub);
  b.Output(int_mul);
  const auto model = Ok(b.Build());

  Library library;
  LiteRtCompilerPlugin plugin = nullptr;
  ASSERT_EQ(library.CALL(LiteRtCreateCompilerPlugin)(&plugin, nullptr, nullptr), kLiteRtStatusOk);
  LiteRtOpListT selected;
  Subgraph& subgraph = *model->subgraphs()[0];
  ASSERT_EQ(library.CALL(LiteRtCompilerPluginPartition)(plugin, nullptr, &subgraph, &selected),
            kLiteRtStatusOk);
  std::vector<size_t> indices;
  for (const SelectedOp& s : selected.selection()) {
    for (size_t n = 0; n < subgraph.ops().size(); ++n) {
      if (subgraph.ops()[n].get() == s.op) indices.push_back(n);
    }
  }
  EXPECT_THAT(indices, ElementsAre(0, 2));
  library.CALL(LiteRtDestroyCompilerPlugin)(plugin);
}

TEST(DocExamplePluginTest, CompilesEachPartitionToAModule) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* y = b.Value("y", kFloat, {2});
  b.AddOp(kLiteRtOpCodeTflMul, {x, x}, {y});
  b.Output(y);
  b.BeginSubgraph("second");
  Tensor* u = b.Input("u", kFloat, {2});
  Tensor* v = b.Value("v", kFloat, {2});
  b.AddOp(kLiteRtOpCodeTflSub, {u, u}, {v});
  b.Output(v);
  const auto model = Ok(b.Build());

  Library library;
  LiteRtCompilerPlugin plugin = nullptr;
  ASSERT_EQ(library.CALL(LiteRtCreateCompilerPlugin)(&plugin, nullptr, nullptr), kLiteRtStatusOk);
  LiteRtCompiledResult result = nullptr;
  ASSERT_EQ(library.CALL(LiteRtCompilerPluginCompile)(plugin, nullptr, model.get(), &result),
            kLiteRtStatusOk);
  const std::vector<std::string> want = {"mul(x,x)->y;", "sub(u,u)->v;"};
  for (size_t i = 0; i < want.size(); ++i) {
    const void* info = nullptr;
    size_t info_size = 0;
    LiteRtParamIndex module = 99;
    ASSERT_EQ(library.CALL(LiteRtGetCompiledResultCallInfo)(result, i, &info, &info_size, &module),
              kLiteRtStatusOk);
    EXPECT_EQ(std::string(static_cast<const char*>(info), info_size),
              "Partition_" + std::to_string(i));
    const void* code = nullptr;
    size_t code_size = 0;
    ASSERT_EQ(library.CALL(LiteRtGetCompiledResultByteCode)(result, module, &code, &code_size),
              kLiteRtStatusOk);
    EXPECT_EQ(std::string(static_cast<const char*>(code), code_size), want[i]);
  }
  library.CALL(LiteRtDestroyCompiledResult)(result);
  library.CALL(LiteRtDestroyCompilerPlugin)(plugin);
}

}  // namespace
}  // namespace npukit
