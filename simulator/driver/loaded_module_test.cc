// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/driver/loaded_module.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "simulator/driver/testing/driver_fixture.h"

namespace acme {
namespace {

std::vector<uint8_t> WithConstants(std::vector<uint8_t> constants) {
  Module module = *ParseModule(DoublingModule());
  module.constants = std::move(constants);
  return SerializeModule(module);
}

class LoadedModulesTest : public ::testing::Test {
 protected:
  std::shared_ptr<const LoadedModule> Load(const std::vector<uint8_t>& bytes) {
    auto loaded = modules_.Load(bytes);
    EXPECT_TRUE(loaded) << loaded.Error().Message();
    return loaded ? *loaded : nullptr;
  }

  LoadedModules modules_{std::make_shared<const Hardware>(*BuiltinHardware("acme_a1"))};
};

TEST_F(LoadedModulesTest, HoldOneThatIsLoadedAgainOnce) {
  const auto first = Load(DoublingModule());
  // Other memory with the same bytes.
  EXPECT_EQ(Load(DoublingModule()), first);
}

TEST_F(LoadedModulesTest, TellOnesThatAreAlikeApart) {
  const auto first = Load(WithConstants({1, 2, 3, 4}));
  const auto second = Load(WithConstants({1, 2, 3, 5}));
  EXPECT_NE(first, second);
  EXPECT_EQ(second->module.constants.bytes().back(), 5);
}

// Where another lay before, too: what counts is what it holds.
TEST_F(LoadedModulesTest, LookAtWhatBytesHoldAndNotWhereTheyLie) {
  std::vector<uint8_t> bytes = WithConstants({1, 2, 3, 4});
  const auto first = Load(bytes);
  const std::vector<uint8_t> other = WithConstants({9, 2, 3, 4});
  ASSERT_EQ(bytes.size(), other.size());
  std::copy(other.begin(), other.end(), bytes.begin());
  EXPECT_EQ(first->module.constants.bytes().front(), 1) << "a device has its own memory";
  EXPECT_EQ(Load(bytes)->module.constants.bytes().front(), 9);
}

TEST_F(LoadedModulesTest, ForgetWhatNobodyUses) {
  auto first = Load(DoublingModule());
  const std::weak_ptr<const LoadedModule> seen = first;
  first.reset();
  EXPECT_TRUE(seen.expired());
  EXPECT_NE(Load(DoublingModule()), nullptr);
}

TEST_F(LoadedModulesTest, AreLoadedByThreadsAtOnce) {
  std::vector<std::shared_ptr<const LoadedModule>> loaded(8);
  std::vector<std::thread> threads;
  for (auto& module : loaded)
    threads.emplace_back([this, &module] { module = *modules_.Load(DoublingModule()); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& module : loaded) EXPECT_EQ(module->module, loaded.front()->module);
}

}  // namespace
}  // namespace acme
