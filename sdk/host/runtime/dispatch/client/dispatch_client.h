// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The one client of LiteRtDispatchApi: a vendor's table of functions, called by name. It opens no
// library and owns none: DispatchLibrary makes one of what it has loaded, and the conformance kit
// makes its own of the same table, with an observer. What the table hands out is held by the
// classes beside this one, each of which gives its object back once:
//
//   DispatchDevice      device_context_create ... device_context_destroy
//   BufferRegistration  register_tensor_buffer ... unregister_tensor_buffer
//   DispatchInvocation  invocation_context_create ... invocation_context_destroy; attach, invoke, ...
//   OutputEvents        the events of invoke_async
//
// They are made from top to bottom and closed from bottom to top: invocations detach, registrations
// end, invocations are destroyed, then the device. A Close does the whole of its work even when a
// call fails, gives every error, and may be repeated; a destructor closes and drops the errors.
// Each of them lends the raw handle (context(), handle(), buffer()), so that a caller can call the
// table in ways that no correct host would.
//
// An error says which library's function answered what:
//
//   /x/libLiteRtDispatch_X.so: attach_input(0, handle 3) of 'main_0': gave kLiteRtStatusError...

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_DISPATCH_CLIENT_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_DISPATCH_CLIENT_H_

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "sdk/host/runtime/dispatch/client/dispatch_tables.h"

namespace npukit {

// Told of every call into the vendor's code, on the thread that makes it.
class DispatchCallObserver {
 public:
  virtual ~DispatchCallObserver() = default;
  // `function` is its name in the table, "attach_input", or as an export,
  // "NpukitDispatchGetEventStatus".
  virtual void Begin(std::string_view function) = 0;
  virtual void End(std::string_view function) = 0;
};

// Immutable; thread-safe as far as the vendor's functions and the observer are.
class DispatchClient {
 public:
  // Gives an export of the library by its name, null if it has none.
  using FindExport = std::function<void*(const char* symbol)>;

  DispatchClient() = default;
  // `library` begins every error; empty: nothing does. The tables and exports must stay callable.
  DispatchClient(std::string library, const DispatchTables& tables, FindExport find)
      : library_(std::move(library)), tables_(tables), find_(std::move(find)) {}
  // The same with an observer, which must outlive it and all that is made with it.
  DispatchClient ObservedBy(DispatchCallObserver& observer) const {
    DispatchClient observed = *this;
    observed.observer_ = &observer;
    return observed;
  }

  const std::string& library() const { return library_; }
  const DispatchTables& tables() const { return tables_; }
  const LiteRtDispatchInterface& functions() const { return tables_.basic; }
  // The table has all functions of metrics. (Whether a library *says* that it runs asynchronously,
  // or graphs, is for DispatchLibrary to tell: its capabilities say so.)
  bool has_metrics() const;
  // An optional export; null if the library has it not.
  template <typename Function>
  Function Find(const char* symbol) const {
    return find_ ? reinterpret_cast<Function>(find_(symbol)) : nullptr;
  }

  // Calls function(args...), announced to the observer as `name`.
  template <typename Function, typename... Args>
  LiteRtStatus Call(std::string_view name, Function function, Args... args) const {
    if (observer_ == nullptr) return function(args...);
    observer_->Begin(name);
    const LiteRtStatus status = function(args...);
    observer_->End(name);
    return status;
  }

  // For a call that the vendor answered wrongly; `call` begins with the function's name.
  litert::Error CallError(LiteRtStatus status, std::string_view call) const;
  // For one whose status was good and whose answer was not.
  litert::Error Misbehaved(std::string_view call, std::string_view what) const;

 private:
  std::string library_;
  DispatchTables tables_;
  FindExport find_;
  DispatchCallObserver* observer_ = nullptr;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_DISPATCH_CLIENT_H_
