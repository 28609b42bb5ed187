// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which of LiteRT's plugin ABIs a file may be of, and which go together.

#ifndef NPUKIT_SDK_TOOLS_DOCTOR_GENERATIONS_H_
#define NPUKIT_SDK_TOOLS_DOCTOR_GENERATIONS_H_

#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace npukit::tools {

enum class Generation {
#define GENERATION(id, name) id,
#include "sdk/tools/doctor/generations.def"
};
inline constexpr size_t kNumGenerations = 7;

// Those that a file may be of: one where the file tells, several where it does not.
using Generations = std::bitset<kNumGenerations>;

Generations From(Generation oldest, Generation newest);
inline Generations Only(Generation one) { return From(one, one); }
std::string_view NameOf(Generation generation);
std::vector<std::string> NamesOf(Generations generations);

// Why a LiteRT of one generation can't use a library of another; empty where it can.
std::string WhyNoDispatch(Generation host, Generation library);
std::string WhyNoCompiler(Generation host, Generation plugin);

// The same of files that may be of several: works if all do, fails if none does, else unknown
// (nullopt). `why` is that of the first that fails.
struct PairJudgement {
  std::optional<bool> works;
  std::string why;
};
using WhyNot = std::string (*)(Generation host, Generation library);
PairJudgement JudgePair(Generations host, Generations library, WhyNot why_not);
// The same of a library with several entries, each of one of several generations: a host takes the
// one that suits it.
PairJudgement JudgeEntries(Generations host, const std::vector<Generations>& entries,
                           WhyNot why_not);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_DOCTOR_GENERATIONS_H_
