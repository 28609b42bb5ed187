// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/codec.h"

#include <fmt/format.h>

#include "simulator/isa/info.h"

namespace acme {
namespace {

// Packs fields from bit 32 of a word upwards; remembers the first field that does not fit.
class FieldWriter {
 public:
  explicit FieldWriter(Word& word) : word_(word) {}

  template <int bits, FieldKind kind, class T>
  void Field(const T& member) {
    const int64_t value = static_cast<int64_t>(member);
    constexpr int64_t kLow = kind == FieldKind::kInt ? -(int64_t{1} << (bits - 1)) : 0;
    constexpr int64_t kHigh =
        kind == FieldKind::kInt ? (int64_t{1} << (bits - 1)) - 1 : (int64_t{1} << bits) - 1;
    bool ok = value >= kLow && value <= kHigh;
    if constexpr (kind == FieldKind::kSize || kind == FieldKind::kAregTarget) ok = ok && value != 0;
    if constexpr (std::is_enum_v<T>)
      ok = ok && EnumInfoOf<T>().FindValue(static_cast<uint32_t>(value)) != nullptr;
    if (!ok && bad_field_ < 0) {
      bad_field_ = index_;
      bad_value_ = value;
    }
    Put(static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1), bits);
    ++index_;
  }

  int bad_field() const { return bad_field_; }
  int64_t bad_value() const { return bad_value_; }

 private:
  void Put(uint64_t value, int bits) {
    // A field has at most 32 bits, so that it lies in two words at most.
    const int at = position_ / 32;
    const int shift = position_ % 32;
    word_.w[at] |= static_cast<uint32_t>(value << shift);
    if (shift + bits > 32) word_.w[at + 1] |= static_cast<uint32_t>(value >> (32 - shift));
    position_ += bits;
  }

  Word& word_;
  int position_ = 32;
  int index_ = 0;
  int bad_field_ = -1;
  int64_t bad_value_ = 0;
};

// The reverse.
class FieldReader {
 public:
  explicit FieldReader(const Word& word) : word_(word) {}

  template <int bits, FieldKind kind, class T>
  void Field(T& member) {
    const uint64_t raw = Get(bits);
    int64_t value = static_cast<int64_t>(raw);
    if constexpr (kind == FieldKind::kInt) {
      if (raw >> (bits - 1) != 0) value -= int64_t{1} << bits;
    }
    bool ok = true;
    if constexpr (kind == FieldKind::kSize || kind == FieldKind::kAregTarget) ok = value != 0;
    if constexpr (std::is_enum_v<T>)
      ok = EnumInfoOf<T>().FindValue(static_cast<uint32_t>(value)) != nullptr;
    if (!ok && bad_field_ < 0) {
      bad_field_ = index_;
      bad_value_ = value;
    }
    member = static_cast<T>(value);
    ++index_;
  }

  int bad_field() const { return bad_field_; }
  int64_t bad_value() const { return bad_value_; }

  // Whether a bit beyond the last field is set.
  // Refused, so that a later version can give such a bit a meaning without changing what older
  // modules do: m.type's `holes` came that way (docs/adr/0017-cells-without-a-weight.md).
  bool HasTrailingBits() const {
    for (int bit = position_; bit < 128; ++bit) {
      if ((word_.w[bit / 32] >> (bit % 32)) & 1) return true;
    }
    return false;
  }

 private:
  uint64_t Get(int bits) {
    const int at = position_ / 32;
    const int shift = position_ % 32;
    uint64_t value = word_.w[at] >> shift;
    if (shift + bits > 32) value |= static_cast<uint64_t>(word_.w[at + 1]) << (32 - shift);
    position_ += bits;
    return value & ((uint64_t{1} << bits) - 1);
  }

  const Word& word_;
  int position_ = 32;
  int index_ = 0;
  int bad_field_ = -1;
  int64_t bad_value_ = 0;
};

Error FieldError(const InstrInfo& info, int field, int64_t value) {
  return Error(ErrorCode::kInvalidProgram,
               fmt::format("{}: {} can't be {}", info.mnemonic, info.fields[field].name, value));
}

// Decodes the payload as instruction I.
template <class I>
Expected<Instr> DecodeAs(const Word& word, const Sync& sync) {
  I instr;
  FieldReader reader(word);
  isa::VisitFields(instr, reader);
  if (reader.bad_field() >= 0)
    return FieldError(InfoOf(I::kOpcode), reader.bad_field(), reader.bad_value());
  if (reader.HasTrailingBits()) {
    return Error(ErrorCode::kInvalidProgram, fmt::format("{}: bits beyond the last field are set",
                                                         InfoOf(I::kOpcode).mnemonic));
  }
  return Instr{sync, instr};
}

}  // namespace

Opcode OpcodeOf(const Instr& instr) {
  return std::visit(
      [](const auto& op) -> Opcode {
        if constexpr (std::is_same_v<std::decay_t<decltype(op)>, std::monostate>) {
          return Opcode::kCpNop;
        } else {
          return op.kOpcode;
        }
      },
      instr.op);
}

Expected<Word> Encode(const Instr& instr) {
  Word word;
  const uint8_t sems[] = {instr.sync.wait[0], instr.sync.wait[1], instr.sync.post[0],
                          instr.sync.post[1]};
  for (int i = 0; i < 4; ++i) {
    if (sems[i] >= kSemaphoreCount) {
      return Error(ErrorCode::kInvalidArgument,
                   fmt::format("semaphore {} does not exist", sems[i]));
    }
    word.w[0] |= static_cast<uint32_t>(sems[i]) << (8 + 6 * i);
  }
  word.w[0] |= static_cast<uint32_t>(OpcodeOf(instr));
  FieldWriter writer(word);
  std::visit(
      [&](const auto& op) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(op)>, std::monostate>)
          isa::VisitFields(op, writer);
      },
      instr.op);
  if (writer.bad_field() >= 0)
    return FieldError(InfoOf(OpcodeOf(instr)), writer.bad_field(), writer.bad_value());
  return word;
}

Expected<Instr> Decode(const Word& word) {
  Sync sync;
  sync.wait = {static_cast<uint8_t>((word.w[0] >> 8) & 63),
               static_cast<uint8_t>((word.w[0] >> 14) & 63)};
  sync.post = {static_cast<uint8_t>((word.w[0] >> 20) & 63),
               static_cast<uint8_t>((word.w[0] >> 26) & 63)};
  switch (static_cast<Opcode>(word.w[0] & 0xFF)) {
#define ACME_INSTR_BEGIN(Name, mnemonic, engine, op, summary) \
  case Opcode::k##Name:                                       \
    return DecodeAs<isa::Name>(word, sync);
#define ACME_FIELD(type, name, bits, kind, doc)
#define ACME_TEXT(semantics, timing, traps)
#define ACME_INSTR_END(Name)
#include "simulator/isa/isa.def"
#undef ACME_INSTR_BEGIN
#undef ACME_FIELD
#undef ACME_TEXT
#undef ACME_INSTR_END
  }
  return Error(ErrorCode::kInvalidProgram,
               fmt::format("opcode {} does not exist", word.w[0] & 0xFF));
}

}  // namespace acme
