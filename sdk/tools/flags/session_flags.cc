// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/session_flags.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/library/shared_libraries.h"
#include "sdk/host/model/metadata/build_stamp.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/remote/desk/remote_library.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/whole_file.h"

namespace npukit::tools {

void SessionFlags::AddPlaceTo(CommandLine& line) {
  line.Add("MODEL", model, ".tflite file").Required();
  line.Add("--plugin-dir", plugin_dir,
           "folder with compiler plugins and dispatch libraries; DIR/** is it with all below");
  line.Add("--soc", soc, "SoC model to compile for");
  delegation.AddTo(line);
  device.AddTo(line);
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
  line.AddFlag("--jit-there", device.compiles_there,
               "compile it on the device of --device, by the compiler plugin of --device-dir")
      .Excludes("--jit");
}

namespace {

// A file in memory that has a path in this process: nothing is left of it, however that ends.
class MemoryFile {
 public:
  MemoryFile() : fd_(memfd_create("compiled on the device", MFD_CLOEXEC)) {}
  ~MemoryFile() {
    if (fd_ >= 0) close(fd_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return fmt::format("/proc/self/fd/{}", fd_); }

 private:
  int fd_;
};

litert::Expected<void> CompileThere(const SessionFlags& flags, remote::Link& link,
                                    const std::string& folder, const std::string& output) {
  LITERT_ASSIGN_OR_RETURN(const DelegationChoice choice, flags.delegation.Read());
  if (!choice.placement.rules.empty() || choice.placement.max_partitions != 0 ||
      choice.fold_constants || choice.plugins.size() > 1 || !flags.resizes.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                              "--jit-there has neither several plugins nor placement rules, "
                              "--max-partitions, --fold-constants or --resize");
  }
  LITERT_ASSIGN_OR_RETURN(
      const std::string plugin_path,
      ChooseDevicePlugin(folder, choice.plugins.empty() ? "" : choice.plugins.front()));
  LITERT_ASSIGN_OR_RETURN(const remote::LibraryFile plugin, remote::LibraryFile::Read(plugin_path));
  LITERT_ASSIGN_OR_RETURN(const remote::LibraryFile model, remote::LibraryFile::Read(flags.model));
  remote::CompileCall call{
      .plugin_digest = plugin.digest,
      .plugin_name = plugin.name,
      .model_digest = model.digest,
      .soc = flags.soc,
      .specs = {},
      .splits_on_failure = choice.on_compile_failure == OnCompileFailure::kSplit};
  for (const CompileSpecRequest& spec : choice.placement.specs) {
    const int64_t partition = spec.partition ? static_cast<int64_t>(*spec.partition) : -1;
    call.specs.push_back({spec.plugin, partition, spec.spec.key, spec.spec.bytes});
  }
  remote::CompileAnswer answer;
  remote::LinkTrouble trouble;
  if (!link.SendFile(plugin.digest, plugin.bytes, trouble) ||
      !link.SendFile(model.digest, model.bytes, trouble) || !link.Compile(call, answer, trouble)) {
    const char* const who = trouble.kind == remote::LinkTrouble::Kind::kDied
                                ? "the compiler's process on the device "
                            : link.is_lost() ? "device lost in compiling: "
                                             : "compiling on the device: ";
    return litert::Unexpected(kLiteRtStatusErrorCompilation, who + trouble.what);
  }
  return WriteWholeFile(output, answer.model);
}

}  // namespace

int OnDevice(SessionFlags& flags, const std::function<int()>& work) {
  if (flags.device.compiles_there && !flags.device.is_asked())
    return Fail(kWrongUsage, "--jit-there needs --device");
  std::string vendors = fmt::format("{}", fmt::join(flags.delegation.plugins, ","));
  // A model that can't be read is told of by the work.
  if (flags.device.is_asked() && vendors.empty()) {
    if (const auto model = LoadModel(flags.model)) {
      if (const auto stamp = GetBuildStamp(**model)) vendors = stamp->soc_manufacturer;
    }
  }
  if (!flags.device.compiles_there) return OnDevice(flags.device, flags.plugin_dir, vendors, work);
  const MemoryFile compiled;
  const auto compile = [&](remote::Link& link, const std::string& folder) {
    return CompileThere(flags, link, folder, compiled.path());
  };
  flags.compiled_there = compiled.path();
  const int code = OnDevice(flags.device, flags.plugin_dir, vendors, work, compile);
  flags.compiled_there.clear();
  return code;
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
  SessionOptions options{
      .plugin_dir = plugin_dir,
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

std::optional<SessionOptions> ReadOptions(SessionFlags& flags, int& exit_code) {
  const auto fail = [&](ExitCode code, const litert::Error& error) {
    exit_code = Fail(code, error);
    return std::nullopt;
  };
  if (auto read = flags.require_npu.Read(); !read) return fail(kWrongUsage, read.Error());
  auto options = flags.Options();
  if (!options) return fail(kWrongUsage, options.Error());
  if (auto there = flags.CheckPluginDir(); !there) return fail(kNotLoaded, there.Error());
  if (auto checked =
          CheckSpecs(options->plugin_dir, options->plugins, options->placement, options->soc);
      !checked) {
    return fail(kWrongUsage, checked.Error());
  }
  return std::move(*options);
}

std::unique_ptr<Session> OpenAndWarn(const std::string& model, const SessionOptions& options,
                                     int& exit_code) {
  auto session = Session::Open(model, options);
  if (!session) {
    exit_code = Fail(kNotLoaded, session.Error());
    return nullptr;
  }
  WarnAbout(**session);
  return std::move(*session);
}

std::unique_ptr<Session> OpenSession(SessionFlags& flags, int& exit_code) {
  const auto options = ReadOptions(flags, exit_code);
  if (!options) return nullptr;
  std::unique_ptr<Session> session = OpenAndWarn(
      flags.compiled_there.empty() ? flags.model : flags.compiled_there, *options, exit_code);
  if (session == nullptr) return nullptr;
  const SessionPlacement& placement = session->placement();
  if (!flags.jit && !flags.device.compiles_there && placement.partitions == 0) {
    const char* unused = !flags.delegation.soc_file.empty() ? "--soc-file"
                         : !flags.soc.empty()               ? "--soc"
                                                            : nullptr;
    if (unused != nullptr) {
      exit_code =
          Fail(kWrongUsage, fmt::format("{} without --jit: the model is not compiled", unused));
      return nullptr;
    }
  }
  if (const ExitCode code = CodeOfFallback(placement.fallback); code != kDone) {
    exit_code = Fail(code, "nothing runs on the NPU: " + placement.fallback_reason);
    return nullptr;
  }
  if (auto met = CheckRequirement(flags, *session); !met) {
    exit_code = Fail(kFailed, met.Error());
    return nullptr;
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
