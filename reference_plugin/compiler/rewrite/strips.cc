// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/strips.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace acme::compiler {
namespace {

constexpr size_t kRowDimension = 1;  // of [batches, rows, columns, channels]

// Layers [first, last] of the network.
struct Chain {
  size_t first = 0;
  size_t last = 0;
};

int64_t RowBytes(const Value& value) { return value.Bytes() / value.shape[kRowDimension]; }

class Splitter {
 public:
  Splitter(const Network& network, const StripLimits& limits)
      : network_(network), limits_(limits), readers_(network.values.size()), result_(network) {
    for (const Layer& layer : network.layers) {
      for (ValueId id : layer.Inputs()) ++readers_[static_cast<size_t>(id)];
    }
    for (const Value& value : network.values) {
      // Storage that others share is not cut.
      if (value.base != kNoValue) ++readers_[static_cast<size_t>(value.base)];
    }
  }

  Network Run() {
    result_.layers.clear();
    for (size_t i = 0; i < network_.layers.size();) {
      Chain chain{i, i};
      while (Continues(chain.last)) ++chain.last;
      const int32_t rows = chain.last > chain.first ? StripRows(chain) : 0;
      if (rows > 0) {
        AddStrips(chain, rows);
      } else {
        for (size_t k = chain.first; k <= chain.last; ++k)
          result_.layers.push_back(network_.layers[k]);
      }
      i = chain.last + 1;
    }
    return std::move(result_);
  }

 private:
  const RowWise* RowsOf(size_t layer) const { return network_.layers[layer].op->AsRowWise(); }
  const Value& Output(size_t layer) const { return network_.value(network_.layers[layer].output); }

  // Whether the layer's result is too large, and only the next layer reads it, row by row.
  bool Continues(size_t layer) const {
    if (layer + 1 >= network_.layers.size()) return false;
    const ValueId id = network_.layers[layer].output;
    const Value& value = network_.value(id);
    const RowWise* next = RowsOf(layer + 1);
    return RowsOf(layer) != nullptr && next != nullptr && next->Image() == id &&
           value.shape.size() == 4 && Output(layer + 1).shape.size() == 4 &&
           value.base == kNoValue && readers_[static_cast<size_t>(id)] == 1 &&
           value.output_index < 0 && value.Bytes() > limits_.value_bytes;
  }

  // The rows of each layer's result that some rows of the chain's result need.
  std::vector<RowRange> RowsNeeded(const Chain& chain, const RowRange& result) const {
    std::vector<RowRange> rows(chain.last - chain.first + 1);
    rows.back() = result;
    for (size_t i = rows.size() - 1; i-- > 0;)
      rows[i] = RowsOf(chain.first + i + 1)->RowsRead(rows[i + 1]);
    return rows;
  }

  int64_t StripBytes(const Chain& chain, int32_t rows) const {
    const int32_t total = Output(chain.last).shape[kRowDimension];
    const int32_t begin = std::min(rows, total - rows);  // a strip inside needs most
    const std::vector<RowRange> needed = RowsNeeded(chain, {begin, begin + rows});
    int64_t bytes = 0;
    for (size_t i = 0; i + 1 < needed.size(); ++i)
      bytes += needed[i].size() * RowBytes(Output(chain.first + i));
    return bytes;
  }

  // The fewest strips that are small enough, evenly high; 0 if there are none.
  int32_t StripRows(const Chain& chain) const {
    const int32_t total = Output(chain.last).shape[kRowDimension];
    for (int32_t strips = 2; strips <= total; ++strips) {
      const int32_t rows = (total + strips - 1) / strips;
      if (StripBytes(chain, rows) <= limits_.strip_bytes) return rows;
    }
    return 0;
  }

  void AddStrips(const Chain& chain, int32_t strip_rows) {
    const int32_t total = Output(chain.last).shape[kRowDimension];
    for (int32_t begin = 0; begin < total; begin += strip_rows) {
      const RowRange result{begin, std::min(begin + strip_rows, total)};
      const std::vector<RowRange> rows = RowsNeeded(chain, result);
      ValueId image = RowsOf(chain.first)->Image();
      RowRange held{0, network_.value(image).shape[kRowDimension]};
      for (size_t i = 0; i < rows.size(); ++i) {
        Layer layer = network_.layers[chain.first + i];
        layer.op = RowsOf(chain.first + i)->Rows(rows[i], image, held);
        layer.output = AddValue(layer.output, rows[i], /*part=*/i + 1 == rows.size());
        layer.strips = static_cast<int32_t>(chain.first);
        image = layer.output;
        held = rows[i];
        result_.layers.push_back(std::move(layer));
      }
    }
  }

  // Some rows of a value: a part of its storage, or a value of its own.
  ValueId AddValue(ValueId whole, const RowRange& rows, bool part) {
    Value value = network_.value(whole);
    const int64_t row_bytes = RowBytes(value);
    value.shape[kRowDimension] = rows.size();
    value.output_index = -1;
    if (part) {
      value.base = whole;
      value.base_offset_bytes = rows.begin * row_bytes;
    }
    result_.values.push_back(std::move(value));
    return static_cast<ValueId>(result_.values.size()) - 1;
  }

  const Network& network_;
  StripLimits limits_;
  std::vector<int32_t> readers_;
  Network result_;
};

}  // namespace

Network SplitIntoStrips(const Network& network, const StripLimits& limits) {
  return Splitter(network, limits).Run();
}

}  // namespace acme::compiler
