// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/doctor/generations.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace npukit::tools {
namespace {

constexpr std::array<std::string_view, kNumGenerations> kNames = {
#define GENERATION(id, name) name,
#include "sdk/tools/doctor/generations.def"
};

// What both kinds of library have in common.
std::string WhyNoTables(Generation host, Generation library) {
  using enum Generation;
  if ((host == k2_1a) != (library == k2_1a)) {
    return library == k2_1a
               ? "the library takes no table of host functions and calls those that libLiteRt.so "
                 "exports, as up to v2.1.4; the host passes the table as the first argument"
               : "the library expects a table of host functions as the first argument, as from "
                 "v2.1.5 on; the host passes none";
  }
  if ((host == k2_1b) != (library == k2_1b)) {
    return "the table of host functions begins with a header since 23 July 2026: the library takes "
           "every function for its neighbour";
  }
  return "";
}

}  // namespace

Generations From(Generation oldest, Generation newest) {
  Generations set;
  for (size_t i = static_cast<size_t>(oldest); i <= static_cast<size_t>(newest); ++i) set.set(i);
  return set;
}

std::string_view NameOf(Generation generation) { return kNames[static_cast<size_t>(generation)]; }

std::vector<std::string> NamesOf(Generations generations) {
  std::vector<std::string> names;
  for (size_t i = 0; i < kNumGenerations; ++i) {
    if (generations.test(i)) names.emplace_back(kNames[i]);
  }
  return names;
}

std::string WhyNoDispatch(Generation host, Generation library) {
  using enum Generation;
  if (host == library) return "";
  if (host == kQueried) {
    return "the host asks for LiteRtDispatchQueryInterface, which the library does not export: "
           "kLiteRtStatusErrorDynamicLoading";
  }
  if (library == kQueried) {
    return "the host asks for LiteRtDispatchGetApi, which the library does not export";
  }
  if (host == k2_1a || library == k2_1a) return WhyNoTables(host, library);
  // The version is what a host looks at first.
  if (host < k2_2 && library >= k2_2) {
    return "the library writes its version behind a header of 8 bytes, as from v2.2.0 on, and the "
           "host reads it at the start: \"Unsupported dispatch runtime version\", or a crash";
  }
  if (host >= k2_2 && library < k2_2) {
    return "the host reads the library's version behind a header of 8 bytes, which the library "
           "does "
           "not write: \"Unsupported dispatch runtime version\", or a hang";
  }
  if (std::string why = WhyNoTables(host, library); !why.empty()) return why;
  if (host >= kAug1 && library == k2_2) {
    return "the host calls the 26th function of the library's table, which has 25: it reads past "
           "the table and jumps to what stands there";
  }
  return "";
}

std::string WhyNoCompiler(Generation host, Generation plugin) {
  using enum Generation;
  if (host == plugin) return "";
  if (host == kQueried) {
    return "the host asks for LiteRtCompilerPluginQueryInterface, which the plugin does not "
           "export: "
           "it is skipped";
  }
  if (plugin == kQueried) {
    return "the host asks for LiteRtCreateCompilerPlugin and others, which the plugin does not "
           "export";
  }
  return WhyNoTables(host, plugin);
}

PairJudgement JudgePair(Generations host, Generations library, WhyNot why_not) {
  PairJudgement judgement;
  // Each generation of the one with each of the other: a file that does not tell its own stands for
  // all that it may be.
  bool any_works = false;
  for (size_t h = 0; h < kNumGenerations; ++h) {
    for (size_t l = 0; l < kNumGenerations; ++l) {
      if (!host.test(h) || !library.test(l)) continue;
      const std::string why = why_not(static_cast<Generation>(h), static_cast<Generation>(l));
      if (why.empty()) {
        any_works = true;
      } else if (judgement.why.empty()) {
        judgement.why = fmt::format("{} with {}: {}", kNames[h], kNames[l], why);
      }
    }
  }
  if (host.none() || library.none()) return judgement;
  if (judgement.why.empty()) judgement.works = true;
  if (!any_works) judgement.works = false;
  return judgement;
}

PairJudgement JudgeEntries(Generations host, const std::vector<Generations>& entries,
                           WhyNot why_not) {
  PairJudgement all;
  if (host.none() || entries.empty()) return all;
  bool all_work = true;
  bool all_fail = true;
  for (size_t h = 0; h < kNumGenerations; ++h) {
    if (!host.test(h)) continue;
    // A host uses one entry. Of which generation the host is stays the same for all of them, so it
    // is judged host by host, and not entry by entry.
    PairJudgement best{.works = false, .why = ""};
    for (const Generations& entry : entries) {
      PairJudgement one = JudgePair(Only(static_cast<Generation>(h)), entry, why_not);
      // Works before unknown before fails; of equals the last, which is the more specific.
      if (best.works == true || (!best.works && one.works == false)) continue;
      best = std::move(one);
    }
    all_work = all_work && best.works == true;
    all_fail = all_fail && best.works == false;
    if (best.works != true && all.why.empty()) all.why = best.why;
  }
  if (all_work) all.works = true;
  if (all_fail) all.works = false;
  return all;
}

}  // namespace npukit::tools
