// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The options that run, bench, diff, generate and reduce have in common, and what they do with
// them: a session opened, its inputs filled.

#ifndef NPUKIT_SDK_TOOLS_FLAGS_SESSION_FLAGS_H_
#define NPUKIT_SDK_TOOLS_FLAGS_SESSION_FLAGS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/session/session.h"
#include "sdk/tools/flags/delegation_flags.h"
#include "sdk/tools/flags/device_flags.h"
#include "sdk/tools/flags/input_flags.h"
#include "sdk/tools/flags/npu_requirement.h"
#include "sdk/tools/flags/op_package_flags.h"

namespace npukit::tools {

class CommandLine;

struct SessionFlags {
  std::string model;
  std::string plugin_dir;
  std::string soc;
  DelegationFlags delegation;
  DeviceFlags device;
  std::string signature;
  OpPackageFlags op_packages;
  NpuRequirement require_npu;
  InputFlags inputs;
  std::vector<std::string> resizes;       // "name=1,224,224,3"
  std::vector<std::string> shared_ports;  // no argument: what a verb says (SessionOptions)
  int threads = 1;
  bool exact_hybrid = false;
  bool jit = false;
  bool json = false;

  // All but --jit, which only some verbs have.
  void AddTo(CommandLine& line);
  // Of those the ones that say where a model runs, and none about its inputs.
  void AddPlaceTo(CommandLine& line);
  void AddJit(CommandLine& line);
  // Wrong usage if a --resize, --spec or --placement cannot be read.
  litert::Expected<SessionOptions> Options() const;
  // An error if --plugin-dir is given and names no folder. Without this a session would run on the
  // CPU, as it does where a folder holds no plugin for the model.
  litert::Expected<void> CheckPluginDir() const;
};

// As OnDevice(), with the libraries of the vendor that --plugin names or that compiled the model. What is to be compiled
// there is compiled at load.
int OnDevice(SessionFlags& flags, const std::function<int()>& work);

// "name=1,224,224,3".
litert::Expected<ResizeRequest> ParseResize(const std::string& text);

// What the flags say, read and checked; nullopt with an exit code, and the error printed.
std::optional<SessionOptions> ReadOptions(SessionFlags& flags, int& exit_code);

// Null with an exit code, and the error printed, if the session cannot be opened.
std::unique_ptr<Session> OpenAndWarn(const std::string& model, const SessionOptions& options,
                                     int& exit_code);

// The first of the given options that speak to compilers, which nobody hears where a plain model runs
// without --jit: "--soc"; empty if there is none.
std::string OptionForCompilers(const SessionFlags& flags);

// The session of run, bench and generate. Null with an exit code, and the error printed, where it cannot be
// opened and where the NPU was asked for and does not run: a plugin or dispatch library that cannot
// be loaded, a plugin that does not compile, fewer ops on the NPU than --require-npu wants. Says on
// stderr that a plain model runs on the CPU, though there is a --plugin-dir, without --jit.
std::unique_ptr<Session> OpenSession(SessionFlags& flags, int& exit_code);

// An error if less runs on the NPU than --require-npu wants.
litert::Expected<void> CheckRequirement(const SessionFlags& flags, const Session& session);

// To stderr: operator packages that could not be used, and as of a delegation.
void WarnAbout(const Session& session);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_FLAGS_SESSION_FLAGS_H_
