// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Compiler plugins that lack one of their functions, each in turn: exported ones of each generation, and
// members of a queried table. The host names what is missing, or does without, and calls no null pointer.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "tests/support/in_child.h"
#include "tests/support/temporary_folder.h"

namespace npukit {
namespace {

using testing::HasSubstr;

// A copy of a test plugin for each case: the dynamic linker knows files by what they are.
class NullMembers : public testing::Test {
 protected:
  ~NullMembers() override { unsetenv("NPUKIT_TEST_NULL_MEMBER"); }

  std::string Copy(const std::string& bytes) {
    const std::string path =
        fmt::format("{}/{}/libLiteRtCompilerPlugin_Copy.so", folder_.path(), ++num_copies_);
    std::filesystem::create_directory(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

 private:
  TemporaryFolder folder_;
  int num_copies_ = 0;
};

std::string PathOf(const std::string& name) {
  return NPUKIT_BUILD_DIR "/test_plugins/" + name + "/libLiteRtCompilerPlugin_" + name + ".so";
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::unique_ptr<Model> OneMul() {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeFloat32, {2});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {2});
  b.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {x, x}, {y});
  b.Output(y);
  return b.BuildUnchecked();
}

// Does all that a plugin is there for; the first error, or nothing.
std::string UseHere(const std::string& path) {
  const auto plugin = LoadedPlugin::Load(path);
  if (!plugin) return plugin.Error().Message();
  auto model = OneMul();
  if (const auto rewritten = plugin->Rewrite(model); !rewritten) return rewritten.Error().Message();
  if (const auto compatible = plugin->CheckCompatibility(""); !compatible)
    return compatible.Error().Message();
  if (const auto answer = plugin->Partition("", model->main_subgraph()); !answer)
    return answer.Error().Message();
  if (const auto compiled = plugin->Compile("", *model); !compiled)
    return compiled.Error().Message();
  return {};
}

std::string UseAll(const std::string& path) {
  return InChild([&] { return UseHere(path); });
}

TEST_F(NullMembers, OfAQueriedTable) {
  // Behind the header, in the order of LiteRtCompilerPluginInterface_V1. Empty: the host does without.
  constexpr const char* kMessages[] = {"",  // get_compiler_plugin_version
                                       "the table has no get_compiler_plugin_soc_manufacturer",
                                       "the table has no create_compiler_plugin",
                                       "",  // destroy_compiler_plugin
                                       "",  // get_compiler_plugin_supported_hardware
                                       "",  // get_num_compiler_plugin_supported_models
                                       "the table has no get_compiler_plugin_supported_soc_model",
                                       "the table has no compiler_plugin_partition",
                                       "the table has no compiler_plugin_compile",
                                       "",  // destroy_compiled_result
                                       "the table has no get_compiled_result_byte_code",
                                       "the table has no get_compiled_result_num_byte_code",
                                       "the table has no get_compiled_result_call_info",
                                       "the table has no get_compiled_result_num_calls",
                                       "",   // register_all_transformations
                                       "",   // get_compiler_plugin_sdk_version
                                       "",   // get_compiled_result_handle
                                       ""};  // check_compiler_compatibility
  const std::string bytes = ReadFile(PathOf("queried_plain"));
  ASSERT_FALSE(bytes.empty());
  EXPECT_EQ(UseAll(Copy(bytes)), "");
  for (size_t position = 0; position < std::size(kMessages); ++position) {
    SCOPED_TRACE(position);
    setenv("NPUKIT_TEST_NULL_MEMBER", fmt::format("{}", position).c_str(), 1);
    const std::string path = Copy(bytes);
    const std::string error = UseAll(path);
    const std::string message = kMessages[position];
    if (message.empty()) {
      EXPECT_EQ(error, "");
    } else {
      EXPECT_THAT(error, HasSubstr(message));
      EXPECT_THAT(error, HasSubstr(path));
    }
  }
}

TEST_F(NullMembers, OfExportsOfEachGeneration) {
  const char* const kFunctions[] = {
#define FUNCTION(symbol, member) #symbol,
#include "sdk/host/plugin/plugin_functions.def"
  };
  for (const char* const name : {"selects_all", "abi_2_1_5", "abi_2_1_6", "abi_2_2_0"}) {
    const std::string bytes = ReadFile(PathOf(name));
    ASSERT_FALSE(bytes.empty()) << name;
    for (const std::string function : kFunctions) {
      SCOPED_TRACE(fmt::format("{} without {}", name, function));
      std::string without = bytes;
      size_t num_found = 0;
      // Under another name nobody finds it.
      const std::string in_table = '\0' + function + '\0';
      for (size_t at = 0; (at = without.find(in_table, at)) != std::string::npos; ++num_found)
        without[at + 1] = 'X';
      ASSERT_GE(num_found, 1u);
      const std::string path = Copy(without);
      const std::string error = UseAll(path);
      const bool is_of_210 = function == "LiteRtCompilerPluginCheckCompilerCompatibility" &&
                             std::string(name) == "selects_all";
      if (is_of_210) {
        EXPECT_EQ(error, "") << "2.1.0 has it not";
      } else {
        EXPECT_THAT(error, HasSubstr(function));
        EXPECT_THAT(error, HasSubstr(path));
      }
    }
  }
}

}  // namespace
}  // namespace npukit
