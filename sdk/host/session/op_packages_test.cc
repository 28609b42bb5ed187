// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/packages/op_packages.h"

#include <dlfcn.h>
#include <flatbuffers/flexbuffers.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "npukit/customized_op.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/runtime/testing/floats.h"
#include "sdk/host/session/session.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kFolder = NPUKIT_BUILD_DIR "/test_plugins/op_packages/";
std::string File(const std::string& name) {
  return kFolder + name + "/libop_package_" + name + ".so";
}
std::string ErrorOf(const std::string& name) {
  const auto package = OpPackage::Load(File(name));
  return package ? "" : package.Error().Message();
}

// -- Loading

TEST(OpPackage, WhatIsWrongIsAnErrorThatNamesTheFile) {
  const std::pair<const char*, const char*> kCases[] = {
      {"null_descriptor", "opPackageDescriptor gave null"},
      {"later_version", "is of package version 2: expected 1"},
      {"other_size", "its descriptor has 4 bytes: expected"},
      {"too_many", "has 100000 operators: expected 1 to 256"},
      {"no_operators", "has 0 operators"},
      {"null_operators", "operators is null"},
      {"null_create", "operator 0 (test.identity): create or free_op is null"},
      {"endless_name", "operator 0: its name is empty or has no end"},
      {"other_device", "is for device 7"},
      {"host_operator", "operator 'odml.rms_norm' is offered by the host already"},
  };
  const auto before = kernels::CustomizedOperatorNames();  // of other tests
  for (const auto& [name, expected] : kCases)
    EXPECT_THAT(ErrorOf(name), AllOf(HasSubstr(File(name)), HasSubstr(expected)));
  EXPECT_EQ(kernels::CustomizedOperatorNames(), before);
}

TEST(OpPackage, ADuplicateOperatorNamesBothFilesAndTheFirstStays) {
  const auto first = OpPackage::Load(File("counts"));
  ASSERT_TRUE(first) << first.Error().Message();
  EXPECT_EQ((*first)->name(), "test.counts");
  EXPECT_THAT((*first)->operators(), ElementsAre("test.identity"));
  EXPECT_THAT(ErrorOf("same_again"), AllOf(HasSubstr(File("same_again")), HasSubstr(File("counts")),
                                           HasSubstr("'test.identity'")));
  const auto again = OpPackage::Load(File("counts"));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *first);
}

TEST(OpPackages, FoldersAreSearchedDeepAndSortedAndNoFailureIsFatal) {
  const std::filesystem::path folder = ::testing::TempDir() + "npukit_packages";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "z" / "deep");
  std::filesystem::create_directories(folder / "a");
  std::filesystem::copy_file(File("attention"), folder / "z" / "deep" / "attention.so");
  std::filesystem::copy_file(File("counts"), folder / "a" / "counts.so");
  std::filesystem::copy_file(File("too_many"), folder / "a" / "too_many.so");
  std::ofstream(folder / "a" / "text.so") << "no library";
  std::ofstream(folder / "a" / "readme.txt") << "passed over";
  ASSERT_EQ(setenv("NPUKIT_OP_PACKAGE_PATH", (folder / "z").c_str(), 1), 0);
  const OpPackages found = LoadOpPackages({folder.string(), "/nowhere"});
  unsetenv("NPUKIT_OP_PACKAGE_PATH");
  ASSERT_EQ(found.packages.size(), 2u);
  EXPECT_EQ(found.packages[0]->name(), "npukit.test.attention");  // the environment's first
  EXPECT_EQ(found.packages[1]->name(), "test.counts");
  ASSERT_EQ(found.failures.size(), 3u);
  EXPECT_EQ(found.failures[0].path, folder / "a" / "text.so");
  EXPECT_EQ(found.failures[1].path, folder / "a" / "too_many.so");
  EXPECT_EQ(found.failures[2].path, "/nowhere");
}

TEST(OpPackage, IsClosedOnceItsLastUserIsGone) {
  const std::string path = File("counts");
  const auto is_open = [&] {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (handle != nullptr) dlclose(handle);
    return handle != nullptr;
  };
  EXPECT_FALSE(is_open());
  {
    const auto package = OpPackage::Load(path);
    ASSERT_TRUE(package);
    EXPECT_TRUE(is_open());
    EXPECT_NE(kernels::FindCustomizedOperator("test.identity"), nullptr);
  }
  EXPECT_FALSE(is_open());
  EXPECT_EQ(kernels::FindCustomizedOperator("test.identity"), nullptr);
}

// -- Running

std::unique_ptr<Model> IdentityModel(const std::string& options) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {2, 3});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {2, 3});
  b.AddCustomOp("test.identity", {options.begin(), options.end()}, {x}, {y});
  b.Output(y);
  return b.BuildUnchecked();
}

TEST(OpPackage, EveryObjectIsFreedAlsoWhenACallFails) {
  const auto package = OpPackage::Load(File("counts"));
  ASSERT_TRUE(package);
  void* library = dlopen(File("counts").c_str(), RTLD_NOW | RTLD_NOLOAD);
  const auto live = reinterpret_cast<int (*)()>(dlsym(library, "TestPackageLiveObjects"));
  for (const std::string call : {"load", "trace", "reshape", "setup"}) {
    const auto session = Session::Create(IdentityModel(call), {});
    ASSERT_FALSE(session) << call;
    EXPECT_THAT(session.Error().Message(),
                AllOf(HasSubstr("test.identity"), HasSubstr(File("counts")),
                      HasSubstr(call + " gave"), HasSubstr("as it was told")));
    EXPECT_EQ(live(), 0) << call;
  }
  {
    const auto session = Session::Create(IdentityModel("forward"), {});
    ASSERT_TRUE(session) << session.Error().Message();
    EXPECT_EQ(live(), 1);
    const auto run = (*session)->default_runner().Run();
    ASSERT_FALSE(run);
    EXPECT_THAT(run.Error().Message(), HasSubstr("forward gave"));
  }
  {
    const auto session = Session::Create(IdentityModel(""), {});
    ASSERT_TRUE(session);
    EXPECT_THAT(RunWith((*session)->default_runner(), {{1, 2, 3, 4, 5, 6}}),
                ElementsAre(1, 2, 3, 4, 5, 6));
  }
  EXPECT_EQ(live(), 0);
  dlclose(library);
}

TEST(OpPackage, WithoutThePackageTheOperatorIsUnsupported) {
  const auto session = Session::Create(IdentityModel(""), {});
  ASSERT_FALSE(session);
  EXPECT_THAT(session.Error().Message(), HasSubstr("1 unsupported operator: test.identity"));
}

// q, k [1, 2, 2], v [1, 2, 1]; by custom code, or as a composite whose decomposition gives v[0].
std::unique_ptr<Model> AttentionModel(bool composite, bool causal) {
  flexbuffers::Builder options;
  options.Map([&] {
    options.Float("scale", 1.0f);
    options.Bool("causal", causal);
  });
  options.Finish();
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* q = b.Input("q", type, {1, 2, 2});
  Tensor* k = b.Input("k", type, {1, 2, 2});
  Tensor* v = b.Input("v", type, {1, 2, 1});
  Tensor* y = b.Value("y", type, {1, 2, 1});
  if (composite) {
    StableHLOCompositeOptions attributes;
    attributes.name = "npukit.attention";
    attributes.composite_attributes = options.GetBuffer();
    attributes.decomposition_subgraph_index = -1;
    b.AddOp(kLiteRtOpCodeShloComposite, attributes, {q, k, v}, {y});
  } else {
    b.AddCustomOp("npukit.attention", options.GetBuffer(), {q, k, v}, {y});
  }
  b.Output(y);
  return b.BuildUnchecked();
}

TEST(OpPackage, CustomOpsAndCompositesFindTheirKernelWithOptionsAndShapes) {
  for (const bool composite : {false, true}) {
    for (const bool causal : {false, true}) {
      SessionOptions options;
      options.op_package_dirs = {kFolder + "attention"};
      const auto session = Session::Create(AttentionModel(composite, causal), options);
      ASSERT_TRUE(session) << session.Error().Message();
      const std::vector<float> y =
          RunWith((*session)->default_runner(), {{1, 0, 0, 1}, {2, 0, 0, 0}, {10, 20}});
      // Row 0 sees scores 2, 0 (only 2 if causal), row 1 sees 0, 0.
      const double e2 = std::exp(2.0);
      EXPECT_NEAR(y[0], causal ? 10 : (10 * e2 + 20) / (e2 + 1), 1e-5);
      EXPECT_NEAR(y[1], 15, 1e-5);
    }
  }
}

// -- In the program itself

class Negate : public CustomizedOp {
  litert::Expected<void> Reshape(Inputs inputs, Outputs outputs) override {
    CopyShape(inputs[0], outputs[0]);
    return {};
  }
  litert::Expected<void> Forward(Inputs inputs, Inputs outputs, void*) override {
    const auto x = Values<float>(inputs[0]);
    const auto y = Values<float>(outputs[0]);
    for (size_t i = 0; i < y.size(); ++i) y[i] = -x[i];
    return {};
  }
};

TEST(RegisterCustomizedOp, TheProgramsOwnOperator) {
  EXPECT_EQ(RegisterCustomizedOp<Negate>(kNpukitOpDeviceCpu, "test.negate"), kLiteRtStatusOk);
  EXPECT_EQ(RegisterCustomizedOp<Negate>(kNpukitOpDeviceCpu, "test.negate"),
            kLiteRtStatusErrorAlreadyExists);
  EXPECT_EQ(NpukitRegisterCustomizedOp(kNpukitOpDeviceCpu, nullptr),
            kLiteRtStatusErrorInvalidArgument);
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {2});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {2});
  b.AddCustomOp("test.negate", {}, {x}, {y});
  b.Output(y);
  const auto session = Session::Create(b.BuildUnchecked(), {});
  ASSERT_TRUE(session) << session.Error().Message();
  EXPECT_THAT(RunWith((*session)->default_runner(), {{1, -2}}), ElementsAre(-1, 2));
}

}  // namespace
}  // namespace npukit
