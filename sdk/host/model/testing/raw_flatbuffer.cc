// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/testing/raw_flatbuffer.h"

#include <flatbuffers/idl.h>
#include <flatbuffers/minireflect.h>
#include <flatbuffers/reflection.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <utility>

#include "sdk/host/model/file/tflite_schema_generated.h"
#include "sdk/host/model/options/dispatch_options.h"

namespace npukit {
namespace {

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
    if (!std::exchange(skip_, false)) text += fmt::format("{} ", +value);
  }

  bool skip_ = false;
};

// Walks all tables by the schema as data: generated code for each field of each table would be
// what this file is there to avoid.
class RawScalarText {
 public:
  std::string text;

  void Table(const reflection::Object& type, const flatbuffers::Table& table) {
    text += type.name()->str() + "\n";
    for (const reflection::Field* field : *type.fields()) Field(type, *field, table);
  }

 private:
  void Field(const reflection::Object& type, const reflection::Field& field,
             const flatbuffers::Table& table) {
    const reflection::BaseType base = field.type()->base_type();
    if (base == reflection::Float || base == reflection::Double) {
      const auto bits = std::bit_cast<uint64_t>(flatbuffers::GetAnyFieldF(table, field));
      text += fmt::format("{}: {}\n", field.name()->str(), bits);
    } else if (base < reflection::String) {
      const int64_t number = flatbuffers::GetAnyFieldI(table, field);
      text += fmt::format("{}: {}\n", field.name()->str(), number);
    } else if (!table.CheckField(field.offset())) {
      return;
    } else if (base == reflection::Union) {
      Table(flatbuffers::GetUnionType(FileSchema(), type, field, table), Below(table, field));
    } else if (base == reflection::Obj) {
      Table(*FileSchema().objects()->Get(field.type()->index()), Below(table, field));
    } else if (base == reflection::Vector && field.type()->element() == reflection::Obj) {
      const auto* tables =
          table.GetPointer<const flatbuffers::Vector<flatbuffers::Offset<flatbuffers::Table>>*>(
              field.offset());
      for (const flatbuffers::Table* element : *tables)
        Table(*FileSchema().objects()->Get(field.type()->index()), *element);
    }
  }

  static const flatbuffers::Table& Below(const flatbuffers::Table& table,
                                         const reflection::Field& field) {
    return *table.GetPointer<const flatbuffers::Table*>(field.offset());
  }
};

// A copy in which the places of things in the file, which may differ, are 1.
std::vector<uint8_t> WithoutPlaces(std::span<const uint8_t> original) {
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

// With the schema read, once for all tests.
flatbuffers::Parser& SchemaParser() {
  static flatbuffers::Parser parser;
  if (parser.root_struct_def_ == nullptr) {
    std::string text;
    const std::string path = NPUKIT_SOURCE_DIR "/sdk/host/model/file/tflite_schema.fbs";
    EXPECT_TRUE(flatbuffers::LoadFile(path.c_str(), false, &text)) << path;
    EXPECT_TRUE(parser.Parse(text.c_str())) << parser.error_;
  }
  return parser;
}

std::vector<uint8_t> Built(flatbuffers::Parser& parser) {
  const uint8_t* bytes = parser.builder_.GetBufferPointer();
  return {bytes, bytes + parser.builder_.GetSize()};
}

}  // namespace

const reflection::Schema& FileSchema() {
  static const std::vector<uint8_t> serialized = [] {
    SchemaParser().Serialize();
    return Built(SchemaParser());
  }();
  return *reflection::GetSchema(serialized.data());
}

std::vector<uint8_t> FileFromJson(const std::string& json) {
  flatbuffers::Parser& parser = SchemaParser();
  if (parser.ParseJson(json.c_str())) return Built(parser);
  ADD_FAILURE() << parser.error_ << "\n" << json;
  return {};
}

std::string RawStructure(std::span<const uint8_t> file) {
  const std::vector<uint8_t> comparable = WithoutPlaces(file);
  RawTextVisitor visitor;
  flatbuffers::IterateFlatBuffer(comparable.data(), schema::ModelTypeTable(), &visitor);
  return std::move(visitor.text);
}

std::string RawScalars(std::span<const uint8_t> file) {
  const std::vector<uint8_t> comparable = WithoutPlaces(file);
  RawScalarText scalars;
  scalars.Table(*FileSchema().root_table(), *flatbuffers::GetAnyRoot(comparable.data()));
  return std::move(scalars.text);
}

}  // namespace npukit
