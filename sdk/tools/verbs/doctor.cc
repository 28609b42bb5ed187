// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit doctor [DIR|FILE ...] [--load] [--json]

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "sdk/host/model/file/mapped_file.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/host/runtime/dispatch/dispatch_generation.h"
#include "sdk/host/runtime/dispatch/dispatch_library.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/command_line/whole_file.h"
#include "sdk/tools/doctor/diagnosis.h"

namespace npukit::tools {
namespace {

namespace fs = std::filesystem;

bool LooksLikeLibrary(const fs::path& path) {
  return path.filename().string().find(".so") != std::string::npos;
}
bool LooksLikeModel(const fs::path& path) {
  return path.extension() == ".tflite" || path.extension() == ".litertlm";
}

// A folder's libraries and models, and those in the folders below it, by path.
std::vector<std::string> FilesIn(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code none;
    const bool is_link =
        entry->is_symlink(none);  // libx.so -> libx.so.1: the file stands there too
    if (!is_link && entry->is_regular_file(none) &&
        (LooksLikeLibrary(entry->path()) || LooksLikeModel(entry->path()))) {
      files.push_back(entry->path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

void ExamineFile(const std::string& path, Examined& examined) {
  const auto mapped = MapFile(path);
  if (!mapped) {
    examined.unread.push_back({path, mapped.Error().Message()});
    return;
  }
  const auto bytes = mapped->bytes;
  const bool is_elf = bytes.size() > 4 && bytes[0] == 0x7f && bytes[1] == 'E' && bytes[2] == 'L';
  if (!is_elf && (!LooksLikeLibrary(path) || LooksLikeModel(path))) {
    auto models = ExamineModels(path, *mapped);
    if (!models) {
      examined.unread.push_back({path, models.Error().Message()});
      return;
    }
    for (ModelFile& model : *models) examined.models.push_back(std::move(model));
    return;
  }
  auto image = ElfImage::Parse({bytes.begin(), bytes.end()});
  if (!image) {
    examined.unread.push_back({path, image.Error().Message()});
    return;
  }
  examined.libraries.push_back(ExamineLibrary(path, std::move(*image)));
}

// The child's answer begins with one of them.
constexpr char kTold = '+';
constexpr char kError = '!';
constexpr char kEnded[] = "it ended the process, or hung";

// What a host says of a library that it has loaded: DispatchGeneration as a number.
std::string AskDispatch(const std::string& path) {
  const auto library = DispatchLibrary::Load(path);
  return library ? fmt::format("{}{}", kTold, static_cast<int>((*library)->generation()))
                 : fmt::format("{}{}", kError, library.Error().Message());
}
// The SoC models of a compiler plugin, a line each.
std::string AskCompiler(const std::string& path) {
  const auto plugin = LoadedPlugin::Load(path);
  return plugin ? fmt::format("{}{}", kTold, fmt::join(plugin->soc_models(), "\n"))
                : fmt::format("{}{}", kError, plugin.Error().Message());
}

// Lets a process of its own load the library, which may crash or hang, and ask; nullopt if it ends
// otherwise than it should.
std::optional<std::string> AskByLoading(const std::string& path,
                                        std::string (*ask)(const std::string&)) {
  constexpr int kTimeoutMs = 10'000;
  std::array<int, 2> ends = {};
  if (pipe(ends.data()) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    // What the library prints is not the verb's answer.
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0) _exit(1);
    const std::string text = ask(path);
    // Then _exit(): no destructor of the library's runs, and nothing that this process has yet to
    // print is printed twice.
    const bool written = write(ends[1], text.data(), text.size()) >= 0;
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 512> part = {};
  pollfd readable = {.fd = ends[0], .events = POLLIN, .revents = 0};
  while (child > 0 && poll(&readable, 1, kTimeoutMs) > 0) {
    const ssize_t count = read(ends[0], part.data(), part.size());
    if (count <= 0) break;
    text.append(part.data(), static_cast<size_t>(count));
  }
  close(ends[0]);
  if (child <= 0) return std::nullopt;
  // With an answer it is about to end. Without one it hangs, or is gone, which a signal does not
  // change.
  if (text.empty()) kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  if (text.empty()) return std::nullopt;
  return text;
}

// The generations that the host loads in one way.
Generations LoadedAs(DispatchGeneration generation) {
  using enum Generation;
  switch (generation) {
    case DispatchGeneration::kV210:
    case DispatchGeneration::kV212:
    case DispatchGeneration::kV213:
      return Only(k2_1a);
    case DispatchGeneration::kV215:
      return From(k2_1b, kMid);
    case DispatchGeneration::kV220:
      return From(k2_2, kAug2);
    case DispatchGeneration::kQueried:
      return Only(kQueried);
  }
  return {};
}

void LoadDispatch(LibraryFile& file) {
  const std::string answer = AskByLoading(file.path, AskDispatch).value_or("");
  int number = 0;
  const char* const end = answer.data() + answer.size();
  const bool is_told =
      answer.starts_with(kTold) && std::from_chars(answer.data() + 1, end, number).ptr == end;
  if (!is_told) {
    file.evidence.push_back(fmt::format(
        "when loaded: {}", answer.starts_with(kError) ? answer.substr(1) : std::string(kEnded)));
    return;
  }
  const auto generation = static_cast<DispatchGeneration>(number);
  file.evidence.push_back(fmt::format("when loaded: {}", GenerationName(generation)));
  // Loading tells less than a file that tells: it can only narrow down.
  const Generations told = file.dispatch & LoadedAs(generation);
  if (told.none()) return;
  file.dispatch = told;
  file.dispatch_entries = {told};
}

void LoadCompiler(LibraryFile& file) {
  const std::string answer = AskByLoading(file.path, AskCompiler).value_or("");
  if (!answer.starts_with(kTold)) {
    file.evidence.push_back(fmt::format(
        "when loaded: {}", answer.starts_with(kError) ? answer.substr(1) : std::string(kEnded)));
    return;
  }
  std::istringstream lines(answer.substr(1));
  for (std::string soc; std::getline(lines, soc);) file.soc_models.push_back(soc);
}

}  // namespace

int Doctor(CommandLine& line, int argc, char** argv) {
  std::vector<std::string> paths;
  bool load = false;
  bool json = false;
  line.Add("DIR|FILE", paths,
           "Libraries (LiteRT, dispatch, compiler plugins, the vendor's), .tflite models and "
           ".litertlm bundles, or folders of them; the present folder without any");
  line.AddFlag(
      "--load", load,
      "Load dispatch libraries whose files do not tell, and compiler plugins for their SoC "
      "models, each in a process of its own; else nothing of any file is executed");
  line.AddFlag("--json", json, "Print everything as JSON");
  if (const std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
  if (paths.empty()) paths.emplace_back(".");

  Examined examined;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::exists(path, error)) return Fail(kNotLoaded, path + ": no such file or folder");
    if (!fs::is_directory(path, error)) {
      ExamineFile(path, examined);
      continue;
    }
    examined.is_whole = true;
    for (const std::string& file : FilesIn(path)) ExamineFile(file, examined);
  }
  if (examined.libraries.empty() && examined.models.empty() && examined.unread.empty()) {
    return Fail(kNotLoaded, fmt::format("no libraries and no models in {}", paths.front()));
  }
  if (load) {
    for (LibraryFile& library : examined.libraries) {
      const bool is_open = library.dispatch_entries.size() == 1 && library.dispatch.count() > 1;
      if (is_open) LoadDispatch(library);
      if (library.compiler.any()) LoadCompiler(library);
    }
  }
  const Diagnosis diagnosis = Diagnose(examined);
  const nlohmann::ordered_json report = DiagnosisJson(examined, diagnosis);
  if (json) {
    PrintJson(report);
  } else {
    fmt::print("{}", DiagnosisText(report));
  }
  return diagnosis.HasMismatch() ? kFailed : kDone;
}

}  // namespace npukit::tools
