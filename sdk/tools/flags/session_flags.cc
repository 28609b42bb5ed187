// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/session_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/library/shared_libraries.h"
#include "sdk/host/model/metadata/build_stamp.h"
#include "sdk/host/model/metadata/delegate_metadata.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/plugin/plugin_choice.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/flags/plugin_suggestions.h"

namespace npukit::tools {

void SessionFlags::AddPlaceTo(CommandLine& line) {
  line.Add("MODEL", model, ".tflite file").Required();
  line.Add(
      "--plugin-dir", plugin_dir,
      "folder with compiler plugins and dispatch libraries; DIR/** includes all folders below");
  line.Add("--soc", soc, "SoC model to compile for");
  delegation.AddTo(line);
  SuggestPluginsAndSocs(line, plugin_dir);
  device.AddTo(line);
  device.AddCompilingTo(line);
  require_npu.AddTo(line);
  op_packages.AddTo(line);
  line.Add("--threads", threads, "threads of the CPU kernels").ShowDefault().Between(1, 64);
  line.AddFlag("--exact-hybrid", exact_hybrid,
               "multiply float activations by 8-bit weights as they are; without it they are "
               "rounded to 8 bits first, as TFLite does");
  line.AddFlag("--json", json, "print JSON");
}

void SessionFlags::AddTo(CommandLine& line) {
  AddPlaceTo(line);
  line.Add("--signature", signature, "key of the signature to run; the first if not given");
  inputs.AddTo(line);
  line.Add("--resize", resizes, "new shape of an input: NAME=1,224,224,3").OneValueEach();
}

void SessionFlags::AddJit(CommandLine& line) {
  line.AddFlag("--jit", jit,
               "compile a plain model at load, in memory; ops that no plugin takes run on the CPU");
}

int OnDevice(SessionFlags& flags, const std::function<int()>& work) {
  if (flags.jit && !flags.device.is_asked()) {
    if (const auto wrong = flags.device.CheckFolders(flags.plugin_dir)) return *wrong;
  }
  if (flags.device.compiles_on_device) flags.jit = true;
  std::string vendors = fmt::format("{}", fmt::join(flags.delegation.plugins, ","));
  // A model that can't be read is told of by the work.
  if (flags.device.is_asked() && vendors.empty()) {
    if (const auto model = LoadModel(flags.model)) {
      if (const auto stamp = GetBuildStamp(**model)) vendors = stamp->soc_manufacturer;
    }
  }
  return OnDevice(flags.device, flags.plugin_dir, vendors, work);
}

litert::Expected<ResizeRequest> ParseResize(const std::string& text) {
  auto wrong = [&](const std::string& why) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              "--resize '" + text + "': " + why + "; expected NAME=1,224,224,3");
  };
  const size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) return wrong("there is no name");
  ResizeRequest request{.tensor = text.substr(0, equals), .shape = {}};
  const std::string dims = text.substr(equals + 1);
  const char* at = dims.data();
  const char* end = at + dims.size();
  while (at != end) {
    int32_t dim = 0;
    const auto [next, error] = std::from_chars(at, end, dim);
    if (error != std::errc() || dim < 0)
      return wrong("not a dimension at '" + std::string(at, end) + "'");
    request.shape.push_back(dim);
    at = next;
    if (at == end) break;
    if (*at != ',' || at + 1 == end)
      return wrong("not a dimension at '" + std::string(at, end) + "'");
    ++at;
  }
  return request;
}

litert::Expected<SessionOptions> SessionFlags::Options() const {
  LITERT_ASSIGN_OR_RETURN(DelegationChoice choice, delegation.Read());
  LITERT_RETURN_IF_ERROR(CheckPlacedPlugins(device.CompilerFolder(plugin_dir), choice));
  SessionOptions options{
      .plugin_dir = device.CompilerFolder(plugin_dir),
      .dispatch_dir = device.library,
      .jit = jit,
      .soc = soc,
      .manufacturer = {},
      .plugins = std::move(choice.plugins),
      .placement = std::move(choice.placement),
      .on_compile_failure = choice.on_compile_failure,
      .fold_constants = choice.fold_constants,
      .op_package_dirs = op_packages.dirs,
      .threads = threads,
      .hybrid = exact_hybrid ? kernels::HybridMode::kExact : kernels::HybridMode::kAsTflite,
      .shared_ports = shared_ports};
  for (const std::string& text : resizes) {
    LITERT_ASSIGN_OR_RETURN(ResizeRequest request, ParseResize(text));
    options.resizes.push_back(std::move(request));
  }
  return options;
}

litert::Expected<void> SessionFlags::CheckPluginDir() const {
  std::error_code error;
  if (plugin_dir.empty() || std::filesystem::is_directory(FolderOf(plugin_dir), error)) return {};
  return litert::Unexpected(kLiteRtStatusErrorNotFound,
                            "--plugin-dir: " + plugin_dir + " is not a folder");
}

namespace {

// A SoC model that neither the model was compiled for nor a plugin of the folder has; empty if there is
// nothing to say against it.
std::string WhyNoSoc(const SessionFlags& flags, const SessionOptions& options, const Model& model) {
  if (flags.soc.empty()) return {};
  if (const auto delegates = ReadDelegates(model)) {
    for (const DelegateRecord& delegate : *delegates) {
      if (delegate.soc_model.empty() || delegate.soc_model == flags.soc) continue;
      return fmt::format("--soc {}: the model was compiled for {}", flags.soc, delegate.soc_model);
    }
  }
  const auto choice = ChoosePlugins(options.plugin_dir, {});
  if (!choice) return {};
  std::string why;
  for (const LoadedPlugin& plugin : choice->plugins) {
    if (plugin.KnowsSoc(flags.soc)) return {};
    if (why.empty()) why = "--soc: " + plugin.CheckCompatibility(flags.soc).Error().Message();
  }
  return why;
}

// What can have no effect on a model that is compiled already; empty if nothing is asked of it. Specs are
// for the dispatch library to take (Session::UnknownSpec).
std::string WhyNotForCompiled(const SessionFlags& flags, const SessionOptions& options) {
  const DelegationFlags& asked = flags.delegation;
  const std::pair<const char*, bool> kForCompilers[] = {
      // With a device it says whose library to take there.
      {"--plugin", !asked.plugins.empty() && !flags.device.is_asked()},
      {"--placement", !asked.placement_file.empty()},
      {"--max-partitions", asked.max_partitions != 0},
      {"--on-compile-failure", asked.on_compile_failure != "fail"},
      {"--fold-constants", asked.fold_constants}};
  const bool is_any = std::any_of(std::begin(kForCompilers), std::end(kForCompilers),
                                  [](const auto& option) { return option.second; });
  if (!is_any && flags.soc.empty()) return {};
  const auto model = LoadModel(flags.model);
  // One that can't be read is told of later.
  if (!model || !HasDispatchOps(**model)) return {};
  for (const auto& [name, is_given] : kForCompilers) {
    if (is_given) return fmt::format("{} has no effect: the model is compiled already", name);
  }
  return WhyNoSoc(flags, options, **model);
}

}  // namespace

std::optional<SessionOptions> ReadOptions(SessionFlags& flags, int& exit_code) {
  const auto fail = [&](ExitCode code, const litert::Error& error) {
    exit_code = Fail(code, error);
    return std::nullopt;
  };
  if (auto read = flags.require_npu.Read(); !read) return fail(kWrongUsage, read.Error());
  auto options = flags.Options();
  if (!options) return fail(kWrongUsage, options.Error());
  if (auto there = flags.CheckPluginDir(); !there) return fail(kNotLoaded, there.Error());
  if (auto there = flags.op_packages.Check(); !there) return fail(kNotLoaded, there.Error());
  if (auto checked =
          CheckSpecs(options->plugin_dir, options->plugins, options->placement, options->soc);
      !checked) {
    return fail(kWrongUsage, checked.Error());
  }
  if (const std::string why = WhyNotForCompiled(flags, *options); !why.empty()) {
    exit_code = Fail(kWrongUsage, why);
    return std::nullopt;
  }
  return std::move(*options);
}

std::unique_ptr<Session> OpenAndWarn(const std::string& model, const SessionOptions& options,
                                     int& exit_code) {
  if (!options.resizes.empty()) {
    // A model that can't be read is told of below.
    if (const auto read = LoadModel(model)) {
      if (auto there = Session::CheckResizes(**read, options.resizes); !there) {
        exit_code = Fail(kWrongUsage, fmt::format("{}: {}", model, there.Error().Message()));
        return nullptr;
      }
    }
  }
  auto session = Session::Open(model, options);
  if (!session) {
    exit_code = Fail(kNotLoaded, session.Error());
    return nullptr;
  }
  if (const CompileSpecRequest* unknown = (*session)->UnknownSpec()) {
    exit_code =
        Fail(kWrongUsage, fmt::format("{}: the model is compiled already, and its dispatch library "
                                      "does not know the compile spec '{}'",
                                      unknown->where, unknown->spec.key));
    return nullptr;
  }
  WarnAbout(**session);
  return std::move(*session);
}

std::string OptionForCompilers(const SessionFlags& flags) {
  const std::pair<const char*, bool> kForCompilers[] = {
      {"--soc-file", !flags.delegation.soc_file.empty()},
      {"--soc", !flags.soc.empty()},
      {"--plugin", !flags.delegation.plugins.empty()},
      {"--placement", !flags.delegation.placement_file.empty()},
      {"--spec", !flags.delegation.specs.empty()},
      {"--max-partitions", flags.delegation.max_partitions != 0},
      {"--fold-constants", flags.delegation.fold_constants},
      {"--on-compile-failure", flags.delegation.on_compile_failure != "fail"}};
  for (const auto& [name, is_given] : kForCompilers) {
    if (is_given) return name;
  }
  return {};
}

std::unique_ptr<Session> OpenSession(SessionFlags& flags, int& exit_code) {
  const auto options = ReadOptions(flags, exit_code);
  if (!options) return nullptr;
  std::unique_ptr<Session> session = OpenAndWarn(flags.model, *options, exit_code);
  if (session == nullptr) return nullptr;
  const SessionPlacement& placement = session->placement();
  const bool is_plain = !flags.jit && placement.partitions == 0;
  if (const std::string option = is_plain ? OptionForCompilers(flags) : ""; !option.empty()) {
    exit_code =
        Fail(kWrongUsage, fmt::format("{} without --jit: the model is not compiled", option));
    return nullptr;
  }
  if (const ExitCode code = CodeOfFallback(placement.fallback); code != kDone) {
    exit_code = Fail(code, "nothing runs on the NPU: " + placement.fallback_reason);
    return nullptr;
  }
  if (auto met = CheckRequirement(flags, *session); !met) {
    exit_code = Fail(kFailed, met.Error());
    return nullptr;
  }
  if (is_plain && !flags.plugin_dir.empty()) {
    Warn(fmt::format("{} is not compiled and runs on the CPU; --jit compiles it for the NPU",
                     flags.model));
  }
  return session;
}

litert::Expected<void> CheckRequirement(const SessionFlags& flags, const Session& session) {
  if (!flags.require_npu.is_asked()) return {};
  return flags.require_npu.Check(ShareOf(session, flags.model),
                                 session.placement().fallback_reason);
}

void WarnAbout(const Session& session) {
  WarnAbout(session.op_packages());
  if (session.applied() != nullptr) WarnAbout(*session.applied());
}

}  // namespace npukit::tools
