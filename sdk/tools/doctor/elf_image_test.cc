// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Damaged libraries: whatever a byte says, reading comes to an end.

#include "sdk/tools/doctor/elf_image.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace npukit::tools {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes MakeLibrary() {
  const std::string folder = ::testing::TempDir() + "npukit_elf_image_";
  std::ofstream(folder + "source.c") << "int exported(void) { return 1; }\n"
                                        "int imported(void);\n"
                                        "__attribute__((weak)) int may_be_missing(void);\n"
                                        "int uses(void) {\n"
                                        "  return may_be_missing ? may_be_missing() : imported();\n"
                                        "}\n";
  const std::string command = std::string(NPUKIT_TEST_CC) + " -shared -fPIC -O1 -w -nostdlib -o " +
                              folder + "library.so " + folder + "source.c";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream file(folder + "library.so", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Elf64_Ehdr HeaderOf(const Bytes& bytes) {
  Elf64_Ehdr header = {};
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

TEST(ElfImage, TheWholeLibraryIsRead) {
  const auto image = ElfImage::Parse(MakeLibrary());
  ASSERT_TRUE(image) << image.Error().Message();
  EXPECT_TRUE(image->Exports("exported"));
  EXPECT_TRUE(image->imports.contains("imported"));
  EXPECT_FALSE(image->imports.contains("may_be_missing"));
  EXPECT_FALSE(image->compiler.empty());
}

TEST(ElfImage, SectionsThatEndFarBehindTheFile) {
  Bytes bytes = MakeLibrary();
  const Elf64_Ehdr header = HeaderOf(bytes);
  for (size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section = {};
    uint8_t* const at = bytes.data() + header.e_shoff + i * sizeof section;
    std::memcpy(&section, at, sizeof section);
    section.sh_size = uint64_t{1} << 60;
    std::memcpy(at, &section, sizeof section);
  }
  const auto image = ElfImage::Parse(bytes);
  ASSERT_TRUE(image) << image.Error().Message();
  EXPECT_TRUE(image->Exports("exported"));
}

TEST(ElfImage, EveryByteOfItsHeadersMayBeAny) {
  const Bytes whole = MakeLibrary();
  const Elf64_Ehdr header = HeaderOf(whole);
  std::vector<size_t> places;
  const auto add = [&](size_t from, size_t count) {
    for (size_t i = 0; i < count; ++i) places.push_back(from + i);
  };
  add(0, sizeof header);
  add(header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr));
  add(header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr));
  for (const size_t place : places) {
    for (const int value : {0x00, 0x7f, 0xff}) {
      Bytes damaged = whole;
      damaged.at(place) = static_cast<uint8_t>(value);
      (void)ElfImage::Parse(std::move(damaged));
    }
  }
}

TEST(ElfImage, CutOffAnywhere) {
  const Bytes whole = MakeLibrary();
  for (size_t size_bytes = 0; size_bytes < whole.size(); size_bytes += 7)
    (void)ElfImage::Parse({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size_bytes)});
}

}  // namespace
}  // namespace npukit::tools
