// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the writer puts where.

#include "sdk/host/model/writing/model_writer.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/model/file/tflite_schema_generated.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/graph/model_diff.h"
#include "sdk/host/model/metadata/build_stamp.h"
#include "sdk/host/model/options/dispatch_options.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/testing/shared_models.h"
#include "sdk/host/model/testing/test_models.h"

namespace npukit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<uint8_t> Serialize(const Model& model, const WriteOptions& options = {}) {
  auto saved = SerializeModel(model, options);
  EXPECT_TRUE(saved) << saved.Error();
  return saved ? *saved : std::vector<uint8_t>();
}

std::unique_ptr<Model> Parse(const std::vector<uint8_t>& bytes) {
  auto model = ParseModel(SharedBytes::Copy(bytes));
  EXPECT_TRUE(model) << model.Error();
  return model ? std::move(*model) : nullptr;
}

std::vector<DispatchOptions> DispatchOptionsOf(const std::vector<uint8_t>& file) {
  std::vector<DispatchOptions> found;
  for (const schema::Operator* op :
       *schema::GetModel(file.data())->subgraphs()->Get(0)->operators()) {
    if (op->custom_options() == nullptr) continue;
    auto options =
        ParseDispatchOptions({op->custom_options()->data(), op->custom_options()->size()});
    if (options) found.push_back(*options);
  }
  return found;
}

std::vector<uint8_t> Slice(const std::vector<uint8_t>& file, uint64_t offset, uint64_t size) {
  return {file.begin() + static_cast<ptrdiff_t>(offset),
          file.begin() + static_cast<ptrdiff_t>(offset + size)};
}

TEST(SerializeModel, ModulesFollowTheFlatBuffer) {
  const auto model = CompiledModel();
  ASSERT_NE(model, nullptr);
  const std::vector<uint8_t> file = Serialize(*model);
  const auto options = DispatchOptionsOf(file);
  ASSERT_EQ(options.size(), 3u);
  EXPECT_EQ(options[0].name, "first");
  EXPECT_EQ(options[1].name, "other");
  EXPECT_EQ(options[2].name, "second");
  // Module a (5 bytes), then module b (2): the end of the file, without padding.
  EXPECT_EQ(options[0].bytecode_offset_bytes, file.size() - 7);
  EXPECT_EQ(options[0].bytecode_size_bytes, 5u);
  EXPECT_EQ(options[1].bytecode_offset_bytes, file.size() - 2);
  EXPECT_EQ(options[2].bytecode_offset_bytes, options[0].bytecode_offset_bytes);
  EXPECT_THAT(Slice(file, options[0].bytecode_offset_bytes, 5), ElementsAre(10, 11, 12, 13, 14));
  EXPECT_THAT(Slice(file, options[1].bytecode_offset_bytes, 2), ElementsAre(20, 21));

  const auto loaded = Parse(file);
  const auto& main = loaded->main_subgraph();
  EXPECT_EQ(main.op(0).dispatch->bytecode, main.op(2).dispatch->bytecode);
  EXPECT_NE(main.op(0).dispatch->bytecode, main.op(1).dispatch->bytecode);
  EXPECT_THAT(loaded->trailing_bytes, IsEmpty());
}

TEST(SerializeModel, ModulesAreAligned) {
  const auto model = CompiledModel();
  for (size_t alignment : {1, 2, 64, 4096}) {
    const std::vector<uint8_t> file = Serialize(*model, {.bytecode_alignment = alignment});
    for (const DispatchOptions& options : DispatchOptionsOf(file)) {
      EXPECT_EQ(options.bytecode_offset_bytes % alignment, 0u) << alignment;
    }
    const auto loaded = Parse(file);
    EXPECT_THAT(loaded->trailing_bytes, IsEmpty()) << "padding is not content";
  }
  for (size_t alignment : {0, 3, 48}) {
    auto refused = SerializeModel(*model, {.bytecode_alignment = alignment});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.Error().Message(), HasSubstr("power of two"));
  }
}

TEST(SerializeModel, EqualModulesAreWrittenOnce) {
  const auto model = CompiledModel();
  const size_t size = Serialize(*model).size();
  Op& other = model->main_subgraph().op(1);
  other.dispatch->bytecode = model->buffers().Add(SharedBytes::Take({10, 11, 12, 13, 14}));
  const std::vector<uint8_t> file = Serialize(*model);
  EXPECT_EQ(file.size(), size - 2);
  const auto options = DispatchOptionsOf(file);
  EXPECT_EQ(options[0].bytecode_offset_bytes, options[1].bytecode_offset_bytes);
}

TEST(SerializeModel, DispatchOptionsAreLiteRtsByteForByte) {
  const std::vector<std::string> paths = SharedModels("litert_compiled");
  if (paths.empty()) GTEST_SKIP() << NoSharedModels("litert_compiled");
  size_t compared = 0;
  for (const std::string& path : paths) {
    auto loaded = LoadModel(path);
    ASSERT_TRUE(loaded) << loaded.Error();
    for (const auto& op : (*loaded)->main_subgraph().ops()) {
      if (!op->is_dispatch()) continue;
      const auto options = ParseDispatchOptions(op->custom_options);
      ASSERT_TRUE(options);
      EXPECT_EQ(MakeDispatchOptions(*options), op->custom_options) << path;
      ++compared;
      // Made from nothing they come out as from the file.
      op->custom_options.clear();
    }
    const auto reloaded = Parse(Serialize(**loaded));
    for (const auto& op : reloaded->main_subgraph().ops()) {
      EXPECT_NE(op->is_dispatch(), op->custom_options.empty());
    }
  }
  EXPECT_GT(compared, 5u);
}

// A FlexBuffer map as LiteRT lays it out, independent of any file.
TEST(DispatchOptions, Layout) {
  const DispatchOptions options{
      .bytecode_size_bytes = 0xd2, .bytecode_offset_bytes = 0x590, .name = "partition_0"};
  const std::vector<uint8_t> bytes = MakeDispatchOptions(options);
  EXPECT_EQ(bytes.size(), 0x86u);
  EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + 13), "bytecode_size");
  EXPECT_EQ(ParseDispatchOptions(bytes), options);
  std::vector<uint8_t> updated = bytes;
  const DispatchOptions other{.bytecode_size_bytes = uint64_t{1} << 40,
                              .bytecode_offset_bytes = uint64_t{1} << 41,
                              .name = "partition_0"};
  EXPECT_TRUE(UpdateDispatchOptions(other, updated));
  EXPECT_EQ(updated.size(), bytes.size());
  EXPECT_EQ(updated, MakeDispatchOptions(other));
  EXPECT_FALSE(UpdateDispatchOptions({.name = "another"}, updated));
  EXPECT_EQ(ParseDispatchOptions(updated), other);
  EXPECT_EQ(ParseDispatchOptions({}), std::nullopt);
}

TEST(SerializeModel, SameModelSameBytes) {
  for (auto make : {EveryFeature, EveryOptionsTable, CompiledModel}) {
    EXPECT_TRUE(Serialize(*make()) == Serialize(*make()));
  }
}

// -- Buffers --

std::unique_ptr<Model> TwoConstants() {
  ModelBuilder builder;
  Tensor* x = builder.Input("x", kLiteRtElementTypeFloat32, {8});
  Tensor* c = builder.Constant<float>("c", {8}, std::vector<float>(8, 1.5f));
  Tensor* d = builder.Constant<float>("d", {8}, std::vector<float>(8, 2.5f));
  Tensor* y = builder.Value("y", kLiteRtElementTypeFloat32, {8});
  Tensor* z = builder.Value("z", kLiteRtElementTypeFloat32, {8});
  builder.AddOp(kLiteRtOpCodeTflAdd, {x, c}, {y});
  builder.AddOp(kLiteRtOpCodeTflMul, {y, d}, {z});
  builder.AddCustomOp("Mine", std::vector<uint8_t>(40, 7), {z},
                      {builder.Value("q", kLiteRtElementTypeFloat32, {8})});
  builder.Output(z);
  builder.AddMetadata("note", {1, 2, 3});
  auto model = builder.Build();
  EXPECT_TRUE(model) << model.Error();
  return std::move(*model);
}

// As beyond 2 GiB, with a limit that a test can reach.
TEST(SerializeModel, BuffersMoveOutsideBeyondTheLimit) {
  const auto model = TwoConstants();
  const std::vector<uint8_t> inside = Serialize(*model);
  const std::vector<uint8_t> outside = Serialize(*model, {.max_inside_bytes = 100});
  const auto* buffers = schema::GetModel(outside.data())->buffers();
  ASSERT_EQ(buffers->size(), 4u);
  for (uint32_t i : {1u, 2u}) {
    EXPECT_EQ(schema::GetModel(inside.data())->buffers()->Get(i)->offset(), 0u);
    EXPECT_EQ(buffers->Get(i)->data(), nullptr);
    EXPECT_EQ(buffers->Get(i)->size(), 32u);
    EXPECT_EQ(buffers->Get(i)->offset() % 16, 0u);
    EXPECT_GT(buffers->Get(i)->offset(), 1u);
  }
  EXPECT_NE(buffers->Get(3)->data(), nullptr) << "metadata stays where every reader finds it";
  const auto* custom = schema::GetModel(outside.data())->subgraphs()->Get(0)->operators()->Get(2);
  EXPECT_EQ(custom->custom_options(), nullptr);
  EXPECT_EQ(custom->large_custom_options_size(), 40u);
  EXPECT_EQ(Slice(outside, custom->large_custom_options_offset(), 40), std::vector<uint8_t>(40, 7));

  const auto loaded = Parse(outside);
  EXPECT_EQ(FirstDifference(*model, *loaded).value_or("none"), "none");
  EXPECT_TRUE(loaded->buffers().IsOutside(loaded->main_subgraph().tensor(1).weights.buffer_id));
  EXPECT_TRUE(Serialize(*loaded) == outside) << "what was outside stays outside";
}

TEST(SerializeModel, BuffersThatNothingUsesAnyMoreGo) {
  const auto model = Parse(Serialize(*TwoConstants()));
  model->spare_buffers.push_back(model->buffers().Add(SharedBytes::Take({9})));
  Subgraph& main = model->main_subgraph();
  main.outputs = {main.ops()[0]->outputs[0]};
  main.EraseOpsIf([](const Op& op) { return op.index > 0; });
  main.EraseUnusedTensors();
  const auto reloaded = Parse(Serialize(*model));
  ASSERT_EQ(reloaded->buffers().size(), 4u);  // the empty one, c, the metadata, the spare one
  EXPECT_EQ(reloaded->buffers().Get(1).bytes.size(), 32u);
  EXPECT_THAT(reloaded->buffers().Get(3).bytes, ElementsAre(9));
  EXPECT_THAT(reloaded->metadata_buffer, ElementsAre(2));
  EXPECT_EQ(reloaded->metadata[0].buffer, 2u);
}

TEST(SerializeModel, ConstantsAreAlignedInTheFile) {
  const std::vector<uint8_t> file = Serialize(*TwoConstants());
  for (const schema::Buffer* buffer : *schema::GetModel(file.data())->buffers()) {
    if (buffer->data() == nullptr) continue;
    EXPECT_EQ((buffer->data()->data() - file.data()) % 16, 0);
  }
}

// -- Edits --

TEST(SerializeModel, NewOperatorCodesComeLast) {
  const auto model = Parse(Serialize(*TwoConstants()));
  Op& op = model->main_subgraph().op(0);
  op.code = kLiteRtOpCodeShloComposite;
  op.options = StableHLOCompositeOptions{.name = "c", .decomposition_subgraph_index = 1};
  model->AddSubgraph();
  const auto reloaded = Parse(Serialize(*model));
  ASSERT_EQ(reloaded->operator_codes.size(), 4u);
  EXPECT_EQ(reloaded->operator_codes[0].code, kLiteRtOpCodeTflAdd);
  EXPECT_EQ(reloaded->operator_codes[3].code, kLiteRtOpCodeShloComposite);
  EXPECT_EQ(reloaded->operator_codes[3].short_code_in_file, 127);
  EXPECT_EQ(reloaded->operator_codes[3].long_code_in_file, 206);
}

// Element types of LiteRT v2.2.0 alone.
TEST(SerializeModel, NewElementTypesComeBack) {
  const std::pair<LiteRtElementType, const char*> kTypes[] = {
      {kElementTypeUInt4, "uint4"},
      {kElementTypeFloat8E4M3FN, "float8_e4m3fn"},
      {kElementTypeFloat8E5M2, "float8_e5m2"}};
  ModelBuilder b;
  for (const auto& [type, name] : kTypes) {
    Tensor* x = b.Input(std::string("in ") + name, type, {3, 3});
    Tensor* y = b.Value(std::string("out ") + name, type, {9});
    b.AddOp(kLiteRtOpCodeTflReshape, {x}, {y});
    b.Output(y);
  }
  auto built = b.Build();
  ASSERT_TRUE(built) << built.Error();
  const auto model = Parse(Serialize(**built));
  ASSERT_NE(model, nullptr);
  ASSERT_EQ(model->main_subgraph().inputs.size(), std::size(kTypes));
  for (size_t i = 0; i < std::size(kTypes); ++i) {
    EXPECT_EQ(model->main_subgraph().inputs[i]->element_type, kTypes[i].first);
    EXPECT_EQ(model->main_subgraph().outputs[i]->element_type, kTypes[i].first);
    EXPECT_EQ(ElementTypeName(kTypes[i].first), kTypes[i].second);
  }
}

TEST(SerializeModel, WhatAFileCannotSayIsAnError) {
  const std::pair<void (*)(Model&), const char*> cases[] = {
      {[](Model& m) {
         m.main_subgraph().tensor(1).element_type = static_cast<LiteRtElementType>(31);
       },
       "subgraph 0: tensor 1 ('c'): expected an element type of the file format, found type 31"},
      {[](Model& m) { m.main_subgraph().op(0).dispatch = DispatchInfo(); },
       "subgraph 0: op 0 ADD (y): expected a dispatch op to have the custom code DISPATCH_OP, "
       "found "
       "ADD"},
      {[](Model& m) {
         static Subgraph other(nullptr);
         m.main_subgraph().op(0).inputs[0] = &other.AddTensor();
       },
       "subgraph 0: op 0 ADD (y): expected tensors of the subgraph, found tensor 0 ('') of "
       "another"},
      {[](Model& m) { m.main_subgraph().tensor(1).weights.buffer_id = 99; },
       "tensor 1 ('c'): expected a buffer of the model's store, found id 99"},
      {[](Model& m) {
         static Subgraph other(nullptr);
         auto& signature = *m.signatures.emplace_back(std::make_unique<Signature>());
         signature.subgraph = &other;
       },
       "expected a subgraph of the model"},
  };
  for (const auto& [edit, message] : cases) {
    const auto model = TwoConstants();
    edit(*model);
    auto saved = SerializeModel(*model);
    ASSERT_FALSE(saved);
    EXPECT_THAT(saved.Error().Message(), HasSubstr(message));
  }
}

// -- Files --

TEST(SaveModel, WritesWhatSerializeModelGives) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "npukit_model_writer_test.tflite").string();
  const auto model = EveryFeature();
  for (const WriteOptions& options :
       {WriteOptions{}, WriteOptions{.bytecode_alignment = 64, .max_inside_bytes = 10}}) {
    ASSERT_TRUE(SaveModel(*model, path, options));
    auto file = MapFile(path);
    ASSERT_TRUE(file) << file.Error();
    EXPECT_TRUE(std::ranges::equal(file->bytes, Serialize(*model, options)));
  }
  struct stat facts;
  ASSERT_EQ(stat(path.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0600, 0600u);
  std::filesystem::remove(path);
  const auto failed = SaveModel(*model, "/no/such/folder/m.tflite");
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.Error().Message(), HasSubstr("/no/such/folder/m.tflite: cannot be written"));
}

// -- The stamp --

TEST(BuildStamp, Is250Bytes) {
  const auto model = TwoConstants();
  EXPECT_EQ(GetBuildStamp(*model), std::nullopt);
  ASSERT_TRUE(SetBuildStamp(*model, {.soc_manufacturer = "AcmeCorp", .soc_model = "acme_a1"}));
  const auto loaded = Parse(Serialize(*model));
  const auto bytes = loaded->buffers().Get(loaded->FindMetadata("LiteRtStamp")->buffer).bytes;
  ASSERT_EQ(bytes.size(), 250u);
  EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + 9), std::string("AcmeCorp\0", 9));
  EXPECT_EQ(std::string(bytes.begin() + 125, bytes.begin() + 133), std::string("acme_a1\0", 8));
  EXPECT_EQ(GetBuildStamp(*loaded), (BuildStamp{"AcmeCorp", "acme_a1"}));
}

TEST(BuildStamp, RefusesWhatDoesNotFit) {
  const auto model = TwoConstants();
  EXPECT_TRUE(SetBuildStamp(*model, {std::string(123, 'a'), ""}));
  EXPECT_FALSE(SetBuildStamp(*model, {std::string(124, 'a'), ""}));
  EXPECT_FALSE(SetBuildStamp(*model, {"", std::string("a\0b", 3)}));
}

TEST(BuildStamp, OddStampsAreReadAsFarAsTheyGo) {
  const auto model = TwoConstants();
  model->SetMetadata(kBuildStampMetadata, SharedBytes::Take(std::vector<uint8_t>(251)));
  EXPECT_EQ(GetBuildStamp(*model), (BuildStamp{"", ""}));
  model->SetMetadata(kBuildStampMetadata, SharedBytes::Take({'a', 'b'}));
  EXPECT_EQ(GetBuildStamp(*model), (BuildStamp{"ab", ""}));
}

TEST(BuildStamp, LiteRtsIsRead) {
  const std::vector<std::string> paths = SharedModels("litert_compiled");
  if (paths.empty()) GTEST_SKIP() << NoSharedModels("litert_compiled");
  for (const std::string& path : paths) {
    auto model = LoadModel(path);
    ASSERT_TRUE(model) << model.Error();
    const bool compiled = path.ends_with(".applied.tflite");
    EXPECT_EQ(GetBuildStamp(**model),
              compiled ? std::optional(BuildStamp{"ExampleSocManufacturer", "ExampleSocModel"})
                       : std::nullopt)
        << path;
  }
}

// Renaming a new file into place would take the place of what is there.
TEST(WriteFile, LeavesLinksAndPipesWhatTheyAre) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "write_file";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::vector<uint8_t> bytes = {1, 2, 3};
  const std::span<const uint8_t> pieces[] = {bytes};
  std::filesystem::create_symlink("file", folder / "link");
  ASSERT_TRUE(WriteFile((folder / "file").string(), pieces));
  ASSERT_TRUE(WriteFile((folder / "link").string(), pieces));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(std::filesystem::file_size(folder / "file"), 3u);

  const std::string pipe = (folder / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  ASSERT_TRUE(WriteFile(pipe, pieces));
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  uint8_t read_bytes[4] = {};
  EXPECT_EQ(read(reader, read_bytes, sizeof(read_bytes)), 3);
  close(reader);
  EXPECT_THAT(std::vector<std::filesystem::path>(std::filesystem::directory_iterator(folder), {}),
              ::testing::SizeIs(3));
}

}  // namespace
}  // namespace npukit
