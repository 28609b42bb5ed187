// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A vendor's dispatch library: opened, checked and initialised. Everything that can be wrong with
// it before a device is opened is an error here that names the file and the entry point.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_LIBRARY_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_LIBRARY_H_

#include <memory>
#include <string>
#include <string_view>

#include "litert/c/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "sdk/host/runtime/dispatch/dispatch_generation.h"

namespace npukit {

// Immutable and thread-safe once loaded, as far as the vendor's functions are.
class DispatchLibrary {
 public:
  // Of a file, or of what is linked into the program (sdk/host/library/linked_plugins.h). Once a
  // library has been loaded it stays for the life of the process, as in LiteRT: vendors keep
  // threads and globals that do not survive dlclose. A second Load of the same file, or of the same
  // linked name and function, gives the same object.
  static litert::Expected<std::shared_ptr<const DispatchLibrary>> Load(const std::string& path);
  ~DispatchLibrary();
  DispatchLibrary(const DispatchLibrary&) = delete;
  DispatchLibrary& operator=(const DispatchLibrary&) = delete;

  const std::string& path() const { return library_.path(); }
  const std::string& vendor_id() const { return vendor_id_; }
  const std::string& build_id() const { return build_id_; }
  int capabilities() const { return capabilities_; }
  bool has_metrics() const;
  // Takes, in place of bytecode, what a compiler plugin of the same vendor made in this process.
  bool takes_executables() const { return generation() >= DispatchGeneration::kV215; }
  // Says so, and has both functions.
  bool has_async() const;

  DispatchGeneration generation() const { return tables_.generation; }

  // Every function that the basic interface demands is there, with the signatures of abi 2.1
  // whatever the library's own are.
  const LiteRtDispatchInterface& functions() const { return tables_.basic; }
  const DispatchTables& tables() const { return tables_; }
  // An optional export; null if the library has it not.
  template <typename Function>
  Function Find(const char* symbol) const {
    return reinterpret_cast<Function>(library_.Find(symbol));
  }
  LiteRtEnvironment environment() const { return environment_; }
  LiteRtOptions options() const { return options_; }

  // For a call that the vendor answered wrongly: "/x/libLiteRtDispatch_Acme.so: attach_input(0,
  // handle 3): gave kLiteRtStatusErrorInvalidArgument". `call` starts with the entry point's name.
  litert::Error CallError(LiteRtStatus status, std::string_view call) const;
  litert::Error Misbehaved(std::string_view call, std::string_view what) const;

 private:
  explicit DispatchLibrary(PluginLibrary library) : library_(std::move(library)) {}
  static litert::Expected<std::shared_ptr<const DispatchLibrary>> Open(PluginLibrary opened);
  litert::Expected<void> ReadApi();
  litert::Expected<void> CheckFunctions() const;
  litert::Expected<void> Initialize();

  PluginLibrary library_;
  DispatchTables tables_;
  std::string vendor_id_;
  std::string build_id_;
  int capabilities_ = 0;
  LiteRtEnvironment environment_ = nullptr;
  LiteRtOptions options_ = nullptr;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_DISPATCH_LIBRARY_H_
