// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A set of files made for a test, and what the doctor says of it.

#ifndef NPUKIT_SDK_TOOLS_DOCTOR_TESTS_DOCTOR_FIXTURE_H_
#define NPUKIT_SDK_TOOLS_DOCTOR_TESTS_DOCTOR_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/metadata/build_stamp.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tools/doctor/diagnosis.h"
#include "tests/support/temporary_folder.h"

namespace npukit::tools {

class DoctorTest : public ::testing::Test {
 protected:
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
    EXPECT_THAT(text_, ::testing::HasSubstr(words));
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

  TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path();
  Examined examined_;
  Diagnosis diagnosis_;
  std::string text_;
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_DOCTOR_TESTS_DOCTOR_FIXTURE_H_
