// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a dispatch library will answer to right calls, as far as that is known before it does: what is made is made, a
// registered buffer can be attached, a question that was answered before has the same answer, requirements are as
// plain as they were (plain_requirements.h), and a run on the same contents has the same results. To all else, wrong
// calls among it, the answer can't be foreseen. What is expected here is compared with what the device says later; a
// library that answers differently is asked once more, call by call.

#ifndef NPUKIT_SDK_REMOTE_DESK_DISPATCH_EXPECTED_ANSWERS_H_
#define NPUKIT_SDK_REMOTE_DESK_DISPATCH_EXPECTED_ANSWERS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "sdk/remote/desk/dispatch/plain_requirements.h"
#include "sdk/remote/desk/dispatch/shared_answers.h"
#include "sdk/remote/wire/dispatch_call.h"

namespace npukit::remote {

// Of one process of the library, and of what others of the run were told before it. Not thread-safe.
class ExpectedAnswers {
 public:
  ExpectedAnswers() = default;
  explicit ExpectedAnswers(std::shared_ptr<SharedAnswers> of_others)
      : of_others_(of_others), plain_(std::move(of_others)) {}

  // Of a call that can go unanswered for now; a number is put into it for what it makes.
  std::optional<DispatchAnswer> Of(DispatchCall& call);
  // Of one that was waited for: what it was answered.
  void Note(const DispatchCall& call, const DispatchAnswer& answer);
  // Contents of a run's buffers, in the order of its ports.
  using Contents = std::vector<std::span<const uint8_t>>;
  // A run of that invocation with those contents, by number; 0: of no invocation that is known, or too large.
  uint64_t RunOf(uint64_t invocation, const Contents& before) const;
  // What is in the buffers after such a run; null: there was none yet.
  const std::vector<std::vector<uint8_t>>* AfterRun(uint64_t run);
  void NoteRun(uint64_t run, const Contents& after);
  // Whether metrics of that invocation are being collected.
  bool IsMeasured(uint64_t invocation) const;
  // Whether that is what was expected, as far as the application can tell.
  bool IsMet(const DispatchCall& call, const DispatchAnswer& expected, const DispatchAnswer& came);

 private:
  using Port = std::pair<bool, int32_t>;            // whether it is an input, and its index
  using BufferKey = std::pair<uint64_t, uint64_t>;  // device, handle
  struct Invocation {
    uint64_t device = 0;
    uint64_t origin = 0;  // what it was made of
    int32_t num_inputs = 0;
    int32_t num_outputs = 0;
    std::map<Port, uint64_t> attached;  // handles
    bool is_measured = false;           // metrics have been started and not stopped
  };

  // What stands after the call.
  void Follow(const DispatchCall& call, const DispatchAnswer& answer);
  bool IsRight(const DispatchCall& call);
  bool CanAttach(const DispatchCall& call, bool is_input) const;
  bool CanDetach(const DispatchCall& call, bool is_input) const;
  bool CanUnregister(const DispatchCall& call) const;
  bool CanDestroyDevice(uint64_t device) const;
  bool CanCreate(const DispatchCall& call) const;
  // Of a call whose answer is the same each time it is made of the same thing; 0: of another one.
  uint64_t QuestionOf(const DispatchCall& call) const;
  const DispatchAnswer* FindKnown(const DispatchCall& call);
  // Null: it has to be asked for.
  const DispatchAnswer* ForeseeRequirements(const DispatchCall& call, uint64_t question);
  const Invocation* Find(uint64_t invocation) const;

  std::shared_ptr<SharedAnswers> of_others_;
  PlainRequirements plain_;
  uint64_t last_number_ = kFirstDeskNumber - 1;
  std::set<uint64_t> devices_;
  std::map<uint64_t, Invocation> invocations_;
  std::set<BufferKey> buffers_;
  std::set<uint64_t> good_origins_;
  bool has_created_ = false;                  // or tried to
  std::map<uint64_t, DispatchAnswer> known_;  // by question
  std::map<uint64_t, std::vector<std::vector<uint8_t>>> after_runs_;
  std::map<BufferKey, uint64_t> handles_;  // the library's, of those that the desk has numbered
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_DESK_DISPATCH_EXPECTED_ANSWERS_H_
