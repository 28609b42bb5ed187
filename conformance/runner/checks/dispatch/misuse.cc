// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class dispatch that ask for the impossible: wrong indices, missing buffers, damaged
// bytecode.

#include <fmt/format.h>
#include <string>
#include <vector>

#include "conformance/oracle/tensor_data.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/process/stage.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::dispatch {
namespace {

constexpr LiteRtTensorBufferHandle kNoSuchHandle = 0x7fff'1234'5678'0000;
// Places in the bytecode that are damaged, one at a time.
constexpr size_t kFlips = 96;

litert::Expected<std::unique_ptr<VendorInvocation>> LoadInvocation(VendorDevice& device,
                                                                   const PartitionSource& source,
                                                                   const Bytecode& bytecode) {
  return VendorInvocation::Create(device, bytecode.buffer(), source.entry_point.c_str(),
                                  source.num_inputs(), source.num_outputs());
}

// Loads and runs damaged bytecode. Refusing is right at any point; so are the right values.
// Otherwise says what is wrong.
litert::Expected<std::string> DamageProblem(VendorDevice& device, const PartitionSource& source,
                                            std::span<const uint8_t> bytes, const InputSet& inputs,
                                            const OutputSet& expected) {
  LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(bytes));
  const auto invocation = LoadInvocation(device, source, bytecode);
  if (!invocation) return std::string();
  const auto attached = AttachedInvocation::Create(**invocation, source.ports);
  if (!attached) return std::string();
  const auto outputs = (*attached)->Run(inputs);
  if (!outputs) return std::string();
  const std::string difference = OutputDifference(expected, *outputs);
  return difference.empty() ? std::string()
                            : "is accepted and computes other values: " + difference;
}

}  // namespace

CheckAnswer requirements(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(*source.module));
    LITERT_ASSIGN_OR_RETURN(const auto invocation, LoadInvocation(*device, source, bytecode));
    for (const DispatchPort& port : source.ports) {
      LITERT_ASSIGN_OR_RETURN(const PortRequirements first, invocation->Requirements(port));
      LITERT_ASSIGN_OR_RETURN(const PortRequirements second, invocation->Requirements(port));
      NPUKIT_CHECK_THAT(first.accepts_host_memory,
                        fmt::format("{} {} does not accept host memory",
                                    port.is_input ? "input" : "output", port.index));
      NPUKIT_CHECK_THAT(first.size_bytes == second.size_bytes &&
                            first.alignment_bytes == second.alignment_bytes &&
                            first.strides_elems == second.strides_elems,
                        "the requirements change from call to call");
      NPUKIT_CHECK_THAT(first.size_bytes >= port.dense_bytes,
                        fmt::format("{} bytes are required, the tensor has {}", first.size_bytes,
                                    port.dense_bytes));
    }
    return CheckReport::Pass();
  });
}

CheckAnswer requirements_bounds(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(*source.module));
    LITERT_ASSIGN_OR_RETURN(const auto invocation, LoadInvocation(*device, source, bytecode));
    for (const bool is_input : {true, false}) {
      const auto get = is_input ? device->functions().get_input_requirements
                                : device->functions().get_output_requirements;
      const std::string what = is_input ? "get_input_requirements" : "get_output_requirements";
      const auto count = static_cast<int>(is_input ? source.num_inputs() : source.num_outputs());
      const LiteRtRankedTensorType type = source.ports.front().type;
      LiteRtTensorBufferRequirements handle = nullptr;
      for (int past : {count, count + 7, -1}) {
        NPUKIT_CHECK_THAT(
            VendorCall(what, get, invocation->context(), past, &type, &handle) != kLiteRtStatusOk,
            fmt::format("{}({}) gave kLiteRtStatusOk", what, past));
      }
      if (count == 0) continue;
      NPUKIT_CHECK_THAT(VendorCall(what + "(null type)", get, invocation->context(), 0, nullptr,
                                   &handle) != kLiteRtStatusOk,
                        what + " took a null type");
      NPUKIT_CHECK_THAT(VendorCall(what + "(null result)", get, invocation->context(), 0, &type,
                                   nullptr) != kLiteRtStatusOk,
                        what + " took a null result pointer");
      NPUKIT_CHECK_THAT(VendorCall(what + "(null context)", get, LiteRtDispatchInvocationContext{},
                                   0, &type, &handle) != kLiteRtStatusOk,
                        what + " took a null context");
    }
    return CheckReport::Pass();
  });
}

CheckAnswer unattached(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(*source.module));
    LITERT_ASSIGN_OR_RETURN(const auto bare, LoadInvocation(*device, source, bytecode));
    NPUKIT_CHECK_THAT(bare->TryInvoke() != kLiteRtStatusOk, "invoked without any buffer");
    LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
    LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(*source.body, 0));
    LITERT_RETURN_IF_ERROR(loaded->Run(inputs));
    for (const AttachedInvocation::Slot& slot : loaded->attached().slots()) {
      const std::string name =
          fmt::format("{} {}", slot.port.is_input ? "input" : "output", slot.port.index);
      LiteRtStatus status = loaded->invocation().TryDetach(slot.port, slot.handle());
      NPUKIT_CHECK_THAT(status == kLiteRtStatusOk,
                        "detaching " + name + " gave " + StatusText(status));
      NPUKIT_CHECK_THAT(loaded->invocation().TryInvoke() != kLiteRtStatusOk,
                        "invoked without " + name);
      status = loaded->invocation().TryAttach(slot.port, slot.handle());
      NPUKIT_CHECK_THAT(status == kLiteRtStatusOk,
                        "attaching " + name + " again gave " + StatusText(status));
    }
    LITERT_RETURN_IF_ERROR(loaded->Run(inputs));
    return CheckReport::Pass();
  });
}

CheckAnswer attach_bounds(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
    const LiteRtTensorBufferHandle good = loaded->attached().slots().front().handle();
    for (const bool is_input : {true, false}) {
      const auto attach =
          is_input ? device->functions().attach_input : device->functions().attach_output;
      const auto detach =
          is_input ? device->functions().detach_input : device->functions().detach_output;
      const std::string what = is_input ? "attach_input" : "attach_output";
      const auto count = static_cast<int>(is_input ? source.num_inputs() : source.num_outputs());
      const LiteRtDispatchInvocationContext context = loaded->invocation().context();
      for (int past : {count, count + 9, -1}) {
        NPUKIT_CHECK_THAT(VendorCall(what, attach, context, past, good) != kLiteRtStatusOk,
                          fmt::format("{}({}) gave kLiteRtStatusOk", what, past));
        NPUKIT_CHECK_THAT(
            VendorCall("de" + what.substr(2), detach, context, past, good) != kLiteRtStatusOk,
            fmt::format("detaching {} gave kLiteRtStatusOk", past));
      }
      if (count == 0) continue;
      NPUKIT_CHECK_THAT(VendorCall(what + " of an unknown handle", attach, context, 0,
                                   kNoSuchHandle) != kLiteRtStatusOk,
                        what + " took a handle that was never given out");
      NPUKIT_CHECK_THAT(VendorCall(what + " to a null context", attach,
                                   LiteRtDispatchInvocationContext{}, 0, good) != kLiteRtStatusOk,
                        what + " took a null context");
    }
    NPUKIT_CHECK_THAT(VendorCall("invoke(null)", device->functions().invoke,
                                 LiteRtDispatchInvocationContext{}) != kLiteRtStatusOk,
                      "invoke took a null context");
    return CheckReport::Pass();
  });
}

CheckAnswer entry_point(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const Artifacts* artifacts, bench.artifacts());
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(*source.module));
    const auto load = [&](const char* name) {
      return VendorInvocation::Create(*device, bytecode.buffer(), name, source.num_inputs(),
                                      source.num_outputs());
    };
    NPUKIT_CHECK_THAT(!load("npukit_no_such_entry_point").HasValue(),
                      "an unknown entry point was found");
    const std::string longer = source.entry_point + "_";
    NPUKIT_CHECK_THAT(!load(longer.c_str()).HasValue(), "entry point '" + longer + "' was found");
    size_t entries = 0;
    for (const Artifacts::Call& call : artifacts->calls) {
      entries += &artifacts->modules[call.module] == source.module;
    }
    const bool took_null = load(nullptr).HasValue();
    NPUKIT_CHECK_THAT(!took_null || entries == 1,
                      "no entry point was given, the module has several; one was chosen");
    return CheckReport::Pass();
  });
}

CheckAnswer port_count(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode, Bytecode::Create(*source.module));
    struct Counts {
      size_t inputs;
      size_t outputs;
    };
    for (const Counts& counts :
         {Counts{source.num_inputs() + 1, source.num_outputs()},
          Counts{source.num_inputs(), source.num_outputs() + 1}, Counts{0, 0}}) {
      const auto invocation = VendorInvocation::Create(
          *device, bytecode.buffer(), source.entry_point.c_str(), counts.inputs, counts.outputs);
      if (!invocation) continue;
      // Those that count later say so when the buffers are there.
      const auto attached = AttachedInvocation::Create(**invocation, source.ports);
      const bool refused = !attached || (*invocation)->TryInvoke() != kLiteRtStatusOk;
      NPUKIT_CHECK_THAT(
          refused,
          fmt::format("runs with {} inputs and {} outputs, expected {} and {}", counts.inputs,
                      counts.outputs, source.num_inputs(), source.num_outputs()));
    }
    return CheckReport::Pass();
  });
}

CheckAnswer unaligned_bytecode(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(*source.body, 0));
    LITERT_ASSIGN_OR_RETURN(const OutputSet expected, RunFresh(bench, source, inputs));
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    for (size_t offset_bytes : {1, 3, 8, 4097}) {
      const std::string where = fmt::format("at offset {}: ", offset_bytes);
      LITERT_ASSIGN_OR_RETURN(const Bytecode bytecode,
                              Bytecode::Create(*source.module, offset_bytes));
      const auto invocation = LoadInvocation(*device, source, bytecode);
      NPUKIT_CHECK_THAT(invocation.HasValue(), where + invocation.Error().Message());
      LITERT_ASSIGN_OR_RETURN(const auto attached,
                              AttachedInvocation::Create(**invocation, source.ports));
      LITERT_ASSIGN_OR_RETURN(const OutputSet outputs, attached->Run(inputs));
      const std::string difference = OutputDifference(expected, outputs);
      NPUKIT_CHECK_THAT(difference.empty(), where + difference);
    }
    return CheckReport::Pass();
  });
}

CheckAnswer truncated(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(*source.body, 0));
    LITERT_ASSIGN_OR_RETURN(const OutputSet expected, RunFresh(bench, source, inputs));
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    const std::vector<uint8_t>& whole = *source.module;
    std::vector<size_t> lengths = {
        1, 4, 8, 16, 32, 64, whole.size() - 1, whole.size() - 8, whole.size() - 64};
    for (size_t i = 1; i < 16; ++i) lengths.push_back(whole.size() * i / 16);
    for (size_t length : lengths) {
      // Of a short module also what wrapped around.
      if (length >= whole.size()) continue;
      LITERT_ASSIGN_OR_RETURN(
          const std::string problem,
          DamageProblem(*device, source, std::span(whole).first(length), inputs, expected));
      NPUKIT_CHECK_THAT(problem.empty(),
                        fmt::format("cut to {} of {} bytes, it {}", length, whole.size(), problem));
    }
    return CheckReport::Pass();
  });
}

CheckAnswer corrupted(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(*source.body, 0));
    LITERT_ASSIGN_OR_RETURN(const OutputSet expected, RunFresh(bench, source, inputs));
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    std::vector<uint8_t> damaged = *source.module;
    for (size_t i = 0; i < kFlips; ++i) {
      const uint64_t random = HashText(fmt::format("flip {}", i), bench.under_test().seed);
      // The first bytes hold what the rest is read by: each of them is met.
      const size_t at = i < 32 ? i % damaged.size() : random % damaged.size();
      const auto bit = static_cast<uint8_t>(1u << (random >> 40) % 8);
      damaged[at] ^= bit;
      LITERT_ASSIGN_OR_RETURN(const std::string problem,
                              DamageProblem(*device, source, damaged, inputs, expected));
      damaged[at] ^= bit;
      NPUKIT_CHECK_THAT(problem.empty(),
                        fmt::format("with a bit of byte {} flipped, it {}", at, problem));
    }
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::dispatch
