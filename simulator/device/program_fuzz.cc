// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// libFuzzer target: any bytes taken as code and as a module; those that are too few for code choose a
// program of transfers. What the verifier accepts must run within its buffers (the sanitizers watch)
// and end; values and time must not depend on each other, nor values on time where the race checker
// finds nothing.

#include <cstdlib>
#include <cstring>

#include "simulator/device/simulation.h"
#include "simulator/device/testing/random_program.h"
#include "simulator/module/verify.h"

namespace acme {
namespace {

// The bytes choose a program of transfers among three engines. When no race is found, its values
// may not depend on time.
void FuzzRaces(uint32_t seed) {
  const std::vector<Word> code = TransferProgram(seed);
  Hardware slow = FuzzHardware();
  slow.dma_outstanding = 1;
  slow.dma_setup_cycles = 500;
  slow.queue_depth = 64;
  std::vector<std::vector<uint8_t>> values[2];
  for (int i = 0; i < 2; ++i) {
    const Hardware& hardware = i == 0 ? FuzzHardware() : slow;
    values[i] = FuzzBuffers();
    Units units(hardware);
    RunOptions options;
    options.check_races = i == 0;
    for (auto& buffer : values[i]) {
      options.buffer_bytes.push_back(static_cast<int64_t>(buffer.size()));
      units.memory().buffers.push_back(buffer.data());
    }
    const Program program = *Program::Decode(code);
    if (!RunProgram(program, hardware, &units, options)) {
      if (i == 0) return;
      std::abort();
    }
  }
  if (values[0] != values[1]) std::abort();
}

void FuzzCode(const std::vector<Word>& code) {
  const Hardware& hardware = FuzzHardware();
  std::vector<std::vector<uint8_t>> buffers = FuzzBuffers();
  std::vector<BufferLimits> limits;
  for (size_t b = 0; b < buffers.size(); ++b) limits.push_back({buffers[b].size(), true, b != 0});
  // Most inputs end here, so nothing that only a run needs is made before.
  Expected<Program> program = VerifyProgram(code, hardware, limits);
  if (!program) return;
  RunOptions options;
  options.cycle_budget = 100000;
  options.check_races = true;
  Units units(hardware);
  for (auto& buffer : buffers) {
    options.buffer_bytes.push_back(static_cast<int64_t>(buffer.size()));
    units.memory().buffers.push_back(buffer.data());
  }
  Expected<RunResult> both = RunProgram(*program, hardware, &units, options);
  // What indices are, only a run with values knows.
  if (!both && both.Error().Code() == ErrorCode::kBadIndex) return;
  options.mode = RunMode::kTimeOnly;
  Expected<RunResult> time = RunProgram(*program, hardware, nullptr, options);
  if (static_cast<bool>(both) != static_cast<bool>(time)) std::abort();
  if (both && !(both->counters == time->counters)) std::abort();
}

}  // namespace
}  // namespace acme

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  uint32_t seed = 0;
  if (size >= sizeof(seed) && size < acme::kInstructionBytes) {
    std::memcpy(&seed, data, sizeof(seed));
    acme::FuzzRaces(seed);
    return 0;
  }
  // Code with cp.halt supplied, so that the fuzzer need not find it.
  std::vector<acme::Word> code(size / acme::kInstructionBytes);
  if (!code.empty()) std::memcpy(code.data(), data, code.size() * acme::kInstructionBytes);
  code.push_back(acme::Word{{static_cast<uint32_t>(acme::Opcode::kCpHalt), 0, 0, 0}});
  acme::FuzzCode(code);
  acme::Expected<acme::Module> module = acme::ParseModule({data, size});
  (void)acme::FindModules({.bytes = {data, size}});
  if (module) (void)acme::VerifyModule(*module, acme::FuzzHardware());
  return 0;
}
