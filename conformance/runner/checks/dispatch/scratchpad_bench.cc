// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/dispatch/scratchpad_bench.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "conformance/observation/evidence.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::dispatch {

litert::Expected<bool> SeesScratchpads(const VendorDevice& device) {
  return Witness::Get().Observe<bool>("scratchpads", [&]() -> litert::Expected<bool> {
    return device.library().has_scratchpads();
  });
}

litert::Expected<std::unique_ptr<LoadedFunction>> LoadFunction(const VendorDevice& device,
                                                               const Bytecode& bytecode,
                                                               const std::string& entry_point) {
  DispatchExecutable executable;
  executable.memory = bytecode.buffer();
  return LoadedFunction::Create(device.device(), executable, entry_point);
}

litert::Expected<std::unique_ptr<VendorBuffer>> MakeScratchpad(VendorDevice& device,
                                                               const LoadedFunction& function,
                                                               GuardedMemory::At at) {
  LITERT_ASSIGN_OR_RETURN(const PortRequirements needed, function.ScratchpadRequirements());
  if (needed.size_bytes == 0 || !needed.accepts_host_memory ||
      needed.size_bytes > size_t{std::numeric_limits<int32_t>::max()}) {
    return std::unique_ptr<VendorBuffer>();
  }
  LiteRtRankedTensorType type = {.element_type = kLiteRtElementTypeInt8, .layout = {}};
  type.layout.rank = 1;
  type.layout.dimensions[0] = static_cast<int32_t>(needed.size_bytes);
  LITERT_ASSIGN_OR_RETURN(auto buffer, VendorBuffer::Create(device, type, needed.size_bytes,
                                                            needed.alignment_bytes, at));
  buffer->memory().SetName("the scratchpad");
  return buffer;
}

void Fill(VendorBuffer& buffer, uint8_t value) { std::ranges::fill(buffer.bytes(), value); }

bool Holds(const VendorBuffer& buffer, uint8_t value) {
  return std::ranges::all_of(buffer.bytes(), [&](uint8_t byte) { return byte == value; });
}

litert::Expected<std::unique_ptr<ScratchpadRun>> ScratchpadRun::Create(
    VendorDevice& device, LoadedFunction& function, const PartitionSource& source) {
  LITERT_ASSIGN_OR_RETURN(auto made,
                          function.MakeInvocation(source.num_inputs(), source.num_outputs()));
  std::unique_ptr<ScratchpadRun> run(new ScratchpadRun);
  run->invocation_ = VendorInvocation::Adopt(device, std::move(made));
  LITERT_ASSIGN_OR_RETURN(run->ports_, AttachedInvocation::Create(*run->invocation_, source.ports));
  return run;
}

litert::Expected<void> ScratchpadRun::Close() {
  LITERT_RETURN_IF_ERROR(ports_->Close());
  return invocation_->Close();
}

}  // namespace npukit::conformance::checks::dispatch
