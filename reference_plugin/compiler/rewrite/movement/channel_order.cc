// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/movement/channel_order.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/movement/channel_moves.h"

namespace acme::compiler {
namespace {

using Order = std::vector<int32_t>;  // by new place: the channel that stood elsewhere

Order Unchanged(int32_t channels) {
  Order order(static_cast<size_t>(channels));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// By old place: the new one.
Order Inverse(const Order& order) {
  Order inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    inverse[static_cast<size_t>(order[i])] = static_cast<int32_t>(i);
  return inverse;
}

bool HasPlainWeights(const Conv& conv, const Network& network) {
  return network.value(conv.w).is_constant() && !network.value(conv.w).int4;
}

// Whether it may compute its channels in another order.
bool CanReorderResults(const Conv& conv, const Network& network) {
  const bool bias_is_known = conv.bias == kNoValue || network.value(conv.bias).is_constant();
  return HasPlainWeights(conv, network) && bias_is_known && !conv.ScalesSums() &&
         conv.row_factors == kNoValue && !conv.residual && conv.table.empty() &&
         conv.part.is_whole() && conv.first_out == 0 && conv.end_out == 0;
}

// Whether it may meet the channels of `x` in another order.
bool CanReorderOperand(const Conv& conv, ValueId x, const Network& network) {
  const std::vector<ValueId> operands = conv.Operands();
  return conv.x == x && std::ranges::count(operands, x) == 1 && conv.part.x_channels == 0 &&
         HasPlainWeights(conv, network) && conv.in_c == ChannelsOf(network.value(x));
}

// Runs of elements, `count` groups of one for each of the order.
std::vector<uint8_t> Reordered(std::span<const uint8_t> bytes, size_t count, const Order& order) {
  const size_t run = bytes.size() / (count * order.size());
  std::vector<uint8_t> result;
  result.reserve(bytes.size());
  for (size_t group = 0; group < count; ++group) {
    const auto from = bytes.subspan(group * order.size() * run);
    for (const int32_t place : order) {
      const auto one = from.subspan(static_cast<size_t>(place) * run, run);
      result.insert(result.end(), one.begin(), one.end());
    }
  }
  return result;
}

template <class T>
void ReorderEach(std::vector<T>& of_channels, const Order& order) {
  if (of_channels.size() != order.size()) return;  // one for all
  std::vector<T> result;
  for (const int32_t place : order) result.push_back(of_channels[static_cast<size_t>(place)]);
  of_channels = std::move(result);
}

class ChannelOrders {
 public:
  explicit ChannelOrders(Network& network)
      : network_(network), uses_(network), sources_(network.values.size()) {}

  void Run() {
    FindSources();
    if (moved_.empty()) return;
    ChooseOrders();
    if (Accesses(/*reordered=*/true) >= Accesses(/*reordered=*/false)) return;
    for (Layer& layer : network_.layers) {
      if (sources_[At(layer.output)]) {
        layer.op = std::make_shared<Move>(MoveOf(layer.output, /*reordered=*/true));
      } else if (const auto* conv = layer.As<Conv>()) {
        Reorder(*conv, layer);
      }
    }
  }

 private:
  static size_t At(ValueId id) { return static_cast<size_t>(id); }

  // A channel that a layer other than a move makes.
  using Root = ChannelSource;

  void FindSources() {
    for (const Layer& layer : network_.layers) {
      const auto* move = layer.As<Move>();
      if (move == nullptr) continue;
      auto sources = ChannelSources(*move, layer.output, network_);
      if (!sources || uses_.shared[At(layer.output)]) continue;
      moved_.push_back(layer.output);
      sources_[At(layer.output)] = std::move(sources);
    }
  }

  // Whether all who read the value go by any order of its channels.
  bool ReadersAreFree(ValueId id) const {
    return uses_.AreLayersAlone(network_, id) &&
           std::ranges::all_of(uses_.readers[At(id)], [&](int32_t at) {
             const Layer& reader = network_.layers[static_cast<size_t>(at)];
             if (reader.As<Move>() != nullptr) return sources_[At(reader.output)].has_value();
             const auto* conv = reader.As<Conv>();
             return conv != nullptr && CanReorderOperand(*conv, id, network_);
           });
  }

  // Whether a convolution makes the value in any order, or a move, each channel once.
  bool IsFree(ValueId id) const {
    const int32_t writer = uses_.writer[At(id)];
    if (writer < 0 || !ReadersAreFree(id)) return false;
    if (sources_[At(id)]) {
      std::set<std::pair<ValueId, int32_t>> seen;
      return std::ranges::all_of(RootsOf(id), [&](const Root& root) {
        return seen.insert({root.value, root.channel}).second;
      });
    }
    const auto* conv = network_.layers[static_cast<size_t>(writer)].As<Conv>();
    return conv != nullptr && network_.layers[static_cast<size_t>(writer)].output == id &&
           conv->out_c == ChannelsOf(network_.value(id)) && CanReorderResults(*conv, network_);
  }

  // Of a moved value, by channel. Values whose order is fixed are roots of their own.
  std::vector<Root> RootsOf(ValueId id) const {
    std::vector<Root> roots = *sources_[At(id)];
    for (Root& root : roots) {
      const auto it = roots_.find(root.value);
      if (it != roots_.end()) root = it->second[static_cast<size_t>(root.channel)];
    }
    return roots;
  }

  // What is moved of each channel of a root, in the layers' order: channels that go the same way have the same.
  using Way = std::vector<uint8_t>;

  void ChooseOrders() {
    std::vector<ValueId> free;
    for (const ValueId id : moved_) {
      if (!IsFree(id)) continue;
      const std::vector<Root>& roots = roots_[id] = RootsOf(id);
      for (const Root& root : roots) {
        auto& of_root = ways_[root.value];
        of_root.resize(static_cast<size_t>(ChannelsOf(network_.value(root.value))));
        Way& way = of_root[static_cast<size_t>(root.channel)];
        way.resize(free.size() + 1);
        way[free.size()] = 1;
      }
      free.push_back(id);
    }
    for (auto& [root, ways] : ways_) {
      std::vector<Root> channels;
      for (Way& way : ways) {
        way.resize(free.size());
        channels.push_back({root, static_cast<int32_t>(channels.size())});
      }
      if (IsFree(root)) orders_[root] = OrderOf(channels, 0);
    }
    for (size_t i = 0; i < free.size(); ++i) orders_[free[i]] = OrderOf(roots_[free[i]], i + 1);
    for (const auto& [value, order] : orders_) places_[value] = Inverse(order);
  }

  // Those that go the same way from the `begin`-th moved value on side by side; of these, those of one root, in its
  // order.
  Order OrderOf(const std::vector<Root>& roots, size_t begin) const {
    std::map<ValueId, size_t> first;
    for (const Root& root : roots) first.emplace(root.value, first.size());
    Order order = Unchanged(static_cast<int32_t>(roots.size()));
    std::ranges::stable_sort(order, [&](int32_t a, int32_t b) {
      const Root& one = roots[static_cast<size_t>(a)];
      const Root& other = roots[static_cast<size_t>(b)];
      const std::span<const uint8_t> way = std::span(WayOf(one)).subspan(begin);
      const std::span<const uint8_t> other_way = std::span(WayOf(other)).subspan(begin);
      if (!std::ranges::equal(way, other_way))
        return std::ranges::lexicographical_compare(other_way, way);
      return std::pair(first.at(one.value), one.channel) <
             std::pair(first.at(other.value), other.channel);
    });
    return order;
  }

  const Way& WayOf(const Root& root) const {
    return ways_.at(root.value)[static_cast<size_t>(root.channel)];
  }

  Move MoveOf(ValueId output, bool reordered) const {
    std::vector<ChannelSource> sources = *sources_[At(output)];
    if (reordered) {
      const auto it = orders_.find(output);
      if (it != orders_.end()) ReorderEach(sources, it->second);
      for (ChannelSource& source : sources) {
        const auto places = places_.find(source.value);
        if (places != places_.end())
          source.channel = places->second[static_cast<size_t>(source.channel)];
      }
    }
    return MoveOfChannels(sources, output, network_);
  }

  int64_t Accesses(bool reordered) const {
    int64_t accesses = 0;
    for (const ValueId id : moved_) {
      const Value& value = network_.value(id);
      accesses += AccessesOfPixel(MoveOf(id, reordered)) * (value.Elems() / ChannelsOf(value));
    }
    return accesses;
  }

  void Reorder(const Conv& conv, Layer& layer) {
    const auto operand = orders_.find(conv.x);
    const auto result = orders_.find(layer.output);
    if (operand == orders_.end() && result == orders_.end()) return;
    auto reordered = std::make_shared<Conv>(conv);
    if (operand != orders_.end()) {
      const size_t kernels =
          static_cast<size_t>(network_.value(conv.w).Elems()) / static_cast<size_t>(conv.in_c);
      reordered->w = AddReordered(reordered->w, kernels, operand->second);
    }
    if (result != orders_.end()) {
      reordered->w = AddReordered(reordered->w, 1, result->second);
      if (conv.bias != kNoValue) reordered->bias = AddReordered(conv.bias, 1, result->second);
      ReorderEach(reordered->requantize.scales, result->second);
      ReorderEach(reordered->requantize.reals, result->second);
    }
    layer.op = std::move(reordered);
  }

  ValueId AddReordered(ValueId constant, size_t count, const Order& order) {
    Value value = network_.value(constant);
    value.owned =
        std::make_shared<const std::vector<uint8_t>>(Reordered(value.constant, count, order));
    value.constant = *value.owned;
    network_.values.push_back(std::move(value));
    return static_cast<ValueId>(network_.values.size()) - 1;
  }

  Network& network_;
  ValueUses uses_;
  // By value: where its channels come from, if a move of channels makes it.
  std::vector<std::optional<std::vector<ChannelSource>>> sources_;
  std::vector<ValueId> moved_;  // these, in the layers' order
  std::map<ValueId, std::vector<Root>> roots_;
  std::map<ValueId, std::vector<Way>> ways_;  // by root and channel
  std::map<ValueId, Order> orders_;           // of what is reordered
  std::map<ValueId, Order> places_;           // their inverses
};

}  // namespace

void OrderChannels(Network& network) { ChannelOrders(network).Run(); }

}  // namespace acme::compiler
