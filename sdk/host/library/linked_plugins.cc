// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/library/linked_plugins.h"

#include <fmt/format.h>

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <mutex>
#include <utility>

#include "litert/c/internal/litert_logging.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_linked_in.h"

namespace npukit {
namespace {

constexpr std::string_view kLinkedPrefix = "linked:";

struct LinkedNameOrder {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const {
    return std::lexicographical_compare(
        a.begin(), a.end(), b.begin(), b.end(),
        [](unsigned char x, unsigned char y) { return std::tolower(x) < std::tolower(y); });
  }
};

using LinkedByName = std::map<std::string, std::shared_ptr<const LinkedPlugin>, LinkedNameOrder>;

struct LinkedRegistry {
  std::mutex mutex;
  LinkedByName compilers;
  LinkedByName dispatch;
  std::map<std::pair<int32_t, std::string>, std::string> places;  // by kind and path

  // Null for a number that is no kind.
  LinkedByName* OfKind(int32_t kind) {
    if (kind == kNpukitStaticPluginCompiler) return &compilers;
    return kind == kNpukitStaticPluginDispatch ? &dispatch : nullptr;
  }
};

// Programs register before main, and may ask to its very end.
LinkedRegistry& LinkedPlugins() {
  static auto* const registry = new LinkedRegistry;
  return *registry;
}

litert::Unexpected RefuseLinked(LiteRtStatus status, const char* name, const std::string& why) {
  return litert::Unexpected(
      status, (name == nullptr || *name == '\0' ? "a plugin" : LinkedPath(name)) + ": " + why);
}

litert::Expected<LinkedPlugin> ReadLinkedTable(const NpukitStaticPlugin& plugin) {
  constexpr LiteRtStatus kInvalid = kLiteRtStatusErrorInvalidArgument;
  if (plugin.struct_size < sizeof(NpukitStaticPlugin)) {
    return RefuseLinked(kLiteRtStatusErrorWrongVersion, nullptr,
                        fmt::format("struct_size is {}, expected at least {}", plugin.struct_size,
                                    sizeof(NpukitStaticPlugin)));
  }
  if (plugin.name == nullptr || *plugin.name == '\0') {
    return RefuseLinked(kInvalid, nullptr, "has no name");
  }
  LinkedPlugin read{.name = plugin.name, .symbols = {}};
  if (read.name.find('/') != std::string::npos) {
    return RefuseLinked(kInvalid, plugin.name, "the name has a '/'");
  }
  if (plugin.symbols == nullptr || plugin.num_symbols == 0 ||
      plugin.num_symbols > NPUKIT_STATIC_PLUGIN_MAX_SYMBOLS) {
    return RefuseLinked(kInvalid, plugin.name,
                        fmt::format("{}{}: expected 1 to {}",
                                    (plugin.symbols == nullptr ? "symbols is null, num_symbols "
                                                               : "num_symbols is "),
                                    plugin.num_symbols, NPUKIT_STATIC_PLUGIN_MAX_SYMBOLS));
  }
  for (size_t i = 0; i < plugin.num_symbols; ++i) {
    const NpukitStaticSymbol& symbol = plugin.symbols[i];
    const std::string which = fmt::format("symbol {}", i);
    if (symbol.name == nullptr || *symbol.name == '\0') {
      return RefuseLinked(kInvalid, plugin.name, which + " has no name");
    }
    if (symbol.function == nullptr) {
      return RefuseLinked(kInvalid, plugin.name, which + ", " + symbol.name + ", is null");
    }
    if (!read.symbols.emplace(symbol.name, symbol.function).second) {
      return RefuseLinked(kInvalid, plugin.name, which + ", " + symbol.name + ", is there twice");
    }
  }
  return read;
}

// Until the end of the process. The program itself always is.
void KeepLibraryOf(NpukitStaticFunction function) {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<void*>(function), &info) == 0 || info.dli_fname == nullptr) return;
  // NODELETE is what the call is for; the handle is given back at once.
  if (void* const handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE)) {
    dlclose(handle);
  }
  dlerror();
}

litert::Expected<void> RegisterLinked(const NpukitStaticPlugin* plugin) {
  if (plugin == nullptr) {
    return RefuseLinked(kLiteRtStatusErrorInvalidArgument, nullptr, "the struct is null");
  }
  LITERT_ASSIGN_OR_RETURN(LinkedPlugin read, ReadLinkedTable(*plugin));
  LinkedByName* const of_kind = LinkedPlugins().OfKind(plugin->kind);
  if (of_kind == nullptr) {
    return RefuseLinked(
        kLiteRtStatusErrorInvalidArgument, plugin->name,
        fmt::format("kind {}: expected 1, a compiler plugin, or 2, a dispatch library",
                    plugin->kind));
  }
  const NpukitStaticFunction first = plugin->symbols[0].function;
  // Shared with those who have found it: unregistering takes the name away, not the functions under
  // a plugin that is in use.
  const auto shared = std::make_shared<const LinkedPlugin>(std::move(read));
  {
    const std::lock_guard lock(LinkedPlugins().mutex);
    if (!of_kind->emplace(shared->name, shared).second) {
      return RefuseLinked(kLiteRtStatusErrorAlreadyExists, plugin->name,
                          std::string("there is a ") +
                              (plugin->kind == kNpukitStaticPluginCompiler ? "compiler plugin"
                                                                           : "dispatch library") +
                              " of this name already");
    }
  }
  KeepLibraryOf(first);
  return {};
}

constexpr std::string_view kLinkedByQueryVariable = "LiteRtStaticLinkedDispatchQueryInterface";

// What a program sets to its dispatch library's entry: the variable's name, and the symbol that
// stands for in a file.
struct VariableOfProgram {
  std::string_view name;
  const char* symbol;
  NpukitStaticFunction value;
};
std::array<VariableOfProgram, 2> VariablesOfProgram() {
  return {{{kLinkedByQueryVariable, "LiteRtDispatchQueryInterface",
            reinterpret_cast<NpukitStaticFunction>(LiteRtStaticLinkedDispatchQueryInterface)},
           {kLinkedByVariable, "LiteRtDispatchGetApi",
            reinterpret_cast<NpukitStaticFunction>(LiteRtStaticLinkedDispatchGetApi)}}};
}

}  // namespace

std::string LinkedPath(std::string_view name) {
  return std::string(kLinkedPrefix) + std::string(name);
}

std::string_view LinkedName(std::string_view path) {
  if (!path.starts_with(kLinkedPrefix) || path.find('/') != std::string_view::npos) return {};
  return path.substr(kLinkedPrefix.size());
}

std::vector<std::string> LinkedPaths(NpukitStaticPluginKind kind) {
  const std::lock_guard lock(LinkedPlugins().mutex);
  std::vector<std::string> paths;
  if (kind == kNpukitStaticPluginDispatch) {
    for (const VariableOfProgram& variable : VariablesOfProgram()) {
      if (variable.value != nullptr) paths.push_back(LinkedPath(variable.name));
    }
  }
  for (const auto& [name, plugin] : *LinkedPlugins().OfKind(kind))
    paths.push_back(LinkedPath(name));
  return paths;
}

void SetPlaceOfLinked(NpukitStaticPluginKind kind, std::string_view name, std::string place) {
  const std::lock_guard lock(LinkedPlugins().mutex);
  LinkedPlugins().places[{kind, LinkedPath(name)}] = std::move(place);
}

std::string PlaceOf(NpukitStaticPluginKind kind, const std::string& path) {
  const std::lock_guard lock(LinkedPlugins().mutex);
  const auto found = LinkedPlugins().places.find({kind, path});
  return found == LinkedPlugins().places.end() ? path : found->second;
}

std::shared_ptr<const LinkedPlugin> FindLinked(NpukitStaticPluginKind kind, std::string_view path) {
  for (const VariableOfProgram& variable : VariablesOfProgram()) {
    if (kind != kNpukitStaticPluginDispatch || LinkedName(path) != variable.name) continue;
    if (variable.value == nullptr) return nullptr;
    return std::make_shared<const LinkedPlugin>(LinkedPlugin{
        .name = std::string(variable.name), .symbols = {{variable.symbol, variable.value}}});
  }
  const std::lock_guard lock(LinkedPlugins().mutex);
  const LinkedByName& of_kind = *LinkedPlugins().OfKind(kind);
  const auto found = of_kind.find(LinkedName(path));
  return found == of_kind.end() ? nullptr : found->second;
}

}  // namespace npukit

extern "C" {

LiteRtStatus (*LiteRtStaticLinkedDispatchGetApi)(LiteRtDispatchApi* api) = nullptr;
LiteRtStatus (*LiteRtStaticLinkedDispatchQueryInterface)(int interface_id, LiteRtApiVersion version,
                                                         const void** interface_table) = nullptr;

LiteRtStatus NpukitRegisterStaticPlugin(const NpukitStaticPlugin* plugin) {
  const auto registered = npukit::RegisterLinked(plugin);
  if (registered) return kLiteRtStatusOk;
  LITERT_LOG(LITERT_ERROR, "NpukitRegisterStaticPlugin: %s", registered.Error().Message().c_str());
  return registered.Error().Status();
}

LiteRtStatus NpukitUnregisterStaticPlugin(int32_t kind, const char* name) {
  npukit::LinkedByName* const of_kind = npukit::LinkedPlugins().OfKind(kind);
  if (of_kind == nullptr || name == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const std::lock_guard lock(npukit::LinkedPlugins().mutex);
  return of_kind->erase(name) != 0 ? kLiteRtStatusOk : kLiteRtStatusErrorNotFound;
}

LiteRtStatus NpukitGetStaticPluginName(int32_t kind, size_t position, char* buffer, size_t size) {
  const npukit::LinkedByName* const of_kind = npukit::LinkedPlugins().OfKind(kind);
  if (of_kind == nullptr || buffer == nullptr || size == 0) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  const std::lock_guard lock(npukit::LinkedPlugins().mutex);
  if (position >= of_kind->size()) return kLiteRtStatusErrorIndexOOB;
  const std::string& name = std::next(of_kind->begin(), static_cast<ptrdiff_t>(position))->first;
  buffer[name.copy(buffer, size - 1)] = '\0';
  return kLiteRtStatusOk;
}

}  // extern "C"
