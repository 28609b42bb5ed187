// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/faulty_plugins/mimic_device.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "conformance/faulty_plugins/fault.h"
#include "conformance/faulty_plugins/mimic_bytecode.h"
#include "conformance/faulty_plugins/wrong_values.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::mimic {
namespace {

litert::Unexpected Invalid(const char* why) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, why);
}

// Once a run or a load failed, for faults.
std::atomic<bool> upset = false;

// Long enough for another thread's load to fail meanwhile.
void FailBesideOthers() {
  static std::atomic<int> failing = 0;
  if (++failing > 1) upset = true;
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  --failing;
}

// Programs for the first SoC that are loaded, for faults.
std::atomic<int> first_soc_programs = 0;

// The copy of a module that the library knows already, for faults; null if it is new.
std::unique_ptr<Model> KnownModule(std::span<const uint8_t> bytecode, const char* entry_point) {
  if (!Has(Fault::modules_by_shape) && !Has(Fault::modules_by_address) &&
      !Has(Fault::modules_by_first_bytes) && !Has(Fault::keeps_every_module)) {
    return nullptr;
  }
  static std::mutex mutex;
  static std::map<std::string, std::vector<uint8_t>> known;
  const std::lock_guard<std::mutex> lock(mutex);
  std::string key = entry_point == nullptr ? "" : entry_point;
  key += fmt::format(" {}", bytecode.size());
  if (Has(Fault::modules_by_address))
    key += fmt::format(" {}", reinterpret_cast<uintptr_t>(bytecode.data()));
  if (Has(Fault::modules_by_first_bytes)) {
    // Behind the header, which holds a checksum.
    const size_t begin = std::min(sizeof(BytecodeHeader), bytecode.size());
    const auto first = bytecode.subspan(begin).first(std::min<size_t>(64, bytecode.size() - begin));
    key.append(first.begin(), first.end());
  }
  if (Has(Fault::keeps_every_module)) key.append(bytecode.begin(), bytecode.end());
  const auto [found, is_new] = known.emplace(key, std::vector<uint8_t>());
  if (is_new) found->second.assign(bytecode.begin(), bytecode.end());
  auto decoded = DecodeBytecode(found->second);
  return decoded ? std::move(decoded->model) : nullptr;
}

// Memory that all programs share, for faults that need it.
std::vector<std::vector<uint8_t>> shared_inputs;
std::atomic<size_t> contexts_alive = 0;

bool KnowsEntryPoint(const Session& session, const std::string& name) {
  for (const std::string& key : session.signature_keys()) {
    if (key == name) return true;
  }
  return false;
}

// The entry point that the name begins with; else the name.
std::string BeginningOf(const Session& session, const std::string& name) {
  for (const std::string& key : session.signature_keys()) {
    if (name.starts_with(key)) return key;
  }
  return name;
}

}  // namespace

litert::Expected<std::unique_ptr<Program>> Program::Load(std::span<const uint8_t> bytecode,
                                                         const char* entry_point, size_t num_inputs,
                                                         size_t num_outputs) {
  auto read = DecodeBytecode(bytecode);
  if (!read) {
    upset = upset || Has(Fault::upset_by_failed_load);
    if (Has(Fault::failures_race)) FailBesideOthers();
    return read.Error();
  }
  DecodedBytecode& decoded = *read;
  if (auto known = KnownModule(bytecode, entry_point); known != nullptr)
    decoded.model = std::move(known);
  std::unique_ptr<Program> program(new Program);
  program->second_soc_ = decoded.header.extra == kSecondSocMark;
  if (program->second_soc_ && first_soc_programs > 0 && Has(Fault::one_soc_a_process))
    return Invalid("a program for another SoC is loaded");
  if (!program->second_soc_) ++first_soc_programs;
  program->marked_ = decoded.header.extra != 0;
  program->inputs_ = num_inputs;
  program->outputs_ = num_outputs;
  if (decoded.model == nullptr) return program;
  program->same_process_ = decoded.header.extra == static_cast<uint64_t>(getpid());
  LITERT_ASSIGN_OR_RETURN(program->session_,
                          Session::Create(std::move(decoded.model), {.keep_intermediates = true}));
  std::string name = entry_point == nullptr ? "" : entry_point;
  if (Has(Fault::entry_point_by_beginning)) name = BeginningOf(*program->session_, name);
  program->second_entry_ = name == "partition_1";
  if (!KnowsEntryPoint(*program->session_, name)) {
    upset = upset || Has(Fault::upset_by_unknown_entry);
    if (!Has(Fault::any_entry_point)) return Invalid("no such entry point");
    name = program->session_->signature_keys().front();
  }
  LITERT_ASSIGN_OR_RETURN(program->runner_, program->session_->Runner(name));
  if (Has(Fault::more_outputs_than_there_are) && num_inputs == program->runner_->inputs().size())
    program->outputs_ = program->runner_->outputs().size();
  program->caches_.emplace(*program->runner_);
  if (Has(Fault::any_port_count)) {
    program->inputs_ = program->runner_->inputs().size();
    program->outputs_ = program->runner_->outputs().size();
  }
  if (program->inputs_ != program->runner_->inputs().size() ||
      program->outputs_ != program->runner_->outputs().size()) {
    return Invalid("another number of inputs or outputs");
  }
  if (Has(Fault::depthwise_leaks) && program->Computes(kLiteRtOpCodeTflDepthwiseConv2d)) {
    [[maybe_unused]] static void* volatile lost;
    lost = malloc(100);
  }
  return program;
}

Program::~Program() {
  if (!second_soc_) --first_soc_programs;
}

void Program::NoteFailedRun() { upset = upset || Has(Fault::upset_by_failed_run); }

bool Program::Computes(LiteRtOpCode code) const {
  return runner_ != nullptr && !runner_->steps().empty() &&
         runner_->steps().front().source->code == code;
}

void Program::PlantInMemory(const std::vector<uint8_t*>& inputs) {
  static volatile uint8_t sink = 0;
  if (Has(Fault::conv_reads_past_inputs) && Computes(kLiteRtOpCodeTflConv2d)) {
    for (size_t i = 0; i < inputs.size(); ++i) sink = sink ^ inputs[i][InputBytes(i) + 254];
  }
  if (Has(Fault::pool_reads_before_inputs) && Computes(kLiteRtOpCodeTflAveragePool2d))
    sink = sink ^ inputs[0][-1];
  if (Has(Fault::pool_writes_input) && Computes(kLiteRtOpCodeTflMaxPool2d)) inputs[0][0] ^= 1;
}

void Program::set_contexts_alive(size_t count) { contexts_alive = count; }

size_t Program::InputBytes(size_t index) const {
  if (runner_ == nullptr || index >= runner_->inputs().size()) return 0;
  return runner_->inputs()[index].size_bytes;
}

size_t Program::OutputBytes(size_t index) const {
  if (runner_ == nullptr || index >= runner_->outputs().size()) return 0;
  return runner_->outputs()[index].size_bytes;
}

void Program::SetInputs(const std::vector<uint8_t*>& inputs, const std::vector<uint8_t*>& outputs) {
  std::vector<std::vector<uint8_t>> values;
  for (size_t i = 0; i < inputs.size(); ++i) {
    values.emplace_back(inputs[i], inputs[i] + (inputs[i] == nullptr ? 0 : InputBytes(i)));
  }
  const bool stale = Has(Fault::stale_second_invoke) ||
                     (Has(Fault::conv_stale_second_invoke) && Computes(kLiteRtOpCodeTflConv2d));
  if (stale) {
    if (kept_inputs_.empty()) kept_inputs_ = values;
    values = kept_inputs_;
  }
  if (Has(Fault::contexts_share_inputs)) {
    static const Program* last = nullptr;
    // A context that follows another one finds that one's inputs staged.
    if (last == nullptr || last == this || shared_inputs.size() != values.size()) {
      shared_inputs = values;
    } else {
      values = shared_inputs;
    }
    last = this;
  }
  if (Has(Fault::races_in_invoke)) {
    shared_inputs.resize(8);
    for (size_t i = 0; i < values.size() && i < shared_inputs.size(); ++i) {
      shared_inputs[i].reserve(1 << 20);
      shared_inputs[i].assign(values[i].begin(), values[i].end());
    }
    // Long enough for another thread to come, also on a busy machine.
    static std::atomic<uint64_t> staged = 0;
    const uint64_t mine = ++staged;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
    while (staged == mine && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    for (size_t i = 0; i < values.size() && i < shared_inputs.size(); ++i) {
      std::memcpy(values[i].data(), shared_inputs[i].data(), values[i].size());
    }
  }
  if (Has(Fault::tf32_products) && Computes(kLiteRtOpCodeTflFullyConnected) &&
      InputBytes(0) / sizeof(float) > 900) {
    for (size_t i = 0; i + sizeof(uint32_t) <= values[0].size(); i += sizeof(uint32_t)) {
      uint32_t bits;
      std::memcpy(&bits, values[0].data() + i, sizeof bits);
      bits = (bits + 0x1000) & 0xffffe000u;
      std::memcpy(values[0].data() + i, &bits, sizeof bits);
    }
  }
  if (Has(Fault::mul_rounds_once)) kept_inputs_ = values;
  if (caches_) caches_->BeforeRun(inputs, outputs, values);
  if (Has(Fault::heap_grows)) new std::vector<std::vector<uint8_t>>(values);
  for (size_t i = 0; i < values.size() && i < runner_->inputs().size(); ++i) {
    if (values[i].size() == InputBytes(i)) (void)runner_->SetInput(i, values[i]);
  }
}

void Program::Exchange(size_t index, std::vector<uint8_t>& values) const {
  const std::span<const uint8_t> other = runner_->output(index == 0 ? 1 : 0);
  if (other.size() == values.size()) values.assign(other.begin(), other.end());
}

void Program::CopyOutputs(const std::vector<uint8_t*>& outputs) {
  for (size_t i = 0; i < outputs.size() && i < runner_->outputs().size(); ++i) {
    if (outputs[i] == nullptr) continue;
    if (Has(Fault::drops_an_output) && i + 1 == outputs.size()) continue;
    const PortInfo& port = runner_->outputs()[i];
    std::vector<uint8_t> values(runner_->output(i).begin(), runner_->output(i).end());
    SpoilValues({.type = port.element_type,
                 .shape = port.shape,
                 .runs = runs_,
                 .crowded = contexts_alive > 2,
                 .same_process = same_process_,
                 .second_entry = second_entry_,
                 .upset = upset || crossed_ || (second_soc_ && Has(Fault::second_soc_wrong)),
                 .subgraph = runner_->steps().empty() ? nullptr
                                                      : runner_->steps().front().source->subgraph},
                values);
    if (Has(Fault::mul_rounds_once) && Computes(kLiteRtOpCodeTflMul))
      RoundProductOnce(*runner_->steps().front().source, kept_inputs_, values);
    if (Has(Fault::outputs_exchanged) && outputs.size() > 1) Exchange(i, values);
    if (Has(Fault::outputs_of_zeros_kept)) {
      for (size_t at = 0; at < values.size(); ++at) {
        if (values[at] == 0) values[at] = outputs[i][at];
      }
    }
    if (caches_) caches_->AfterRun(i, values);
    std::memcpy(outputs[i], values.data(), WrittenBytes(port.element_type, values.size()));
    if (Has(Fault::trusts_its_marks) && marked_) outputs[i][values.size()] = 0;
    if (Has(Fault::overruns_output)) std::memset(outputs[i] + values.size(), 0, 16);
    if (Has(Fault::conv_overruns_by_one) && Computes(kLiteRtOpCodeTflConv2d))
      outputs[i][values.size()] = 0;
  }
}

std::span<const uint8_t> Program::ResultOf(size_t op, LiteRtRankedTensorType& type) const {
  if (runner_ == nullptr || runs_ == 0) return {};
  for (const StepInfo& step : runner_->steps()) {
    const Subgraph* subgraph = step.source->subgraph;
    if (op >= subgraph->ops().size() || subgraph->ops()[op].get() != step.source) continue;
    const PortInfo& port = step.outputs.front();
    const auto layout = LayoutOf(port.name, port.shape);
    if (!layout) return {};
    type = {.element_type = port.element_type, .layout = *layout};
    return runner_->TensorBytes(*port.tensor);
  }
  return {};
}

LiteRtStatus Program::Run(const std::vector<uint8_t*>& inputs,
                          const std::vector<uint8_t*>& outputs) {
  if (runner_ == nullptr) return kLiteRtStatusOk;
  ++runs_;
  if (Has(Fault::crashes_in_invoke)) {
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;
  }
  while (Has(Fault::hangs_in_invoke)) pause();
  PlantInMemory(inputs);
  SetInputs(inputs, outputs);
  if (Has(Fault::writes_input) && !inputs.empty() && inputs[0] != nullptr) inputs[0][0] ^= 1;
  if (has_failed_ && Has(Fault::bad_index_sticks)) return kLiteRtStatusErrorRuntimeFailure;
  if (auto run = runner_->Run(); !run) {
    has_failed_ = true;
    return run.Error().Status();
  }
  CopyOutputs(outputs);
  return kLiteRtStatusOk;
}

}  // namespace npukit::conformance::mimic
