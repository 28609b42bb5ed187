// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Damaged files: cut short, bits flipped, words replaced. Each is an error or a model that can be
// saved again; run under the sanitizers this shows that no read leaves the bytes.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstring>
#include <random>

#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/model/graph/model_diff.h"
#include "sdk/host/model/options/dispatch_options.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/testing/shared_models.h"
#include "sdk/host/model/testing/test_models.h"
#include "sdk/host/model/writing/model_writer.h"

namespace npukit {
namespace {

// True if the bytes still are a model. An exact copy, so that a read beyond the end is one beyond
// an allocation.
bool Survives(const std::vector<uint8_t>& bytes) {
  auto model = ParseModel(SharedBytes::Copy(bytes));
  if (!model) {
    EXPECT_FALSE(model.Error().Message().empty());
    return false;
  }
  auto saved = SerializeModel(**model);
  EXPECT_TRUE(saved) << saved.Error();
  if (!saved) return true;
  auto reloaded = ParseModel(SharedBytes::Copy(*saved));
  EXPECT_TRUE(reloaded) << reloaded.Error();
  if (reloaded) {
    EXPECT_EQ(FirstDifference(**model, **reloaded).value_or("none"), "none");
  }
  return true;
}

std::vector<std::vector<uint8_t>> Victims() {
  std::vector<std::vector<uint8_t>> victims;
  for (const auto& model : {EveryFeature(), CompiledModel(), EveryOptionsTable()}) {
    auto bytes = SerializeModel(*model);
    EXPECT_TRUE(bytes) << bytes.Error();
    victims.push_back(std::move(*bytes));
  }
  return victims;
}

TEST(DamagedModel, CutShortAnywhere) {
  for (const std::vector<uint8_t>& whole : Victims()) {
    EXPECT_TRUE(Survives(whole));
    for (size_t size = 0; size < whole.size(); ++size) {
      Survives({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)});
    }
    // Everything up to the last table matters.
    EXPECT_FALSE(
        Survives({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(whole.size() / 2)}));
  }
}

TEST(DamagedModel, EveryBitFlippedAlone) {
  for (std::vector<uint8_t> bytes : {Victims()[0], Victims()[1]}) {
    size_t refused = 0;
    for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      bytes[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
      refused += Survives(bytes) ? 0 : 1;
      bytes[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    }
    EXPECT_GT(refused, bytes.size() / 4) << "the damage does not reach the reader";
  }
}

TEST(DamagedModel, RandomWordsReplaced) {
  std::mt19937 random(20261);
  const uint32_t interesting[] = {0,    1,          4,          0x7f,       0x80,
                                  0xff, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff};
  for (const std::vector<uint8_t>& whole : Victims()) {
    for (int round = 0; round < 8000; ++round) {
      std::vector<uint8_t> bytes = whole;
      const size_t edits = 1 + random() % 4;
      for (size_t i = 0; i < edits; ++i) {
        const size_t at = random() % (bytes.size() - 4);
        const uint32_t word =
            random() % 2 == 0 ? interesting[random() % std::size(interesting)] : random() % 4096;
        const size_t width = size_t{1} << random() % 3;
        std::memcpy(&bytes[at], &word, width);
      }
      Survives(bytes);
    }
  }
}

TEST(DamagedModel, RealFilesWithRandomDamage) {
  const std::vector<std::string> paths = SharedModels("litert_compiled");
  if (paths.empty()) GTEST_SKIP() << NoSharedModels("litert_compiled");
  std::mt19937 random(7);
  for (const std::string& path : paths) {
    auto file = MapFile(path);
    ASSERT_TRUE(file) << file.Error();
    for (int round = 0; round < 600; ++round) {
      std::vector<uint8_t> bytes(file->bytes.begin(), file->bytes.end());
      for (int i = 0; i < 3; ++i) bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
      Survives(bytes);
    }
  }
}

TEST(DamagedDispatchOptions, NeverReadOutside) {
  const std::vector<uint8_t> sound = MakeDispatchOptions(
      {.bytecode_size_bytes = 7, .bytecode_offset_bytes = 1234, .name = "entry"});
  size_t refused = 0;
  const auto attempt = [&](const std::vector<uint8_t>& bytes) {
    // A vector of exactly that size.
    std::vector<uint8_t> copy(bytes.begin(), bytes.end());
    refused += ParseDispatchOptions(copy) ? 0 : 1;
    UpdateDispatchOptions({.bytecode_size_bytes = 1, .bytecode_offset_bytes = 2, .name = "entry"},
                          copy);
  };
  for (size_t size = 0; size < sound.size(); ++size) {
    attempt({sound.begin(), sound.begin() + static_cast<ptrdiff_t>(size)});
    attempt({sound.end() - static_cast<ptrdiff_t>(size), sound.end()});
  }
  std::mt19937 random(3);
  for (size_t i = 0; i < sound.size(); ++i) {
    for (int value = 0; value < 256; ++value) {
      std::vector<uint8_t> bytes = sound;
      bytes[i] = static_cast<uint8_t>(value);
      attempt(bytes);
    }
  }
  for (int round = 0; round < 20000; ++round) {
    std::vector<uint8_t> bytes = sound;
    for (int i = 0; i < 3; ++i) bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
    attempt(bytes);
  }
  EXPECT_GT(refused, 10000u);
}

// Less than half a megabyte, whose entries share one long key: gigabytes, if each had its own.
TEST(DamagedDispatchOptions, ASharedKeyIsNotCopied) {
  constexpr uint32_t kEntries = 40'000;
  std::vector<uint8_t> bytes(25'000, 'k');
  const auto add = [&](uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(value >> 8 * i));
  };
  bytes.push_back(0);
  const auto keys = static_cast<uint32_t>(bytes.size());
  for (uint32_t i = 0; i < kEntries; ++i) add(static_cast<uint32_t>(bytes.size()));
  add(static_cast<uint32_t>(bytes.size()) - keys);
  add(4);
  add(kEntries);
  const auto map = static_cast<uint32_t>(bytes.size());
  for (uint32_t i = 0; i < kEntries; ++i) add(0);
  bytes.resize(bytes.size() + kEntries, 1 << 2);  // signed numbers of a byte
  add(static_cast<uint32_t>(bytes.size()) - map);
  bytes.push_back(9 << 2 | 2);  // a map of words
  bytes.push_back(4);
  rusage before = {};
  getrusage(RUSAGE_SELF, &before);
  EXPECT_FALSE(ParseDispatchOptions(bytes));
  rusage after = {};
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100'000) << "kilobytes";
}

}  // namespace
}  // namespace npukit
