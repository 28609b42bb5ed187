// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/project/upstream/upstream_tree.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "sdk/tools/project/upstream/build_text.h"
#include "sdk/tools/project/upstream/registration.h"

namespace npukit::tools {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const fs::path kSource = NPUKIT_SOURCE_DIR;
const ProjectName kName = {"my_npu", "MyNpu", "MY_NPU", "0badcafe"};

SdkFolders Sdk() { return {kSource / "sdk/include", kSource / "sdk/host/c_api/support"}; }

litert::Expected<UpstreamTree> TreeOf(const fs::path& project) {
  return MakeUpstreamTree(project, kSource / "templates/upstream", Sdk(), kName);
}

// The strings of a BUILD file's list, in the first rule that has it.
std::set<std::string> ListOf(const std::string& build, const std::string& attribute) {
  std::set<std::string> values;
  size_t at = build.find("    " + attribute + " = ");
  const size_t end = build.find(']', at);
  while (at < end) {
    const size_t open = build.find('"', at);
    if (open > end) break;
    const size_t close = build.find('"', open + 1);
    values.insert(build.substr(open + 1, close - open - 1));
    at = close + 1;
  }
  return values;
}

TEST(IncludesTest, AreReadAndRenamed) {
  const std::string text =
      "#include \"a.h\"\n  #  include \"b/c.h\"  // why\n#include <d.h>\n// #include "
      "\"e.h\"\n#define X \"f.h\"\n"
      "#include \"g.h\"";
  EXPECT_THAT(QuotedIncludes(text), ElementsAre("a.h", "b/c.h", "g.h"));
  const auto rename = [](const std::string& name) -> std::optional<std::string> {
    if (name == "a.h") return std::nullopt;
    return "x/" + name;
  };
  EXPECT_EQ(
      RenameIncludes(text, rename),
      "#include \"a.h\"\n  #  include \"x/b/c.h\"  // why\n#include <d.h>\n// #include \"e.h\"\n"
      "#define X \"f.h\"\n#include \"x/g.h\"");
  EXPECT_EQ(RenameIncludes("", rename), "");
}

TEST(PlaceSourcesTest, FollowsIncludesToThePackageThatNeedsAFile) {
  const FileTexts files = {
      {"plugin.cc",
       "#include \"my_npu/module.h\"\n#include \"lower.h\"\nNPUKIT_EXPORT_COMPILER_PLUGIN(P);\n"},
      {"lower.h", "#include \"litert/cc/litert_macros.h\"\n#include \"ops.def\"\n"},
      {"lower.cc", "#include \"my_npu/lower.h\"\n"},
      {"ops.def", "X(ADD)\n"},
      {"tiles.cc", "#include \"my_npu/lower.h\"\n"},
      {"module.h", ""},
      {"module.cc", "#include \"my_npu/module.h\"\n"},
      {"dispatch/device.cc",
       "#include \"my_npu/module.h\"\n#include \"driver.h\"\nNPUKIT_EXPORT_DISPATCH(D);\n"},
      {"lower_test.cc", "#include \"my_npu/lower.h\"\n"},
  };
  const auto placed = PlaceSources(files, "my_npu");
  ASSERT_TRUE(placed) << placed.Error().Message();
  EXPECT_THAT(placed->compiler.sources, ElementsAre("lower.cc", "plugin.cc", "tiles.cc"));
  EXPECT_THAT(placed->compiler.headers, ElementsAre("lower.h"));
  EXPECT_THAT(placed->compiler.texts, ElementsAre("ops.def"));
  EXPECT_THAT(placed->dispatch.sources, ElementsAre("device.cc"));
  EXPECT_THAT(placed->common.sources, ElementsAre("module.cc"));
  EXPECT_THAT(placed->left_out, ElementsAre("lower_test.cc"));
  EXPECT_EQ(placed->files.at("litert/vendors/my_npu/compiler/lower.h"),
            "#include \"npukit/litert_cc/litert_macros.h\"\n#include "
            "\"litert/vendors/my_npu/compiler/ops.def\"\n");
  EXPECT_THAT(placed->files.at("litert/vendors/my_npu/compiler/plugin.cc"),
              HasSubstr("#include \"litert/vendors/my_npu/module.h\"\n"
                        "#include \"litert/vendors/my_npu/compiler/lower.h\"\n"));
}

TEST(PlaceSourcesTest, AsksForBothLibraries) {
  const auto no_dispatch = PlaceSources({{"a.cc", "NPUKIT_EXPORT_COMPILER_PLUGIN(P);"}}, "x");
  ASSERT_FALSE(no_dispatch);
  EXPECT_THAT(no_dispatch.Error().Message(),
              HasSubstr("no source in x/ has NPUKIT_EXPORT_DISPATCH("));
  const auto nothing = PlaceSources({}, "x");
  ASSERT_FALSE(nothing);
  EXPECT_THAT(nothing.Error().Message(), HasSubstr("NPUKIT_EXPORT_COMPILER_PLUGIN("));
  const auto clash = PlaceSources({{"a.cc", "NPUKIT_EXPORT_COMPILER_PLUGIN(P);"},
                                   {"compiler/a.cc", "NPUKIT_EXPORT_COMPILER_PLUGIN(P);"},
                                   {"b.cc", "NPUKIT_EXPORT_DISPATCH(D);"}},
                                  "x");
  ASSERT_FALSE(clash);
  EXPECT_THAT(clash.Error().Message(), HasSubstr("would be compiler/a.cc"));
}

TEST(LabelTest, OfHeaders) {
  const struct {
    const char* header;
    const char* label;
    bool is_file;
  } cases[] = {
      {"litert/c/litert_common.h", "//litert/c:litert_common", false},
      {"litert/c/litert_model.h", "//litert/c:litert_model_header", false},
      {"litert/c/internal/litert_logging.h", "//litert/c/internal:litert_logging", false},
      {"litert/vendors/c/litert_dispatch_api.h", "//litert/vendors/c:litert_dispatch_c_api", false},
      {"litert/vendors/c/litert_compiler_plugin.h", "//litert/vendors/c:litert_compiler_plugin.h",
       true},
      {"absl/strings/string_view.h", "@com_google_absl//absl/strings:string_view", false},
      {"absl/strings/str_cat.h", "@com_google_absl//absl/strings", false},
      {"absl/container/inlined_vector.h", "@com_google_absl//absl/container:inlined_vector", false},
      {"absl/types/span.h", "@com_google_absl//absl/types:span", false},
  };
  for (const auto& c : cases) {
    const auto label = LabelOfHeader(c.header);
    ASSERT_TRUE(label) << c.header;
    EXPECT_EQ(label->label, c.label);
    EXPECT_EQ(label->is_file, c.is_file) << c.header;
  }
  for (const char* unknown :
       {"driver.h", "litert/cc/litert_expected.h", "litert/c/no/such.h", ""}) {
    EXPECT_FALSE(LabelOfHeader(unknown)) << unknown;
  }
}

class UpstreamTreeTest : public ::testing::Test {
 protected:
  ~UpstreamTreeTest() override { fs::remove_all(root_); }
  void Put(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  std::string Get(const std::string& path) {
    std::ifstream file(root_ / path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  const fs::path root_ =
      fs::temp_directory_path() / fmt::format("npukit_upstream_test_{}", ::getpid());
};

// Every file that a BUILD file lists is there, and every include is in the package or has a label.
TEST_F(UpstreamTreeTest, OfTheTemplateIsClosed) {
  const auto tree = TreeOf(kSource / "templates/compiler_plugin");
  ASSERT_TRUE(tree) << tree.Error().Message();
  EXPECT_THAT(tree->notes, IsEmpty());
  const std::string folder = "litert/vendors/my_npu/";
  for (const char* package : {"", "compiler/", "dispatch/"}) {
    const std::string& build = tree->files.at(folder + package + "BUILD");
    const std::set<std::string> deps = ListOf(build, "deps");
    for (const std::string& file : ListOf(build, "srcs")) {
      ASSERT_TRUE(tree->files.contains(folder + package + file)) << file;
      for (const std::string& include : QuotedIncludes(tree->files.at(folder + package + file))) {
        const auto label = LabelOfHeader(include);
        if (label) {
          EXPECT_TRUE(deps.contains(label->label)) << file << " includes " << include;
        } else if (include.starts_with("npukit/")) {
          EXPECT_TRUE(deps.contains("//litert/vendors/my_npu/npukit:plugin_sdk")) << file;
          EXPECT_TRUE(tree->files.contains(folder + "npukit/include/" + include)) << include;
        } else {
          EXPECT_TRUE(tree->files.contains(include)) << file << " includes " << include;
        }
      }
    }
  }
  EXPECT_THAT(tree->files.at(folder + "compiler/BUILD"),
              HasSubstr("so_name = \"libLiteRtCompilerPlugin_MyNpu.so\""));
  EXPECT_TRUE(ListOf(tree->files.at(folder + "compiler/BUILD"), "deps")
                  .contains("//litert/vendors/my_npu:my_npu_common"));
  EXPECT_THAT(tree->files.at("litert/python/aot/vendors/my_npu/target.py"),
              HasSubstr("  MY_NPU_1 = \"my_npu_1\"\n"));
  for (const auto& [path, text] : tree->files) {
    EXPECT_THAT(text, Not(HasSubstr("@name@"))) << path;
    EXPECT_THAT(text, Not(HasSubstr("@SOCS@"))) << path;
  }
}

// LiteRT's C++ wrappers lie at litert/cc: nothing of ours may be there or include from there.
TEST_F(UpstreamTreeTest, VendoredHeadersAreClosedAndApart) {
  const auto tree = TreeOf(kSource / "templates/compiler_plugin");
  ASSERT_TRUE(tree) << tree.Error().Message();
  const std::string sdk = "litert/vendors/my_npu/npukit/";
  const std::set<std::string> deps = ListOf(tree->files.at(sdk + "BUILD"), "deps");
  size_t headers = 0;
  for (const auto& [path, text] : tree->files) {
    if (!path.starts_with(sdk + "include/")) continue;
    EXPECT_TRUE(path.starts_with(sdk + "include/npukit/")) << path;
    ++headers;
    for (const std::string& include : QuotedIncludes(text)) {
      if (include.starts_with("npukit/")) {
        EXPECT_TRUE(tree->files.contains(sdk + "include/" + include)) << path << ": " << include;
      } else {
        EXPECT_TRUE(LabelOfHeader(include)) << path << ": " << include;
      }
    }
  }
  EXPECT_GT(headers, 50u);
  EXPECT_TRUE(deps.contains("//litert/c:litert_common"));
}

TEST_F(UpstreamTreeTest, TakesAProjectAsItIs) {
  Put("project/my_npu/one.cc",
      "#include \"npukit/plugin.h\"\n#include \"npukit/dispatch.h\"\n#include \"driver.h\"\n"
      "NPUKIT_EXPORT_COMPILER_PLUGIN(P);\n");
  Put("project/my_npu/two.cc", "NPUKIT_EXPORT_DISPATCH(D);\n");
  Put("project/build/old.cc", "NPUKIT_EXPORT_DISPATCH(D);\n");
  Put("project/MyNpu.claims.yaml", "claims: 1\nsocs: [n100, 'n-200']\n");
  const auto tree = TreeOf(root_ / "project");
  ASSERT_TRUE(tree) << tree.Error().Message();
  EXPECT_THAT(tree->notes, ElementsAre(HasSubstr("\"driver.h\": nothing in LiteRT's tree")));
  EXPECT_THAT(tree->files.at("litert/vendors/my_npu/compiler/BUILD"),
              HasSubstr("# TODO: a label for \"driver.h\""));
  EXPECT_THAT(tree->files.at("litert/python/aot/vendors/my_npu/target.py"),
              HasSubstr("  N100 = \"n100\"\n  N_200 = \"n-200\"\n"));
  EXPECT_TRUE(tree->files.contains("MyNpu.claims.yaml"));
  const auto nothing = TreeOf(root_ / "project/my_npu");
  ASSERT_FALSE(nothing);
  EXPECT_THAT(nothing.Error().Message(), HasSubstr("no source in my_npu/"));
  EXPECT_FALSE(TreeOf(root_ / "none"));
}

TEST_F(UpstreamTreeTest, RegistersInACheckout) {
  Put("litert/tools/BUILD",
      "data = [\n    \"//litert/vendors/qualcomm/compiler:qnn_compiler_plugin_so\",\n]\n");
  Put("litert/python/aot/vendors/__init__.py", "nothing of that kind\n");
  Put("litert/integration_test/litert_device_common.bzl",
      "# EXAMPLE\n    return (_CpuSpec() | _ExampleSpec())[name]\n    return name in [\"samsung\", "
      "\"example\"]\n");
  const Registered done = RegisterIn(root_, kName);
  EXPECT_THAT(done.files.at("litert/tools/BUILD"),
              HasSubstr("qnn_compiler_plugin_so\",\n            "
                        "\"//litert/vendors/my_npu/compiler:compiler_plugin_so\",\n]"));
  const std::string& devices = done.files.at("litert/integration_test/litert_device_common.bzl");
  EXPECT_THAT(devices, HasSubstr("def _MyNpuSpec():"));
  EXPECT_LT(devices.find("def _MyNpuSpec():"), devices.find("# EXAMPLE"));
  EXPECT_THAT(devices, HasSubstr("(_CpuSpec() | _ExampleSpec() | _MyNpuSpec())[name]"));
  EXPECT_THAT(devices, HasSubstr("[\"samsung\", \"example\", \"my_npu\"]"));
  // The page lists what could not be done too: the __init__.py, and the files that are not there.
  EXPECT_THAT(done.missing, ::testing::Contains(HasSubstr("__init__.py: no 'from litert")));
  EXPECT_THAT(done.missing,
              ::testing::Contains(HasSubstr("litert/ats/BUILD: No such file or directory")));
  EXPECT_THAT(RegistrationPage(kName), HasSubstr("litert/ats/BUILD"));

  for (const auto& [path, text] : done.files) Put(path, text);
  EXPECT_EQ(RegisterIn(root_, kName).files, done.files) << "a second time changes nothing";
}

TEST_F(UpstreamTreeTest, OverwritesNothing) {
  Put("mine.txt", "mine");
  ASSERT_TRUE(WriteFiles(root_, {{"a/b.txt", "b"}}));
  EXPECT_EQ(Get("a/b.txt"), "b");
  const auto refused = WriteFiles(root_, {{"c.txt", "c"}, {"mine.txt", "theirs"}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.Error().Message(), HasSubstr("mine.txt is already there"));
  EXPECT_FALSE(fs::exists(root_ / "c.txt"));
  EXPECT_TRUE(WriteFiles(root_, {{"mine.txt", "theirs"}}, {{"mine.txt", ""}}));
}

}  // namespace
}  // namespace npukit::tools
