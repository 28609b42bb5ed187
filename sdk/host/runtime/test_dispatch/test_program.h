// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The test device's programs: parsing and running them. The format stands in test_dispatch.h.

#ifndef NPUKIT_SDK_HOST_RUNTIME_TEST_DISPATCH_TEST_PROGRAM_H_
#define NPUKIT_SDK_HOST_RUNTIME_TEST_DISPATCH_TEST_PROGRAM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "litert/c/litert_model_types.h"

namespace npukit::test_dispatch {

struct Function {
  std::string op;
  uint32_t alignment_bytes = 64;
  uint32_t padding_bytes = 0;
  bool has_strides = false;
};

// What a function requires of one buffer.
struct FunctionRequirements {
  size_t size_bytes = 0;
  size_t alignment_bytes = 64;
  std::vector<uint32_t> strides_elems;
};

struct PortMemory {
  LiteRtRankedTensorType type = {};
  uint8_t* memory = nullptr;
};

// False if the text is no program or has no such function.
bool ParseFunction(const std::string& text, const std::string& name, Function& function);
FunctionRequirements RequirementsOf(const Function& function, const LiteRtRankedTensorType& type);
// False if the ports do not fit the function.
bool RunFunction(const Function& function, const std::vector<PortMemory>& inputs,
                 const std::vector<PortMemory>& outputs);

}  // namespace npukit::test_dispatch

#endif  // NPUKIT_SDK_HOST_RUNTIME_TEST_DISPATCH_TEST_PROGRAM_H_
