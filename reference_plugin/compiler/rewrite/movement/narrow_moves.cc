// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// First each conversion to a narrower type looks back over the moves before it, then each move over
// those that remain to conversions to a wider one.

#include "reference_plugin/compiler/rewrite/movement/narrow_moves.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/elementwise/map_value.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/movement/moved_elems.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/depthwise/depthwise.h"
#include "reference_plugin/compiler/lower/products/matmul.h"
#include "reference_plugin/compiler/rewrite/movement/conversion_pass.h"

namespace acme::compiler {
namespace {

bool IsNarrowing(const Map& map) { return SizeBytes(map.out) < SizeBytes(map.in); }
bool IsWidening(const Map& map) { return SizeBytes(map.out) > SizeBytes(map.in); }

// -- Conversions to a narrower type ----------------------------------------------------------------

class NarrowFirst : public ConversionPass {
 public:
  using ConversionPass::ConversionPass;

  void Run() {
    for (const Layer& layer : old_) {
      const auto* to = layer.As<Map>();
      if (to == nullptr || !IsNarrowing(*to) || !Converts(*to, layer.output)) {
        network_.layers.push_back(layer);
        continue;
      }
      // Costs are those of this one conversion.
      costs_.clear();
      conversion_ = &layer;
      to_ = to;
      Make(to->x, layer.output);
    }
    EraseUnread();
  }

 private:
  // How a value is had in the narrower type: kConvert converts it where it is; kJoin takes what it
  // was widened from, by one function for both conversions; kMove moves operands that were
  // converted, each in its own best way; kFold converts a constant now. Costs are bytes read and
  // written, less those of layers that are not needed any more.
  enum class Way { kConvert, kJoin, kMove, kFold };
  struct Choice {
    Way way = Way::kConvert;
    int64_t bytes = 0;
  };
  // What a value was converted to.
  struct Made {
    ValueId from = kNoValue;
    Map map;
    ValueId to = kNoValue;
  };

  int64_t ConvertBytes(ValueId x) const {
    return Elems(x) * (SizeBytes(to_->in) + SizeBytes(to_->out));
  }

  // The value as it is after the conversion. `goes`: the value itself is of no use then.
  Choice Choose(ValueId x, bool goes) {
    const auto key = std::pair(x, goes);
    if (const auto found = costs_.find(key); found != costs_.end()) return found->second;
    Choice choice{Way::kConvert, ConvertBytes(x)};
    const Layer* writer = WriterOf(x);
    if (network_.value(x).is_constant()) {
      choice = Folds(x) ? Choice{Way::kFold, 0} : choice;
    } else if (writer != nullptr) {
      const bool is_conversion = ConversionOf(x) != nullptr;
      const std::optional<int64_t> bytes =
          is_conversion ? JoinBytes(x, goes) : MoveBytes(*writer, goes);
      if (bytes && *bytes < choice.bytes)
        choice = {is_conversion ? Way::kJoin : Way::kMove, *bytes};
    }
    costs_[key] = choice;
    return choice;
  }

  std::optional<int64_t> JoinBytes(ValueId x, bool goes) const {
    const Map& from = *ConversionOf(x);
    if (!IsWidening(from) || !Joined(from, *to_)) return std::nullopt;
    return Elems(x) * (SizeBytes(from.in) + SizeBytes(to_->out)) -
           (goes ? Share(x, Elems(x) * (SizeBytes(from.in) + SizeBytes(from.out))) : 0);
  }

  std::optional<int64_t> MoveBytes(const Layer& writer, bool goes) {
    const std::optional<int64_t> moved = MovedElems(writer, network_);
    if (!moved || network_.value(writer.output).dtype != to_->in) return std::nullopt;
    for (uint32_t fill : FillsOf(writer)) {
      if (!ValueOf(*to_, fill)) return std::nullopt;
    }
    int64_t bytes = *moved * SizeBytes(to_->out) -
                    (goes ? Share(writer.output, *moved * SizeBytes(to_->in)) : 0);
    for (ValueId operand : writer.Inputs()) {
      if (network_.value(operand).is_constant() && !Folds(operand)) return std::nullopt;
      bytes += Choose(operand, goes && Goes(operand)).bytes;
    }
    return bytes;
  }

  // Of what is saved when the value is no longer made: those that read it save it together.
  int64_t Share(ValueId x, int64_t bytes) const {
    return bytes / static_cast<int64_t>(ReadersOf(x).size());
  }

  // Whether nobody needs a value once the one that reads it, or these conversions, are gone.
  bool Goes(ValueId id) const {
    if (network_.value(id).output_index >= 0) return false;
    const std::vector<int32_t>& readers = ReadersOf(id);
    return readers.size() == 1 || std::all_of(readers.begin(), readers.end(), [&](int32_t reader) {
             const auto* map = old_[static_cast<size_t>(reader)].As<Map>();
             return map != nullptr && IsNarrowing(*map);
           });
  }

  std::optional<std::vector<uint8_t>> FoldedBytes(ValueId x) const {
    const Value& value = network_.value(x);
    if (value.int4) return std::nullopt;
    const size_t in = SizeBytes(to_->in);
    const size_t out = SizeBytes(to_->out);
    // ValueOf knows elements of up to 32 bits.
    if (in > sizeof(uint32_t)) return std::nullopt;
    std::vector<uint8_t> bytes;
    for (size_t at = 0; at < value.constant.size(); at += in) {
      uint32_t element = 0;
      std::memcpy(&element, value.constant.data() + at, in);
      const std::optional<uint32_t> result = ValueOf(*to_, element);
      if (!result) return std::nullopt;
      for (size_t byte = 0; byte < out; ++byte)
        bytes.push_back(static_cast<uint8_t>(*result >> (8 * byte)));
    }
    return bytes;
  }
  bool Folds(ValueId x) const { return FoldedBytes(x).has_value(); }

  // `into`: where it must stand, if not in a value of its own.
  ValueId Make(ValueId x, ValueId into = kNoValue) {
    // Several conversions of one value, by one function, share what is made.
    for (const Made& made : made_) {
      if (made.from != x || !HaveOneFunction(made.map, *to_)) continue;
      if (into == kNoValue) return made.to;
      return AppendCopy(made.to, into);
    }
    const bool goes = goes_ && Goes(x);
    const Choice choice = Choose(x, goes);
    // Under its own name, by which those that compute rows of it know it (region_rows.h).
    if (into == kNoValue && choice.way == Way::kJoin && IsWidenedAlone(x)) {
      const ValueId to = ConversionOf(x)->x;
      made_.push_back({x, *to_, to});
      return to;
    }
    const bool goes_before = std::exchange(goes_, goes);
    const ValueId to = into != kNoValue ? into : AddValue(x, to_->out);
    switch (choice.way) {
      case Way::kFold:
        AddConstant(*FoldedBytes(x), to);
        break;
      case Way::kConvert:
        AppendMap(*to_, x, to);
        break;
      case Way::kJoin: {
        const Map& from = *ConversionOf(x);
        AppendMap(*Joined(from, *to_), from.x, to);
        break;
      }
      case Way::kMove: {
        const Layer& writer = *WriterOf(x);
        auto move = MoveOf(
            writer, to_->out, [&](ValueId operand) { return Make(operand); },
            [&](MovePiece& piece) { piece.fill = *ValueOf(*to_, piece.fill); });
        Append(writer, to, std::move(move));
        break;
      }
    }
    goes_ = goes_before;
    made_.push_back({x, *to_, to});
    return to;
  }

  // Whether the conversion only takes back how the value was widened.
  bool IsWidenedAlone(ValueId x) const {
    const Map& from = *ConversionOf(x);
    return IsIdentity(*Joined(from, *to_)) &&
           network_.value(from.x).shape == network_.value(x).shape;
  }

  ValueId AppendCopy(ValueId from, ValueId to) {
    auto move = std::make_shared<Move>();
    move->pieces = {{.from = from, .dims = {{static_cast<int32_t>(Elems(from)), 1, 1}}}};
    return Append(*conversion_, to, std::move(move));
  }

  void AppendMap(const Map& function, ValueId x, ValueId to) {
    if (IsIdentity(function)) {
      AppendCopy(x, to);
      return;
    }
    auto map = std::make_shared<Map>(function);
    map->x = x;
    Append(*conversion_, to, std::move(map));
  }

  void AddConstant(std::vector<uint8_t> bytes, ValueId id) {
    Value& value = network_.values[static_cast<size_t>(id)];
    value.owned = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
    value.constant = *value.owned;
  }

  const Layer* conversion_ = nullptr;
  const Map* to_ = nullptr;
  bool goes_ = true;
  std::map<std::pair<ValueId, bool>, Choice> costs_;
  std::vector<Made> made_;
};

// -- Conversions to a wider type -------------------------------------------------------------------

class WidenLast : public ConversionPass {
 public:
  using ConversionPass::ConversionPass;

  void Run() {
    for (const Layer& layer : old_) {
      const Map* map = ConversionBehind(layer);
      if (map == nullptr) {
        network_.layers.push_back(layer);
        continue;
      }
      auto last = std::make_shared<Map>(*map);
      last->x = Make(layer.output, *map);
      Append(layer, layer.output, std::move(last));
    }
    EraseUnread();
  }

 private:
  // The conversion that could follow the moves that make a value, and what is saved before it.
  struct Source {
    const Map* map = nullptr;
    int64_t saved_bytes = 0;
  };

  // The conversion that is better done to what the layer moves; null if there is none.
  const Map* ConversionBehind(const Layer& layer) {
    if (!IsLastMove(layer)) return nullptr;
    const std::optional<Source> source = FindSource(layer.output, /*goes=*/true);
    if (!source) return nullptr;
    const int64_t bytes =
        Elems(layer.output) * (SizeBytes(source->map->in) + SizeBytes(source->map->out));
    return source->saved_bytes > bytes ? source->map : nullptr;
  }

  // Whether it moves for others than moves. Borders and transpositions beside products are taken
  // into these as they are.
  bool IsLastMove(const Layer& layer) const {
    if (!MovedElems(layer, network_)) return false;
    const std::vector<int32_t>& readers = ReadersOf(layer.output);
    const auto reads = [&](auto asks) {
      return std::any_of(readers.begin(), readers.end(),
                         [&](int32_t reader) { return asks(old_[static_cast<size_t>(reader)]); });
    };
    if (layer.As<Move>() != nullptr && reads([](const Layer& reader) {
          return reader.As<Conv>() != nullptr || reader.As<Depthwise>() != nullptr ||
                 reader.As<MatMul>() != nullptr;
        }))
      return false;
    return network_.value(layer.output).output_index >= 0 ||
           reads([&](const Layer& reader) { return !MovedElems(reader, network_); });
  }

  const std::optional<Source>& SourceOf(ValueId x) {
    const auto found = sources_.find(x);
    if (found != sources_.end()) return found->second;
    return sources_[x] = FindSource(x, IsReadOnce(x));
  }

  // `goes`: the value is not made any more when it follows the moves.
  std::optional<Source> FindSource(ValueId x, bool goes) {
    const Layer* writer = WriterOf(x);
    if (writer == nullptr) return std::nullopt;
    if (const Map* from = ConversionOf(x)) {
      if (!IsWidening(*from)) return std::nullopt;
      const int64_t bytes = Elems(x) * (SizeBytes(from->in) + SizeBytes(from->out));
      return Source{from, goes ? bytes : 0};
    }
    const std::optional<int64_t> moved = MovedElems(*writer, network_);
    if (!moved) return std::nullopt;
    Source source;
    for (ValueId operand : writer->Inputs()) {
      const std::optional<Source>& its = SourceOf(operand);
      if (!its || (source.map != nullptr && !HaveOneFunction(*source.map, *its->map)))
        return std::nullopt;
      source.map = its->map;
      source.saved_bytes += its->saved_bytes;
    }
    if (source.map == nullptr || source.map->out != network_.value(x).dtype) return std::nullopt;
    for (uint32_t fill : FillsOf(*writer)) {
      if (!OperandOf(*source.map, fill)) return std::nullopt;
    }
    source.saved_bytes +=
        *moved * ((goes ? SizeBytes(source.map->out) : 0) - int64_t{SizeBytes(source.map->in)});
    return source;
  }

  ValueId Make(ValueId x, const Map& map) {
    if (const Map* from = ConversionOf(x)) return from->x;
    if (const auto found = made_.find(x); found != made_.end()) return found->second;
    const Layer& writer = *WriterOf(x);
    auto move = MoveOf(
        writer, map.in, [&](ValueId operand) { return Make(operand, map); },
        [&](MovePiece& piece) { piece.fill = *OperandOf(map, piece.fill); });
    return made_[x] = Append(writer, AddValue(x, map.in), std::move(move));
  }

  std::map<ValueId, std::optional<Source>> sources_;
  std::map<ValueId, ValueId> made_;  // from moved values to the same before their conversion
};

}  // namespace

void NarrowMoves(Network& network) {
  NarrowFirst(network).Run();
  WidenLast(network).Run();
}

}  // namespace acme::compiler
