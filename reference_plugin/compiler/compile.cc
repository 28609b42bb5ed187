// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/compile.h"

#include <sstream>
#include <utility>

#include "reference_plugin/compiler/emit.h"
#include "reference_plugin/compiler/hazards.h"
#include "reference_plugin/compiler/lowering.h"
#include "reference_plugin/compiler/placement.h"
#include "reference_plugin/compiler/roofline.h"
#include "simulator/module/verify.h"

namespace acme::compiler {
namespace {

constexpr char kProducer[] = "AcmeCorp compiler 0.1";

std::string PrintTasks(std::span<const Task> tasks, std::span<const TaskSync> syncs) {
  std::ostringstream out;
  for (size_t i = 0; i < tasks.size(); ++i) {
    out << i << " " << NameOf(tasks[i].engine()) << " handle " << tasks[i].handle;
    for (const Region& region : tasks[i].reads) {
      out << " r" << static_cast<int>(region.space) << ":" << region.binding << "[" << region.begin
          << "," << region.end << ")";
    }
    for (const Region& region : tasks[i].writes) {
      out << " w" << static_cast<int>(region.space) << ":" << region.binding << "[" << region.begin
          << "," << region.end << ")";
    }
    for (uint8_t semaphore : syncs[i].waits) out << " wait " << int{semaphore};
    for (uint8_t semaphore : syncs[i].posts) out << " post " << int{semaphore};
    out << "\n";
  }
  return out.str();
}

void NumberHandles(Network& network, std::vector<DebugRecord>& debug) {
  for (Layer& layer : network.layers) {
    debug.push_back({layer.name, {static_cast<uint32_t>(layer.source_op)}});
    layer.handle = static_cast<uint32_t>(debug.size());
  }
}

std::vector<ModuleBinding> Bindings(const Network& network) {
  std::vector<ModuleBinding> bindings;
  const auto add = [&](ValueId id, bool output) {
    bindings.push_back(
        {network.value(id).name, static_cast<uint64_t>(network.value(id).Bytes()), output});
  };
  for (ValueId id : network.inputs) add(id, false);
  for (ValueId id : network.outputs) add(id, true);
  return bindings;
}

Expected<ModuleEntry> CompileNetwork(const Network& network, const Hardware& hardware,
                                     ConstantPool& constants, StageDump& dump) {
  const Placement placement = PlanPlacement(network, hardware);
  ACME_ASSIGN_OR_RETURN(const std::vector<Task> tasks,
                        LowerNetwork(network, placement, hardware, constants));
  const std::vector<TaskSync> syncs = PlanSync(tasks);
  dump = {network.ToString(), placement.ToString(), PrintTasks(tasks, syncs)};
  const Roofline roofline = EstimateRoofline(network, hardware);
  ModuleEntry entry;
  entry.name = network.name;
  entry.bindings = Bindings(network);
  entry.workspace_bytes = static_cast<uint64_t>(placement.workspace_bytes);
  entry.roofline_cycles = roofline.engine_cycles;
  entry.macs = roofline.macs;
  ACME_ASSIGN_OR_RETURN(entry.code, EmitCode(tasks, syncs));
  return entry;
}

}  // namespace

Expected<CompiledModule> CompileNetworks(std::span<Network> networks, const Hardware& hardware) {
  CompiledModule compiled;
  Module& module = compiled.module;
  module.soc_model = hardware.name;
  module.program_key = hardware.ProgramKey();
  module.producer = kProducer;
  ConstantPool constants;
  for (Network& network : networks) {
    if (module.FindEntry(network.name) != nullptr) {
      return Error(ErrorCode::kInvalidArgument,
                   "two entry points are named '" + network.name + "'");
    }
    NumberHandles(network, module.debug);
    ACME_ASSIGN_OR_RETURN(ModuleEntry entry, CompileNetwork(network, hardware, constants,
                                                            compiled.dumps.emplace_back()));
    module.entries.push_back(std::move(entry));
  }
  module.constants = constants.Take();
  ACME_RETURN_IF_ERROR(VerifyModule(module, hardware));
  return compiled;
}

}  // namespace acme::compiler
