// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Programs as users name them on the command line: a .acm text file, a module, or any file with
// modules inside.

#ifndef NPUKIT_SIMULATOR_TOOLS_PROGRAM_FILE_H_
#define NPUKIT_SIMULATOR_TOOLS_PROGRAM_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/hw/hardware.h"
#include "simulator/isa/expected.h"
#include "simulator/module/module.h"

namespace acme {

// Error: kIo.
Expected<std::vector<uint8_t>> ReadBytes(const std::string& path);
Expected<void> WriteBytes(const std::string& path, const void* data, size_t size_bytes);

// The same error, of this file.
Error InFile(const std::string& path, const Error& error);

// The hardware to use: a YAML file, or a built-in model, or (both empty) `fallback`, or the default
// model. An error in one that is named is kInvalidArgument.
Expected<Hardware> ChooseHardware(const std::string& soc_model, const std::string& soc_file,
                                  const std::string& fallback);

// Assembles text into a module with the entry point "main". soc_model, soc_file: override the
// text's .soc.
Expected<Module> AssembleModule(std::string_view text, const std::string& source,
                                const std::string& soc_model, const std::string& soc_file);

// Reads a program file of any kind. A file with several modules gives an error unless `index` picks
// one. A module's constants stay in the file, which must not be changed meanwhile.
Expected<Module> LoadProgram(const std::string& path, const std::string& soc_model,
                             const std::string& soc_file, int index = -1);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TOOLS_PROGRAM_FILE_H_
