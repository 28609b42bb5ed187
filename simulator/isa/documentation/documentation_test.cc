// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/documentation/documentation.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "simulator/isa/info.h"

namespace acme {
namespace {

TEST(DocumentationTest, PageInTheRepositoryIsCurrent) {
  std::ifstream file(std::string(NPUKIT_SOURCE_DIR) + "/docs/isa.md", std::ios::binary);
  ASSERT_TRUE(file) << "docs/isa.md is missing; run: ninja isa_doc";
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  EXPECT_TRUE(page == IsaDocumentation()) << "docs/isa.md is out of date; run: ninja isa_doc";
}

TEST(DocumentationTest, EveryInstructionIsExplained) {
  std::set<Opcode> opcodes;
  std::set<std::string_view> mnemonics;
  for (const InstrInfo& info : AllInstructions()) {
    EXPECT_TRUE(opcodes.insert(info.opcode).second) << info.mnemonic;
    EXPECT_TRUE(mnemonics.insert(info.mnemonic).second) << info.mnemonic;
    EXPECT_FALSE(info.summary.empty()) << info.mnemonic;
    EXPECT_FALSE(info.timing.empty()) << info.mnemonic;
    EXPECT_FALSE(info.traps.empty()) << info.mnemonic;
    const std::string prefix =
        std::string(EnumInfoOf<Engine>().FindValue(static_cast<uint32_t>(info.engine))->text) + ".";
    EXPECT_TRUE(info.mnemonic.starts_with(prefix)) << info.mnemonic;
  }
}

}  // namespace
}  // namespace acme
