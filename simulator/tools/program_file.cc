// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/tools/program_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "simulator/isa/text.h"
#include "simulator/tools/mapped_file.h"

namespace acme {

Expected<std::vector<uint8_t>> ReadBytes(const std::string& path) {
  std::error_code no_file;
  if (std::filesystem::is_directory(path, no_file))
    return Error(ErrorCode::kIo, "can't read " + path + ": it is a folder");
  const auto failed = [&] {
    return Error(ErrorCode::kIo, fmt::format("can't read {}: {}", path, std::strerror(errno)));
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (file == nullptr) return failed();
  std::vector<uint8_t> bytes;
  uint8_t chunk[1 << 16];
  for (size_t count = 0; (count = std::fread(chunk, 1, sizeof(chunk), file.get())) > 0;)
    bytes.insert(bytes.end(), chunk, chunk + count);
  // What came until then is not the file.
  if (std::ferror(file.get()) != 0) return failed();
  return bytes;
}

Expected<void> WriteBytes(const std::string& path, const void* data, size_t size_bytes) {
  const auto failed = [&] {
    return Error(ErrorCode::kIo, fmt::format("can't write {}: {}", path, std::strerror(errno)));
  };
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
  if (file == nullptr) return failed();
  if (size_bytes != 0 && std::fwrite(data, 1, size_bytes, file.get()) != size_bytes)
    return failed();
  if (std::fclose(file.release()) != 0) return failed();
  return {};
}

Error InFile(const std::string& path, const Error& error) {
  return Error(error.Code(), path + ": " + error.Message(), error.OffsetBytes());
}

Expected<Hardware> ChooseHardware(const std::string& soc_model, const std::string& soc_file,
                                  const std::string& fallback) {
  if (soc_file.empty() && soc_model.empty()) return BuiltinHardware(fallback);
  Expected<Hardware> asked =
      soc_file.empty() ? BuiltinHardware(soc_model) : ReadHardwareFile(soc_file);
  if (asked) return asked;
  return Error(
      ErrorCode::kInvalidArgument,
      fmt::format("{}: {}", soc_file.empty() ? "--soc" : "--soc-file", asked.Error().Message()));
}

Expected<Module> AssembleModule(std::string_view text, const std::string& source,
                                const std::string& soc_model, const std::string& soc_file) {
  Expected<TextProgram> assembled = Assemble(text, source);
  if (!assembled) return Error(ErrorCode::kInvalidProgram, assembled.Error().Message());
  TextProgram& program = *assembled;
  ACME_ASSIGN_OR_RETURN(const Hardware hardware,
                        ChooseHardware(soc_model, soc_file, program.soc_model));
  Module module;
  module.soc_model = hardware.name;
  module.program_key = hardware.ProgramKey();
  module.constants = std::move(program.constants);
  module.producer = "npukit-asm";
  ModuleEntry entry;
  entry.name = "main";
  entry.workspace_bytes = program.workspace_bytes;
  entry.code = std::move(program.code);
  for (const TextBinding& binding : program.bindings)
    entry.bindings.push_back({binding.name, binding.size_bytes, binding.output});
  module.entries.push_back(std::move(entry));
  for (std::string& name : program.handle_names) module.debug.push_back({std::move(name), {}});
  return module;
}

Expected<Module> LoadProgram(const std::string& path, const std::string& soc_model,
                             const std::string& soc_file, int index) {
  ACME_ASSIGN_OR_RETURN(const ModuleSource file, OpenModuleSource(path));
  const std::span<const uint8_t> bytes = file.bytes;
  if (LooksLikeModule(bytes)) {
    Expected<Module> module = ParseModuleInPlace(file);
    if (!module) return InFile(path, module.Error());
    return module;
  }
  std::vector<Module> modules = FindModules(file);
  if (!modules.empty()) {
    if (index < 0 && modules.size() > 1) {
      return Error(
          ErrorCode::kInvalidArgument,
          fmt::format("{} holds {} modules; pick one with --module", path, modules.size()));
    }
    const size_t chosen = index < 0 ? 0 : static_cast<size_t>(index);
    if (chosen >= modules.size())
      return Error(ErrorCode::kInvalidArgument,
                   fmt::format("--module: {} holds no module {}: there {} {}", path, index,
                               modules.size() == 1 ? "is" : "are", modules.size()));
    return std::move(modules[chosen]);
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.find('\0') != std::string_view::npos) {
    return Error(ErrorCode::kNotFound, path + " is neither assembly text nor holds an Acme module");
  }
  return AssembleModule(text, path, soc_model, soc_file);
}

}  // namespace acme
