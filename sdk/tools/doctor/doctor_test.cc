// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Each report of libraries that did not go together, with files made for it: what the files say, that
// the pair is found, and that a set without the fault is not accused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sdk/tools/doctor/tests/doctor_fixture.h"
#include "sdk/tools/doctor/tests/library_sources.h"

namespace npukit::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

struct Skew {
  const char* report;
  std::string (*host)();
  std::string (*dispatch)();
  const char* words;  // null: they work
};

TEST_F(DoctorTest, HostsAndDispatchLibraries) {
  const std::vector<Skew> table = {
      {"an older MediaTek dispatch library; 0.16.x with v2.1.6", HostOfAug2, DispatchOf48,
       "Unsupported dispatch runtime version"},
      {"SIGBUS after compiling; 0.17.1 with v2.2.0", HostOfAug2, DispatchOf2_2,
       "26th function of the library's table"},
      {"the same a few days earlier", HostOfAug1, DispatchOf2_2, "26th function"},
      {"public HEAD with an app of an older revision", HostOf2_1b, DispatchOf2_2,
       "behind a header of 8 bytes"},
      {"prebuilt dispatch stops at v2.1.5, nightlies go on", HostOfQi, DispatchOf48,
       "LiteRtDispatchQueryInterface"},
      {"a queried library in an older host", HostOfAug2, DispatchOfQi, "LiteRtDispatchGetApi"},
      {"a library that links the host", HostOf2_1b, DispatchOf2_1a, "takes no table"},
      {"a library that expects the table", HostOf2_1a, DispatchOf48, "passes none"},
      {"the same release", HostOf2_1a, DispatchOf2_1a, nullptr},
      {"v2.1.6 with 0.14.0", HostOf2_1b, DispatchOf48, nullptr},
      {"one of August in itself", HostOfAug2, DispatchOfAug, nullptr},
      {"a newer library in v2.2.0", HostOfMidOr2_2, DispatchOfAug, nullptr},
      {"queried both", HostOfQi, DispatchOfQi, nullptr},
  };
  for (const Skew& skew : table) {
    SCOPED_TRACE(skew.report);
    examined_ = {};
    AddLibrary("libLiteRt.so", skew.host());
    AddLibrary("libLiteRtDispatch_MediaTek.so", skew.dispatch());
    if (skew.words != nullptr) {
      ExpectMismatch(skew.words);
      EXPECT_EQ(diagnosis_.pairs.front().works, false);
    } else {
      ExpectHealthy();
    }
  }
}

TEST_F(DoctorTest, HostsAndCompilerPlugins) {
  AddLibrary("libLiteRt.so", HostOfQi());
  AddLibrary("libLiteRtCompilerPlugin_X.so", CompilerOfTables());
  ExpectMismatch("LiteRtCompilerPluginQueryInterface");
  examined_ = {};
  AddLibrary("libLiteRt.so", HostOf2_1b());
  AddLibrary("libLiteRtCompilerPlugin_X.so", CompilerOf2_1a());
  ExpectMismatch("takes no table");
  examined_ = {};
  AddLibrary("libLiteRt.so", HostOf2_1a());
  AddLibrary("libLiteRtCompilerPlugin_X.so", CompilerOf2_1a());
  ExpectHealthy();
}

TEST_F(DoctorTest, LibrariesThatNoHostLoadsBoth) {
  AddLibrary("libLiteRtDispatch_X.so", DispatchOfQi());
  AddLibrary("libLiteRtCompilerPlugin_X.so", CompilerOfTables());
  ExpectMismatch("no LiteRT loads both");
}

// Separately downloaded files: a name that the host does not export.
TEST_F(DoctorTest, ImportsThatTheHostLacks) {
  AddLibrary("libLiteRt.so", HostOf2_1a());
  AddLibrary("libLiteRtDispatch_X.so",
             "int LiteRtNewFunction(void); int LiteRtDispatchGetApi(void) {"
             " return LiteRtNewFunction(); }");
  ExpectMismatch("does not export: LiteRtNewFunction");
}

// The runtime of another release carried over; one part forgotten.
TEST_F(DoctorTest, NeededLibraries) {
  examined_.is_whole = true;
  AddLibrary("libopenvino.so.2620", "int ov(void) { return 1; }",
             "-Wl,-soname,libopenvino.so.2620");
  AddLibrary("old/libopenvino.so.2630", "int ov(void) { return 1; }",
             "-Wl,-soname,libopenvino.so.2630");
  examined_.libraries.pop_back();  // only to link with
  AddLibrary("libLiteRtDispatch_IntelOpenvino.so",
             "int ov(void);" + DispatchOf48() + "int use(void) { return ov(); }",
             Path("old/libopenvino.so.2630"));
  ExpectMismatch("needs libopenvino.so.2630, and there is libopenvino.so.2620");
  examined_.libraries.erase(examined_.libraries.begin());
  ExpectMismatch("needs libopenvino.so.2630, which is not there");
}

// npukit's own, which lies beside vendors' libraries in an installation and knows the names of all tables.
TEST_F(DoctorTest, APythonModuleThatLinksTheHostIsNone) {
  AddLibrary("libLiteRt.so", HostOf2_1a(), "-Wl,-soname,libLiteRt.so");
  AddLibrary("libLiteRtDispatch_MediaTek.so", DispatchOf2_1a());
  AddLibrary("_npukit.cpython-311-x86_64-linux-gnu.so",
             "int LiteRtLockTensorBuffer(void);"
             "const char* asks[] = {\"LiteRtDispatchQueryInterface\", \"LiteRtDispatchGetApi\"};"
             "int PyInit__npukit(void) { return LiteRtLockTensorBuffer(); }",
             Path("libLiteRt.so"));
  ExpectHealthy();
  EXPECT_THAT(text_, HasSubstr("x86_64-linux-gnu.so: Python module\n"));
  EXPECT_EQ(diagnosis_.pairs.size(), 1u);
}

TEST_F(DoctorTest, LibrariesThatAreOpenedByName) {
  examined_.is_whole = true;
  AddLibrary("libLiteRtDispatch_Qualcomm.so",
             DispatchOf48() + "const char* name = \"libQnnIr.so\";");
  Judge();
  EXPECT_FALSE(diagnosis_.HasMismatch()) << text_;
  EXPECT_THAT(text_, HasSubstr("libQnnIr.so"));
}

TEST_F(DoctorTest, VersionsOfTheVendorsParts) {
  AddLibrary("libQnnHtpV79Stub.so", "const char* v = \"AISW_VERSION: 2.36.1\";");
  AddLibrary("libQnnHtpV79Skel.so", "const char* v = \"AISW_VERSION: 2.31.0\";");
  ExpectMismatch("aisw_version 2.36.1");
  examined_.libraries.pop_back();
  ExpectHealthy();
}

TEST_F(DoctorTest, TwoCopiesOfALibrary) {
  AddLibrary("libQnnSystem.so", "const char* v = \"QNN version 2.20\";", "-Wl,--build-id");
  AddLibrary("sub/libQnnSystem.so", "const char* v = \"QNN version 2.21\";", "-Wl,--build-id");
  ExpectMismatch("the first on the search path wins");
  examined_ = {};
  AddLibrary("libplugin.so", "const char* v = \"SDK version 1.2\"; int x = 1;", "-Wl,--build-id");
  AddLibrary("sub/libplugin.so", "const char* v = \"SDK version 1.2\"; int x = 2;",
             "-Wl,--build-id");
  Judge();
  EXPECT_FALSE(diagnosis_.HasMismatch()) << text_;
  EXPECT_THAT(text_, HasSubstr("two builds of one library state the same versions"));
}

// Then their bytes tell.
TEST_F(DoctorTest, CopiesWithoutABuildId) {
  const std::string none = "-Wl,--build-id=none";
  AddLibrary("libplugin.so", "const char* v = \"SDK version 1.2\"; int x = 1;", none);
  AddLibrary("sub/libplugin.so", "const char* v = \"SDK version 1.2\"; int x = 1;", none);
  Judge();
  EXPECT_THAT(text_, Not(HasSubstr("two builds")));
  AddLibrary("other/libplugin.so", "const char* v = \"SDK version 1.3\"; int x = 1;", none);
  ExpectMismatch("two versions of one library: the first on the search path wins");
}

TEST_F(DoctorTest, SeveralDispatchLibrariesInOneFolder) {
  AddLibrary("libLiteRtDispatch_A.so", DispatchOf48());
  AddLibrary("libLiteRtDispatch_B.so", DispatchOf48());
  Judge();
  EXPECT_THAT(text_, HasSubstr("the first that the folder lists"));
}

TEST_F(DoctorTest, OtherCompilers) {
  AddLibrary("libLiteRt.so", HostOf2_1b());
  AddLibrary("libLiteRtDispatch_A.so", DispatchOf48());
  examined_.libraries.back().image.compiler = "Android clang 17";
  Judge();
  EXPECT_THAT(text_, HasSubstr("built by different compilers"));
}

TEST_F(DoctorTest, ModelsAndDispatchLibraries) {
  AddLibrary("libLiteRtDispatch_MediaTek.so", DispatchOf48());
  AddModel("MediaTek", "bytes");
  ExpectHealthy();
  examined_.models.clear();
  AddModel("Google", "bytes");
  ExpectMismatch("compiled for Google s1, the dispatch library is MediaTek's");
}

TEST_F(DoctorTest, ModelsWithoutALibrary) {
  examined_.is_whole = true;
  AddModel("Google", "bytes");
  ExpectMismatch("there is no dispatch library");
}

TEST_F(DoctorTest, ModelsWithoutDispatchOps) {
  AddLibrary("libLiteRtDispatch_MediaTek.so", DispatchOf48());
  AddModel("", "", false);
  Judge();
  EXPECT_FALSE(diagnosis_.HasMismatch()) << text_;
  EXPECT_THAT(text_, HasSubstr("runs on the CPU"));
}

TEST_F(DoctorTest, ModelsWithoutBytecode) {
  AddModel("AcmeCorp", "");
  ExpectMismatch("1 of 1 dispatch ops have no bytecode");
}

// "bytecode compiled with 8.2.30, but runtime is 9.2.0".
TEST_F(DoctorTest, BytecodeOfAnotherSdk) {
  AddLibrary("libLiteRtDispatch_MediaTek.so",
             DispatchOf48() + "const char* v = \"Neuron SDK version: 9.2.0\";");
  AddModel("MediaTek", std::string("\x01\x02Neuron SDK version: 8.2.30\x00rest", 33));
  ExpectMismatch("the bytecode says neuron sdk version 8.2.30");
}

// A stamp's SoC model against what the vendor's plugin compiles for.
TEST_F(DoctorTest, ModelsOfAnotherSoc) {
  const std::string knows_s1 = CompilerOfTables() + "const char* socs[] = {\"s1\", \"s2\"};";
  const std::string knows_s2 = CompilerOfTables() + "const char* socs[] = {\"s2\"};";
  AddLibrary("libLiteRtDispatch_AcmeCorp.so", DispatchOf2_2());
  AddModel("AcmeCorp", "bytecode");
  for (const bool holds_name : {true, false}) {
    AddLibrary("libLiteRtCompilerPlugin_AcmeCorp.so", holds_name ? knows_s1 : knows_s2);
    Judge();
    EXPECT_EQ(text_.find("SoC model 's1'") == std::string::npos, holds_name) << text_;
    EXPECT_FALSE(diagnosis_.HasMismatch()) << text_;
    // When it was loaded and said so.
    examined_.libraries.back().soc_models = {"s1", "s3"};
    ExpectHealthy();
    examined_.libraries.back().soc_models = {"s3"};
    ExpectMismatch("compiled for SoC model 's1', the plugin compiles for s3");
    examined_.libraries.pop_back();
  }
  AddLibrary("libLiteRtCompilerPlugin_Other.so", knows_s2);
  ExpectHealthy();
}

TEST_F(DoctorTest, JsonHasWhatScriptsNeed) {
  AddLibrary("libLiteRt.so", HostOfAug2());
  AddLibrary("libLiteRtDispatch_X.so", DispatchOf2_2());
  Judge();
  const Json json = DiagnosisJson(examined_, diagnosis_);
  EXPECT_EQ(json["mismatch"], true);
  ASSERT_EQ(json["pairs"].size(), 1u);
  EXPECT_EQ(json["pairs"][0]["works"], false);
  EXPECT_EQ(json["files"][1]["generations"]["dispatch"], Json::array({"v2.2.0"}));
  EXPECT_EQ(json["findings"][0]["severity"], "mismatch");
}

}  // namespace
}  // namespace npukit::tools
