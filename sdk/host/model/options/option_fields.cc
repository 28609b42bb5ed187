// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/options/option_fields.h"

namespace npukit {
namespace {

// For each table: Read(table, reader) and Edit(table, editor).
#define OPTIONS(table, union_name)                                                         \
  void Read([[maybe_unused]] const table& options, [[maybe_unused]] FieldReader& reader) { \
    [[maybe_unused]] const table defaults;
#define FIELD(type, name, ...) reader.Read(#name, options.name, defaults.name);
#define END_OPTIONS(table) }
#include "sdk/host/model/options/op_options.def"

#define OPTIONS(table, union_name) \
  void Edit([[maybe_unused]] table& options, [[maybe_unused]] FieldEditor& editor) {
#define FIELD(type, name, ...) editor.Edit(#name, options.name);
#define END_OPTIONS(table) }
#include "sdk/host/model/options/op_options.def"

}  // namespace

void ReadFields(const OpOptions& options, FieldReader& reader) {
  switch (options.kind()) {
    case OptionsKind::kNone:
      return;
#define OPTIONS(table, union_name) \
  case OptionsKind::k##table:      \
    return Read(*options.As<table>(), reader);
#include "sdk/host/model/options/op_options.def"
  }
}

void EditFields(OpOptions& options, FieldEditor& editor) {
  switch (options.kind()) {
    case OptionsKind::kNone:
      return;
#define OPTIONS(table, union_name) \
  case OptionsKind::k##table:      \
    return Edit(*options.As<table>(), editor);
#include "sdk/host/model/options/op_options.def"
  }
}

}  // namespace npukit
