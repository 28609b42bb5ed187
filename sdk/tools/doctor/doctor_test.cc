// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Each report of libraries that did not go together, with files made for it: what the files say, that
// the pair is found, and that a set without the fault is not accused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/metadata/build_stamp.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tools/doctor/copy_size.h"
#include "sdk/tools/doctor/diagnosis.h"

namespace npukit::tools {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

// -- Sources of libraries of each generation ------------------------------------------------------

constexpr char kCommon[] = R"(
  typedef struct { unsigned short size, major, minor, zero; } Header;
  #define F(n) static int f##n(void) { return n; }
  F(0) F(1)
  #define P (void*)f0
  #define FIVE P, P, P, P, (void*)f1
  #define TABLE25 FIVE, FIVE, FIVE, FIVE, FIVE
)";

std::string DispatchOf2_1a() {
  return std::string(kCommon) + R"(
    int LiteRtLockTensorBuffer(void*, void**, int);
    int LiteRtDispatchGetApi(void* api) { return LiteRtLockTensorBuffer(api, 0, 0); })";
}
// Before v2.2.0: 48 bytes, the version first.
std::string DispatchOf48() {
  return std::string(kCommon) + R"(
    static void* basic[] = {TABLE25};
    static struct { int version[3]; void *basic, *async, *graph, *handlers; } api =
        {{0, 1, 0}, basic, 0, 0, 0};
    int LiteRtDispatchGetApi(void* out) { __builtin_memcpy(out, &api, sizeof api); return 0; })";
}
// From v2.2.0 on: 56 bytes, a header, which many leave zero, first.
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

// A LiteRT library: what it exports beside, and the size of the table that it passes.
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
const std::vector<std::string> kExportsOfMid = {"LiteRtGetSubgraphName",
                                                "LiteRtExternalLiteRtBufferContextGetRunOptions"};
const std::vector<std::string> kExportsOfAug = {"LiteRtGetSubgraphName",
                                                "LiteRtExternalLiteRtBufferContextGetRunOptions",
                                                "LiteRtDispatchGetHooks"};
std::string HostOf2_1a() { return HostOf({}, ""); }
std::string HostOf2_1b() { return HostOf({"LiteRtGetSubgraphName"}, ""); }
std::string HostOfMidOr2_2() { return HostOf(kExportsOfMid, "{400, 1, 0, 0}"); }
std::string HostOfAug1() { return HostOf(kExportsOfAug, "{400, 1, 0, 0}"); }
std::string HostOfAug2() { return HostOf(kExportsOfAug, "{408, 1, 1, 0}"); }
std::string HostOfQi() {
  return HostOf({}, "") + R"(const char* query = "LiteRtDispatchQueryInterface";)";
}

// -- Files ----------------------------------------------------------------------------------------

class DoctorTest : public ::testing::Test {
 protected:
  DoctorTest() {
    std::string name = (std::filesystem::temp_directory_path() / "npukit-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~DoctorTest() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  // Builds a library and adds it to the set. `strip`: as vendors ship them.
  void AddLibrary(const std::string& name, const std::string& source, const std::string& flags = "",
                  bool strip = false) {
    std::filesystem::create_directories(std::filesystem::path(Path(name)).parent_path());
    const std::string c = Path("source.c");
    std::ofstream(c) << source;
    const std::string command = std::string(NPUKIT_TEST_CC) + " -shared -fPIC -O1 -w -nostdlib " +
                                (strip ? "-s " : "") + "-o " + Path(name) + " " + c + " " + flags;
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    std::ifstream in(Path(name), std::ios::binary);
    auto image = ElfImage::Parse({std::istreambuf_iterator<char>(in), {}});
    ASSERT_TRUE(image) << image.Error().Message();
    examined_.libraries.push_back(ExamineLibrary(Path(name), std::move(*image)));
  }

  // A model of one dispatch op, or of one op for the CPU.
  void AddModel(const std::string& manufacturer, const std::string& bytecode,
                bool dispatch = true) {
    ModelBuilder builder;
    Tensor* x = builder.Input("x", kLiteRtElementTypeFloat32, {4});
    Tensor* y = builder.Value("y", kLiteRtElementTypeFloat32, {4});
    Op* op = builder.AddCustomOp(dispatch ? kDispatchOpCustomCode : "Other", {}, {x}, {y});
    builder.Output(y);
    auto built = builder.Build();
    ASSERT_TRUE(built) << built.Error().Message();
    Model& model = **built;
    if (dispatch) {
      op->dispatch = DispatchInfo{.entry_point = "main_0"};
      if (!bytecode.empty()) {
        op->dispatch->bytecode =
            model.buffers().Add(SharedBytes::Take({bytecode.begin(), bytecode.end()}));
      }
    }
    if (!manufacturer.empty()) {
      ASSERT_TRUE(SetBuildStamp(model, {.soc_manufacturer = manufacturer, .soc_model = "s1"}));
    }
    auto bytes = SerializeModel(model);
    ASSERT_TRUE(bytes) << bytes.Error().Message();
    auto models = ExamineModels(Path("model.tflite"), SharedBytes::Take(std::move(*bytes)));
    ASSERT_TRUE(models) << models.Error().Message();
    for (ModelFile& file : *models) examined_.models.push_back(std::move(file));
  }

  void Judge() {
    diagnosis_ = Diagnose(examined_);
    text_ = DiagnosisText(DiagnosisJson(examined_, diagnosis_));
  }
  void ExpectMismatch(const std::string& words) {
    Judge();
    EXPECT_TRUE(diagnosis_.HasMismatch()) << text_;
    EXPECT_THAT(text_, HasSubstr(words));
    for (const Finding& finding : diagnosis_.findings) {
      const bool is_mismatch = finding.severity == Severity::kMismatch;
      EXPECT_EQ(is_mismatch && finding.fix.empty(), false) << finding.text;
    }
  }
  void ExpectHealthy() {
    Judge();
    EXPECT_FALSE(diagnosis_.HasMismatch()) << text_;
  }
  std::vector<std::string> Dispatch() const { return NamesOf(examined_.libraries.back().dispatch); }

  std::string folder_;
  Examined examined_;
  Diagnosis diagnosis_;
  std::string text_;
};

// -- What one file tells --------------------------------------------------------------------------

struct Told {
  const char* name;
  std::string (*source)();
  Generations LibraryFile::*kind;
  Generations generations;
  Generations stripped;  // what is left of it without symbols
};

TEST_F(DoctorTest, GenerationsAreReadOffTheFiles) {
  using enum Generation;
  const std::vector<Told> table = {
      {"dispatch_2_1a", DispatchOf2_1a, &LibraryFile::dispatch, Only(k2_1a), Only(k2_1a)},
      {"dispatch_48", DispatchOf48, &LibraryFile::dispatch, From(k2_1b, kMid), From(k2_1b, kMid)},
      {"dispatch_2_2", DispatchOf2_2, &LibraryFile::dispatch, Only(k2_2), From(k2_2, kAug2)},
      {"dispatch_aug", DispatchOfAug, &LibraryFile::dispatch, From(kAug1, kAug2),
       From(k2_2, kAug2)},
      {"dispatch_qi", DispatchOfQi, &LibraryFile::dispatch, Only(kQueried), Only(kQueried)},
      {"compiler_2_1a", CompilerOf2_1a, &LibraryFile::compiler, Only(k2_1a), Only(k2_1a)},
      {"compiler_tables", CompilerOfTables, &LibraryFile::compiler, From(k2_1b, kAug2),
       From(k2_1b, kAug2)},
      {"compiler_qi", CompilerOfQi, &LibraryFile::compiler, Only(kQueried), Only(kQueried)},
      {"host_2_1a", HostOf2_1a, &LibraryFile::host, Only(k2_1a), Only(k2_1a)},
      {"host_2_1b", HostOf2_1b, &LibraryFile::host, Only(k2_1b), Only(k2_1b)},
      {"host_mid", HostOfMidOr2_2, &LibraryFile::host, From(kMid, k2_2), From(kMid, k2_2)},
      {"host_aug1", HostOfAug1, &LibraryFile::host, Only(kAug1), Only(kAug1)},
      {"host_aug2", HostOfAug2, &LibraryFile::host, Only(kAug2), Only(kAug2)},
      {"host_qi", HostOfQi, &LibraryFile::host, Only(kQueried), Only(kQueried)},
  };
  for (const Told& told : table) {
    for (const bool strip : {false, true}) {
      SCOPED_TRACE(std::string(told.name) + (strip ? ", stripped" : ""));
      AddLibrary(told.name, told.source(), "", strip);
      EXPECT_EQ(NamesOf(examined_.libraries.back().*told.kind),
                NamesOf(strip ? told.stripped : told.generations));
    }
  }
}

// One that answers each host in its layout: 48 bytes for those before v2.2.0, 56 for later ones.
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

TEST_F(DoctorTest, LibrariesThatAnswerEachHostInItsLayout) {
  const char* const query = "int LiteRtDispatchQueryInterface(int id) { return id; }";
  const struct {
    std::string (*host)();
    const char* also;
    std::optional<bool> works;
    std::optional<bool> stripped;  // hides how many functions the table has
  } table[] = {{HostOf2_1b, "", true, true},         {HostOfMidOr2_2, "", true, true},
               {HostOfAug2, "", true, std::nullopt}, {HostOfQi, "", false, false},
               {HostOfQi, query, true, true},        {HostOfAug2, query, true, std::nullopt},
               {HostOf2_1b, query, true, true},      {HostOf2_1a, query, false, false}};
  for (const auto& row : table) {
    for (const bool strip : {false, true}) {
      SCOPED_TRACE(std::string(row.also) + (strip ? ", stripped" : ""));
      examined_ = {};
      AddLibrary("libLiteRt.so", row.host());
      AddLibrary("libLiteRtDispatch_X.so", DispatchOfBoth(row.also), "", strip);
      Judge();
      EXPECT_EQ(diagnosis_.pairs.front().works, strip ? row.stripped : row.works) << text_;
    }
  }
}

// Without symbols a header of zeros can be anything: all that may be are named, and no mismatch is
// claimed that is not sure.
TEST_F(DoctorTest, ZeroHeaderIsNotGuessed) {
  AddLibrary("libLiteRtDispatch_X.so", DispatchOf56("TABLE25", "{0, 0, 0, 0}"));
  EXPECT_EQ(Dispatch(), NamesOf(Only(Generation::k2_2))) << "the symbol has 56 bytes";
  AddLibrary("libLiteRtDispatch_Y.so", DispatchOf56("TABLE25", "{0, 0, 0, 0}"), "", true);
  EXPECT_EQ(Dispatch(), NamesOf(From(Generation::k2_2, Generation::kAug2)))
      << "LiteRtDispatchGetApi copies 56 bytes";
}

TEST_F(DoctorTest, CopiesOfOtherMachines) {
  // ldp q0, q1, [x8]; stp q0, q1, [x0]; ldr q0, [x8, 32]; str q0, [x0, 32]; ldr x9, [x8, 48];
  // str x9, [x0, 48]; ret
  const std::vector<uint8_t> code = {0x00, 0x05, 0x40, 0xad, 0x00, 0x04, 0x00, 0xad, 0x00, 0x09,
                                     0xc0, 0x3d, 0x00, 0x08, 0x80, 0x3d, 0x09, 0x19, 0x40, 0xf9,
                                     0x09, 0x18, 0x00, 0xf9, 0xc0, 0x03, 0x5f, 0xd6};
  EXPECT_EQ(CopySize("aarch64", code), 56u);
  EXPECT_EQ(CopySize("aarch64", std::span(code).first(16)), 48u);
  EXPECT_EQ(CopySize("riscv", code), std::nullopt);
  EXPECT_EQ(CopySize("x86-64", {}), std::nullopt);
}

TEST_F(DoctorTest, BadFilesAreErrors) {
  AddLibrary("whole.so", DispatchOf48());
  std::ifstream in(Path("whole.so"), std::ios::binary);
  const std::vector<uint8_t> whole{std::istreambuf_iterator<char>(in), {}};
  for (size_t size = 0; size < whole.size(); size += 61) {
    (void)ElfImage::Parse({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)});
  }
  for (size_t at = 0; at < 4096; at += 3) {
    std::vector<uint8_t> changed = whole;
    changed[at % changed.size()] ^= 0xff;
    auto image = ElfImage::Parse(std::move(changed));
    if (image) (void)ExamineLibrary("changed.so", std::move(*image));
  }
  EXPECT_FALSE(ElfImage::Parse({}));
  EXPECT_FALSE(ElfImage::Parse({0x7f, 'E', 'L', 'F'}));
}

// -- Reports of version skew ----------------------------------------------------------------------

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
