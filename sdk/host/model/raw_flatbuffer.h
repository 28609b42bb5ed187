// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: the fields of a .tflite FlatBuffer, straight from its bytes by the schema's type
// tables and generated classes, without the reader.

#ifndef NPUKIT_SDK_HOST_MODEL_RAW_FLATBUFFER_H_
#define NPUKIT_SDK_HOST_MODEL_RAW_FLATBUFFER_H_

#include <flatbuffers/minireflect.h>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/model/dispatch_options.h"
#include "sdk/host/model/tflite_schema_generated.h"

namespace npukit {

class RawTextVisitor : public flatbuffers::IterationVisitor {
 public:
  std::string text;

  void StartSequence() override { text += "{\n"; }
  void EndSequence() override { text += "}\n"; }
  void StartVector() override { text += "["; }
  void EndVector() override { text += "]\n"; }
  void Field(size_t, size_t, flatbuffers::ElementaryType type, bool is_vector,
             const flatbuffers::TypeTable*, const char* name, const uint8_t* value) override {
    if (value == nullptr) return;
    skip_ = !is_vector && type != flatbuffers::ET_STRING && type != flatbuffers::ET_SEQUENCE;
    if (!skip_) text += std::string(name) + ": ";
  }
  void UType(uint8_t value, const char*) override { Number(value); }
  void Bool(bool value) override { Number(value); }
  void Char(int8_t value, const char*) override { Number(value); }
  void UChar(uint8_t value, const char*) override { Number(value); }
  void Short(int16_t value, const char*) override { Number(value); }
  void UShort(uint16_t value, const char*) override { Number(value); }
  void Int(int32_t value, const char*) override { Number(value); }
  void UInt(uint32_t value, const char*) override { Number(value); }
  void Long(int64_t value) override { Number(value); }
  void ULong(uint64_t value) override { Number(value); }
  void Float(float value) override { Number(std::bit_cast<uint32_t>(value)); }
  void Double(double value) override { Number(std::bit_cast<uint64_t>(value)); }
  void String(const flatbuffers::String* value) override { text += "'" + value->str() + "'\n"; }

 private:
  template <typename T>
  void Number(T value) {
    if (!std::exchange(skip_, false)) text += std::to_string(value) + " ";
  }

  bool skip_ = false;
};

// A copy in which the places of things in the file, which may differ, are 1.
inline std::vector<uint8_t> WithoutPlaces(std::span<const uint8_t> original) {
  std::vector<uint8_t> file(original.begin(), original.end());
  const auto* model = schema::GetModel(file.data());
  const auto neutralize = [](const void* table, flatbuffers::voffset_t place) {
    auto* t = static_cast<flatbuffers::Table*>(const_cast<void*>(table));
    if (t->GetField<uint64_t>(place, 0) > 1) t->SetField<uint64_t>(place, 1, 0);
  };
  for (const schema::Buffer* buffer : *model->buffers()) {
    neutralize(buffer, schema::Buffer::VT_OFFSET);
  }
  for (const schema::SubGraph* subgraph : *model->subgraphs()) {
    if (subgraph->operators() == nullptr) continue;
    for (const schema::Operator* op : *subgraph->operators()) {
      neutralize(op, schema::Operator::VT_LARGE_CUSTOM_OPTIONS_OFFSET);
      if (op->custom_options() == nullptr) continue;
      const std::span<uint8_t> bytes(const_cast<uint8_t*>(op->custom_options()->data()),
                                     op->custom_options()->size());
      if (auto options = ParseDispatchOptions(bytes)) {
        options->bytecode_offset_bytes = 1;
        UpdateDispatchOptions(*options, bytes);
      }
    }
  }
  return file;
}

// Which vectors, strings and tables are there, and what is in them; not single scalars, which may
// be written or left out where they equal their default.
inline std::string RawStructure(std::span<const uint8_t> file) {
  const std::vector<uint8_t> comparable = WithoutPlaces(file);
  RawTextVisitor visitor;
  flatbuffers::IterateFlatBuffer(comparable.data(), schema::ModelTypeTable(), &visitor);
  return std::move(visitor.text);
}

// All values, in the one layout that the generated classes give them.
inline std::vector<uint8_t> RawValues(std::span<const uint8_t> file) {
  const std::vector<uint8_t> comparable = WithoutPlaces(file);
  const auto unpacked = schema::UnPackModel(comparable.data());
  flatbuffers::FlatBufferBuilder builder;
  schema::FinishModelBuffer(builder, schema::CreateModel(builder, unpacked.get()));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_RAW_FLATBUFFER_H_
