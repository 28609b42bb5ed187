// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Scratchpad words and DRAM bursts that a strided access touches.

#ifndef NPUKIT_SIMULATOR_TIMING_ACCESS_WORDS_H_
#define NPUKIT_SIMULATOR_TIMING_ACCESS_WORDS_H_

#include <cstdint>

#include "simulator/hw/hardware.h"
#include "simulator/isa/engine_state.h"
#include "simulator/isa/footprint.h"

namespace acme {

struct WordCount {
  int64_t words = 0;
  // Words a cycle that the pattern's banks can serve at most.
  int64_t parallel_words = 1;
};

// Words of a scratchpad access. Where the hardware joins runs, those that follow each other so closely
// that no whole word lies between are one run, from the first's begin to the last's end: what they share
// is taken once. A run of b bytes takes the words it touches when every run is aligned alike, else the most that one does which begins where address and strides allow: an
// element of 4 bytes at multiples of 4 touches one word. Repetitions (stride 0) of an innermost
// element or run are held in a register and cost nothing; of outer dimensions they are read again.
// Runs whose distance is a multiple of several words meet only some of the banks.
WordCount CountWords(const Access& access, const Hardware& hardware);

// Cycles to move the words through a port of `port_words` a cycle, and how many of them are due to
// banks.
struct PortCycles {
  int64_t cycles = 0;
  int64_t conflict_cycles = 0;
};
PortCycles CyclesThroughPort(const WordCount& count, int64_t port_words);

// Aligned DRAM bursts moved for an access: runs in order; a burst that two neighbouring runs share
// is moved once.
int64_t CountBursts(const Access& access, const Hardware& hardware);

constexpr int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TIMING_ACCESS_WORDS_H_
