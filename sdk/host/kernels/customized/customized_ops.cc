// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/customized/customized_ops.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/customized/customized_kernel.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

litert::Expected<Inferred> Infer(const Node& node);
litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options);
litert::Expected<void> NoOracle(const Node& node, std::span<const OracleTensor* const> inputs,
                                std::span<OracleTensor> outputs);

// No signature: only the package knows what it takes.
constexpr OperatorParts kPackageParts = {
    .doc = {.formula = "defined by its package", .source = "operator package"},
    .signature = {},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = NoOracle,
    .tolerance = kExactResult};

struct Entry {
  Entry() = default;
  ~Entry() { delete op.parsed.load(); }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  std::weak_ptr<OpSource> source;
  const OpSource* owner = nullptr;
  std::string source_path;
  NpukitOpFactory factory = {};
  Operator op{.parts = kPackageParts};
};

struct Registry {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Entry>, std::less<>> entries;
};

Registry& TheRegistry() {
  static auto* const registry = new Registry;
  return *registry;
}

// The factory that a node's op is made by, with its library held.
litert::Expected<HeldFactory> FactoryOf(const Node& node) {
  const std::string name = CustomizedOpName(*node.op);
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  const auto found = registry.entries.find(name);
  std::shared_ptr<OpSource> source;
  if (found != registry.entries.end()) source = found->second->source.lock();
  if (source == nullptr) return UnsupportedNode(node, "no package offers this operator");
  return HeldFactory{std::move(source), found->second->factory};
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const HeldFactory factory, FactoryOf(node));
  return InferCustomized(node, factory);
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions&) {
  LITERT_ASSIGN_OR_RETURN(HeldFactory factory, FactoryOf(node));
  return PrepareCustomized(node, std::move(factory));
}

litert::Expected<void> NoOracle(const Node& node, std::span<const OracleTensor* const>,
                                std::span<OracleTensor>) {
  return UnsupportedNode(node, "an operator of a package has no oracle");
}

bool HostHas(std::string_view name) {
  const auto operators = AllOperators();
  return std::any_of(operators.begin(), operators.end(),
                     [&](const Operator& op) { return op.composite_name == name; });
}

}  // namespace

OpSource::~OpSource() {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  std::erase_if(registry.entries, [&](const auto& entry) { return entry.second->owner == this; });
}

litert::Expected<void> RegisterOperators(const std::shared_ptr<OpSource>& source,
                                         const std::vector<NpukitOpFactory>& factories) {
  const auto taken = [&](const std::string& name, const std::string& by) {
    return litert::Unexpected(
        kLiteRtStatusErrorAlreadyExists,
        source->path() + ": operator '" + name + "' is offered by " + by + " already");
  };
  SetCustomizedOperatorFinder(FindCustomizedOperator);
  std::map<std::string, std::unique_ptr<Entry>, std::less<>> added;
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  for (const NpukitOpFactory& factory : factories) {
    const std::string name = factory.name;
    if (HostHas(name)) return taken(name, "the host");
    if (added.contains(name)) return taken(name, source->path());
    if (const auto known = registry.entries.find(name); known != registry.entries.end())
      return taken(name, known->second->source_path);
    auto entry = std::make_unique<Entry>();
    entry->source = source;
    entry->owner = source.get();
    entry->source_path = source->path();
    entry->factory = factory;
    added.emplace(name, std::move(entry));
  }
  for (auto& [name, entry] : added) {
    const auto place = registry.entries.emplace(name, std::move(entry)).first;
    place->second->op.name = place->first;
  }
  return {};
}

const Operator* FindCustomizedOperator(std::string_view name) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  const auto found = registry.entries.find(name);
  return found == registry.entries.end() ? nullptr : &found->second->op;
}

std::vector<std::string> CustomizedOperatorNames() {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  std::vector<std::string> names;
  for (const auto& [name, entry] : registry.entries) names.push_back(name);
  return names;
}

}  // namespace npukit::kernels
