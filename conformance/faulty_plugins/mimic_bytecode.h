// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mimic's bytecode: a header, then a .tflite with a signature for each entry point.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_BYTECODE_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_BYTECODE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit::conformance::mimic {

// All fields little-endian.
struct BytecodeHeader {
  char magic[4] = {'M', 'I', 'M', 'C'};
  uint32_t version = 1;
  uint64_t payload_bytes = 0;
  uint64_t checksum = 0;  // of the payload and of what stands below
  uint64_t extra = 0;     // 0, but for some faults
};

std::string EntryPointName(size_t partition);

// Marks of faults, in BytecodeHeader::extra.
inline constexpr uint64_t kSecondSocMark = 2;

// Of the partitions' subgraphs, in order. A mark other than 0 becomes the header's extra field.
litert::Expected<std::vector<uint8_t>> EncodeBytecode(const Model& partitions, uint64_t mark);

struct DecodedBytecode {
  BytecodeHeader header;
  std::unique_ptr<Model> model;  // null where a fault takes anything for bytecode
};
litert::Expected<DecodedBytecode> DecodeBytecode(std::span<const uint8_t> bytes);

// Makes the checksum right; false if the header does not fit what follows it.
bool Reseal(std::span<uint8_t> bytes);

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_BYTECODE_H_
