// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_COMPILED_RESULT_H_
#define NPUKIT_INTERNAL_COMPILED_RESULT_H_

// What a compiler plugin gives back: bytecode modules, for each partition an
// entry point into one of them, and, if it likes, debug handles.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "litert/cc/internal/litert_span.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN

// Owns everything that is added to it. The host copies what it keeps. One thread
// at a time.
class CompiledResult {
 public:
  struct DebugHandle {
    uint32_t handle = 0;
    std::string name;
    std::vector<uint32_t> op_indices;  // into the partition's op list
  };
  struct Call {
    std::string entry_point;
    size_t module = 0;
    std::vector<DebugHandle> debug_handles;
    std::vector<std::pair<size_t, size_t>> in_place;  // outputs and their inputs
  };

  // Adds a module and returns its index.
  size_t AddModule(std::string bytecode) {
    modules_.push_back(std::move(bytecode));
    return modules_.size() - 1;
  }
  size_t AddModule(::litert::internal::Span<const uint8_t> bytecode) {
    return AddModule(std::string(bytecode.begin(), bytecode.end()));
  }

  // Says how the next partition, in the order of the model's subgraphs, is
  // called: the function `entry_point` of a module. Returns the call's index.
  size_t AddCall(std::string entry_point, size_t module) {
    calls_.push_back(Call{std::move(entry_point), module, {}, {}});
    return calls_.size() - 1;
  }

  // Says which ops of the partition of `call`, an index that AddCall gave, a
  // piece of its bytecode came from. See npukit/delegate_debug.h.
  void AddDebugHandle(size_t call, uint32_t handle, std::string name,
                      std::vector<uint32_t> op_indices) {
    calls_.at(call).debug_handles.push_back(
        DebugHandle{handle, std::move(name), std::move(op_indices)});
  }

  // Says that an output of the partition of `call` may be written over one of its
  // inputs. See npukit/extensions/in_place.h.
  void AddInPlace(size_t call, size_t output, size_t input) {
    calls_.at(call).in_place.emplace_back(output, input);
  }

  // Gives, beside a module's bytecode, what the vendor's dispatch library can run
  // at once in this process: a host that compiles at load passes it on in place
  // of the bytecode, and keeps it as long as it runs. From abi 2.2 on; hosts of
  // abi 2.1 take the bytecode. The host only sees it where the plugin was asked to
  // compile for this process (CompilerPlugin::IsForJit).
  void SetExecutable(size_t module, std::shared_ptr<void> executable) {
    if (executables_.size() <= module) executables_.resize(module + 1);
    executables_[module] = std::move(executable);
  }
  // Null if there is none.
  void* executable(size_t module) const {
    return module < executables_.size() ? executables_[module].get() : nullptr;
  }

  // For the boundary, where the result is for a file.
  void DropExecutables() { executables_.clear(); }

  const std::vector<std::string>& modules() const { return modules_; }
  const std::vector<Call>& calls() const { return calls_; }

  // Whether the host can use it: one call per partition, each with a name of
  // its own in a module that is there and is not empty; debug handles unique
  // and not 0.
  ::litert::Expected<void> Verify(size_t num_partitions) const {
    if (calls_.size() != num_partitions) {
      return Bad({calls_.size(), " calls for ", num_partitions, " partitions"});
    }
    for (size_t i = 0; i < modules_.size(); ++i) {
      if (modules_[i].empty()) {
        return Bad({"module ", i, " is empty"});
      }
    }
    for (size_t i = 0; i < calls_.size(); ++i) {
      if (auto ok = VerifyCall(i); !ok) return ok;
    }
    return {};
  }

 private:
  ::litert::Expected<void> VerifyCall(size_t i) const {
    const Call& call = calls_[i];
    if (call.entry_point.empty()) return Bad({"call ", i, ": no entry point"});
    if (call.module >= modules_.size()) {
      return Bad({"call ", i, ": module ", call.module, " of ", modules_.size()});
    }
    for (size_t j = 0; j < i; ++j) {
      if (calls_[j].module == call.module && calls_[j].entry_point == call.entry_point) {
        return Bad(
            {"call ", i, ": its entry point '", call.entry_point, "' is that of call ", j, " too"});
      }
    }
    std::vector<uint32_t> handles = {0};
    for (const DebugHandle& debug : call.debug_handles) {
      handles.push_back(debug.handle);
    }
    std::sort(handles.begin(), handles.end());
    if (std::adjacent_find(handles.begin(), handles.end()) != handles.end()) {
      return Bad({"call ", i, ": a debug handle is 0 or used twice"});
    }
    return {};
  }

  static ::litert::Unexpected Bad(std::initializer_list<::litert::internal::TextPiece> what) {
    return ::litert::Unexpected(
        ::litert::Status::kErrorCompilation,
        "the compiled result is malformed: " + ::litert::internal::Text(what));
  }

  std::vector<std::string> modules_;
  std::vector<std::shared_ptr<void>> executables_;  // by module; the rest have none
  std::vector<Call> calls_;
};

NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_COMPILED_RESULT_H_
