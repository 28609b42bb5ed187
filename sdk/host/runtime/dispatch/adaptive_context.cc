// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/adaptive_context.h"

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>

#include "litert/c/internal/litert_runtime_context.h"

namespace npukit {
namespace {

// Of 2.1.5 to main of August; the host's own may have more.
constexpr size_t kFunctions = 49;
constexpr size_t kWords = kFunctions + 1;
constexpr size_t kWord = sizeof(void*);

enum class TableLayout { kUnknown, kPlain, kWithHeader };

// Positions of functions whose first argument tells; see litert_runtime_context.def.
constexpr size_t kCreateRequirements = 0;
constexpr size_t kGetOpaqueOptions = 9;
constexpr size_t kGetEnvironmentOptions = 12;
constexpr size_t kCreateManagedTensorBuffer = 20;
// No address, and more buffer types than anybody has.
constexpr uintptr_t kMaxCount = 4096;

// All arguments of these functions are integers and addresses, at most six: System V passes them in
// registers, whatever they are.
using AnyFunction = uintptr_t (*)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

struct State {
  std::array<void*, kWords> table = {};
  std::atomic<TableLayout> layout = TableLayout::kUnknown;
  uintptr_t environment = 0;
  uintptr_t options = 0;
};
std::array<State, AdaptiveContext::kPlaces> states;

LiteRtAbiHeader HeaderOfThen() {
  return {.struct_size = kWords * kWord, .major_version = 1, .minor_version = 0, .reserved = 0};
}

// The layout in which `word` is called with this first argument; unknown if it could be either.
TableLayout Tell(const State& state, size_t word, uintptr_t first) {
  if (word == 0) return TableLayout::kPlain;
  const auto is_called = [&](size_t function) {
    if (word == function) return TableLayout::kPlain;
    return word == function + 1 ? TableLayout::kWithHeader : TableLayout::kUnknown;
  };
  if (first <= kMaxCount) return is_called(kCreateRequirements);
  if (first == state.options) return is_called(kGetOpaqueOptions);
  if (first != state.environment) return TableLayout::kUnknown;
  const TableLayout by_options = is_called(kGetEnvironmentOptions);
  return by_options != TableLayout::kUnknown ? by_options : is_called(kCreateManagedTensorBuffer);
}

void Decide(State& state, TableLayout layout) {
  if (layout == TableLayout::kWithHeader) {
    const LiteRtAbiHeader header = HeaderOfThen();
    std::memcpy(static_cast<void*>(state.table.data()), &header, sizeof(header));
  }
  state.layout = layout;
}

AnyFunction HostFunction(size_t position) {
  // The host's own table begins with a header of one word.
  void* function = nullptr;
  std::memcpy(&function,
              reinterpret_cast<const char*>(LrtGetRuntimeContext()) + (position + 1) * kWord,
              sizeof(function));
  return std::bit_cast<AnyFunction>(function);
}

template <size_t kPlaceAndWord>
uintptr_t Adapted(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f) {
  constexpr size_t kThisWord = kPlaceAndWord % kWords;
  State& state = states[kPlaceAndWord / kWords];
  TableLayout layout = state.layout;
  if (layout == TableLayout::kUnknown) {
    layout = Tell(state, kThisWord, a);
    if (layout != TableLayout::kUnknown) Decide(state, layout);
  }
  const size_t shift = layout == TableLayout::kWithHeader ? 1 : 0;
  if (kThisWord < shift || kThisWord - shift >= kFunctions) return kLiteRtStatusErrorUnsupported;
  return HostFunction(kThisWord - shift)(a, b, c, d, e, f);
}

template <size_t... kAll>
constexpr std::array<AnyFunction, sizeof...(kAll)> AllAdapted(std::index_sequence<kAll...>) {
  return {&Adapted<kAll>...};
}

}  // namespace

AdaptiveContext* AdaptiveContext::Create() {
  static constexpr auto kFunctionsOfAll = AllAdapted(std::make_index_sequence<kPlaces * kWords>());
  static std::mutex mutex;
  static size_t num_taken = 0;
  const std::lock_guard<std::mutex> lock(mutex);
  if (num_taken == kPlaces) return nullptr;
  const size_t place = num_taken++;
  for (size_t word = 0; word < kWords; ++word) {
    states[place].table[word] = reinterpret_cast<void*>(kFunctionsOfAll[place * kWords + word]);
  }
  return new AdaptiveContext(place);
}

const void* AdaptiveContext::table() const { return states[place_].table.data(); }

void AdaptiveContext::SetHandles(LiteRtEnvironment environment, LiteRtOptions options) {
  State& state = states[place_];
  if (environment != nullptr) state.environment = reinterpret_cast<uintptr_t>(environment);
  if (options != nullptr) state.options = reinterpret_cast<uintptr_t>(options);
}

bool AdaptiveContext::AssumeHeader() {
  State& state = states[place_];
  if (state.layout == TableLayout::kWithHeader) return false;
  Decide(state, TableLayout::kWithHeader);
  return true;
}

}  // namespace npukit
