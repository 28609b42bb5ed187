// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/emit/emit.h"

#include <cstddef>
#include <map>
#include <utility>

#include "reference_plugin/compiler/emit/loops.h"
#include "reference_plugin/compiler/emit/nop.h"
#include "simulator/isa/program_builder.h"

namespace acme::compiler {
namespace {

// What an engine was last configured with. Views and quantisation records exist once per operand.
class ConfigState {
 public:
  // True if the engine's configuration changes by it.
  bool Update(const AnyInstr& config) {
    const auto key = std::make_pair(OpcodeOf(config), ViewOf(config));
    const auto [it, inserted] = state_.try_emplace(key, config);
    if (inserted) return true;
    if (it->second == config) return false;
    it->second = config;
    return true;
  }

 private:
  static int ViewOf(const AnyInstr& config) {
    if (const auto* view = std::get_if<isa::VView>(&config)) return static_cast<int>(view->view);
    if (const auto* quant = std::get_if<isa::VQuant>(&config)) return static_cast<int>(quant->view);
    return 0;
  }

  std::map<std::pair<Opcode, int>, AnyInstr> state_;
};

void EmitTask(const Task& task, const TaskSync& sync, ConfigState& config,
              std::vector<Instr>& code) {
  for (const AnyInstr& instr : task.config) {
    if (config.Update(instr)) code.push_back(Instr{{}, instr});
  }
  constexpr size_t kPlaces = 2;
  size_t wait = 0;
  // Before the work, and in its engine: no-operations hold it up as its own header would.
  while (sync.waits.size() - wait > kPlaces)
    code.push_back(Instr{Wait(sync.waits[wait++]), NopOf(task.engine())});
  Sync header;
  for (size_t place = 0; wait < sync.waits.size(); ++place) header.wait[place] = sync.waits[wait++];
  size_t post = 0;
  for (; post < sync.posts.size() && post < kPlaces; ++post) header.post[post] = sync.posts[post];
  code.push_back(Instr{header, task.work});
  // A no-operation ends after everything before it in its engine.
  for (; post < sync.posts.size(); ++post)
    code.push_back(Instr{Post(sync.posts[post]), NopOf(task.engine())});
}

}  // namespace

Expected<std::vector<Word>> EmitCode(std::span<const Task> tasks, std::span<const TaskSync> syncs) {
  std::vector<Instr> code;
  ConfigState config;
  uint32_t handle = 0;
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].handle != handle) {
      handle = tasks[i].handle;
      code.push_back({{}, isa::CpMark{.handle = handle}});
    }
    EmitTask(tasks[i], syncs[i], config, code);
  }
  ProgramBuilder builder;
  for (const Instr& instr : RollLoops(std::move(code))) builder.Append(instr);
  builder.Halt();
  return builder.Finish();
}

}  // namespace acme::compiler
