// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The fields of whichever options table an op has, one after the other: for what treats all tables
// alike, such as reading, writing, comparing and printing.

#ifndef NPUKIT_SDK_HOST_MODEL_OPTIONS_OPTION_FIELDS_H_
#define NPUKIT_SDK_HOST_MODEL_OPTIONS_OPTION_FIELDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sdk/host/model/options/op_options.h"

namespace npukit {

// The C++ types of fields: the schema's scalars, strings and vectors. Besides, each enum of
// schema_enums.def.
#define NPUKIT_PLAIN_FIELD_TYPES(TYPE) \
  TYPE(bool)                           \
  TYPE(int32_t)                        \
  TYPE(uint32_t)                       \
  TYPE(int64_t)                        \
  TYPE(float)                          \
  TYPE(std::string)                    \
  TYPE(std::vector<bool>)              \
  TYPE(std::vector<uint8_t>)           \
  TYPE(std::vector<int32_t>)           \
  TYPE(std::vector<int64_t>)           \
  TYPE(std::vector<float>)             \
  TYPE(std::vector<StablehloPrecisionConfig>)

// Is told each field by an overload for its type. `name` is the schema's ("stride_w"),
// `schema_default` what the field is where a file does not say it.
class FieldReader {
 public:
#define FIELD_TYPE(type) \
  virtual void Read(const char* name, const type& value, const type& schema_default) = 0;
  NPUKIT_PLAIN_FIELD_TYPES(FIELD_TYPE)
#define ENUM(name, underlying) FIELD_TYPE(name)
#include "sdk/host/model/options/schema_enums.def"
#undef FIELD_TYPE

 protected:
  ~FieldReader() = default;
};

// The same, with values to change.
class FieldEditor {
 public:
#define FIELD_TYPE(type) virtual void Edit(const char* name, type& value) = 0;
  NPUKIT_PLAIN_FIELD_TYPES(FIELD_TYPE)
#define ENUM(name, underlying) FIELD_TYPE(name)
#include "sdk/host/model/options/schema_enums.def"
#undef FIELD_TYPE

 protected:
  ~FieldEditor() = default;
};

// In schema order; no call for no options.
void ReadFields(const OpOptions& options, FieldReader& reader);
void EditFields(OpOptions& options, FieldEditor& editor);

// -- The same with a generic lambda, which is instantiated for each type of field, not for each
// table.

template <typename Visitor>
class FieldReaderOf final : public FieldReader {
 public:
  explicit FieldReaderOf(Visitor& visit) : visit_(visit) {}
#define FIELD_TYPE(type)                                                                \
  void Read(const char* name, const type& value, const type& schema_default) override { \
    visit_(name, value, schema_default);                                                \
  }
  NPUKIT_PLAIN_FIELD_TYPES(FIELD_TYPE)
#define ENUM(name, underlying) FIELD_TYPE(name)
#include "sdk/host/model/options/schema_enums.def"
#undef FIELD_TYPE

 private:
  Visitor& visit_;
};

template <typename Visitor>
class FieldEditorOf final : public FieldEditor {
 public:
  explicit FieldEditorOf(Visitor& visit) : visit_(visit) {}
#define FIELD_TYPE(type) \
  void Edit(const char* name, type& value) override { visit_(name, value); }
  NPUKIT_PLAIN_FIELD_TYPES(FIELD_TYPE)
#define ENUM(name, underlying) FIELD_TYPE(name)
#include "sdk/host/model/options/schema_enums.def"
#undef FIELD_TYPE

 private:
  Visitor& visit_;
};

// visit("stride_w", stride_w, 0) for each field.
template <typename Visitor>
void VisitFieldsAndDefaults(const OpOptions& options, Visitor&& visit) {
  FieldReaderOf reader(visit);
  ReadFields(options, reader);
}

// visit("stride_w", stride_w) for each field.
template <typename Visitor>
void VisitFields(const OpOptions& options, Visitor&& visit) {
  VisitFieldsAndDefaults(
      options, [&](const char* name, const auto& value, const auto&) { visit(name, value); });
}
template <typename Visitor>
void VisitFields(OpOptions& options, Visitor&& visit) {
  FieldEditorOf editor(visit);
  EditFields(options, editor);
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_OPTIONS_OPTION_FIELDS_H_
