// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/dispatch_generation.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#include "litert/cc/litert_macros.h"
#include "sdk/host/library/queried_table.h"
#include "sdk/host/runtime/dispatch/dispatch_adapters.h"

namespace npukit {
namespace {

// Room for what a library of any release writes, filled beforehand so that it shows how much that
// was: 40 bytes up to 2.1.4, 48 in 2.1.5 and 2.1.6, 56 in 2.2.0.
constexpr size_t kRoomWords = 32;
constexpr unsigned char kUntouchedByte = 0xA5;
constexpr uintptr_t kUntouched = 0xA5A5A5A5A5A5A5A5;
struct Room {
  alignas(16) std::array<uintptr_t, kRoomWords> words;
};

// Places in the answer, in words of 8 bytes. From 2.2.0 on a header moves all by one.
constexpr size_t kVersionWord = 0;
constexpr size_t kInterfaceWord = 2;
constexpr size_t kAsyncWord = 3;
constexpr size_t kGraphWord = 4;
constexpr size_t kHandlersWord = 5;

// Functions in the basic interface of the releases that link the host.
constexpr size_t kFunctions210 = 22;
constexpr size_t kFunctions212 = 23;
constexpr size_t kFunctions213 = 25;
constexpr size_t kFunctionsFabric = 27;
static_assert(sizeof(LiteRtDispatchInterface) == kFunctions213 * sizeof(void*));
// Where 2.1.3 put a function between those of 2.1.2.
constexpr size_t kSchedulingIndex = 12;

uintptr_t Pointer(const Room& room, size_t word) {
  return room.words[word] == kUntouched ? 0 : room.words[word];
}

// Whether something lies at an address that a library in this process brought with it.
bool IsInLibrary(uintptr_t address) {
  Dl_info info = {};
  return address != 0 && dladdr(reinterpret_cast<void*>(address), &info) != 0;
}

litert::Unexpected CannotTell(const std::string& path, const std::string& why) {
  return litert::Unexpected(kLiteRtStatusErrorWrongVersion,
                            fmt::format("{}: {}: {}, so that it can't be told of which release of "
                                        "LiteRT it is",
                                        path, kGetApiFunction, why));
}

// How many functions the table at `interface` has, by the table of symbols of the file in which it
// lies; 0 if that does not say.
size_t CountFunctions(uintptr_t interface) {
  Dl_info info = {};
  link_map* file = nullptr;
  if (dladdr1(reinterpret_cast<void*>(interface), &info, reinterpret_cast<void**>(&file),
              RTLD_DL_LINKMAP) == 0) {
    return 0;
  }
  const bool is_program = file == nullptr || *file->l_name == '\0';
  const auto base = reinterpret_cast<uintptr_t>(info.dli_fbase);
  const std::optional<uint64_t> size_bytes =
      ReadObjectSize(is_program ? "/proc/self/exe" : file->l_name, interface - base);
  return size_bytes ? *size_bytes / sizeof(void*) : 0;
}

// 2.1.0 to 2.1.4, which answer in one layout and differ in the interface.
litert::Expected<DispatchGeneration> GenerationOfAbi21(const PluginLibrary& library,
                                                       uintptr_t interface) {
  const ElfFacts& facts = library.facts();
  switch (CountFunctions(interface)) {
    case kFunctions210:
      return DispatchGeneration::kV210;
    case kFunctions212:
      return DispatchGeneration::kV212;
    case kFunctions213:
    case kFunctionsFabric:
      return DispatchGeneration::kV213;
    default:
      break;  // stripped, or in a larger object
  }
  // initialize gets an environment from 2.1.3 on, its options before.
  if (facts.Imports("LiteRtGetEnvironmentOptions")) return DispatchGeneration::kV213;
  // npukit's headers start with 2.1.4.
  if (facts.ExportsPrefix("NpukitDispatch")) return DispatchGeneration::kV213;
  const auto* const entries = reinterpret_cast<const uintptr_t*>(interface);
  // There stood attach_input before, which no library leaves out.
  if (entries[kSchedulingIndex] == 0) return DispatchGeneration::kV213;
  if (facts.Imports("LiteRtGetEnvironmentOptionsValue")) return DispatchGeneration::kV210;
  return CannotTell(library.path(),
                    library.is_linked()
                        ? "the program has no symbol for its interface"
                        : "the file has no symbol for its interface and does not read its "
                          "environment");
}

litert::Expected<DispatchGeneration> TellGeneration(const PluginLibrary& library,
                                                    const Room& room) {
  const std::string& path = library.path();
  if (!IsInLibrary(Pointer(room, kInterfaceWord))) {
    if (IsInLibrary(Pointer(room, kInterfaceWord + 1))) return DispatchGeneration::kV220;
    if (Pointer(room, kInterfaceWord) != 0) {
      return CannotTell(path, "it gave an interface that lies in no library");
    }
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                              fmt::format("{}: {}: left the basic interface null, in the layout "
                                          "of any release",
                                          path, kGetApiFunction));
  }
  if (room.words[kHandlersWord] != kUntouched) return DispatchGeneration::kV215;
  // What is linked in has no imports of its own.
  if (library.is_linked() || library.facts().ImportsPrefix("LiteRt") ||
      room.words[kGraphWord] != kUntouched) {
    return GenerationOfAbi21(library, room.words[kInterfaceWord]);
  }
  return CannotTell(path, "it wrote no further than its interface and imports nothing of the host");
}

// The functions, as 2.1.4 orders them.
LiteRtDispatchInterface ReadInterface(DispatchGeneration generation, uintptr_t interface) {
  constexpr size_t kWord = sizeof(void*);
  const auto* const from = reinterpret_cast<const char*>(interface);
  LiteRtDispatchInterface read = {};
  auto* const to = reinterpret_cast<char*>(&read);
  if (generation >= DispatchGeneration::kV213) {
    std::memcpy(to, from, kFunctions213 * kWord);
    return read;
  }
  const size_t count = generation == DispatchGeneration::kV210 ? kFunctions210 : kFunctions212;
  std::memcpy(to, from, kSchedulingIndex * kWord);
  std::memcpy(to + (kSchedulingIndex + 1) * kWord, from + kSchedulingIndex * kWord,
              (count - kSchedulingIndex) * kWord);
  return read;
}

// What main of August 2026 put behind the functions of 2.2.0, which has no size to tell by: read only
// if the file's symbols say that the table is as long as that. 27 functions are 2.2.0's with others.
DispatchExtras ReadExtras(uintptr_t interface) {
  constexpr size_t kFunctionsAugust = 26;
  constexpr size_t kFunctionsAugustFabric = 28;
  const size_t count = CountFunctions(interface);
  if (count != kFunctionsAugust && count != kFunctionsAugustFabric) return {};
  const auto* const functions = reinterpret_cast<const uintptr_t*>(interface);
  DispatchExtras extras;
  extras.get_hooks = reinterpret_cast<DispatchExtras::GetHooks>(functions[kFunctions213]);
  if (count == kFunctionsAugustFabric) {
    extras.attach_edge_buffer = reinterpret_cast<DispatchExtras::BindEdge>(functions[26]);
    extras.detach_edge_buffer = reinterpret_cast<DispatchExtras::BindEdge>(functions[27]);
  }
  return extras;
}

// The scratchpads of libraries that were built with them: read only if the file's symbols say that the
// table of graphs is as long as that.
void ReadScratchpads(uintptr_t graph, DispatchExtras& extras) {
  constexpr size_t kFunctionsOfGraph = 16;
  static_assert(sizeof(LiteRtDispatchGraphInterface) == kFunctionsOfGraph * sizeof(void*));
  if (graph == 0 || CountFunctions(graph) != kFunctionsOfGraph + 2) return;
  const auto* const functions = reinterpret_cast<const uintptr_t*>(graph) + kFunctionsOfGraph;
  extras.get_scratchpad_requirements =
      reinterpret_cast<DispatchExtras::GetScratchpad>(functions[0]);
  extras.attach_scratchpad_buffer =
      reinterpret_cast<DispatchExtras::AttachScratchpad>(functions[1]);
}

// -- Queried tables -------------------------------------------------------------------------------

enum QueriedId {
  kQueriedBasic = 0,
  kQueriedAsync = 1,
  kQueriedGraph = 2,
  kQueriedBufferHandlers = 3
};
// Positions behind the header of the basic table: its first 25 functions are those of 2.1.4.
constexpr size_t kGetHooks = 25;
constexpr size_t kAttachEdge = 26;
constexpr size_t kDetachEdge = 27;
// Indices that lie behind the graph table.
constexpr size_t kGetScratchpad = 16;
constexpr size_t kAttachScratchpad = 17;

// As much of a queried table as there is of it, in the layout without a header.
template <typename Plain>
Plain WithoutHeader(const QueriedTable& table) {
  Plain plain = {};
  auto* const to = reinterpret_cast<char*>(&plain);
  for (size_t i = 0; i < sizeof(Plain) / sizeof(void*); ++i) {
    void* const member = table.Find<void*>(i);
    std::memcpy(to + i * sizeof(void*), &member, sizeof(member));
  }
  return plain;
}

// The two tables that a library need not have.
struct QueriedCopies {
  LiteRtDispatchAsyncInterface async = {};
  LiteRtDispatchGraphInterface graph = {};
};

litert::Expected<DispatchTables> QueryDispatchTables(const PluginLibrary& library) {
  const auto query = reinterpret_cast<QueryInterface>(library.Find(kDispatchQueryFunction));
  const auto ask = [&](QueriedId id) {
    return QueriedTable::Query(library.path(), kDispatchQueryFunction, query, id);
  };
  LITERT_ASSIGN_OR_RETURN(const QueriedTable basic, ask(kQueriedBasic));
  DispatchTables tables;
  tables.generation = DispatchGeneration::kQueried;
  tables.version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR, LITERT_API_VERSION_PATCH};
  tables.basic = WithoutHeader<LiteRtDispatchInterface>(basic);
  tables.extras = {.get_hooks = basic.Find<DispatchExtras::GetHooks>(kGetHooks),
                   .attach_edge_buffer = basic.Find<DispatchExtras::BindEdge>(kAttachEdge),
                   .detach_edge_buffer = basic.Find<DispatchExtras::BindEdge>(kDetachEdge)};
  const auto copies = std::make_shared<QueriedCopies>();
  if (const auto async = ask(kQueriedAsync)) {
    copies->async = WithoutHeader<LiteRtDispatchAsyncInterface>(*async);
    tables.async = &copies->async;
  }
  if (const auto graph = ask(kQueriedGraph)) {
    copies->graph = WithoutHeader<LiteRtDispatchGraphInterface>(*graph);
    tables.graph = &copies->graph;
    tables.extras.get_scratchpad_requirements =
        graph->Find<DispatchExtras::GetScratchpad>(kGetScratchpad);
    tables.extras.attach_scratchpad_buffer =
        graph->Find<DispatchExtras::AttachScratchpad>(kAttachScratchpad);
  }
  tables.copies = copies;
  // Its last member holds the types: none of it is of use without them.
  const auto handlers = ask(kQueriedBufferHandlers);
  if (handlers && handlers->size_bytes() >= sizeof(LiteRtCustomTensorBufferHandlersDef)) {
    tables.buffer_handlers =
        static_cast<const LiteRtCustomTensorBufferHandlersDef*>(handlers->table());
  }
  return tables;
}

// -- LiteRtDispatchGetApi -------------------------------------------------------------------------

litert::Expected<DispatchTables> GetDispatchTables(const PluginLibrary& library) {
  const std::string& path = library.path();
  const auto get_api =
      reinterpret_cast<LiteRtStatus (*)(LiteRtDispatchApi*)>(library.Find(kGetApiFunction));
  if (get_api == nullptr) {
    return litert::Unexpected(kLiteRtStatusErrorDynamicLoading,
                              fmt::format("{}: does not export {}", path, kGetApiFunction));
  }
  Room room;
  std::memset(&room, kUntouchedByte, sizeof(room));
  if (const LiteRtStatus status = get_api(reinterpret_cast<LiteRtDispatchApi*>(&room));
      status != kLiteRtStatusOk) {
    return litert::Unexpected(status, fmt::format("{}: {}: gave {}", path, kGetApiFunction,
                                                  litert::internal::StatusString(status)));
  }
  DispatchTables tables;
  LITERT_ASSIGN_OR_RETURN(tables.generation, TellGeneration(library, room));
  const size_t header = tables.generation == DispatchGeneration::kV220 ? 1 : 0;
  std::memcpy(&tables.version, &room.words[kVersionWord + header], sizeof(tables.version));
  tables.basic = ReadInterface(tables.generation, Pointer(room, kInterfaceWord + header));
  if (tables.generation == DispatchGeneration::kV220)
    tables.extras = ReadExtras(Pointer(room, kInterfaceWord + header));
  tables.async =
      reinterpret_cast<const LiteRtDispatchAsyncInterface*>(Pointer(room, kAsyncWord + header));
  tables.graph =
      reinterpret_cast<const LiteRtDispatchGraphInterface*>(Pointer(room, kGraphWord + header));
  ReadScratchpads(Pointer(room, kGraphWord + header), tables.extras);
  // Before 2.2.0 they are laid out otherwise, in ways that nothing tells apart.
  if (tables.generation == DispatchGeneration::kV220) {
    tables.buffer_handlers = reinterpret_cast<const LiteRtCustomTensorBufferHandlersDef*>(
        Pointer(room, kHandlersWord + header));
  }
  return tables;
}

}  // namespace

const char* EntryFunction(const PluginLibrary& library) {
  return library.Find(kDispatchQueryFunction) != nullptr ? kDispatchQueryFunction : kGetApiFunction;
}

std::string AbiName(DispatchGeneration generation) {
  if (generation == DispatchGeneration::kQueried) return "2.3";
  return generation < DispatchGeneration::kV215 ? "2.1" : "2.2";
}

std::string GenerationName(DispatchGeneration generation) {
  switch (generation) {
    case DispatchGeneration::kV210:
      return "LiteRT 2.1.0 to 2.1.1";
    case DispatchGeneration::kV212:
      return "LiteRT 2.1.2";
    case DispatchGeneration::kV213:
      return "LiteRT 2.1.3 to 2.1.4";
    case DispatchGeneration::kV215:
      return "LiteRT 2.1.5 to 2.1.6";
    case DispatchGeneration::kV220:
      return "LiteRT 2.2.0";
    case DispatchGeneration::kQueried:
      return "LiteRT main of September 2026";
  }
  return "unknown";
}

litert::Expected<DispatchTables> ReadDispatchTables(const PluginLibrary& library) {
  LITERT_ASSIGN_OR_RETURN(DispatchTables tables, EntryFunction(library) == kDispatchQueryFunction
                                                     ? QueryDispatchTables(library)
                                                     : GetDispatchTables(library));
  if (!AdaptToAbi21(tables.generation, tables.basic)) {
    return litert::Unexpected(kLiteRtStatusErrorUnsupported,
                              library.path() + ": too many dispatch libraries in this process");
  }
  return tables;
}

}  // namespace npukit
