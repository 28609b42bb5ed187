// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The layers of one run, from a runner's steps and what dispatch libraries reported of them. Pure.

#ifndef NPUKIT_SDK_TOOLS_TIME_PAGE_LAYERS_H_
#define NPUKIT_SDK_TOOLS_TIME_PAGE_LAYERS_H_

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/runtime/runner/signature_runner.h"

namespace npukit::tools {

// Numbers are of one inference; one that was not reported is empty.
struct Layer {
  // Of the NPU: the library's name of the operation. Of the CPU: of the op's first output.
  std::string name;
  std::vector<std::string> ops;  // of the model, "7 CONV_2D (block1/out)"; empty: not known
  Target target = Target::kCpu;
  int step = 0;  // of the run, from 0
  std::optional<double> cycles;
  std::optional<double> macs;
  std::optional<double> bytes;  // read from and written to memory outside the device
  std::optional<double> energy_pj;
  std::optional<double> host_us;                       // of the CPU
  std::vector<std::pair<std::string, double>> stalls;  // by "ENGINE/CAUSE" or "CAUSE"
};

// The NPU's, or what its first partition says of it.
struct Chip {
  std::string soc;
  std::optional<double> array_macs_per_cycle;
  std::optional<double> memory_bytes_per_cycle;
  std::optional<double> scratchpad_bytes;
  std::optional<double> clock_mhz;
};

// What was measured with twice as much of something.
struct DoubledRun {
  std::string resource;
  std::optional<double> cycles;                // of the whole run
  std::map<std::string, double> layer_cycles;  // by the layer's name
  std::string error;                           // why there is none
};

Chip ChipOf(std::span<const DispatchMetrics> metrics);

// In order of execution. `metrics` and `times` have one entry per step.
std::vector<Layer> LayersOf(std::span<const StepInfo> steps, std::span<const StepTime> times,
                            std::span<const DispatchMetrics> metrics);

// By names that tell one layer from others also of another program for the same model; without
// layers that have but a number.
std::map<std::string, double> CyclesByName(const std::vector<Layer>& layers);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_TIME_PAGE_LAYERS_H_
