// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Files that are wrong in one way each, and what the reader says to them.

#include "sdk/host/model/reading/model_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/model/file/tflite_schema_generated.h"
#include "sdk/host/model/testing/raw_flatbuffer.h"
#include "sdk/host/model/testing/test_models.h"
#include "sdk/host/model/writing/model_writer.h"

namespace npukit {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// x(0) -> [ADD] -> a(1) -> [MUL with w(2)] -> y(3), and a subgraph that is called by nothing.
constexpr char kSoundModel[] = R"({
  version: 3,
  operator_codes: [
    {builtin_code: ADD, deprecated_builtin_code: 0},
    {builtin_code: MUL, deprecated_builtin_code: 18}
  ],
  subgraphs: [
    {
      tensors: [
        {name: "x", shape: [4]},
        {name: "a", shape: [4]},
        {name: "w", shape: [4], buffer: 1},
        {name: "y", shape: [4]}
      ],
      inputs: [0],
      outputs: [3],
      operators: [
        {opcode_index: 0, inputs: [0, 0], outputs: [1]},
        {opcode_index: 1, inputs: [1, 2], outputs: [3]},
        // more of subgraph 0
      ]
    },
    {
      // more of subgraph 1
    }
  ],
  buffers: [{}, {data: [1,1,1,1, 1,1,1,1, 1,1,1,1, 1,1,1,1]}],
  // more of the model
})";

// One place of the sound model and what shall stand there.
struct Edit {
  std::string from;
  std::string to;
};

std::vector<uint8_t> EditedModel(const std::vector<Edit>& edits) {
  std::string json = kSoundModel;
  for (const auto& [from, to] : edits) {
    const size_t at = json.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    EXPECT_EQ(json.find(from, at + 1), std::string::npos) << from << " stands twice";
    if (at != std::string::npos) json.replace(at, from.size(), to);
  }
  return FileFromJson(json);
}

// -- Edits --

// Of tensor a: what follows its name.
Edit TensorA(const std::string& fields) {
  return {R"(name: "a", shape: [4])", R"(name: "a", )" + fields};
}
Edit QuantizedA(const std::string& fields) {
  return TensorA("shape: [4], quantization: {" + fields + "}");
}
// Of op 0, the ADD.
Edit Add(const std::string& fields) {
  return {"opcode_index: 0, inputs: [0, 0], outputs: [1]", "opcode_index: 0, " + fields};
}
// Of op 1, the MUL.
Edit Mul(const std::string& fields) {
  return {"opcode_index: 1, inputs: [1, 2], outputs: [3]", "opcode_index: 1, " + fields};
}
Edit MoreOfTheModel(const std::string& fields) { return {"// more of the model", fields}; }

// An op more that calls a subgraph.
std::string Call(int callee) {
  return fmt::format(
      "{{builtin_options_2_type: StableHLOCompositeOptions, builtin_options_2: "
      "{{decomposition_subgraph_index: {}}}}},",
      callee);
}
Edit CallIn0(const std::string& ops) { return {"// more of subgraph 0", ops}; }
Edit CallIn1(const std::string& ops) {
  return {"// more of subgraph 1", "operators: [" + ops + "]"};
}

struct Fault {
  const char* name;
  std::vector<Edit> edits;
  const char* message;  // behind the file's name
};

std::vector<Fault> Faults() {
  const std::string kBuffer1 = "{data: [1,1,1,1, 1,1,1,1, 1,1,1,1, 1,1,1,1]}";
  const std::string kMul = "{opcode_index: 1, inputs: [1, 2], outputs: [3]}";
  const std::string kBuffers = "buffers: [{}, " + kBuffer1 + "],";
  return {
      {"no_subgraph",
       {{kSoundModel, "{version: 3, buffers: [{}]}"}},
       "expected at least one subgraph, found none"},
      {"version", {{"version: 3", "version: 4"}}, "expected schema version 3, found 4"},
      {"no_buffers", {{kBuffers, ""}}, "expected a list of buffers, found none"},
      {"buffer_0",
       {{"buffers: [{}", "buffers: [{data: [1, 2]}"}},
       "buffer 0: expected no bytes, found 2"},
      {"buffer_beyond_file",
       {{kBuffer1, "{offset: 100, size: 1073741824}"}},
       "buffer 1: expected its bytes within the file's "},
      {"buffer_offset_wraps",
       {{kBuffer1, "{offset: 18446744073709551612, size: 8}"}},
       "found 8 bytes at offset 18446744073709551612"},
      {"operator_code",
       {{"builtin_code: ADD", "builtin_code: 1000"}},
       "operator code 0: expected a builtin operator below 210, found 1000"},
      {"negative_operator_code",
       {{"builtin_code: ADD, deprecated_builtin_code: 0",
         "builtin_code: -5, deprecated_builtin_code: -5"}},
       "operator code 0: expected a builtin operator below 210, found -5"},
      {"opcode_index",
       {{"opcode_index: 1", "opcode_index: 2"}},
       "subgraph 0: op 1: expected one of 2 operator codes, found index 2"},
      {"tensor_buffer",
       {{"buffer: 1", "buffer: 7"}},
       "subgraph 0: tensor 2 ('w'): expected one of 2 buffers, found index 7"},
      {"element_type",
       {TensorA("shape: [4], type: 99")},
       "subgraph 0: tensor 1 ('a'): expected a known element type, found 99"},
      {"external_buffer",
       {TensorA("shape: [4], external_buffer: 5")},
       "tensor 1 ('a'): expected the id of an external buffer, found 5"},
      {"op_input",
       {Mul("inputs: [1, 4], outputs: [3]")},
       "subgraph 0: op 1 MUL: input 1: expected one of 4 tensors or -1, found index 4"},
      {"op_input_negative",
       {Mul("inputs: [-2], outputs: [3]")},
       "input 0: expected one of 4 tensors or -1, found index -2"},
      {"op_output_omitted",
       {Mul("inputs: [1, 2], outputs: [-1]")},
       "output 0: expected one of 4 tensors, found index -1"},
      {"intermediate",
       {Mul("inputs: [1, 2], outputs: [3], intermediates: [9]")},
       "intermediate 0: expected one of 4 tensors, found index 9"},
      {"written_twice",
       {Mul("inputs: [1, 2], outputs: [1]")},
       "op 1 MUL: output 0: expected a tensor that nothing else writes, found tensor 1 ('a'), "
       "which op 0 ADD (a) writes"},
      {"writes_an_input",
       {Mul("inputs: [1, 2], outputs: [0]")},
       "subgraph 0: input tensor 0 ('x'): expected a tensor that no op writes, found that op 1 "
       "MUL (x) does"},
      {"order",
       {{kMul + ",", ""}, {"operators: [", "operators: [" + kMul + ","}},
       "op 0 MUL (y): input 0: expected ops in topological order, found tensor 1 ('a'), which op 1 "
       "ADD (a) writes later"},
      {"cycle",
       {Add("inputs: [0, 3], outputs: [1]")},
       "op 0 ADD (a): input 1: expected ops in topological order, found tensor 3 ('y'), which op 1 "
       "MUL (y) writes later"},
      {"cycle_of_one",
       {Add("inputs: [0, 1], outputs: [1]")},
       "op 0 ADD (a): input 1: expected no cycle, found tensor 1 ('a'), which the op itself "
       "writes"},
      {"subgraph_input",
       {{"inputs: [0],", "inputs: [4],"}},
       "subgraph 0: input 0: expected one of 4 tensors, found index 4"},
      {"subgraph_output",
       {{"outputs: [3],", "outputs: [-1],"}},
       "subgraph 0: output 0: expected one of 4 tensors, found index -1"},
      {"mutating",
       {Add("inputs: [0, 0], outputs: [1], mutating_variable_inputs: [true]")},
       "op 0 ADD (a): expected mutating_variable_inputs for none or all of 2 inputs, found 1"},
      {"constant_size",
       {{R"("w", shape: [4])", R"("w", shape: [5])"}},
       "tensor 2 ('w'): expected 20 bytes for float32[5], found 16 in buffer 1"},
      {"shape_overflow",
       {TensorA("shape: [1073741824, 1073741824, 1073741824]")},
       "tensor 1 ('a'): expected a size below 2^63 bits, found shape "
       "[1073741824,1073741824,1073741824] of float32"},
      {"negative_dimension",
       {TensorA("shape: [-7]")},
       "tensor 1 ('a'): expected dimensions of -1 or more, found shape [-7]"},
      {"signature_rank",
       {TensorA("shape: [4], shape_signature: [-1, 4]")},
       "tensor 1 ('a'): expected a shape signature of rank 1 like the shape, found [-1,4]"},
      {"zero_points",
       {QuantizedA("scale: [1, 2, 3, 4], zero_point: [0, 0]")},
       "tensor 1 ('a'): expected as many zero points as scales (4), found 2"},
      {"quantized_dimension",
       {QuantizedA("scale: [1, 2, 3, 4], quantized_dimension: -1")},
       "expected a quantized dimension of 0 or more, found -1"},
      {"scales",
       {QuantizedA("scale: [1, 2, 3]")},
       "expected 1 scale or 4 as dimension 0 of shape [4] has, found 3"},
      {"blockwise_scales",
       {QuantizedA("details_type: BlockwiseQuantization, details: {scales: 8}")},
       "tensor 1 ('a'): expected its scales in one of 4 tensors, found index 8"},
      {"blockwise_zero_points",
       {QuantizedA("details_type: BlockwiseQuantization, details: {zero_points: -2}")},
       "expected its zero points in one of 4 tensors or -1, found index -2"},
      {"blockwise_scales_of_blockwise",
       {QuantizedA("details_type: BlockwiseQuantization, details: {scales: 1}")},
       "tensor 1 ('a'): expected scales that name no other tensors, found tensor 1 ('a')"},
      {"multi_axis_zero_points_of_multi_axis",
       {QuantizedA("details_type: MultiAxisQuantization, details: {zero_points: 1}")},
       "tensor 1 ('a'): expected zero points that name no other tensors, found tensor 1 ('a')"},
      {"block_size",
       {QuantizedA("details_type: BlockwiseQuantization, details: {block_size: 0}")},
       "expected a positive block size, found 0"},
      {"multi_axis_block_size",
       {QuantizedA("details_type: MultiAxisQuantization, details: {block_size: -1}")},
       "expected a block size of 0 or more, found -1"},
      {"both_unions",
       {Add("inputs: [0, 0], outputs: [1], builtin_options_type: AddOptions, builtin_options: {}, "
            "builtin_options_2_type: DilateOptions, builtin_options_2: {}")},
       "op 0 ADD: expected options in one of the two unions, found both"},
      {"missing_subgraph",
       {CallIn0(Call(2))},
       "subgraph 0: op 2 ADD: expected one of 2 subgraphs, found index 2 in its options"},
      {"recursion",
       {CallIn0(Call(0))},
       "subgraph 0: op 2 ADD: expected no recursion, found a call of subgraph 0, which is being "
       "executed already"},
      {"mutual_recursion",
       {CallIn0(Call(1)), CallIn1(Call(0))},
       "subgraph 1: op 0 ADD: expected no recursion, found a call of subgraph 0"},
      {"metadata_buffer",
       {MoreOfTheModel("metadata: [{buffer: 2}]")},
       "metadata 0: expected one of 2 buffers, found index 2"},
      {"signature_subgraph",
       {MoreOfTheModel(R"(signature_defs: [{signature_key: "sig", subgraph_index: 2}])")},
       "signature 0: expected one of 2 subgraphs, found index 2"},
      {"signature_tensor",
       {MoreOfTheModel(R"(signature_defs: [{signature_key: "sig", inputs: [{tensor_index: 9}]}])")},
       "signature 'sig', input: 0: expected one of 4 tensors, found index 9"},
      {"signature_input",
       {MoreOfTheModel(R"(signature_defs: [{signature_key: "sig", inputs: [{tensor_index: 1}]}])")},
       "signature 'sig': input '': expected an input of its subgraph, found tensor 1 ('a')"},
      {"external_group",
       {MoreOfTheModel("external_buffers: [{}]")},
       "external buffer 0: expected one of 0 groups, found index 0"},
  };
}

TEST(ParseModel, SoundModelIsRead) {
  auto model = ParseModel(SharedBytes::Take(EditedModel({})));
  ASSERT_TRUE(model) << model.Error();
  EXPECT_EQ((*model)->main_subgraph().ops().size(), 2u);
  EXPECT_TRUE((*model)->main_subgraph().tensor(2).is_constant());
}

TEST(ParseModel, EachFaultIsNamed) {
  for (const Fault& fault : Faults()) {
    SCOPED_TRACE(fault.name);
    auto parsed = ParseModel(SharedBytes::Take(EditedModel(fault.edits)), "m.tflite");
    ASSERT_FALSE(parsed);
    EXPECT_THAT(parsed.Error().Message(), StartsWith("m.tflite: "));
    EXPECT_THAT(parsed.Error().Message(), HasSubstr(fault.message));
  }
}

TEST(ParseModel, OddButSoundModelsAreRead) {
  const std::pair<const char*, std::vector<Edit>> oddities[] = {
      {"scalar_signature", {TensorA("shape: [4], shape_signature: [-1]")}},
      {"zero_size_constant", {{R"(shape: [4], buffer: 1)", "shape: [0], buffer: 0"}}},
      {"larger_constant", {{R"("w", shape: [4])", R"("w", shape: [3])"}}},
      {"unknown_enum",
       {Add("inputs: [0, 0], outputs: [1], builtin_options_type: Conv2DOptions, builtin_options: "
            "{padding: 9}")}},
      {"passes_input_through", {{"outputs: [3],", "outputs: [3, 0],"}}},
      {"shared_call", {CallIn0(Call(1) + Call(1))}},
      {"string_constant", {{"buffer: 1", "buffer: 1, type: STRING"}}},
      {"an_empty_list_of_buffers",
       {{"shape: [4], buffer: 1", "shape: [4]"},
        {"inputs: [0],", "inputs: [0, 2],"},
        {"buffers: [{}, {data: [1,1,1,1, 1,1,1,1, 1,1,1,1, 1,1,1,1]}],", "buffers: [],"}}},
  };
  for (const auto& [name, edits] : oddities) {
    auto parsed = ParseModel(SharedBytes::Take(EditedModel(edits)));
    EXPECT_TRUE(parsed) << name << ": " << parsed.Error();
  }
}

TEST(ParseModel, OtherBytesAreRefused) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "expected a FlatBuffer of at least 8 bytes, found 0"},
      {"TFL3", "expected a FlatBuffer of at least 8 bytes, found 4"},
      {"this is not a model", "expected the identifier 'TFL3', found ' is '"},
      {std::string("\x10\x00\x00\x00TFL3", 8), "expected a sound FlatBuffer"},
      {std::string("\xff\xff\xff\xffTFL3\x00\x00\x00\x00", 12), "expected a sound FlatBuffer"},
  };
  for (const auto& [bytes, message] : cases) {
    auto parsed = ParseModel(SharedBytes::Take({bytes.begin(), bytes.end()}));
    ASSERT_FALSE(parsed);
    EXPECT_THAT(parsed.Error().Message(), HasSubstr(message));
  }
}

TEST(ParseModel, UnalignedBytesAreRead) {
  std::vector<uint8_t> bytes = EditedModel({});
  bytes.insert(bytes.begin(), 0);
  const SharedBytes whole = SharedBytes::Take(std::move(bytes));
  auto parsed = ParseModel({.bytes = whole.bytes.subspan(1), .owner = whole.owner});
  ASSERT_TRUE(parsed) << parsed.Error();
  EXPECT_EQ(
      reinterpret_cast<uintptr_t>((*parsed)->main_subgraph().tensor(2).weights.bytes().data()) % 8,
      0u);
}

// A few kilobytes in which thousands of ops share one long vector: gigabytes, if each had its own.
TEST(ParseModel, SharedVectorsDoNotFillTheMemory) {
  flatbuffers::FlatBufferBuilder builder;
  const auto shape = builder.CreateVector(std::vector<int32_t>(20000, 1));
  const auto tensor = schema::CreateTensor(builder, shape);
  const auto tensors =
      builder.CreateVector(std::vector<flatbuffers::Offset<schema::Tensor>>(20000, tensor));
  const auto subgraph = schema::CreateSubGraph(builder, tensors);
  const auto subgraphs = builder.CreateVector(&subgraph, 1);
  const auto buffer = schema::CreateBuffer(builder);
  const auto buffers = builder.CreateVector(&buffer, 1);
  schema::FinishModelBuffer(builder, schema::CreateModel(builder, 3, 0, subgraphs, 0, buffers));
  auto parsed = ParseModel(SharedBytes::Copy({builder.GetBufferPointer(), builder.GetSize()}));
  ASSERT_FALSE(parsed);
  EXPECT_THAT(parsed.Error().Message(), HasSubstr("far larger than its file"));
}

TEST(LoadModel, NamesTheFile) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "npukit_model_reader_test.tflite").string();
  const std::pair<std::string, std::string> cases[] = {
      {"/no/such/file.tflite", "/no/such/file.tflite: cannot be opened: No such file or directory"},
      {"/", "/: expected a file, found something else"},
  };
  for (const auto& [name, message] : cases) {
    auto loaded = LoadModel(name);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.Error().Message(), message);
  }
  std::fclose(std::fopen(path.c_str(), "w"));
  auto empty = LoadModel(path);
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.Error().Message(), path + ": expected some bytes, found an empty file");
  std::filesystem::remove(path);
}

TEST(LoadModel, KeepsTheFileMapped) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "npukit_model_reader_test_2.tflite").string();
  const auto made = EveryFeature();
  ASSERT_NE(made, nullptr);
  ASSERT_TRUE(SaveModel(*made, path));
  auto loaded = LoadModel(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(loaded) << loaded.Error();
  const auto direct = SerializeModel(*made);
  const auto again = SerializeModel(**loaded);
  ASSERT_TRUE(direct);
  ASSERT_TRUE(again);
  EXPECT_TRUE(*direct == *again);
}

}  // namespace
}  // namespace npukit
