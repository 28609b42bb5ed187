// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Files that are wrong in one way each, and what the reader says to them.

#include "sdk/host/model/model_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <functional>

#include "sdk/host/model/mapped_file.h"
#include "sdk/host/model/model_writer.h"
#include "sdk/host/model/test_models.h"
#include "sdk/host/model/tflite_schema_generated.h"

namespace npukit {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::vector<uint8_t> Pack(const schema::ModelT& model) {
  flatbuffers::FlatBufferBuilder builder;
  schema::FinishModelBuffer(builder, schema::CreateModel(builder, &model));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

// x(0) -> [ADD] -> a(1) -> [MUL with w(2)] -> y(3), and a subgraph that is called by nothing.
schema::ModelT SoundModel() {
  schema::ModelT model;
  model.version = 3;
  for (int i = 0; i < 2; ++i) model.buffers.push_back(std::make_unique<schema::BufferT>());
  model.buffers[1]->data = std::vector<uint8_t>(16, 1);
  for (auto code : {schema::BuiltinOperator::ADD, schema::BuiltinOperator::MUL}) {
    auto& added = *model.operator_codes.emplace_back(std::make_unique<schema::OperatorCodeT>());
    added.builtin_code = code;
    added.deprecated_builtin_code = static_cast<int8_t>(code);
  }
  auto& subgraph = *model.subgraphs.emplace_back(std::make_unique<schema::SubGraphT>());
  for (const char* name : {"x", "a", "w", "y"}) {
    auto& tensor = *subgraph.tensors.emplace_back(std::make_unique<schema::TensorT>());
    tensor.name = name;
    tensor.shape = {4};
  }
  subgraph.tensors[2]->buffer = 1;
  subgraph.inputs = {0};
  subgraph.outputs = {3};
  for (int i = 0; i < 2; ++i) subgraph.operators.push_back(std::make_unique<schema::OperatorT>());
  subgraph.operators[0]->inputs = {0, 0};
  subgraph.operators[0]->outputs = {1};
  subgraph.operators[1]->opcode_index = 1;
  subgraph.operators[1]->inputs = {1, 2};
  subgraph.operators[1]->outputs = {3};
  model.subgraphs.push_back(std::make_unique<schema::SubGraphT>());
  return model;
}

schema::TensorT& TensorOf(schema::ModelT& m, size_t index) {
  return *m.subgraphs[0]->tensors[index];
}
schema::OperatorT& OpOf(schema::ModelT& m, size_t index) {
  return *m.subgraphs[0]->operators[index];
}
schema::QuantizationParametersT& QuantizationOf(schema::ModelT& m, size_t index) {
  auto& q = TensorOf(m, index).quantization;
  q = std::make_unique<schema::QuantizationParametersT>();
  return *q;
}
template <typename T>
T& SetDetails(schema::ModelT& m, size_t index) {
  auto& q = QuantizationOf(m, index);
  q.details.Set(T());
  return *static_cast<T*>(q.details.value);
}
schema::SignatureDefT& AddSignature(schema::ModelT& m) {
  auto& signature = *m.signature_defs.emplace_back(std::make_unique<schema::SignatureDefT>());
  signature.signature_key = "sig";
  return signature;
}
void CallSubgraph(schema::ModelT& m, size_t caller, int callee) {
  auto& op = *m.subgraphs[caller]->operators.emplace_back(std::make_unique<schema::OperatorT>());
  schema::StableHLOCompositeOptionsT options;
  options.decomposition_subgraph_index = callee;
  op.builtin_options_2.Set(options);
}

struct Fault {
  const char* name;
  std::function<void(schema::ModelT&)> plant;
  const char* message;  // behind the file's name
};

const Fault kFaults[] = {
    {"no_subgraph", [](auto& m) { m.subgraphs.clear(); },
     "expected at least one subgraph, found none"},
    {"version", [](auto& m) { m.version = 4; }, "expected schema version 3, found 4"},
    {"no_buffers", [](auto& m) { m.buffers.clear(); }, "expected at least one buffer, found none"},
    {"buffer_0",
     [](auto& m) {
       m.buffers[0]->data = {1, 2};
     },
     "buffer 0: expected no bytes, found 2"},
    {"buffer_beyond_file",
     [](auto& m) {
       m.buffers[1]->data.clear();
       m.buffers[1]->offset = 100;
       m.buffers[1]->size = 1u << 30;
     },
     "buffer 1: expected its bytes within the file's "},
    {"buffer_offset_wraps",
     [](auto& m) {
       m.buffers[1]->data.clear();
       m.buffers[1]->offset = ~uint64_t{0} - 3;
       m.buffers[1]->size = 8;
     },
     "found 8 bytes at offset 18446744073709551612"},
    {"operator_code",
     [](auto& m) {
       m.operator_codes[0]->builtin_code = static_cast<schema::BuiltinOperator>(1000);
     },
     "operator code 0: expected a builtin operator below 210, found 1000"},
    {"negative_operator_code",
     [](auto& m) {
       m.operator_codes[0]->builtin_code = static_cast<schema::BuiltinOperator>(-5);
       m.operator_codes[0]->deprecated_builtin_code = -5;
     },
     "operator code 0: expected a builtin operator below 210, found -5"},
    {"opcode_index", [](auto& m) { OpOf(m, 1).opcode_index = 2; },
     "subgraph 0: op 1 (): expected one of 2 operator codes, found index 2"},
    {"tensor_buffer", [](auto& m) { TensorOf(m, 2).buffer = 7; },
     "subgraph 0: tensor 2 ('w'): expected one of 2 buffers, found index 7"},
    {"element_type", [](auto& m) { TensorOf(m, 1).type = static_cast<schema::TensorType>(99); },
     "subgraph 0: tensor 1 ('a'): expected a known element type, found 99"},
    {"external_buffer", [](auto& m) { TensorOf(m, 1).external_buffer = 5; },
     "tensor 1 ('a'): expected the id of an external buffer, found 5"},
    {"op_input",
     [](auto& m) {
       OpOf(m, 1).inputs = {1, 4};
     },
     "subgraph 0: op 1 (MUL): input 1: expected one of 4 tensors or -1, found index 4"},
    {"op_input_negative", [](auto& m) { OpOf(m, 1).inputs = {-2}; },
     "input 0: expected one of 4 tensors or -1, found index -2"},
    {"op_output_omitted", [](auto& m) { OpOf(m, 1).outputs = {-1}; },
     "output 0: expected one of 4 tensors, found index -1"},
    {"intermediate", [](auto& m) { OpOf(m, 1).intermediates = {9}; },
     "intermediate 0: expected one of 4 tensors, found index 9"},
    {"written_twice", [](auto& m) { OpOf(m, 1).outputs = {1}; },
     "op 1 (MUL): output 0: expected a tensor that nothing else writes, found tensor 1 ('a'), "
     "which op 0 (ADD) writes"},
    {"writes_an_input", [](auto& m) { OpOf(m, 1).outputs = {0}; },
     "subgraph 0: input tensor 0 ('x'): expected a tensor that no op writes, found that op 1 (MUL) "
     "does"},
    {"order",
     [](auto& m) { std::swap(m.subgraphs[0]->operators[0], m.subgraphs[0]->operators[1]); },
     "op 0 (MUL): input 0: expected ops in topological order, found tensor 1 ('a'), which op 1 "
     "(ADD) writes later"},
    {"cycle",
     [](auto& m) {
       OpOf(m, 0).inputs = {0, 3};
     },
     "op 0 (ADD): input 1: expected ops in topological order, found tensor 3 ('y'), which op 1 "
     "(MUL) writes later"},
    {"cycle_of_one",
     [](auto& m) {
       OpOf(m, 0).inputs = {0, 1};
     },
     "op 0 (ADD): input 1: expected no cycle, found tensor 1 ('a'), which the op itself writes"},
    {"no_value", [](auto& m) { TensorOf(m, 2).buffer = 0; },
     "op 1 (MUL): input 1: expected an input, a constant or a result of an op, found tensor 2 "
     "('w')"},
    {"subgraph_input", [](auto& m) { m.subgraphs[0]->inputs = {4}; },
     "subgraph 0: input 0: expected one of 4 tensors, found index 4"},
    {"subgraph_output", [](auto& m) { m.subgraphs[0]->outputs = {-1}; },
     "subgraph 0: output 0: expected one of 4 tensors, found index -1"},
    {"mutating", [](auto& m) { OpOf(m, 0).mutating_variable_inputs = {true}; },
     "op 0 (ADD): expected mutating_variable_inputs for none or all of 2 inputs, found 1"},
    {"constant_size", [](auto& m) { TensorOf(m, 2).shape = {5}; },
     "tensor 2 ('w'): expected 20 bytes for float32[5], found 16 in buffer 1"},
    {"shape_overflow",
     [](auto& m) {
       TensorOf(m, 1).shape = {1 << 30, 1 << 30, 1 << 30};
     },
     "tensor 1 ('a'): expected a size below 2^63 bits, found shape "
     "[1073741824,1073741824,1073741824] of float32"},
    {"negative_dimension", [](auto& m) { TensorOf(m, 1).shape = {-7}; },
     "tensor 1 ('a'): expected dimensions of -1 or more, found shape [-7]"},
    {"signature_rank",
     [](auto& m) {
       TensorOf(m, 1).shape_signature = {-1, 4};
     },
     "tensor 1 ('a'): expected a shape signature of rank 1 like the shape, found [-1,4]"},
    {"zero_points",
     [](auto& m) {
       QuantizationOf(m, 1).scale = {1, 2, 3, 4};
       TensorOf(m, 1).quantization->zero_point = {0, 0};
     },
     "tensor 1 ('a'): expected as many zero points as scales (4), found 2"},
    {"quantized_dimension",
     [](auto& m) {
       QuantizationOf(m, 1).scale = {1, 2, 3, 4};
       TensorOf(m, 1).quantization->quantized_dimension = 1;
     },
     "expected a quantized dimension below the rank 1, found 1"},
    {"scales",
     [](auto& m) {
       QuantizationOf(m, 1).scale = {1, 2, 3};
     },
     "expected 1 scale or 4 as dimension 0 of shape [4] has, found 3"},
    {"blockwise_scales",
     [](auto& m) { SetDetails<schema::BlockwiseQuantizationT>(m, 1).scales = 8; },
     "tensor 1 ('a'): expected its scales in one of 4 tensors, found index 8"},
    {"blockwise_zero_points",
     [](auto& m) { SetDetails<schema::BlockwiseQuantizationT>(m, 1).zero_points = -2; },
     "expected its zero points in one of 4 tensors or -1, found index -2"},
    {"block_size", [](auto& m) { SetDetails<schema::BlockwiseQuantizationT>(m, 1).block_size = 0; },
     "expected a positive block size, found 0"},
    {"multi_axis_block_size",
     [](auto& m) { SetDetails<schema::MultiAxisQuantizationT>(m, 1).block_size = -1; },
     "expected a block size of 0 or more, found -1"},
    {"both_unions",
     [](auto& m) {
       OpOf(m, 0).builtin_options.Set(schema::AddOptionsT());
       OpOf(m, 0).builtin_options_2.Set(schema::DilateOptionsT());
     },
     "op 0 (ADD): expected options in one of the two unions, found both"},
    {"missing_subgraph", [](auto& m) { CallSubgraph(m, 0, 2); },
     "subgraph 0: op 2 (ADD): expected one of 2 subgraphs, found index 2 in its options"},
    {"recursion", [](auto& m) { CallSubgraph(m, 0, 0); },
     "subgraph 0: op 2 (ADD): expected no recursion, found a call of subgraph 0, which is being "
     "executed already"},
    {"mutual_recursion",
     [](auto& m) {
       CallSubgraph(m, 0, 1);
       CallSubgraph(m, 1, 0);
     },
     "subgraph 1: op 0 (ADD): expected no recursion, found a call of subgraph 0"},
    {"metadata_buffer",
     [](auto& m) { m.metadata.emplace_back(std::make_unique<schema::MetadataT>())->buffer = 2; },
     "metadata 0: expected one of 2 buffers, found index 2"},
    {"signature_subgraph", [](auto& m) { AddSignature(m).subgraph_index = 2; },
     "signature 0: expected one of 2 subgraphs, found index 2"},
    {"signature_tensor",
     [](auto& m) {
       AddSignature(m).inputs.emplace_back(std::make_unique<schema::TensorMapT>())->tensor_index =
           9;
     },
     "signature 'sig', input: 0: expected one of 4 tensors, found index 9"},
    {"signature_input",
     [](auto& m) {
       AddSignature(m).inputs.emplace_back(std::make_unique<schema::TensorMapT>())->tensor_index =
           1;
     },
     "signature 'sig': input '': expected an input of its subgraph, found tensor 1 ('a')"},
    {"external_group",
     [](auto& m) { m.external_buffers.emplace_back(std::make_unique<schema::ExternalBufferT>()); },
     "external buffer 0: expected one of 0 groups, found index 0"},
};

TEST(ParseModel, SoundModelIsRead) {
  auto model = ParseModel(SharedBytes::Take(Pack(SoundModel())));
  ASSERT_TRUE(model) << model.Error();
  EXPECT_EQ((*model)->main_subgraph().ops().size(), 2u);
  EXPECT_TRUE((*model)->main_subgraph().tensor(2).is_constant());
}

TEST(ParseModel, EachFaultIsNamed) {
  for (const Fault& fault : kFaults) {
    SCOPED_TRACE(fault.name);
    schema::ModelT model = SoundModel();
    fault.plant(model);
    auto parsed = ParseModel(SharedBytes::Take(Pack(model)), "m.tflite");
    ASSERT_FALSE(parsed);
    EXPECT_THAT(parsed.Error().Message(), StartsWith("m.tflite: "));
    EXPECT_THAT(parsed.Error().Message(), HasSubstr(fault.message));
  }
}

TEST(ParseModel, OddButSoundModelsAreRead) {
  const Fault oddities[] = {
      {"scalar_signature", [](auto& m) { TensorOf(m, 1).shape_signature = {-1}; }, ""},
      {"zero_size_constant",
       [](auto& m) {
         TensorOf(m, 2).shape = {0};
         TensorOf(m, 2).buffer = 0;
       },
       ""},
      {"larger_constant", [](auto& m) { TensorOf(m, 2).shape = {3}; }, ""},
      {"unknown_enum",
       [](auto& m) {
         schema::Conv2DOptionsT options;
         options.padding = static_cast<schema::Padding>(9);
         OpOf(m, 0).builtin_options.Set(options);
       },
       ""},
      {"passes_input_through",
       [](auto& m) {
         m.subgraphs[0]->outputs = {3, 0};
       },
       ""},
      {"shared_call",
       [](auto& m) {
         CallSubgraph(m, 0, 1);
         CallSubgraph(m, 0, 1);
       },
       ""},
      {"string_constant", [](auto& m) { TensorOf(m, 2).type = schema::TensorType::STRING; }, ""},
  };
  for (const Fault& oddity : oddities) {
    schema::ModelT model = SoundModel();
    oddity.plant(model);
    auto parsed = ParseModel(SharedBytes::Take(Pack(model)));
    EXPECT_TRUE(parsed) << oddity.name << ": " << parsed.Error();
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
  std::vector<uint8_t> bytes = Pack(SoundModel());
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
