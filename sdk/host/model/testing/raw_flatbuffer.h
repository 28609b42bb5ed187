// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: .tflite files made and looked at by the schema's text alone, without the reader and
// the writer. FlatBuffers' generated classes that do the same (its object API) take a compiler half
// a minute.
//
//   std::vector<uint8_t> file = FileFromJson("{version: 3, buffers: [{}], subgraphs: [{}]}");

#ifndef NPUKIT_SDK_HOST_MODEL_TESTING_RAW_FLATBUFFER_H_
#define NPUKIT_SDK_HOST_MODEL_TESTING_RAW_FLATBUFFER_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace reflection {
struct Schema;
}  // namespace reflection

namespace npukit {

// tflite_schema.fbs as FlatBuffers' own parser reads it.
const reflection::Schema& FileSchema();

// The file that JSON in FlatBuffers' dialect (names without quotes, comments) describes. What the
// schema does not know fails the test and gives an empty file.
std::vector<uint8_t> FileFromJson(const std::string& json);

// Which vectors, strings and tables are there, and what is in them; not single scalars, which may
// be written or left out where they equal their default.
std::string RawStructure(std::span<const uint8_t> file);

// The single scalars of all tables, by name, with the schema's default where one is left out.
std::string RawScalars(std::span<const uint8_t> file);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_TESTING_RAW_FLATBUFFER_H_
