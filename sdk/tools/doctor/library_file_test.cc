// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What one file tells.

#include "sdk/tools/doctor/library_file.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sdk/tools/doctor/copy_size.h"
#include "sdk/tools/doctor/tests/doctor_fixture.h"
#include "sdk/tools/doctor/tests/library_sources.h"

namespace npukit::tools {
namespace {

struct Told {
  const char* name;
  std::string (*source)();
  Generations LibraryFile::*kind;
  Generations generations;
  Generations stripped;  // what is left of it without symbols
};

TEST_F(DoctorTest, GenerationsAreReadOffTheFiles) {
  using enum Generation;
  const std::vector<Told> table = {
      {"dispatch_2_1a", DispatchOf2_1a, &LibraryFile::dispatch, Only(k2_1a), Only(k2_1a)},
      {"dispatch_48", DispatchOf48, &LibraryFile::dispatch, From(k2_1b, kMid), From(k2_1b, kMid)},
      {"dispatch_2_2", DispatchOf2_2, &LibraryFile::dispatch, Only(k2_2), From(k2_2, kAug2)},
      {"dispatch_aug", DispatchOfAug, &LibraryFile::dispatch, From(kAug1, kAug2),
       From(k2_2, kAug2)},
      {"dispatch_qi", DispatchOfQi, &LibraryFile::dispatch, Only(kQueried), Only(kQueried)},
      {"compiler_2_1a", CompilerOf2_1a, &LibraryFile::compiler, Only(k2_1a), Only(k2_1a)},
      {"compiler_tables", CompilerOfTables, &LibraryFile::compiler, From(k2_1b, kAug2),
       From(k2_1b, kAug2)},
      {"compiler_qi", CompilerOfQi, &LibraryFile::compiler, Only(kQueried), Only(kQueried)},
      {"host_2_1a", HostOf2_1a, &LibraryFile::host, Only(k2_1a), Only(k2_1a)},
      {"host_2_1b", HostOf2_1b, &LibraryFile::host, Only(k2_1b), Only(k2_1b)},
      {"host_mid", HostOfMidOr2_2, &LibraryFile::host, From(kMid, k2_2), From(kMid, k2_2)},
      {"host_aug1", HostOfAug1, &LibraryFile::host, Only(kAug1), Only(kAug1)},
      {"host_aug2", HostOfAug2, &LibraryFile::host, Only(kAug2), Only(kAug2)},
      {"host_qi", HostOfQi, &LibraryFile::host, Only(kQueried), Only(kQueried)},
  };
  for (const Told& told : table) {
    for (const bool strip : {false, true}) {
      SCOPED_TRACE(std::string(told.name) + (strip ? ", stripped" : ""));
      AddLibrary(told.name, told.source(), "", strip);
      EXPECT_EQ(NamesOf(examined_.libraries.back().*told.kind),
                NamesOf(strip ? told.stripped : told.generations));
    }
  }
}

TEST_F(DoctorTest, LibrariesThatAnswerEachHostInItsLayout) {
  const char* const query = "int LiteRtDispatchQueryInterface(int id) { return id; }";
  const struct {
    std::string (*host)();
    const char* also;
    std::optional<bool> works;
    std::optional<bool> stripped;  // hides how many functions the table has
  } table[] = {{HostOf2_1b, "", true, true},         {HostOfMidOr2_2, "", true, true},
               {HostOfAug2, "", true, std::nullopt}, {HostOfQi, "", false, false},
               {HostOfQi, query, true, true},        {HostOfAug2, query, true, std::nullopt},
               {HostOf2_1b, query, true, true},      {HostOf2_1a, query, false, false}};
  for (const auto& row : table) {
    for (const bool strip : {false, true}) {
      SCOPED_TRACE(std::string(row.also) + (strip ? ", stripped" : ""));
      examined_ = {};
      AddLibrary("libLiteRt.so", row.host());
      AddLibrary("libLiteRtDispatch_X.so", DispatchOfBoth(row.also), "", strip);
      Judge();
      EXPECT_EQ(diagnosis_.pairs.front().works, strip ? row.stripped : row.works) << text_;
    }
  }
}

// Without symbols a header of zeros can be anything: all that may be are named, and no mismatch is
// claimed that is not sure.
TEST_F(DoctorTest, ZeroHeaderIsNotGuessed) {
  AddLibrary("libLiteRtDispatch_X.so", DispatchOf56("TABLE25", "{0, 0, 0, 0}"));
  EXPECT_EQ(Dispatch(), NamesOf(Only(Generation::k2_2))) << "the symbol has 56 bytes";
  AddLibrary("libLiteRtDispatch_Y.so", DispatchOf56("TABLE25", "{0, 0, 0, 0}"), "", true);
  EXPECT_EQ(Dispatch(), NamesOf(From(Generation::k2_2, Generation::kAug2)))
      << "LiteRtDispatchGetApi copies 56 bytes";
}

TEST_F(DoctorTest, CopiesOfOtherMachines) {
  // ldp q0, q1, [x8]; stp q0, q1, [x0]; ldr q0, [x8, 32]; str q0, [x0, 32]; ldr x9, [x8, 48];
  // str x9, [x0, 48]; ret
  const std::vector<uint8_t> code = {0x00, 0x05, 0x40, 0xad, 0x00, 0x04, 0x00, 0xad, 0x00, 0x09,
                                     0xc0, 0x3d, 0x00, 0x08, 0x80, 0x3d, 0x09, 0x19, 0x40, 0xf9,
                                     0x09, 0x18, 0x00, 0xf9, 0xc0, 0x03, 0x5f, 0xd6};
  EXPECT_EQ(CopySize("aarch64", code), 56u);
  EXPECT_EQ(CopySize("aarch64", std::span(code).first(16)), 48u);
  EXPECT_EQ(CopySize("riscv", code), std::nullopt);
  EXPECT_EQ(CopySize("x86-64", {}), std::nullopt);
}

// What a function writes piece by piece, the last word of it first and by another instruction.
TEST_F(DoctorTest, CopiesThatEndInAConstant) {
  std::vector<uint8_t> code = {0x48, 0xc7, 0x47, 0x30, 0, 0, 0, 0,  // movq $0, 48(%rdi)
                               0x0f, 0x11, 0x0f,                    // movups %xmm1, (%rdi)
                               0x0f, 0x11, 0x57, 0x10,              // movups %xmm2, 16(%rdi)
                               0x0f, 0x11, 0x47, 0x20,              // movups %xmm0, 32(%rdi)
                               0xc3};
  EXPECT_EQ(CopySize("x86-64", code), 56u);
  EXPECT_EQ(CopySize("x86-64", std::span(code).subspan(8)), 48u);
  const std::vector<uint8_t> half = {0x0f, 0x11, 0x47, 0x20,         // movups %xmm0, 32(%rdi)
                                     0x66, 0x0f, 0xd6, 0x47, 0x30};  // movq %xmm0, 48(%rdi)
  EXPECT_EQ(CopySize("x86-64", half), 56u);
}

TEST_F(DoctorTest, BadFilesAreErrors) {
  AddLibrary("whole.so", DispatchOf48());
  std::ifstream in(Path("whole.so"), std::ios::binary);
  const std::vector<uint8_t> whole{std::istreambuf_iterator<char>(in), {}};
  for (size_t size = 0; size < whole.size(); size += 61) {
    (void)ElfImage::Parse({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)});
  }
  for (size_t at = 0; at < 4096; at += 3) {
    std::vector<uint8_t> changed = whole;
    changed[at % changed.size()] ^= 0xff;
    auto image = ElfImage::Parse(std::move(changed));
    if (image) (void)ExamineLibrary("changed.so", std::move(*image));
  }
  EXPECT_FALSE(ElfImage::Parse({}));
  EXPECT_FALSE(ElfImage::Parse({0x7f, 'E', 'L', 'F'}));
}

}  // namespace
}  // namespace npukit::tools
