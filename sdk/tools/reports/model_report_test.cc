// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/reports/model_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/testing/test_models.h"
#include "sdk/host/model/writing/model_writer.h"

namespace npukit::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

// As the tool does it: from the bytes of a file.
nlohmann::ordered_json Report(const Model& model) {
  auto bytes = SerializeModel(model);
  EXPECT_TRUE(bytes) << bytes.Error();
  const SharedBytes file = SharedBytes::Take(std::move(*bytes));
  auto loaded = ParseModel(file);
  EXPECT_TRUE(loaded) << loaded.Error();
  return DescribeModel(**loaded, file, "m.tflite");
}

std::unique_ptr<Model> SmallModel() {
  ModelBuilder builder;
  Tensor* x = builder.Input("x", kLiteRtElementTypeInt8, {-1, 2}, PerTensor(0.1f, 3));
  Tensor* w = builder.Constant<int8_t>("w", {2, 2}, {1, 2, 3, 4}, PerChannel({0.5f, 0.25f}, 0));
  Tensor* y = builder.Value("y", kLiteRtElementTypeInt8, {-1, 2}, PerTensor(2.0f));
  builder.AddOp(kLiteRtOpCodeTflFullyConnected,
                FullyConnectedOptions{.fused_activation_function = ActivationFunctionType::kRelu},
                {x, w, nullptr}, {y}, 4);
  builder.Output(y);
  builder.AddSignature("serving_default");
  auto model = builder.Build();
  EXPECT_TRUE(model) << model.Error();
  return std::move(*model);
}

TEST(ModelReport, TextShowsEverythingAligned) {
  const auto report = Report(*SmallModel());
  const std::string expected =
      "m.tflite: " + report["file_bytes"].dump() +
      " bytes, schema version 3\n"
      "\n"
      "subgraph 0 'main': 1 ops, 3 tensors, of which 1 constant (4 bytes)\n"
      "  inputs 0   outputs 2\n"
      " ops\n"
      "  0  FULLY_CONNECTED  v4  0 1 -  ->  2  fused_activation_function=RELU "
      "weights_format=DEFAULT "
      "keep_num_dims=false asymmetric_quantize_inputs=false quantized_bias_type=FLOAT32\n"
      " tensors\n"
      "  0  int8  [-1,2]  input          scale 0.1 zero point 3      x\n"
      "  1  int8  [2,2]   constant  4 B  2 scales along dimension 0  w\n"
      "  2  int8  [-1,2]  output         scale 2.0 zero point 0      y\n"
      "\n"
      "signature 'serving_default' of subgraph 0\n"
      "   input  tensor 0  x\n"
      "  output  tensor 2  y\n";
  EXPECT_EQ(ReportText(report), expected);
}

TEST(ModelReport, JsonHoldsEveryField) {
  const auto report = Report(*SmallModel());
  const auto& op = report["subgraphs"][0]["ops"][0];
  EXPECT_EQ(op["inputs"].dump(), "[0,1,-1]");
  EXPECT_EQ(op["options"]["table"], "FullyConnectedOptions");
  EXPECT_EQ(op["options"]["fields"]["weights_format"], "DEFAULT");
  EXPECT_EQ(op["options"]["fields"]["keep_num_dims"], false);
  const auto& tensors = report["subgraphs"][0]["tensors"];
  EXPECT_EQ(tensors[1]["quantization"]["scale"].dump(), "[0.5,0.25]");
  EXPECT_EQ(tensors[0]["shape_signature"].dump(), "[-1,2]");
  EXPECT_EQ(tensors[0]["shape"].dump(), "[1,2]");
}

TEST(ModelReport, CompiledModelShowsItsModules) {
  const auto report = Report(*CompiledModel());
  ASSERT_EQ(report["modules"].size(), 2u);
  EXPECT_EQ(report["modules"][0]["entry_points"].dump(), R"(["first","second"])");
  EXPECT_EQ(report["modules"][0]["bytes"], 5);
  EXPECT_EQ(report["modules"][1]["offset"], report["modules"][0]["offset"].get<int>() + 5);
  EXPECT_EQ(report["stamp"]["soc_model"], "acme_a1");
  const std::string text = ReportText(report);
  EXPECT_THAT(text, HasSubstr("compiled for: AcmeCorp acme_a1\n"));
  auto of_no_model = report;
  of_no_model["stamp"]["soc_model"] = "";
  EXPECT_THAT(ReportText(of_no_model), HasSubstr("compiled for: AcmeCorp (its default)\n"));
  EXPECT_THAT(text, HasSubstr("entry point 'other' of module 1"));
}

// Nothing in a model makes the report fail, and every part of it prints.
TEST(ModelReport, TakesEveryFeature) {
  for (const auto& model : {EveryFeature(), EveryOptionsTable()}) {
    ASSERT_NE(model, nullptr);
    const auto report = Report(*model);
    EXPECT_THAT(ReportText(report), Not(HasSubstr("null")));
    EXPECT_FALSE(report.dump().empty());
  }
}

}  // namespace
}  // namespace npukit::tools
