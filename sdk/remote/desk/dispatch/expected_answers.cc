// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/desk/dispatch/expected_answers.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "sdk/remote/wire/byte_stream.h"

namespace npukit::remote {
namespace {

using enum DispatchFunction;

// Of all that the library is told; a number stands for `about`. Left out is what differs from
// process to process and is nothing to the library: threads, numbers of objects, dropped events.
// Two calls with one hash make a wrong expectation, which is found when the answer comes. Processes
// of a run agree on the hashes, as they are forked from one program.
uint64_t HashOf(const DispatchCall& call, uint64_t about) {
  DispatchCall told = call;
  told.thread = 0;
  told.made = 0;
  told.object = about;
  told.dropped_events.clear();
  const std::vector<uint8_t> bytes = Encode(std::vector<DispatchCall>{std::move(told)});
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string_view TextOf(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Runs that are remembered, and bytes of one.
constexpr size_t kMaxRuns = 32;
constexpr size_t kMaxBytesOfRun = size_t{256} << 10;

bool AreSame(const std::vector<BufferContents>& a, const std::vector<BufferContents>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const BufferContents& one, const BufferContents& other) {
                      return one.buffer == other.buffer && one.bytes == other.bytes;
                    });
}

bool Makes(DispatchFunction function) {
  return function == kDeviceCreate || function == kInvocationCreate || function == kRegister;
}

bool AsksForRequirements(DispatchFunction function) {
  return function == kInputRequirements || function == kOutputRequirements;
}

bool AreSame(const Requirements& a, const Requirements& b) {
  return a.buffer_types == b.buffer_types && a.size_bytes == b.size_bytes &&
         a.alignment_bytes == b.alignment_bytes && a.strides_elems == b.strides_elems;
}

}  // namespace

const ExpectedAnswers::Invocation* ExpectedAnswers::Find(uint64_t invocation) const {
  const auto found = invocations_.find(invocation);
  return found == invocations_.end() ? nullptr : &found->second;
}

uint64_t ExpectedAnswers::QuestionOf(const DispatchCall& call) const {
  if (call.function == kSetCompileSpecs)
    return devices_.contains(call.object) ? HashOf(call, 0) : 0;
  if (!AsksForRequirements(call.function) && call.function != kStartMetrics) return 0;
  const Invocation* const invocation = Find(call.object);
  return invocation == nullptr ? 0 : HashOf(call, invocation->origin);
}

const DispatchAnswer* ExpectedAnswers::FindKnown(const DispatchCall& call) {
  const uint64_t question = QuestionOf(call);
  if (question == 0) return nullptr;
  if (const auto found = known_.find(question); found != known_.end()) return &found->second;
  std::optional<std::vector<uint8_t>> bytes;
  if (of_others_ != nullptr) bytes = of_others_->Find(question);
  if (!bytes) return ForeseeRequirements(call, question);
  auto answers = ParseDispatchAnswers(*bytes);
  if (!answers || answers->size() != 1 || !IsGood(answers->front())) return nullptr;
  return &known_.emplace(question, std::move(answers->front())).first->second;
}

const DispatchAnswer* ExpectedAnswers::ForeseeRequirements(const DispatchCall& call,
                                                           uint64_t question) {
  const Invocation* const invocation = Find(call.object);
  if (!AsksForRequirements(call.function) || invocation == nullptr) return nullptr;
  const bool is_input = call.function == kInputRequirements;
  const int32_t num_ports = is_input ? invocation->num_inputs : invocation->num_outputs;
  if (call.index < 0 || call.index >= num_ports) return nullptr;
  std::optional<Requirements> plain = plain_.Of(call.type);
  if (!plain) return nullptr;
  DispatchAnswer answer;
  answer.requirements = std::move(*plain);
  return &known_.emplace(question, std::move(answer)).first->second;
}

// The first that a process makes an invocation of is what a compiler made; then damaged ones may follow.
bool ExpectedAnswers::CanCreate(const DispatchCall& call) const {
  if (!devices_.contains(call.object)) return false;
  return !has_created_ || good_origins_.contains(HashOf(call, 0));
}

bool ExpectedAnswers::CanAttach(const DispatchCall& call, bool is_input) const {
  const Invocation* const invocation = Find(call.object);
  if (invocation == nullptr || call.index < 0) return false;
  return call.index < (is_input ? invocation->num_inputs : invocation->num_outputs) &&
         buffers_.contains({invocation->device, call.handle}) &&
         !invocation->attached.contains({is_input, call.index});
}

bool ExpectedAnswers::CanDetach(const DispatchCall& call, bool is_input) const {
  const Invocation* const invocation = Find(call.object);
  if (invocation == nullptr) return false;
  const auto attached = invocation->attached.find({is_input, call.index});
  return attached != invocation->attached.end() && attached->second == call.handle;
}

bool ExpectedAnswers::CanUnregister(const DispatchCall& call) const {
  if (!buffers_.contains({call.object, call.handle})) return false;
  return std::none_of(invocations_.begin(), invocations_.end(), [&](const auto& entry) {
    const auto& attached = entry.second.attached;
    return entry.second.device == call.object &&
           std::any_of(attached.begin(), attached.end(),
                       [&](const auto& port) { return port.second == call.handle; });
  });
}

bool ExpectedAnswers::CanDestroyDevice(uint64_t device) const {
  const auto first = buffers_.lower_bound({device, 0});
  return devices_.contains(device) && (first == buffers_.end() || first->first != device) &&
         std::none_of(invocations_.begin(), invocations_.end(),
                      [&](const auto& entry) { return entry.second.device == device; });
}

bool ExpectedAnswers::IsRight(const DispatchCall& call) {
  switch (call.function) {
    case kInitialize:
    case kCheckCompatibility:
    case kDeviceCreate:
      return true;
    case kDeviceDestroy:
      return CanDestroyDevice(call.object);
    case kInvocationCreate:
      return CanCreate(call);
    case kInvocationDestroy:
      return Find(call.object) != nullptr;
    case kInputRequirements:
    case kOutputRequirements:
    case kSetCompileSpecs:
      return FindKnown(call) != nullptr;
    case kStartMetrics:
      return FindKnown(call) != nullptr && !Find(call.object)->is_measured;
    case kRegister:
      return devices_.contains(call.object);
    case kUnregister:
      return CanUnregister(call);
    case kAttachInput:
    case kAttachOutput:
      return CanAttach(call, call.function == kAttachInput);
    case kDetachInput:
    case kDetachOutput:
      return CanDetach(call, call.function == kDetachInput);
    default:
      return false;
  }
}

std::optional<DispatchAnswer> ExpectedAnswers::Of(DispatchCall& call) {
  if (call.nulls != 0 || !IsRight(call)) return std::nullopt;
  DispatchAnswer answer;
  if (const DispatchAnswer* const known = FindKnown(call))
    answer.requirements = known->requirements;
  if (Makes(call.function)) {
    call.made = answer.object = ++last_number_;
    if (call.function == kRegister) answer.handle = call.made;
  }
  Follow(call, answer);
  return answer;
}

void ExpectedAnswers::Note(const DispatchCall& call, const DispatchAnswer& answer) {
  const uint64_t question = QuestionOf(call);
  if (question != 0 && IsGood(answer) && call.nulls == 0) {
    if (AsksForRequirements(call.function)) plain_.Note(call.type, answer.requirements);
    known_[question] = answer;
    if (of_others_ != nullptr) of_others_->Note(question, Encode(std::vector{answer}));
  }
  Follow(call, answer);
}

void ExpectedAnswers::Follow(const DispatchCall& call, const DispatchAnswer& answer) {
  if (call.function == kInvocationCreate) has_created_ = true;
  if (!IsGood(answer) || call.nulls != 0) return;
  switch (call.function) {
    case kDeviceCreate:
      devices_.insert(answer.object);
      break;
    case kDeviceDestroy:
      devices_.erase(call.object);
      break;
    case kInvocationCreate: {
      const uint64_t origin = HashOf(call, 0);
      good_origins_.insert(origin);
      invocations_[answer.object] = {.device = call.object,
                                     .origin = origin,
                                     .num_inputs = call.numbers[0],
                                     .num_outputs = call.numbers[1],
                                     .attached = {},
                                     .is_measured = false};
      break;
    }
    case kInvocationDestroy:
      invocations_.erase(call.object);
      break;
    case kStartMetrics:
    case kStopMetrics:
      if (const auto found = invocations_.find(call.object); found != invocations_.end())
        found->second.is_measured = call.function == kStartMetrics;
      break;
    case kRegister:
      buffers_.insert({call.object, answer.handle});
      break;
    case kUnregister:
      buffers_.erase({call.object, call.handle});
      break;
    case kAttachInput:
    case kAttachOutput:
      if (const auto found = invocations_.find(call.object); found != invocations_.end())
        found->second.attached[{call.function == kAttachInput, call.index}] = call.handle;
      break;
    case kDetachInput:
    case kDetachOutput:
      if (const auto found = invocations_.find(call.object); found != invocations_.end())
        found->second.attached.erase({call.function == kDetachInput, call.index});
      break;
    default:
      break;
  }
}

bool ExpectedAnswers::IsMeasured(uint64_t invocation) const {
  const Invocation* const found = Find(invocation);
  return found != nullptr && found->is_measured;
}

uint64_t ExpectedAnswers::RunOf(uint64_t invocation, const Contents& before) const {
  const Invocation* const found = Find(invocation);
  // As many contents as ports: else a buffer stands at two of them, or is not known here, and the
  // list does not say what lay where.
  if (found == nullptr || before.size() != found->attached.size()) return 0;
  std::vector<uint64_t> hashes = {found->origin};
  size_t size_bytes = 0;
  for (const std::span<const uint8_t> contents : before) {
    hashes.push_back(std::hash<std::string_view>()(TextOf(contents)));
    size_bytes += contents.size();
  }
  if (size_bytes > kMaxBytesOfRun) return 0;
  return std::hash<std::string_view>()(
      TextOf({reinterpret_cast<const uint8_t*>(hashes.data()), hashes.size() * sizeof hashes[0]}));
}

const std::vector<std::vector<uint8_t>>* ExpectedAnswers::AfterRun(uint64_t run) {
  if (const auto found = after_runs_.find(run); found != after_runs_.end()) return &found->second;
  if (of_others_ == nullptr || after_runs_.size() >= kMaxRuns) return nullptr;
  const auto bytes = of_others_->Find(run);
  if (!bytes) return nullptr;
  ByteReader from(*bytes);
  std::vector<std::vector<uint8_t>> contents;
  from.GetList([&] {
    const std::span<const uint8_t> one = from.GetBytes();
    contents.emplace_back(one.begin(), one.end());
  });
  if (!from.IsAtEnd()) return nullptr;
  return &after_runs_.emplace(run, std::move(contents)).first->second;
}

void ExpectedAnswers::NoteRun(uint64_t run, const Contents& after) {
  if (run == 0) return;
  if (of_others_ != nullptr) {
    ByteWriter to;
    to.PutList(after, [&](std::span<const uint8_t> contents) { to.PutBytes(contents); });
    of_others_->Note(run, to.Take());
  }
  if (after_runs_.size() >= kMaxRuns) return;
  auto& kept = after_runs_[run];
  kept.clear();
  for (const std::span<const uint8_t> contents : after)
    kept.emplace_back(contents.begin(), contents.end());
}

bool ExpectedAnswers::IsMet(const DispatchCall& call, const DispatchAnswer& expected,
                            const DispatchAnswer& came) {
  // Counted: after several mistakes requirements are waited for (plain_requirements.h). Each of
  // them, as all else that is not met, costs the run of the check once more.
  if (AsksForRequirements(call.function) &&
      (!IsGood(came) || !AreSame(expected.requirements, came.requirements))) {
    plain_.NoteMistake();
    return false;
  }
  if (!IsGood(came)) return false;
  // The worker takes the desk's number, or it has not understood the call.
  if (Makes(call.function) && came.object != call.made) return false;
  if (call.function == kInvoke) return AreSame(expected.buffers, came.buffers);
  if (call.function == kUnregister) handles_.erase({call.object, call.handle});
  if (call.function != kRegister) return true;
  // A handle twice is a library's fault, which the application would see.
  const bool is_known = std::any_of(handles_.begin(), handles_.end(), [&](const auto& entry) {
    return entry.first.first == call.object && entry.second == came.handle;
  });
  handles_[{call.object, call.made}] = came.handle;
  return !is_known;
}

}  // namespace npukit::remote
