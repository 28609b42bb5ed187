// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/bundle/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "flatbuffers/flatbuffers.h"
#include "sdk/host/model/bundle/litertlm_schema_generated.h"
#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/samples/sample_models.h"
#include "sdk/host/model/writing/model_writer.h"

namespace npukit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string Temporary(const std::string& name) {
  return (std::filesystem::path(testing::TempDir()) / ("bundle_test_" + name)).string();
}

std::vector<uint8_t> ModelBytes() {
  const std::string path = Temporary("model.tflite");
  const auto model = BuildSampleModel("elementwise_float", 1);
  EXPECT_TRUE(model && SaveModel(**model, path));
  const auto file = MapFile(path);
  return {file->bytes.begin(), file->bytes.end()};
}

std::vector<uint8_t> Bytes(const std::string& text) { return {text.begin(), text.end()}; }

struct Part {
  uint8_t kind = 0;
  std::string model_type;
  std::vector<uint8_t> bytes;
};

// The header before a table of contents, and the table.
std::vector<uint8_t> FileOf(const flatbuffers::FlatBufferBuilder& builder, uint32_t major = 1) {
  std::vector<uint8_t> file(32 + builder.GetSize());
  std::memcpy(file.data(), "LITERTLM", 8);
  std::memcpy(file.data() + 8, &major, 4);
  const uint32_t minor = 1;
  std::memcpy(file.data() + 12, &minor, 4);
  const uint64_t end = file.size();
  std::memcpy(file.data() + 24, &end, 8);
  std::memcpy(file.data() + 32, builder.GetBufferPointer(), builder.GetSize());
  return file;
}

// As the exporter lays it out.
std::vector<uint8_t> LitertLm(const std::vector<Part>& parts, uint32_t major = 1) {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<litertlm::Section>> sections;
  uint64_t at = 16384;
  for (const Part& part : parts) {
    std::vector<flatbuffers::Offset<litertlm::Item>> items;
    if (!part.model_type.empty()) {
      const auto key = builder.CreateString("model_type");
      const auto value = litertlm::CreateText(builder, builder.CreateString(part.model_type));
      items.push_back(litertlm::CreateItem(builder, key, litertlm::AnyValue::Text, value.Union()));
      const auto number = litertlm::CreateInt64(builder, -7);
      items.push_back(litertlm::CreateItem(builder, builder.CreateString("answer"),
                                           litertlm::AnyValue::Int64, number.Union()));
    }
    const auto list = builder.CreateVector(items);
    sections.push_back(
        litertlm::CreateSection(builder, list, at, at + part.bytes.size(), part.kind));
    at = (at + part.bytes.size() + 16383) / 16384 * 16384;
  }
  const auto list = litertlm::CreateSections(builder, builder.CreateVector(sections));
  builder.Finish(litertlm::CreateContents(builder, 0, list));
  std::vector<uint8_t> file = FileOf(builder, major);
  for (const Part& part : parts) {
    file.resize((file.size() + 16383) / 16384 * 16384);
    file.insert(file.end(), part.bytes.begin(), part.bytes.end());
  }
  return file;
}

std::vector<uint8_t> Usual() {
  return LitertLm({{3, "tf_lite_prefill_decode", ModelBytes()},
                   {4, "", Bytes("tokens")},
                   {3, "TF_LITE_EMBEDDER", ModelBytes()},
                   {200, "", Bytes("from the future")}});
}

std::string Write(const std::string& name, const std::vector<uint8_t>& bytes) {
  const std::string path = Temporary(name);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  return path;
}

litert::Expected<Bundle> Parse(const std::vector<uint8_t>& bytes) {
  return ParseBundle(SharedBytes::Copy(bytes), "x");
}

TEST(BundleTest, LitertLmSectionsHaveNamesAndKinds) {
  const auto bundle = Parse(Usual());
  ASSERT_TRUE(bundle) << bundle.Error().Message();
  EXPECT_EQ(bundle->version, "1.1.0");
  ASSERT_EQ(bundle->sections.size(), 4u);
  const std::pair<const char*, const char*> kExpected[] = {{"prefill_decode", "tflite_model"},
                                                           {"sp_tokenizer", "sp_tokenizer"},
                                                           {"embedder", "tflite_model"},
                                                           {"kind_200", "kind_200"}};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(bundle->sections[i].name, kExpected[i].first);
    EXPECT_EQ(bundle->sections[i].kind, kExpected[i].second);
  }
  EXPECT_EQ(bundle->sections[0].items[1].second, "-7");
  const auto bytes = bundle->Find("kind_200")->bytes.bytes;
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()), "from the future");
}

TEST(BundleTest, ModelsAreLoadedFromWhereTheyStand) {
  const std::string path = Write("several.litertlm", Usual());
  const auto unnamed = LoadModel(path);
  ASSERT_FALSE(unnamed);
  EXPECT_THAT(unnamed.Error().Message(),
              HasSubstr("several models, say which: " + path +
                        "#NAME; its models are: prefill_decode, embedder"));
  EXPECT_TRUE(LoadModel(path + "#embedder"));
  const auto tokenizer = LoadModel(path + "#sp_tokenizer");
  ASSERT_FALSE(tokenizer);
  EXPECT_THAT(tokenizer.Error().Message(), HasSubstr("the bundle has no model 'sp_tokenizer'"));
  EXPECT_TRUE(
      LoadModel(Write("one.litertlm", LitertLm({{3, "", ModelBytes()}, {4, "", Bytes("t")}}))));
  EXPECT_FALSE(LoadModel(Write("none.litertlm", LitertLm({{4, "", Bytes("t")}}))));
}

TEST(BundleTest, WritingKeepsWhatIsNotKnown) {
  const auto bundle = Parse(Usual());
  ASSERT_TRUE(bundle);
  std::vector<SharedBytes> contents;
  for (const BundleSection& section : bundle->sections) contents.push_back(section.bytes);
  const std::string path = Temporary("again.litertlm");
  ASSERT_TRUE(WriteBundle(*bundle, contents, path));
  const auto same = MapFile(path);
  const std::vector<uint8_t> usual = Usual();
  EXPECT_TRUE(std::equal(same->bytes.begin(), same->bytes.end(), usual.begin(), usual.end()));
  // A section of another size moves those behind it.
  const std::vector<uint8_t> longer(40000, 'x');
  contents[1] = SharedBytes::Copy(longer);
  ASSERT_TRUE(WriteBundle(*bundle, contents, path));
  auto file = MapFile(path);
  const auto changed = ParseBundle(std::move(*file), path);
  ASSERT_TRUE(changed) << changed.Error().Message();
  for (size_t i = 0; i < contents.size(); ++i) {
    const auto bytes = changed->sections[i].bytes.bytes;
    EXPECT_TRUE(
        std::equal(bytes.begin(), bytes.end(), contents[i].bytes.begin(), contents[i].bytes.end()))
        << i;
    EXPECT_EQ(changed->sections[i].offset_bytes % 16384, 0u);
    EXPECT_EQ(changed->sections[i].items, bundle->sections[i].items);
  }
}

TEST(BundleTest, TaskIsAnArchiveThatIsMappedAndWritten) {
  // Made by the writer from sections that no file has held.
  Bundle bundle;
  bundle.format = BundleFormat::kTask;
  const std::map<std::string, std::vector<uint8_t>> members = {
      {"METADATA", Bytes("settings")},
      {"TF_LITE_PREFILL_DECODE", ModelBytes()},
      {"TOKENIZER_MODEL", {}}};
  std::vector<SharedBytes> contents;
  for (const auto& [name, bytes] : members) {
    bundle.sections.push_back({.name = name, .kind = "member", .items = {}, .bytes = {}});
    contents.push_back(SharedBytes::Copy(bytes));
  }
  const std::string path = Temporary("x.task");
  ASSERT_TRUE(WriteBundle(bundle, contents, path));
  auto file = MapFile(path);
  const auto read = ParseBundle(std::move(*file), path);
  ASSERT_TRUE(read) << read.Error().Message();
  ASSERT_EQ(read->sections.size(), 3u);
  for (const BundleSection& section : read->sections) {
    const std::vector<uint8_t>& wanted = members.at(section.name);
    EXPECT_TRUE(std::equal(section.bytes.bytes.begin(), section.bytes.bytes.end(), wanted.begin(),
                           wanted.end()));
    EXPECT_EQ(section.is_model, section.name == "TF_LITE_PREFILL_DECODE");
    EXPECT_EQ(section.offset_bytes % 64, 0u);
  }
  EXPECT_TRUE(LoadModel(path));
  // Python's zipfile wrote this checksum of "settings".
  EXPECT_EQ(read->Find("METADATA")->crc32, 0xe545a0c5u);
}

// What is compressed is not looked into, and stays with all that the archive says of it.
TEST(BundleTest, CompressedMembersAreKept) {
  Bundle bundle;
  bundle.format = BundleFormat::kTask;
  BundleSection& section = bundle.sections.emplace_back();
  section.name = "TOKENIZER";
  section.bytes = SharedBytes::Copy(Bytes("deflated"));
  section.method = 8;
  section.flags = 0x0808;  // UTF-8; sizes behind the entry, where ours are not
  section.time = 0x58215a40;
  section.attributes = 0x81a40000;
  section.crc32 = 77;
  section.size_bytes = 1000;
  const std::string path = Temporary("compressed.task");
  ASSERT_TRUE(WriteBundle(bundle, std::vector<SharedBytes>{section.bytes}, path));
  auto file = MapFile(path);
  const auto read = ParseBundle(std::move(*file), path);
  ASSERT_TRUE(read) << read.Error().Message();
  const BundleSection& found = read->sections[0];
  EXPECT_EQ(found.method, 8);
  EXPECT_EQ(found.flags, 0x0800);
  EXPECT_EQ(found.time, section.time);
  EXPECT_EQ(found.attributes, section.attributes);
  EXPECT_EQ(found.crc32, 77u);
  EXPECT_EQ(found.size_bytes, 1000u);
  EXPECT_FALSE(found.is_model);
  EXPECT_EQ(std::string(found.bytes.bytes.begin(), found.bytes.bytes.end()), "deflated");
}

TEST(BundleTest, SectionsOfOneNameAreNumbered) {
  const auto few = Parse(LitertLm({{4, "", {}},
                                   {4, "", {}},
                                   {3, "sp_tokenizer_2", {}},
                                   {4, "", {}},
                                   {3, "sp_tokenizer_2", {}},
                                   {4, "", {}}}));
  ASSERT_TRUE(few) << few.Error();
  std::vector<std::string> names;
  for (const BundleSection& section : few->sections) names.push_back(section.name);
  EXPECT_THAT(names, ElementsAre("sp_tokenizer", "sp_tokenizer_2", "sp_tokenizer_2_2",
                                 "sp_tokenizer_3", "sp_tokenizer_2_3", "sp_tokenizer_4"));
  // Minutes, if each were compared with all before it for each number.
  const auto many = Parse(LitertLm(std::vector<Part>(20000, Part{.kind = 4})));
  ASSERT_TRUE(many) << many.Error();
  EXPECT_EQ(many->sections.back().name, "sp_tokenizer_20000");
}

// Sections may share one list of items: as many copies as a file likes.
TEST(BundleTest, SharedItemsDoNotFillTheMemory) {
  flatbuffers::FlatBufferBuilder builder;
  const auto value = litertlm::CreateText(builder, builder.CreateString(std::string(20000, 'v')));
  const auto item = litertlm::CreateItem(builder, builder.CreateString("key"),
                                         litertlm::AnyValue::Text, value.Union());
  const auto items = builder.CreateVector(&item, 1);
  const auto section = litertlm::CreateSection(builder, items, 0, 0, 4);
  const std::vector<flatbuffers::Offset<litertlm::Section>> sections(5000, section);
  const auto list = litertlm::CreateSections(builder, builder.CreateVector(sections));
  builder.Finish(litertlm::CreateContents(builder, 0, list));
  const auto bundle = Parse(FileOf(builder));
  ASSERT_FALSE(bundle);
  EXPECT_THAT(bundle.Error().Message(), HasSubstr("larger than its file"));
}

TEST(BundleTest, DamagedOnesAreRefused) {
  const std::vector<uint8_t> usual = Usual();
  struct Case {
    std::string message;
    std::vector<uint8_t> bytes;
  };
  std::vector<uint8_t> beyond = usual;
  const uint64_t end = beyond.size() + 1;
  std::memcpy(beyond.data() + 24, &end, 8);
  std::vector<uint8_t> cut = usual;
  cut.resize(17000);
  const Case kCases[] = {
      {"has version 2, expected 1", LitertLm({{4, "", Bytes("t")}}, 2)},
      {"says that its header ends at byte", beyond},
      {"section 0 stands at bytes", cut},
      {"is cut off within its header", {usual.begin(), usual.begin() + 20}},
      {"has no directory at its end", Bytes("PK\x03\x04.........................................")},
  };
  for (const Case& test : kCases) {
    const auto bundle = Parse(test.bytes);
    ASSERT_FALSE(bundle) << test.message;
    EXPECT_THAT(bundle.Error().Message(), HasSubstr(test.message));
    EXPECT_THAT(bundle.Error().Message(), HasSubstr("x: "));
  }
}

// Two bits of some bytes changed: an error, or a bundle whose sections lie within the file.
void ExpectNoHarm(const std::vector<uint8_t>& usual, size_t first, size_t count) {
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    std::vector<uint8_t> bytes = usual;
    for (int flips = 0; flips < 2; ++flips) bytes[first + random() % count] ^= 1u << random() % 8;
    const auto bundle = Parse(bytes);
    if (!bundle) continue;
    for (const BundleSection& section : bundle->sections)
      EXPECT_LE(section.offset_bytes + section.bytes.bytes.size(), bytes.size());
  }
}

TEST(BundleTest, ChangedBytesOfALitertLmDoNoHarm) { ExpectNoHarm(Usual(), 8, 700); }

TEST(BundleTest, ChangedBytesOfAnArchiveDoNoHarm) {
  Bundle bundle;
  bundle.format = BundleFormat::kTask;
  bundle.sections.emplace_back().name = "A";
  bundle.sections.emplace_back().name = "B";
  const std::string path = Temporary("changed.task");
  const std::vector<SharedBytes> contents(2, SharedBytes::Copy(Bytes("settings")));
  ASSERT_TRUE(WriteBundle(bundle, contents, path));
  const auto file = MapFile(path);
  ExpectNoHarm({file->bytes.begin(), file->bytes.end()}, 0, file->bytes.size());
  for (size_t size = 0; size < file->bytes.size(); ++size)
    EXPECT_FALSE(
        Parse({file->bytes.begin(), file->bytes.begin() + static_cast<std::ptrdiff_t>(size)}));
}

}  // namespace
}  // namespace npukit
