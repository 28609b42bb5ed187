// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit build and npukit inspect --yaml as users run them: graphs that become models, and models
// that go through YAML and back and compute the same.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/samples/sample_models.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/tests/run_verb.h"
#include "tests/support/shared_dir.h"

namespace npukit {
namespace {

using ::testing::HasSubstr;

std::string WriteText(const std::string& name, const std::string& text) {
  const std::string path = TestFolder() + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::unique_ptr<Model> Build(const std::string& yaml) {
  const std::string output = TestFolder() + "made.tflite";
  const VerbResult result = RunVerb("build " + WriteText("g.yaml", yaml) + " -o " + output);
  EXPECT_EQ(result.exit_code, 0) << result.error;
  auto model = LoadModel(output);
  EXPECT_TRUE(model) << model.Error();
  return model ? std::move(*model) : nullptr;
}

// A float32 array of this shape as NumPy writes it.
std::string Npy(const std::string& shape, const std::vector<float>& values) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize((header.size() + 10 + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  header += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  return file.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

TEST(Build, TakesWeightsFromFiles) {
  WriteText("w.npy", Npy("(2, 2)", {1, 2, 3, 4}));
  WriteText("v.bin", std::string("\x05\x06", 2));
  const auto model = Build(R"(
signature: {key: serving_default, inputs: {left: x}, outputs: {right: z}}
inputs: {x: {type: float32, shape: [1, 2]}}
constants:
  w: {type: float32, shape: [2, 2], data: {file: w.npy}}
  v: {type: int8, shape: [2], quant: {scale: 0.5}, data: {file: v.bin}}
ops:
  - {op: FULLY_CONNECTED, in: [x, w, '-'], out: y, options: {fused_activation_function: RELU}, version: 2}
  - {op: 'custom:Odd', in: [y, v], out: {z: {type: float32, shape: [1, 2]}}, custom_options: '00ff'}
outputs: [z]
)");
  ASSERT_NE(model, nullptr);
  const Subgraph& graph = model->main_subgraph();
  const std::span<const uint8_t> bytes = graph.op(0).inputs[1]->weights.bytes();
  EXPECT_EQ(reinterpret_cast<const float*>(bytes.data())[3], 4);
  EXPECT_EQ(graph.op(0).version, 2);
  EXPECT_EQ(graph.op(1).inputs[1]->weights.bytes()[1], 6);
  EXPECT_EQ(graph.op(1).custom_options, (std::vector<uint8_t>{0, 0xff}));
  ASSERT_EQ(model->signatures.size(), 1u);
  EXPECT_EQ(model->signatures[0]->inputs[0].name, "left");
  EXPECT_EQ(model->signatures[0]->outputs[0].name, "right");
}

TEST(Build, MakesBlockwiseQuantisationAndSubgraphs) {
  const auto model = Build(R"(
- inputs: {x: {type: int32, shape: [1]}}
  ops:
    - {op: WHILE, in: [x], out: {y: {type: int32, shape: [1]}},
       options: {cond_subgraph_index: 1, body_subgraph_index: 2}}
  outputs: [y]
- inputs: {a: {type: int32, shape: [1]}}
  constants: {k: {type: int32, shape: [1], data: [5]}}
  ops: [{op: LESS, in: [a, k], out: {c: {type: bool, shape: [1]}}}]
  outputs: [c]
- inputs: {a: {type: int32, shape: [1]}}
  constants:
    k: {type: int32, shape: [1], data: [2]}
    s: {type: float16, shape: [2, 1], data: ones}
    w: {type: int4, shape: [2, 32], data: iota, quant: {scales_tensor: s, block_size: 32}}
  ops: [{op: ADD, in: [a, k], out: b}]
  outputs: [b]
)");
  ASSERT_NE(model, nullptr);
  ASSERT_EQ(model->subgraphs().size(), 3u);
  const auto* options = model->main_subgraph().op(0).OptionsAs<WhileOptions>();
  ASSERT_NE(options, nullptr);
  EXPECT_EQ(options->body_subgraph_index, 2);
  const auto tensors = model->subgraph(2).tensors();
  const auto weights = std::find_if(tensors.begin(), tensors.end(),
                                    [](const auto& tensor) { return tensor->name == "w"; });
  ASSERT_NE(weights, tensors.end());
  ASSERT_TRUE((*weights)->quantization.blockwise);
  EXPECT_EQ((*weights)->quantization.blockwise->block_size_elems, 32);
}

TEST(Build, MakesConstantsThatAreAlike) {
  const auto model = Build(R"(
inputs: {x: {type: int8, shape: [1, 5], quant: {scale: 1}}}
constants:
  k: {type: int8, shape: [5], quant: {scale: 1}, data: [1, 2, 3, -4, 5]}
  first: {type: int8, shape: [5], quant: {scale: 1}, data: {like: k, but: first}}
  middle: {type: int8, shape: [5], quant: {scale: 1}, data: {like: k, but: middle}}
  a: {type: int4, shape: [5], quant: {scale: 1}, data: [1, 2, 3, -4, 5]}
  last: {type: int4, shape: [5], quant: {scale: 1}, data: {like: a, but: last}}
ops:
  - {op: 'custom:Odd', in: [x, first, middle, a, last], out: {z: {type: float32, shape: [1]}}, custom_options: ''}
outputs: [z]
)");
  ASSERT_NE(model, nullptr);
  const auto bytes = [&](size_t input) {
    const std::span<const uint8_t> of = model->main_subgraph().op(0).inputs[input]->weights.bytes();
    return std::vector<uint8_t>(of.begin(), of.end());
  };
  EXPECT_EQ(bytes(1), (std::vector<uint8_t>{0x81, 2, 3, 0xfc, 5}));
  EXPECT_EQ(bytes(2), (std::vector<uint8_t>{1, 2, 0x83, 0xfc, 5}));
  EXPECT_EQ(bytes(3), (std::vector<uint8_t>{0x21, 0xc3, 0x05}));
  EXPECT_EQ(bytes(4), (std::vector<uint8_t>{0x21, 0xc3, 0x0d}));
}

TEST(Build, SaysWhatIsWrongAndWhere) {
  WriteText("short.npy", Npy("(2,)", {1, 2}));
  const std::string head = "inputs: {x: {type: float32, shape: [2]}}\n";
  const std::string tail = "ops: [{op: ADD, in: [x, k], out: y}]\noutputs: [y]\n";
  struct Case {
    std::string yaml;
    const char* message;
  };
  const Case cases[] = {
      {head + "ops: []\n", "g.yaml:1"},
      {head + "ops: [{op: ADDD, in: [x], out: y}]\noutputs: [y]\n", "unknown operator 'ADDD'"},
      {head + "constants: {k: {type: float32, shape: [3], data: {file: short.npy}}}\n" + tail,
       "short.npy"},
      {head + "constants: {k: {type: int8, shape: [2], data: {file: short.npy}}}\n" + tail,
       "expected int8"},
      {head + "constants: {k: {type: float32, shape: [2], data: {file: none.bin}}}\n" + tail,
       "none.bin"},
      {head + "ops: [{op: 'custom:A', in: [x], out: y, custom_options: 'xy'}]\noutputs: [y]\n",
       "hexadecimal"},
      {head + "ops: [{op: CALL, in: [x], out: y, options: {subgraph: 7}}]\noutputs: [y]\n", "CALL"},
      {head + "constants: {k: {type: int8, shape: [2], data: [1, 300]}}\n" + tail,
       "g.yaml:2:51: expected a whole number from -128 to 127 for int8, found 300"},
      {head + "constants: {k: {type: int32, shape: [1], data: [1.5]}}\n" + tail, "found 1.5"},
      {head + "constants: {k: {type: float32, shape: [2], data: {like: j, but: last}}}\n" + tail,
       "tensor 'k': no constant of its type and shape is called 'j' and stands before it"},
      {head + "constants: {k: {type: float32, shape: [2], data: {like: j, but: none}}}\n" + tail,
       "expected first, middle or last, found 'none'"},
      {head + "constants: {k: {type: int4, shape: [1], data: [8]}}\n" + tail, "from -8 to 7"},
      {head + "constants: {k: {type: int8, shape: [2], quant: {scale: 1, axis: 4}}}\n" + tail,
       "g.yaml:2:16: the 'axis' 4 of 'k' is none of its 1 dimensions"},
      {head + "constants: {k: {type: int8, shape: [2], quant: {scale: 0}}}\n" + tail,
       "g.yaml:2:48: tensor 'k': expected a scale above 0, found 0"},
      {head + "constants: {k: {type: int8, shape: [2], quant: {scale: -0.5}}}\n" + tail,
       "tensor 'k': expected a scale above 0, found -0.5"},
      {head + "constants: {k: {type: int8, shape: [2], quant: {scales: [1, nan], axis: 0}}}\n" +
           tail,
       "tensor 'k': expected a scale above 0, found nan"},
      {head + "constants: {k: {type: int8, shape: [2], quant: {scale: inf}}}\n" + tail,
       "tensor 'k': expected a scale above 0, found inf"},
      {head + "constants: {k: {type: int8, shape: [2], quant: {scale: 1, zero_point: 128}}}\n" +
           tail,
       "g.yaml:2:48: tensor 'k': expected a zero point from -128 to 127 for int8, found 128"},
      {head +
           "constants: {k: {type: uint8, shape: [2], quant: {scales: [1, 2], zero_points: [0, -1], "
           "axis: 0}}}\n" +
           tail,
       "tensor 'k': expected a zero point from 0 to 255 for uint8, found -1"},
      {"inputs: {x: {type: int4, shape: [2]}}\nops: [{op: ABS, in: [x], out: {y: {quant: {scale: "
       "1, "
       "zero_point: 9}}}}]\noutputs: [y]\n",
       "g.yaml:2:43: tensor 'y': expected a zero point from -8 to 7 for int4, found 9"},
      {head +
           "constants:\n  j: {type: float32, shape: [2], buffer: b, data: [1, 2]}\n"
           "  k: {type: float32, shape: [3], buffer: b}\n" +
           tail,
       "g.yaml:4:6: tensor 'k': needs 12 bytes and not the 8 of buffer 'b', which 'j' has"},
      {head +
           "constants:\n  j: {type: float32, shape: [2], buffer: b, data: [1, 2]}\n"
           "  k: {type: float32, shape: [2], buffer: b, data: [1, 2]}\n" +
           tail,
       "tensor 'k': has data of its own beside buffer 'b', which 'j' has"},
      {"signature: {key: a, inputs: {b: nothing}}\n" + head + "ops: []\noutputs: [x]\n",
       "'nothing'"},
  };
  for (const Case& c : cases) {
    const VerbResult result =
        RunVerb("build " + WriteText("g.yaml", c.yaml) + " -o " + TestFolder() + "no.tflite");
    EXPECT_EQ(result.exit_code, 2) << c.yaml << result.error;
    EXPECT_THAT(result.error, HasSubstr(c.message)) << c.yaml;
  }
  EXPECT_FALSE(std::filesystem::exists(TestFolder() + "no.tflite"));
}

// Both models' outputs for the same inputs.
void ExpectSameResults(const std::string& a, const std::string& b) {
  const std::string folder = TestFolder();
  const VerbResult first = RunVerb("run " + a + " --json --out-prefix " + folder + "a_");
  const VerbResult second = RunVerb("run " + b + " --json --out-prefix " + folder + "b_");
  ASSERT_EQ(first.exit_code, 0) << a << first.error;
  ASSERT_EQ(second.exit_code, 0) << b << second.error;
  Json left = first.json();
  Json right = second.json();
  for (Json* json : {&left, &right}) {
    for (Json& output : (*json)["outputs"]) output.erase("file");
  }
  EXPECT_EQ(left["inputs"], right["inputs"]) << a;
  EXPECT_EQ(left["outputs"], right["outputs"]) << a;
  for (size_t i = 0; i < left["outputs"].size(); ++i) {
    EXPECT_EQ(ReadTextFile(fmt::format("{}a_{}.bin", folder, i)),
              ReadTextFile(fmt::format("{}b_{}.bin", folder, i)))
        << a << " output " << i;
  }
}

void ExpectRoundTrip(const std::string& path) {
  const std::string folder = TestFolder();
  const std::string yaml = folder + "again.yaml";
  const VerbResult written = RunVerb("inspect " + path + " --yaml=" + yaml + " --weights w");
  ASSERT_EQ(written.exit_code, 0) << path << written.error;
  const VerbResult built = RunVerb("build " + yaml + " -o " + folder + "again.tflite");
  ASSERT_EQ(built.exit_code, 0) << path << built.error;
  ExpectSameResults(path, folder + "again.tflite");
}

TEST(Build, GivesBackWhatInspectWrote) {
  ModelBuilder m;
  const auto type = kLiteRtElementTypeFloat32;
  // Names that are missing, stand twice or need quotes.
  Tensor* x = m.Input("a:0", type, {1, 4});
  Tensor* k = m.Constant<float>("", {1, 4}, {0.1f, -2, 3e-9f, 4});
  Tensor* w = m.Constant<float>("w", {8, 4}, std::vector<float>(32, 0.25f));
  Tensor* y = m.Value("same", type, {1, 4});
  Tensor* z = m.Value("same", type, {1, 4});
  Tensor* v = m.Value("'v' \"quoted\"", type, {1, 8});
  m.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {x, k}, {y});
  const int32_t body = m.BeginSubgraph("body");
  Tensor* in = m.Input("in", type, {1, 4});
  Tensor* out = m.Value("out", type, {1, 4});
  m.AddOp(kLiteRtOpCodeTflNeg, {in}, {out});
  m.Output(out);
  m.SelectSubgraph(0);
  m.AddComposite("negation", body, {y}, {z});
  Op* dense =
      m.AddOp(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{}, {z, w, nullptr}, {v});
  // As LSTM has them.
  dense->intermediates = {m.Value("inner", kLiteRtElementTypeInt16, {}, PerTensor(0.5f)),
                          m.Value("w", kLiteRtElementTypeInt8, {0})};
  m.Output(v);
  m.AddSignature("serving_default");
  const std::string path = TestFolder() + "odd.tflite";
  ASSERT_TRUE(SaveModel(*m.BuildUnchecked(), path));
  ExpectRoundTrip(path);
  const auto again = LoadModel(TestFolder() + "again.tflite");
  ASSERT_TRUE(again) << again.Error();
  const auto& inner = (*again)->main_subgraph().ops().back()->intermediates;
  ASSERT_EQ(inner.size(), 2u);
  EXPECT_EQ(inner[0]->element_type, kLiteRtElementTypeInt16);
  EXPECT_EQ(inner[0]->quantization.scale, std::vector<float>{0.5f});
  EXPECT_EQ(inner[1]->shape, (std::vector<int32_t>{0}));
  // Without a folder for weights the values are others, the graph is the same.
  const VerbResult printed = RunVerb("inspect " + path + " --yaml");
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_THAT(printed.out, HasSubstr("data: random"));
}

// Weights that two subgraphs and a decomposition, which two composites have, share; names of subgraphs.
TEST(Build, GivesBackSharedBuffersAndNamesOfSubgraphs) {
  ModelBuilder m;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* x = m.Input("x", type, {1, 32});
  Tensor* large = m.Constant<float>("large", {1, 32}, std::vector<float>(32, 0.1f));
  Tensor* y = m.Value("y", type, {1, 32});
  Tensor* z = m.Value("z", type, {1, 32});
  Tensor* v = m.Value("v", type, {1, 32});
  m.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {x, large}, {y});
  const auto add_user = [&](const std::string& name, std::vector<int32_t> shape) {
    const int32_t index = m.BeginSubgraph(name);
    Tensor* in = m.Input("in", type, {1, 32});
    Tensor* same = m.SharedConstant("again", type, std::move(shape), *large);
    Tensor* out = m.Value("out", type, {1, 32});
    m.AddOp(kLiteRtOpCodeTflMul, MulOptions{}, {in, same}, {out});
    m.Output(out);
    return index;
  };
  const int32_t body = add_user("the body", {32});
  m.SelectSubgraph(0);
  m.AddComposite("times", body, {y}, {z});
  m.AddComposite("times", body, {z}, {v});
  m.Output(v);
  m.AddSignature("first");
  add_user("other \"signature\"", {1, 32});
  m.AddSignature("second");
  const std::string path = TestFolder() + "sharing.tflite";
  ASSERT_TRUE(SaveModel(*m.BuildUnchecked(), path));
  ExpectRoundTrip(path);
  const auto again = LoadModel(TestFolder() + "again.tflite");
  ASSERT_TRUE(again) << again.Error();
  std::set<BufferStore::Id> buffers;
  std::vector<std::string> names;
  for (const auto& subgraph : (*again)->subgraphs()) {
    names.push_back(subgraph->name);
    for (const auto& tensor : subgraph->tensors()) {
      if (tensor->is_constant()) buffers.insert(tensor->weights.buffer_id);
    }
  }
  EXPECT_EQ(buffers.size(), 1u);
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("main", "the body", "the body",
                                                     "other \"signature\""));
}

// Small constants stand in the text whatever their type, also without a folder for weights.
TEST(Build, GivesBackSmallConstantsOfEveryType) {
  const std::string graph = R"(
inputs: {x: {type: float32, shape: [1]}}
constants:
  a: {type: float16, shape: [3], data: [1.5, -0.25, 0.000061035156]}
  b: {type: bfloat16, shape: [2], data: [1.5, -3]}
  c: {type: int64, shape: [2], data: [-9007199254740992, 7]}
  d: {type: bool, shape: [3], data: [1, 0, 1]}
  e: {type: int4, shape: [5], data: [-8, 7, 0, -1, 3]}
  f: {type: int2, shape: [3], data: [-2, 1, -1]}
  g: {type: uint16, shape: [2], data: [65535, 1]}
  h: {type: uint32, shape: [1], data: [4294967295]}
ops:
  - {op: 'custom:Odd', in: [x, a, b, c, d, e, f, g, h], out: {z: {type: float32, shape: [1]}}}
outputs: [z]
)";
  const auto model = Build(graph);
  ASSERT_NE(model, nullptr);
  const VerbResult text = RunVerb("inspect " + TestFolder() + "made.tflite --yaml");
  ASSERT_EQ(text.exit_code, 0) << text.error;
  EXPECT_THAT(text.out, ::testing::Not(HasSubstr("random")));
  const auto again = Build(text.out);
  ASSERT_NE(again, nullptr);
  const Op& before = model->main_subgraph().op(0);
  const Op& after = again->main_subgraph().op(0);
  ASSERT_EQ(after.inputs.size(), before.inputs.size());
  for (size_t i = 1; i < before.inputs.size(); ++i) {
    const std::span<const uint8_t> expected = before.inputs[i]->weights.bytes();
    const std::span<const uint8_t> found = after.inputs[i]->weights.bytes();
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), found.begin(), found.end()))
        << before.inputs[i]->name << "\n"
        << text.out;
  }
}

// Every few of the shared models: they compute the same, to the bit.
TEST(Build, GivesBackSharedModels) {
  if (!std::filesystem::is_directory(SharedDir())) GTEST_SKIP() << "no " << SharedDir();
  for (const char* const name : {"/models", "/models2"}) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(SharedDir() + name)) {
      if (entry.path().extension() == ".tflite" && entry.file_size() < 2'000'000)
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    ASSERT_FALSE(files.empty());
    files.resize(std::min<size_t>(files.size(), 8));
    for (const auto& file : files) ExpectRoundTrip(file.string());
  }
  ExpectRoundTrip(SharedDir() + "/models2/trained_lstm_int8.tflite");
}

}  // namespace
}  // namespace npukit
