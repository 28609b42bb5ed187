// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// `npukit run` as its users call it, on every shared model that TFLite runs: integer outputs equal
// TFLite's byte for byte. (golden_model_test holds floats within their bound, and all seeds.)

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "sdk/tests/run_verb.h"
#include "tests/support/shared_dir.h"

namespace npukit {
namespace {

namespace fs = std::filesystem;

const fs::path kShared = SharedDir();

std::string Resizes(const Json& entry) {
  std::string text;
  for (const Json& input : entry["inputs"]) {
    text += fmt::format(" --resize '{}={}'", input["name"].get<std::string>(),
                        fmt::join(input["shape"].get<std::vector<int>>(), ","));
  }
  return text;
}

TEST(RunGoldens, IntegersAreEqual) {
  const fs::path manifest = kShared / "goldens" / "manifest.json";
  if (!fs::exists(manifest)) GTEST_SKIP() << manifest << " is absent: nothing to compare with";
  const fs::path folder = fs::path(::testing::TempDir()) / "npukit_run_goldens";
  fs::create_directories(folder);
  size_t compared = 0;
  for (const Json& entry : Json::parse(ReadTextFile(manifest))) {
    if (entry.value("seed", 0) != 1 || !entry.contains("inputs")) continue;
    const auto name = entry["model"].get<std::string>();
    SCOPED_TRACE(name);
    std::string command = NPUKIT_BUILD_DIR "/bin/npukit-run " +
                          (kShared / "models" / (name + ".tflite")).string() + " --in";
    for (const Json& input : entry["inputs"])
      command += " " + (kShared / "goldens" / input["file"].get<std::string>()).string();
    if (name == "simple_add_dynamic_shape") command += Resizes(entry);
    const std::string prefix = (folder / (name + "_")).string();
    command += " --out-prefix " + prefix + " >" + prefix + "log 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << command << "\n" << ReadTextFile(prefix + "log");
    for (size_t i = 0; i < entry["outputs"].size(); ++i) {
      const Json& output = entry["outputs"][i];
      const std::string ours = ReadTextFile(fmt::format("{}{}.bin", prefix, i));
      const std::string golden =
          ReadTextFile(kShared / "goldens" / output["file"].get<std::string>());
      EXPECT_EQ(ours.size(), golden.size());
      if (output["dtype"] != "float32") {
        EXPECT_TRUE(ours == golden) << "output " << i;
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 20u);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace npukit
