// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "reference_plugin/compiler/lower/movement/update_slice.h"
#include "reference_plugin/compiler/network/roofline.h"
#include "reference_plugin/compiler/rewrite/context/valid_context.h"
#include "reference_plugin/compiler/rewrite/elementwise/chains.h"
#include "reference_plugin/compiler/rewrite/elementwise/conversions.h"
#include "reference_plugin/compiler/rewrite/elementwise/drained_tables.h"
#include "reference_plugin/compiler/rewrite/elementwise/moved_operands.h"
#include "reference_plugin/compiler/rewrite/elementwise/residuals.h"
#include "reference_plugin/compiler/rewrite/fuse.h"
#include "reference_plugin/compiler/rewrite/movement/borders.h"
#include "reference_plugin/compiler/rewrite/movement/channel_order.h"
#include "reference_plugin/compiler/rewrite/movement/compose_moves.h"
#include "reference_plugin/compiler/rewrite/movement/join_resamplings.h"
#include "reference_plugin/compiler/rewrite/movement/narrow_moves.h"
#include "reference_plugin/compiler/rewrite/movement/read_channels.h"
#include "reference_plugin/compiler/rewrite/ordering/image_runs.h"
#include "reference_plugin/compiler/rewrite/region_rows.h"
#include "reference_plugin/compiler/rewrite/rows/mark_rows.h"
#include "reference_plugin/compiler/rewrite/rows/split_reductions.h"
#include "reference_plugin/compiler/rewrite/transpositions.h"
#include "reference_plugin/compiler/search/plan_program.h"
#include "simulator/isa/info.h"
#include "simulator/isa/text.h"
#include "simulator/module/verify.h"

namespace acme::compiler {
namespace {

constexpr char kProducer[] = "AcmeCorp compiler 0.1";
// Scores of attention by tokens that are twice the scratchpad's size take some four steps.
constexpr int64_t kMostDealtScratchpads = 2;
// Images of a large one's size through this are reduced by rows, too: the lanes do it while the array makes the next rows.
constexpr int64_t kSmallerReduced = 4;

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
  for (ValueId id : network.outputs) {
    add(id, true);
    if (const std::optional<ValueId> from = UpdatedInPlace(network, id))
      bindings.back().initial = static_cast<uint32_t>(network.value(*from).input_index) + 1;
  }
  return bindings;
}

// What one network becomes.
struct CompiledProgram {
  Network network;  // as it was lowered
  PlannedTasks planned;
  Roofline roofline;
};

Expected<CompiledProgram> CompileProgram(Network network, const Hardware& hardware,
                                         ConstantPool& constants, const CompileOptions& options) {
  ReadMovedOperands(network, hardware);
  FuseConversions(network);
  // Two operations in one pass take less, unless the scratchpad has no room for three operands.
  std::vector<Network> forms = {network};
  const bool has_residuals = FuseResiduals(network);
  if (FuseChains(network, hardware) || has_residuals) forms.insert(forms.begin(), network);
  for (Network& form : forms) {
    FuseDrainedTables(form);
    WriteJoinedResults(form, hardware);
    SplitReductions(form, LargeValueBytes(hardware) / kSmallerReduced);
    MarkRows(form, kMostDealtScratchpads * hardware.scratchpad_bytes);
    JoinImageRuns(form);
  }
  CompiledProgram program;
  ACME_ASSIGN_OR_RETURN(program.planned, PlanProgram(forms, hardware, constants, options));
  program.network = std::move(forms.front());
  program.roofline = EstimateRoofline(program.network, hardware);
  return program;
}

NetworkDump DumpOf(const std::string& name, CompiledProgram& program, const Hardware& hardware) {
  NetworkDump dump;
  dump.network = name;
  dump.stages = {{"fuse", program.network.ToString()}};
  std::move(program.planned.dump.begin(), program.planned.dump.end(),
            std::back_inserter(dump.stages));
  const std::vector<Task>& tasks = program.planned.tasks;
  dump.stages.push_back(
      {"order", PrintTasks(tasks, FindFootprints(tasks, hardware), program.planned.syncs)});
  dump.stages.push_back({"code", DisassembleCode(program.planned.code)});
  return dump;
}

// Adds programs for calls of shorter contexts, the shortest first.
Expected<void> AddVariants(const Network& network, const Hardware& hardware,
                           ConstantPool& constants, const CompileOptions& options,
                           const ProgramForm& form, ModuleEntry& entry,
                           std::vector<NetworkDump>& dumps) {
  if (!options.shorter_contexts || options.optimization_level == 0) return {};
  const std::vector<int32_t> lengths = ContextLengths(network);
  // All of them together are searched for as long as the entry point's own program.
  CompileOptions of_each = options;
  of_each.most_search_tasks /= std::max<size_t>(lengths.size(), 1);
  of_each.only_form = form;
  for (int32_t length : lengths) {
    std::optional<ShorterContext> shorter = CutContext(network, length);
    if (!shorter) continue;
    ACME_ASSIGN_OR_RETURN(CompiledProgram program, CompileProgram(std::move(shorter->network),
                                                                  hardware, constants, of_each));
    if (options.dump)
      dumps.push_back(DumpOf(fmt::format("{}#context_{}", entry.name, length), program, hardware));
    entry.workspace_bytes =
        std::max(entry.workspace_bytes, static_cast<uint64_t>(program.planned.workspace_bytes));
    entry.variants.push_back({std::move(shorter->guards), std::move(program.planned.code),
                              std::move(program.roofline.engine_cycles), program.roofline.macs});
  }
  return {};
}

Expected<ModuleEntry> CompileNetwork(const Network& legal, const Hardware& hardware,
                                     ConstantPool& constants, const CompileOptions& options,
                                     std::vector<NetworkDump>& dumps) {
  Network network = legal;
  ComposeMoves(network);
  NarrowMoves(network);
  JoinResamplings(network);
  FuseBorders(network);
  network = Fuse(network);
  OrderChannels(network);
  ReadChannels(network);
  FuseTranspositions(network, hardware);
  ACME_ASSIGN_OR_RETURN(CompiledProgram program,
                        CompileProgram(network, hardware, constants, options));
  if (options.dump) {
    NetworkDump& dump = dumps.emplace_back(DumpOf(network.name, program, hardware));
    dump.stages.insert(dump.stages.begin(), {"legalise", legal.ToString()});
  }
  ModuleEntry entry;
  entry.name = network.name;
  entry.bindings = Bindings(program.network);
  entry.workspace_bytes = static_cast<uint64_t>(program.planned.workspace_bytes);
  entry.roofline_cycles = program.roofline.engine_cycles;
  entry.macs = program.roofline.macs;
  entry.code = std::move(program.planned.code);
  ACME_RETURN_IF_ERROR(
      AddVariants(network, hardware, constants, options, program.planned.form, entry, dumps));
  return entry;
}

// Whether the module can be written with these constants.
Expected<void> CheckSize(const Module& module, const ConstantPool& constants) {
  const auto constant_bytes = static_cast<uint64_t>(constants.SizeBytes());
  const uint64_t bytes = MostBytes(module) + constant_bytes;
  if (bytes <= kMaxModuleBytes) return {};
  return Error(ErrorCode::kInvalidArgument,
               fmt::format("{} bytes of weights and {} of programs; a module holds {} at most. "
                           "Fewer operators, or signatures, on this vendor make it smaller",
                           constant_bytes, bytes - constant_bytes, kMaxModuleBytes));
}

}  // namespace

size_t MaxBindings() {
  for (const FieldInfo& field : InfoOf(Opcode::kStCopy).fields) {
    if (field.kind == FieldKind::kBindingOut) return (size_t{1} << field.bits) - kFirstIoBinding;
  }
  return 0;
}

Expected<CompiledModule> CompileNetworks(std::span<Network> networks, const Hardware& hardware,
                                         const CompileOptions& options) {
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
    if (network.inputs.size() + network.outputs.size() > MaxBindings()) {
      return Error(
          ErrorCode::kInvalidArgument,
          fmt::format("{}: {} inputs and {} outputs; a program addresses at most {}", network.name,
                      network.inputs.size(), network.outputs.size(), MaxBindings()));
    }
    NumberHandles(network, module.debug);
    ACME_ASSIGN_OR_RETURN(ModuleEntry entry,
                          CompileNetwork(network, hardware, constants, options, compiled.dumps));
    module.entries.push_back(std::move(entry));
  }
  ACME_RETURN_IF_ERROR(CheckSize(module, constants));
  module.constants = constants.Take();
  ACME_RETURN_IF_ERROR(VerifyModule(module, hardware));
  return compiled;
}

}  // namespace acme::compiler
