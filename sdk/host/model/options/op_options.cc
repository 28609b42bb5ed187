// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/options/op_options.h"

#include <fmt/format.h>

#include <utility>

namespace npukit {

#define ENUM(name, underlying)       \
  std::string EnumName(name value) { \
    using E = name;                  \
    switch (value) {
#define VALUE(name, schema_name, number) \
  case E::name:                          \
    return schema_name;
#define END_ENUM(name)                                   \
  }                                                      \
  return fmt::format("{}", static_cast<int64_t>(value)); \
  }
#include "sdk/host/model/options/schema_enums.def"

// One table on the heap.
class HeldOptions {
 public:
  virtual ~HeldOptions() = default;
  virtual OptionsKind kind() const = 0;
  virtual std::unique_ptr<HeldOptions> Clone() const = 0;
  virtual bool Equals(const HeldOptions& other) const = 0;
};

namespace {

template <typename T>
class HeldTable final : public HeldOptions {
 public:
  explicit HeldTable(T options) : table(std::move(options)) {}

  OptionsKind kind() const override { return kOptionsKind<T>; }
  std::unique_ptr<HeldOptions> Clone() const override { return std::make_unique<HeldTable>(table); }
  bool Equals(const HeldOptions& other) const override {
    return other.kind() == kind() && static_cast<const HeldTable&>(other).table == table;
  }

  T table;
};

}  // namespace

OpOptions::OpOptions() = default;
OpOptions::~OpOptions() = default;
OpOptions::OpOptions(const OpOptions& other)
    : empty_fields(other.empty_fields), held_(other.held_ ? other.held_->Clone() : nullptr) {}
OpOptions::OpOptions(OpOptions&& other) noexcept
    : empty_fields(std::exchange(other.empty_fields, 0)), held_(std::move(other.held_)) {}
OpOptions& OpOptions::operator=(const OpOptions& other) { return *this = OpOptions(other); }
OpOptions& OpOptions::operator=(OpOptions&& other) noexcept = default;

template <typename T>
requires kIsOptionsTable<T> OpOptions::OpOptions(T table)
    : held_(std::make_unique<HeldTable<T>>(std::move(table))) {}

template <typename T>
requires kIsOptionsTable<T> T* OpOptions::As() {
  return Is<T>() ? &static_cast<HeldTable<T>&>(*held_).table : nullptr;
}

template <typename T>
requires kIsOptionsTable<T>
const T* OpOptions::As() const {
  return Is<T>() ? &static_cast<const HeldTable<T>&>(*held_).table : nullptr;
}

#define OPTIONS(table, union_name)        \
  template OpOptions::OpOptions(table);   \
  template table* OpOptions::As<table>(); \
  template const table* OpOptions::As<table>() const;
#include "sdk/host/model/options/op_options.def"

OpOptions OpOptions::Default(OptionsKind kind) {
  switch (kind) {
    case OptionsKind::kNone:
      break;
#define OPTIONS(table, union_name) \
  case OptionsKind::k##table:      \
    return table();
#include "sdk/host/model/options/op_options.def"
  }
  return {};
}

OptionsKind OpOptions::kind() const { return held_ ? held_->kind() : OptionsKind::kNone; }

bool operator==(const OpOptions& a, const OpOptions& b) {
  return a.held_ && b.held_ ? a.held_->Equals(*b.held_) : a.held_ == b.held_;
}

std::string_view OptionsName(const OpOptions& options) {
  switch (options.kind()) {
    case OptionsKind::kNone:
      break;
#define OPTIONS(table, union_name) \
  case OptionsKind::k##table:      \
    return #table;
#include "sdk/host/model/options/op_options.def"
  }
  return {};
}

}  // namespace npukit
