// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/session_flags.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>

#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/random_inputs.h"
#include "sdk/tools/command_line.h"

namespace npukit::tools {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

litert::Unexpected FileError(const std::string& path) {
  return litert::Unexpected(
      kLiteRtStatusErrorFileIO,
      path + ": " + std::error_code(errno, std::generic_category()).message());
}

std::string OpLine(const OpPlacement& op) {
  std::string line = op.op + " (op " + std::to_string(op.index);
  if (op.subgraph != 0) line += " of subgraph " + std::to_string(op.subgraph);
  return line + ", '" + ShortName(op.name) + "')";
}

}  // namespace

void SessionFlags::AddTo(CommandLine& line) {
  line.Add("MODEL", model, ".tflite file").Required();
  line.Add("--plugin-dir", plugin_dir, "folder with compiler plugins and dispatch libraries");
  line.Add("--soc", soc, "SoC model to compile for");
  delegation.AddTo(line);
  op_packages.AddTo(line);
  line.Add("--signature", signature, "key of the signature to run; the first if not given");
  line.Add("--in", inputs, "files with the inputs, raw and little-endian, in input order");
  line.Add("--seed", seed, "for random inputs, used without --in").ShowDefault();
  line.Add("--resize", resizes, "new shape of an input: NAME=1,224,224,3").OneValueEach();
  line.Add("--threads", threads, "threads of the CPU kernels").ShowDefault().Between(1, 64);
  line.AddFlag("--json", json, "print JSON");
}

void SessionFlags::AddJit(CommandLine& line) {
  line.AddFlag("--jit", jit,
               "compile a plain model at load, in memory; what cannot be compiled runs on the CPU");
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
  SessionOptions options{.plugin_dir = plugin_dir,
                         .jit = jit,
                         .soc = soc,
                         .manufacturer = {},
                         .plugins = std::move(choice.plugins),
                         .placement = std::move(choice.placement),
                         .on_compile_failure = choice.on_compile_failure,
                         .op_package_dirs = op_packages.dirs,
                         .threads = threads};
  for (const std::string& text : resizes) {
    LITERT_ASSIGN_OR_RETURN(ResizeRequest request, ParseResize(text));
    options.resizes.push_back(std::move(request));
  }
  return options;
}

litert::Expected<std::vector<uint8_t>> ReadWholeFile(const std::string& path) {
  File file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return FileError(path);
  std::vector<uint8_t> bytes;
  uint8_t chunk[1 << 16];
  for (size_t count = 0; (count = std::fread(chunk, 1, sizeof(chunk), file.get())) > 0;) {
    bytes.insert(bytes.end(), chunk, chunk + count);
  }
  if (std::ferror(file.get()) != 0) return FileError(path);
  return bytes;
}

litert::Expected<void> WriteWholeFile(const std::string& path, std::span<const uint8_t> bytes) {
  File file(std::fopen(path.c_str(), "wb"));
  if (file == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size())
    return FileError(path);
  if (std::fclose(file.release()) != 0) return FileError(path);
  return {};
}

litert::Expected<void> FillInputs(SignatureRunner& runner, const SessionFlags& flags) {
  if (flags.inputs.empty()) {
    FillRandomInputs(runner, flags.seed);
    return {};
  }
  if (flags.inputs.size() != runner.inputs().size()) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              "--in: the model has " + std::to_string(runner.inputs().size()) +
                                  " inputs, got " + std::to_string(flags.inputs.size()) + " files");
  }
  for (size_t i = 0; i < flags.inputs.size(); ++i) {
    LITERT_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, ReadWholeFile(flags.inputs[i]));
    if (litert::Expected<void> set = runner.SetInput(i, bytes); !set) {
      return litert::Unexpected(set.Error().Status(),
                                flags.inputs[i] + ": " + set.Error().Message());
    }
  }
  return {};
}

void WarnAbout(const Session& session) {
  WarnAbout(session.op_packages());
  if (session.delegation() == nullptr) return;
  for (const std::string& warning : session.delegation()->warnings)
    std::fprintf(stderr, "%s\n", warning.c_str());
  for (const auto& failure : session.delegation()->failures) {
    std::string culprits;
    for (const std::string& culprit : failure.culprits) culprits += " " + culprit + ";";
    std::fprintf(stderr, "%s; left on the CPU:%s\n", failure.message.c_str(), culprits.c_str());
  }
}

std::string ShortName(const std::string& name) {
  constexpr size_t kMaxChars = 64;
  const std::string first = name.substr(0, name.find(';'));
  return first.size() <= kMaxChars ? first : "..." + first.substr(first.size() - kMaxChars + 3);
}

std::string TypeText(const PortInfo& port) {
  std::string text = ElementTypeName(port.element_type) + "[";
  for (size_t i = 0; i < port.shape.size(); ++i)
    text += (i == 0 ? "" : ",") + std::to_string(port.shape[i]);
  return text + "]";
}

nlohmann::ordered_json PortJson(const PortInfo& port) {
  return {
      {"name", port.name}, {"dtype", ElementTypeName(port.element_type)}, {"shape", port.shape}};
}

nlohmann::ordered_json PlacementJson(const Placement& placement) {
  nlohmann::ordered_json ops = nlohmann::ordered_json::array();
  for (const OpPlacement& op : placement.ops) {
    nlohmann::ordered_json entry = {{"subgraph", op.subgraph},
                                    {"index", op.index},
                                    {"op", op.op},
                                    {"name", op.name},
                                    {"target", op.target == Target::kNpu ? "npu" : "cpu"}};
    entry["partition"] =
        op.partition < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(op.partition);
    entry["reason"] = op.reason;
    if (!op.plugin.empty()) entry["plugin"] = op.plugin;
    ops.push_back(std::move(entry));
  }
  return {{"npu_ops", placement.npu_ops},
          {"cpu_ops", placement.cpu_ops},
          {"partitions", placement.partitions},
          {"plugin", placement.plugin},
          {"dispatch", placement.dispatch},
          {"fallback_reason", placement.fallback_reason},
          {"ops", std::move(ops)}};
}

std::string PlacementText(const Placement& placement, bool plugin_was_asked_for) {
  auto ops = [](size_t count) { return std::to_string(count) + (count == 1 ? " op" : " ops"); };
  std::string text = "placement: " + ops(placement.npu_ops) + " on the NPU in " +
                     std::to_string(placement.partitions) +
                     (placement.partitions == 1 ? " partition, " : " partitions, ") +
                     ops(placement.cpu_ops) + " on the CPU\n";
  if (!placement.dispatch.empty()) text += "  dispatch: " + placement.dispatch + "\n";
  if (!plugin_was_asked_for) return text;
  if (!placement.fallback_reason.empty())
    return text + "  all on the CPU: " + placement.fallback_reason + "\n";
  std::vector<std::string> reasons;
  for (const OpPlacement& op : placement.ops) {
    if (op.target == Target::kCpu &&
        std::find(reasons.begin(), reasons.end(), op.reason) == reasons.end()) {
      reasons.push_back(op.reason);
    }
  }
  for (const std::string& reason : reasons) {
    text += "  on the CPU: " + (reason.empty() ? "no reason given" : reason) + "\n";
    for (const OpPlacement& op : placement.ops) {
      if (op.target == Target::kCpu && op.reason == reason) text += "    " + OpLine(op) + "\n";
    }
  }
  return text;
}

}  // namespace npukit::tools
