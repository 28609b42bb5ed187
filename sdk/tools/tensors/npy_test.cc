// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/tensors/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace npukit::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<uint8_t> Bytes(std::string_view text) { return {text.begin(), text.end()}; }

std::vector<uint8_t> File(const std::string& header, std::string_view elements) {
  std::vector<uint8_t> file = Bytes("\x93NUMPY\x01");
  file.push_back(0);
  file.push_back(static_cast<uint8_t>(header.size()));
  file.push_back(0);
  file.insert(file.end(), header.begin(), header.end());
  file.insert(file.end(), elements.begin(), elements.end());
  return file;
}

TEST(Npy, ReadsWhatNumpyWrites) {
  const auto data = ParseNpy(File("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 2), }  \n",
                                  std::string_view("\x01\0\x02\0\x03\0\xff\xff", 8)));
  ASSERT_TRUE(data) << data.Error();
  EXPECT_EQ(data->TypeText(), "int16[2,2]");
  EXPECT_EQ(NumberAt(data->type, data->bytes, 3), -1);
  const auto scalar =
      ParseNpy(File("{'descr': '|b1', 'fortran_order': False, 'shape': (), }\n", "\x01"));
  ASSERT_TRUE(scalar) << scalar.Error();
  EXPECT_EQ(scalar->TypeText(), "bool[]");
}

TEST(Npy, PutsBytesAndColumnsInOrder) {
  const auto data = ParseNpy(File("{'descr': '>u2', 'fortran_order': True, 'shape': (2, 3), }\n",
                                  std::string_view("\0\x01\0\x02\0\x03\0\x04\0\x05\0\x06", 12)));
  ASSERT_TRUE(data) << data.Error();
  std::vector<int> values;
  for (int64_t i = 0; i < 6; ++i)
    values.push_back(static_cast<int>(NumberAt(data->type, data->bytes, i)));
  EXPECT_THAT(values, ElementsAre(1, 3, 5, 2, 4, 6));
}

TEST(Npy, WritesWhatItReads) {
  const TensorData data{.name = {},
                        .type = kLiteRtElementTypeFloat32,
                        .shape = {3},
                        .bytes = Bytes(std::string_view("\0\0\x80\x3f\0\0\0\0\0\0\0\x40", 12))};
  const auto file = FormatNpy(data);
  ASSERT_TRUE(file) << file.Error();
  EXPECT_EQ((file->size() - 12) % 64, 0u);
  const auto read = ParseNpy(*file);
  ASSERT_TRUE(read) << read.Error();
  EXPECT_EQ(read->TypeText(), "float32[3]");
  EXPECT_EQ(read->bytes, data.bytes);
  const auto packed =
      FormatNpy({.name = {}, .type = kLiteRtElementTypeInt4, .shape = {3}, .bytes = {0xf1, 0x08}});
  ASSERT_TRUE(packed) << packed.Error();
  const auto unpacked = ParseNpy(*packed);
  ASSERT_TRUE(unpacked) << unpacked.Error();
  EXPECT_EQ(unpacked->TypeText(), "int8[3]");
  EXPECT_THAT(unpacked->bytes, ElementsAre(1, 0xff, 0xf8));
  EXPECT_FALSE(
      FormatNpy({.name = {}, .type = kLiteRtElementTypeTfString, .shape = {1}, .bytes = {}}));
}

TEST(Npy, ErrorsSayWhatIsThere) {
  struct {
    std::vector<uint8_t> file;
    const char* says;
  } const kCases[] = {
      {Bytes("\x93NUMPY\x09"), "no header"},
      {Bytes(std::string_view("\x93NUMPY\x09\0\x01\0", 10)), "version 1, 2 or 3, found 9"},
      {Bytes(std::string_view("\x93NUMPY\x01\0\xff\0{", 11)), "cut off"},
      {File("{}\n", ""), "'descr'"},
      {File("{'descr': '<U5', 'fortran_order': False, 'shape': (2,), }\n", ""), "'<U5'"},
      {File("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }\n", ""), "(-2,)"},
      {File("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", "1234"),
       "8 bytes for float32[2], found 4"},
      {File("{'descr': '<f4', 'fortran_order': False, 'shape': (2147483647, 2147483647, "
            "2147483647), "
            "}\n",
            "1234"),
       "fewer than 2^63"},
  };
  for (const auto& c : kCases) {
    const auto data = ParseNpy(c.file);
    ASSERT_FALSE(data) << c.says;
    EXPECT_THAT(data.Error().Message(), HasSubstr(c.says));
  }
}

// Two arrays, the second deflated, as Python's zipfile writes them (numpy.savez_compressed).
std::vector<uint8_t> Archive() {
  const auto word = [](std::vector<uint8_t>& to, uint32_t value, int width) {
    for (int i = 0; i < width; ++i) to.push_back(static_cast<uint8_t>(value >> (8 * i)));
  };
  const std::vector<uint8_t> array =
      File("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n", "\x07\x08");
  // zlib's CRC of `array`, by its own table-free rule.
  uint32_t crc = ~0u;
  for (uint8_t byte : array) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xEDB88320u & (0u - (crc & 1)));
  }
  crc = ~crc;
  // Deflate's form for bytes as they are: last block, stored, length and its complement.
  std::vector<uint8_t> deflated = {1};
  word(deflated, static_cast<uint32_t>(array.size()), 2);
  word(deflated, ~static_cast<uint32_t>(array.size()), 2);
  deflated.insert(deflated.end(), array.begin(), array.end());
  std::vector<uint8_t> file;
  std::vector<uint8_t> directory;
  for (const auto& member :
       {std::tuple{std::string("x.npy"), array, 0u}, {std::string("y.npy"), deflated, 8u}}) {
    const auto& name = std::get<0>(member);
    const auto& content = std::get<1>(member);
    const uint32_t method = std::get<2>(member);
    const auto offset = static_cast<uint32_t>(file.size());
    const auto fields = [&](std::vector<uint8_t>& to) {
      word(to, 20, 2);
      word(to, 0, 2);
      word(to, method, 2);
      word(to, 0, 4);
      word(to, crc, 4);
      word(to, static_cast<uint32_t>(content.size()), 4);
      word(to, static_cast<uint32_t>(array.size()), 4);
      word(to, static_cast<uint32_t>(name.size()), 2);
      word(to, 0, 2);
    };
    word(file, 0x04034b50, 4);
    fields(file);
    file.insert(file.end(), name.begin(), name.end());
    file.insert(file.end(), content.begin(), content.end());
    word(directory, 0x02014b50, 4);
    word(directory, 20, 2);
    fields(directory);
    directory.resize(directory.size() + 10, 0);  // comment, disk and attributes
    word(directory, offset, 4);
    directory.insert(directory.end(), name.begin(), name.end());
  }
  const auto begin = static_cast<uint32_t>(file.size());
  file.insert(file.end(), directory.begin(), directory.end());
  word(file, 0x06054b50, 4);
  word(file, 0, 4);
  word(file, 2, 2);
  word(file, 2, 2);
  word(file, static_cast<uint32_t>(directory.size()), 4);
  word(file, begin, 4);
  word(file, 0, 2);
  return file;
}

TEST(Npz, GivesArraysByName) {
  const auto arrays = ParseNpz(Archive());
  ASSERT_TRUE(arrays) << arrays.Error();
  ASSERT_EQ(arrays->size(), 2u);
  for (size_t i : {size_t{0}, size_t{1}}) {
    EXPECT_EQ((*arrays)[i].name, i == 0 ? "x" : "y");
    EXPECT_EQ((*arrays)[i].TypeText(), "uint8[2]");
    EXPECT_THAT((*arrays)[i].bytes, ElementsAre(7, 8));
  }
}

// Whatever a byte is changed to, it is an error or an array, and never a crash.
TEST(Npz, DamageIsAnError) {
  const std::vector<uint8_t> whole = Archive();
  size_t errors = 0;
  for (size_t at = 0; at < whole.size(); ++at) {
    for (uint8_t value : {0x00, 0xff, whole[at] ^ 1}) {
      std::vector<uint8_t> file = whole;
      file[at] = value;
      errors += ParseNpz(file) ? 0 : 1;
    }
    EXPECT_FALSE(ParseNpz(std::span(whole).first(at))) << at;
  }
  EXPECT_GT(errors, whole.size());
  std::vector<uint8_t> damaged = whole;
  damaged[40] ^= 1;
  const auto arrays = ParseNpz(damaged);
  ASSERT_FALSE(arrays);
  EXPECT_THAT(arrays.Error().Message(), HasSubstr("'x.npy' has another checksum"));
}

}  // namespace
}  // namespace npukit::tools
