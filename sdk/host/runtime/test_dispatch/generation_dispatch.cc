// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A dispatch library of the release of LiteRT that NPUKIT_TEST_GENERATION names, by what its tables
// and functions are like: 210 (2.1.0, 2.1.1), 212, 213, 214, 215 (2.1.5, 2.1.6), 216 (main of July 2026: as
// 215, but the host's table has a header), 220, or 230 (main of
// September 2026, whose tables are queried). It does nothing but see that each call brings what that
// release's calls bring.
//
// NPUKIT_TEST_TABLE says what is special about the basic table: of 230 one of LiteRT's own cases of
// compatibility; of 220 what follows the functions that all releases have.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "litert/c/internal/litert_runtime_context.h"
#include "litert/c/litert_environment.h"
#include "litert/c/litert_environment_options.h"
#include "litert/c/litert_profiler_types.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/vendors/c/litert_dispatch_api.h"

#define NPUKIT_TEST_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

[[maybe_unused]] constexpr int kGeneration = NPUKIT_TEST_GENERATION;
#if !defined(NPUKIT_TEST_TABLE)
#define NPUKIT_TEST_TABLE "plain"
#endif
[[maybe_unused]] constexpr bool IsTable(std::string_view name) { return name == NPUKIT_TEST_TABLE; }

class Device {};
Device device;

// 0 when something else than this release's arguments arrived.
bool as_expected = true;
bool initialized = false;

LiteRtDispatchDeviceContext Handle() {
  return reinterpret_cast<LiteRtDispatchDeviceContext>(&device);
}

// Whether the options tell where the dispatch libraries are, as the host's do; not to a library
// that is linked in, which lies nowhere.
template <typename Get>
bool HasDirectory(LiteRtEnvironmentOptions options, Get get_value) {
  LiteRtAny value = {};
  const LiteRtStatus status = get_value(options, kLiteRtEnvOptionTagDispatchLibraryDir, &value);
#if defined(NPUKIT_TEST_LINKED)
  return status == kLiteRtStatusErrorNotFound;
#else
  return status == kLiteRtStatusOk && value.type == kLiteRtAnyTypeString;
#endif
}

#if NPUKIT_TEST_GENERATION >= 215
const LiteRtRuntimeContext* Table(const void* context) {
  // Before 2.2.0 it starts with its first function.
  const size_t shift = kGeneration == 215 ? sizeof(LiteRtAbiHeader) : 0;
  return reinterpret_cast<const LiteRtRuntimeContext*>(static_cast<const char*>(context) - shift);
}

LiteRtStatus Initialize(const void* context, LiteRtEnvironment environment, LiteRtOptions) {
  LiteRtEnvironmentOptions options = nullptr;
  const LiteRtRuntimeContext* const host = Table(context);
  as_expected = host->get_environment_options(environment, &options) == kLiteRtStatusOk &&
                HasDirectory(options, host->get_environment_options_value);
  initialized = true;
  return kLiteRtStatusOk;
}

LiteRtStatus CreateDevice(const void* context, LiteRtOptions options,
                          LiteRtDispatchDeviceContext* created) {
  as_expected = as_expected && context != nullptr && options != nullptr;
  *created = Handle();
  return kLiteRtStatusOk;
}

LiteRtStatus CreateInvocation(const void* context, LiteRtDispatchDeviceContext of,
                              LiteRtDispatchExecutableType, const LiteRtMemBuffer* bytecode,
                              const char* name, int num_inputs, int num_outputs,
                              LiteRtDispatchInvocationContext* created) {
  as_expected = as_expected && context != nullptr && of == Handle() && bytecode->size == 3 &&
                bytecode->alloc_base_file_offset == 0 && std::strcmp(name, "main") == 0 &&
                num_inputs == 1 && num_outputs == 2;
  *created = reinterpret_cast<LiteRtDispatchInvocationContext>(&device);
  return as_expected ? kLiteRtStatusOk : kLiteRtStatusErrorInvalidArgument;
}
#else
#if NPUKIT_TEST_GENERATION >= 213
LiteRtStatus Initialize(LiteRtEnvironment environment, LiteRtOptions) {
  LiteRtEnvironmentOptions options = nullptr;
  as_expected = LiteRtGetEnvironmentOptions(environment, &options) == kLiteRtStatusOk &&
                HasDirectory(options, LiteRtGetEnvironmentOptionsValue);
  initialized = true;
  return kLiteRtStatusOk;
}
#else
LiteRtStatus Initialize(LiteRtEnvironmentOptions options, LiteRtOptions) {
  as_expected = HasDirectory(options, LiteRtGetEnvironmentOptionsValue);
  initialized = true;
  return kLiteRtStatusOk;
}
#endif

#if NPUKIT_TEST_GENERATION >= 214
LiteRtStatus CreateDevice(LiteRtOptions options, LiteRtDispatchDeviceContext* created) {
  as_expected = as_expected && options != nullptr;
#else
LiteRtStatus CreateDevice(LiteRtDispatchDeviceContext* created) {
#endif
  *created = Handle();
  return kLiteRtStatusOk;
}

LiteRtStatus CreateInvocation(LiteRtDispatchDeviceContext of, LiteRtDispatchExecutableType,
                              const LiteRtMemBuffer* bytecode, const char* name, int num_inputs,
                              int num_outputs, LiteRtDispatchInvocationContext* created) {
  as_expected = as_expected && of == Handle() && bytecode->size == 3 &&
                std::strcmp(name, "main") == 0 && num_inputs == 1 && num_outputs == 2;
  *created = reinterpret_cast<LiteRtDispatchInvocationContext>(&device);
  return as_expected ? kLiteRtStatusOk : kLiteRtStatusErrorInvalidArgument;
}
#endif

[[maybe_unused]] LiteRtStatus CheckCompatibility(LiteRtApiVersion, LiteRtEnvironmentOptions,
                                                 LiteRtOptions) {
  return initialized ? kLiteRtStatusOk : kLiteRtStatusErrorRuntimeFailure;
}

LiteRtStatus GetText(const char** text) {
  *text = as_expected ? "as expected" : "wrong arguments";
  return kLiteRtStatusOk;
}

LiteRtStatus GetCapabilities(int* capabilities) {
  *capabilities = kLiteRtDispatchCapabilitiesBasic;
#if defined(NPUKIT_TEST_SCRATCHPADS)
  constexpr int kScratchpad = 16;
  *capabilities |= kLiteRtDispatchCapabilitiesGraph | kScratchpad;
#endif
  return kLiteRtStatusOk;
}

LiteRtStatus DestroyDevice(LiteRtDispatchDeviceContext destroyed) {
  return destroyed == Handle() ? kLiteRtStatusOk : kLiteRtStatusErrorInvalidArgument;
}

std::string
    calls;  // of the functions that note them, in the order in which they came, for the test
LiteRtStatus DestroyInvocation(LiteRtDispatchInvocationContext) {
  calls += 'D';
  return kLiteRtStatusOk;
}

LiteRtStatus NotCalled() { return kLiteRtStatusErrorUnsupported; }

// What lies behind a table's end, or is no function of that kind.
[[maybe_unused]] LiteRtStatus MustNotBeCalled() { std::abort(); }

// In the order in which they came, for the test.
[[maybe_unused]] std::string hooks;
[[maybe_unused]] void Hook(LiteRtHookType type, const void*, size_t, void* user_data) {
  if (user_data == &device) hooks += static_cast<char>('0' + type);
}
[[maybe_unused]] LiteRtStatus GetHooks(LiteRtDispatchDeviceContext of, LiteRtHook* hook,
                                       void** user_data) {
  if (of != Handle()) return kLiteRtStatusErrorInvalidArgument;
  *hook = Hook;
  *user_data = &device;
  return kLiteRtStatusOk;
}

template <typename Function>
void* Entry(Function* function) {
  return reinterpret_cast<void*>(function);
}

// -- Scratchpads, as LiteRT's builds with them have: two functions behind those of graphs. With
// NPUKIT_TEST_SCRATCHPADS = 0 the library says that it has them, and has not.

#if defined(NPUKIT_TEST_SCRATCHPADS)
template <char kName>
LiteRtStatus Note() {
  calls += kName;
  return kLiteRtStatusOk;
}

LiteRtStatus LoadExecutable(LiteRtDispatchDeviceContext, LiteRtDispatchExecutableType,
                            const LiteRtMemBuffer* bytecode,
                            LiteRtDispatchExecutableHandle* handle) {
  calls += 'L';
  *handle = bytecode->size;
  return kLiteRtStatusOk;
}
LiteRtStatus GraphCreate(LiteRtDispatchDeviceContext, LiteRtDispatchGraph* graph) {
  *graph = reinterpret_cast<LiteRtDispatchGraph>(&device);
  return Note<'G'>();
}
LiteRtStatus CreateFromGraph(LiteRtDispatchDeviceContext, LiteRtDispatchGraph,
                             LiteRtDispatchInvocationContext* created) {
  *created = reinterpret_cast<LiteRtDispatchInvocationContext>(&device);
  return Note<'C'>();
}
[[maybe_unused]] LiteRtStatus GetScratchpad(LiteRtDispatchDeviceContext,
                                            LiteRtDispatchExecutableHandle executable, const char*,
                                            LiteRtTensorBufferRequirements* requirements) {
  calls += 'Q';
  const LiteRtTensorBufferType type = kLiteRtTensorBufferTypeHostMemory;
  // Ten times as many bytes as the module has.
  return LiteRtCreateTensorBufferRequirements(1, &type, 10 * executable, 0, nullptr, requirements);
}
LiteRtStatus RegisterBuffer(LiteRtDispatchDeviceContext, LiteRtTensorBuffer buffer,
                            LiteRtTensorBufferHandle* handle) {
  size_t size_bytes = 0;
  LiteRtGetTensorBufferSize(buffer, &size_bytes);
  calls += "R";
  calls += static_cast<char>('0' + size_bytes / 10);
  *handle = 1;
  return kLiteRtStatusOk;
}

void* graph_interface[] = {
  Entry(GraphCreate),
  Entry(Note<'g'>),  // graph_destroy
  Entry(Note<'n'>),  // add_node
  Entry(Note<'e'>),  // add_edge
  Entry(Note<'i'>),  // connect_node_input
  Entry(Note<'o'>),
  Entry(Note<'I'>),  // connect_graph_input
  Entry(Note<'O'>),
  Entry(LoadExecutable),
  Entry(Note<'l'>),  // unload_executable
  Entry(Note<'f'>),  // assign_node_function
  nullptr,           // annotations
  nullptr,
  nullptr,
  Entry(CreateFromGraph),
  nullptr,
#if NPUKIT_TEST_SCRATCHPADS
  Entry(GetScratchpad),
  Entry(Note<'A'>),  // attach_scratchpad_buffer
#endif
};
__attribute__((used)) void* const behind_graphs[] = {Entry(MustNotBeCalled),
                                                     Entry(MustNotBeCalled)};
constexpr const void* kGraphs = graph_interface;
#else
constexpr const void* kGraphs = nullptr;
#endif

void* interface[] = {
  Entry(Initialize),       //
  Entry(GetText),          // get_vendor_id
  Entry(GetText),          // get_build_id
  Entry(GetCapabilities),  //
  Entry(CreateDevice),     //
  Entry(DestroyDevice),    //
  Entry(NotCalled),        // get_input_requirements
  Entry(NotCalled),        // get_output_requirements
#if defined(NPUKIT_TEST_SCRATCHPADS)
  Entry(RegisterBuffer),  //
  Entry(Note<'u'>),       // unregister_tensor_buffer
#else
  Entry(NotCalled),  // register_tensor_buffer
  Entry(NotCalled),  // unregister_tensor_buffer
#endif
  Entry(CreateInvocation),   //
  Entry(DestroyInvocation),  //
#if NPUKIT_TEST_GENERATION >= 213
  Entry(NotCalled),  // invocation_context_set_scheduling_info
#endif
  Entry(NotCalled),  // attach_input
  Entry(NotCalled),  // attach_output
  Entry(NotCalled),  // detach_input
  Entry(NotCalled),  // detach_output
  Entry(NotCalled),  // invoke
  Entry(NotCalled),  // the five functions of metrics
  Entry(NotCalled),
  Entry(NotCalled),
  Entry(NotCalled),
  Entry(NotCalled),
#if NPUKIT_TEST_GENERATION >= 212
  Entry(CheckCompatibility),
#endif
#if NPUKIT_TEST_GENERATION >= 213
  Entry(NotCalled),  // invocation_context_set_options
#endif
#if NPUKIT_TEST_GENERATION == 220 && defined(NPUKIT_TEST_FABRIC)
  Entry(MustNotBeCalled),  // attach_edge_buffer
  Entry(MustNotBeCalled),  // detach_edge_buffer
#elif NPUKIT_TEST_GENERATION == 220 && defined(NPUKIT_TEST_HOOKS)
  Entry(GetHooks),
#endif
};
#if NPUKIT_TEST_GENERATION == 220
// What lies behind a table of 2.2.0, where main of August looks for hooks.
__attribute__((used)) void* const behind_interface[] = {Entry(MustNotBeCalled)};
#endif

// The function that the test wants null, of these or of those for graphs: "basic 5", "graph 3".
void LeaveOut(std::span<void*> basic) {
  const char* const asked = std::getenv("NPUKIT_TEST_NULL_MEMBER");
  if (asked == nullptr) return;
  const char* const space = std::strchr(asked, ' ');
  const size_t position = std::strtoul(space, nullptr, 10);
  const auto leave_out = [position](std::span<void*> members) {
    if (position >= members.size()) std::abort();
    members[position] = nullptr;
  };
  if (std::string_view(asked).starts_with("basic")) leave_out(basic);
#if defined(NPUKIT_TEST_SCRATCHPADS)
  if (std::string_view(asked).starts_with("graph")) leave_out(graph_interface);
#endif
}

// LiteRtDispatchApi of the release.
struct Api {
#if NPUKIT_TEST_GENERATION >= 220
  LiteRtAbiHeader header;
#endif
  LiteRtApiVersion version;
  const void* interface;
  const void* async;
  const void* graph;
#if NPUKIT_TEST_GENERATION >= 215
  const void* handlers;
#endif
};

}  // namespace

#if NPUKIT_TEST_GENERATION >= 230
namespace {

constexpr uint16_t kBytesBeforeSetOptions = 200;
constexpr uint16_t kBytesOfVersion10 = 232;

struct QueriedInterface {
  LiteRtAbiHeader header = {kBytesOfVersion10, 1, 0, 0};
  void* members[29] = {};
};

QueriedInterface MakeTable() {
  QueriedInterface table;
  std::memcpy(table.members, interface, sizeof(interface));
  constexpr size_t kGetHooks = 25;
  if (IsTable("hooks")) table.members[kGetHooks] = Entry(GetHooks);
  constexpr size_t kSetOptions = 24;
  if (IsTable("older")) table.header.struct_size = kBytesBeforeSetOptions;
  if (IsTable("half_a_member")) table.header.struct_size = kBytesBeforeSetOptions + 4;
  if (IsTable("older") || IsTable("half_a_member"))
    table.members[kSetOptions] = Entry(MustNotBeCalled);
  if (IsTable("newer")) {
    table.header = {sizeof(table), 1, 2, 0};
    table.members[28] = Entry(MustNotBeCalled);
  }
  if (IsTable("wrong_major")) table.header.major_version = 99;
  if (IsTable("small_header")) table.header.struct_size = 4;
  if (IsTable("no_initialize")) table.members[0] = nullptr;
  if (IsTable("header_only")) table.header.struct_size = sizeof(LiteRtAbiHeader);
  LeaveOut(table.members);
  return table;
}

}  // namespace

NPUKIT_TEST_EXPORT LiteRtStatus LiteRtDispatchQueryInterface(int32_t id, LiteRtApiVersion version,
                                                             const void** given) {
  static const QueriedInterface table = MakeTable();
  *given = nullptr;
  if (IsTable("unsupported") || version.major != 1) return kLiteRtStatusErrorUnsupported;
  if (id != 0) return kLiteRtStatusErrorUnsupported;
  if (!IsTable("null")) *given = &table;
  return kLiteRtStatusOk;
}

// For other hosts.
NPUKIT_TEST_EXPORT LiteRtStatus LiteRtDispatchGetApi(LiteRtDispatchApi*) { std::abort(); }
#else
NPUKIT_TEST_EXPORT LiteRtStatus LiteRtDispatchGetApi(LiteRtDispatchApi* api) {
  LeaveOut(interface);
  Api filled = {};
  filled.version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR, LITERT_API_VERSION_PATCH};
  filled.interface = interface;
  filled.graph = kGraphs;
  std::memcpy(static_cast<void*>(api), &filled, sizeof(filled));
  return kLiteRtStatusOk;
}
#endif

NPUKIT_TEST_EXPORT const char* TestCalls() { return calls.c_str(); }
NPUKIT_TEST_EXPORT const char* TestHooks() { return hooks.c_str(); }
