// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which op of a model ran where, and why not on the NPU.

#ifndef NPUKIT_SDK_HOST_RUNTIME_RUNNER_SESSION_PLACEMENT_H_
#define NPUKIT_SDK_HOST_RUNTIME_RUNNER_SESSION_PLACEMENT_H_

#include <cstddef>
#include <string>
#include <vector>

namespace npukit {

enum class Target { kCpu, kNpu };

// How far it came before all stayed on the CPU although a plugin was asked for.
enum class Fallback {
  kNone,             // something runs on the NPU, or compiling was not asked for
  kNothingSelected,  // the plugins were loaded, and take no op of the model
  kNotCompiled,      // a plugin took ops and failed
  kWrongRequest,  // plugins were loaded, and a SoC model, plugin, compile spec or partition that was asked for is not there
  kNotLoaded,     // no plugin was found or could be loaded
  kNotDispatched,  // it was compiled, and no dispatch library took what came of it
};

// One op of the model as it was before partitioning. For a model that was compiled ahead of time,
// whose source ops are gone, a partition is one entry with op "DISPATCH_OP".
struct OpPlacement {
  size_t subgraph = 0;
  size_t index = 0;  // position in that subgraph
  std::string op;    // "CONV_2D"
  std::string name;  // of its first output tensor
  Target target = Target::kCpu;
  int partition = -1;    // number of the dispatch op that holds it; -1 on the CPU
  std::string reason;    // why it is not on the NPU; empty if it is
  std::string plugin{};  // that has it; empty on the CPU, and where it is not known
};

struct SessionPlacement {
  size_t npu_ops = 0;
  size_t cpu_ops = 0;
  size_t partitions = 0;
  std::vector<OpPlacement> ops;
  // Why nothing runs on the NPU although a plugin was asked for: no library found, the plugin
  // refused, ... Empty otherwise. Never swallowed: the run command prints it.
  std::string fallback_reason;
  Fallback fallback = Fallback::kNone;
  std::string plugin;  // manufacturer of the compiler plugin; empty if none took part
  // "path (vendor, build id)" of the dispatch libraries; empty if none took part.
  std::string dispatch;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_RUNNER_SESSION_PLACEMENT_H_
