// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The C API for libraries of abi 2.2: each function calls the member of the host's table. Without a
// table, or where the host left the member null, kLiteRtStatusErrorUnsupported.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "litert/c/litert_builder.h"
#include "litert/c/litert_environment.h"
#include "litert/c/litert_environment_options.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_model.h"
#include "litert/c/litert_op_options.h"
#include "litert/c/litert_opaque_options.h"
#include "litert/c/litert_options.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "npukit/abi.h"
#include "sdk/host/c_api/support/host_table.h"

namespace {

// -- The host's tables, brought to the layout that this library was compiled with ------------------

constexpr const char* kCompilerFunctions[] = {
#define CONTEXT_FUNCTION(result, member, function, parameters, arguments) #function,
#include "litert/c/internal/litert_compiler_context.def"
};
constexpr const char* kRuntimeFunctions[] = {
#define CONTEXT_FUNCTION(result, member, function, parameters, arguments) #function,
#include "litert/c/internal/litert_runtime_context.def"
};
constexpr npukit_host_table::Layout kCompilerLayout = {
    kCompilerFunctions, std::size(kCompilerFunctions), 1048, 37, 130};
constexpr npukit_host_table::Layout kRuntimeLayout = {kRuntimeFunctions,
                                                      std::size(kRuntimeFunctions), 400, 48, 48};

// As many tables as hosts were seen: one, as a rule. They last as long as the library.
template <typename Context>
class Tables {
 public:
  LiteRtStatus Use(const void* source, const npukit_host_table::Layout& layout) {
    // The common case, without the mutex: entries are never changed or removed.
    const Entry* const current = current_;
    if (current != nullptr && current->source == source) return kLiteRtStatusOk;
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& entry : entries_) {
      if (entry->source != source) continue;
      current_ = entry.get();
      return kLiteRtStatusOk;
    }
    auto entry = std::make_unique<Entry>();
    entry->source = source;
    // All members are there, those that the host lacks as null: who calls looks for that.
    entry->context.abi_header = {sizeof(Context), 1, 0, 0};
    static_assert(sizeof(Context) % sizeof(void*) == 0);
    const LiteRtStatus status =
        npukit_host_table::Read(source, layout, reinterpret_cast<void**>(&entry->context) + 1);
    if (status != kLiteRtStatusOk) return status;
    current_ = entry.get();
    entries_.push_back(std::move(entry));
    return kLiteRtStatusOk;
  }

  const Context* current() const {
    const Entry* const entry = current_;
    return entry != nullptr ? &entry->context : nullptr;
  }

 private:
  struct Entry {
    const void* source = nullptr;
    Context context = {};
  };
  std::mutex mutex_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::atomic<const Entry*> current_ = nullptr;
};

Tables<LiteRtCompilerContext> compiler_tables;
Tables<LiteRtRuntimeContext> runtime_tables;

}  // namespace

extern "C" {

LiteRtStatus NpukitUseCompilerContext(const LiteRtCompilerContext* context) {
  return compiler_tables.Use(context, kCompilerLayout);
}
LiteRtStatus NpukitUseRuntimeContext(const LiteRtRuntimeContext* context) {
  return runtime_tables.Use(context, kRuntimeLayout);
}
bool NpukitPatternsGetContext(const LiteRtCompilerContext* context) {
  constexpr size_t kBytesWithBuilder = 1104;
  return npukit_host_table::SizeByHeader(context) >= kBytesWithBuilder;
}

#define NONE_LiteRtStatus kLiteRtStatusErrorUnsupported
#define NONE_void

// -- Functions that both tables have: see below ---------------------------------------------------

#define LiteRtGetOpaqueOptions CompilerGetOpaqueOptions
#define LiteRtFindOpaqueOptionsData CompilerFindOpaqueOptionsData
#define LiteRtDestroyOptions CompilerDestroyOptions
#define LiteRtGetEnvironmentOptionsValue CompilerGetEnvironmentOptionsValue

#define CONTEXT_FUNCTION(result, member, function, parameters, arguments)   \
  result function parameters {                                              \
    const LiteRtCompilerContext* const table = compiler_tables.current();   \
    if (table == nullptr || table->member == nullptr) return NONE_##result; \
    return table->member arguments;                                         \
  }
#include "litert/c/internal/litert_compiler_context.def"

#undef LiteRtGetOpaqueOptions
#undef LiteRtFindOpaqueOptionsData
#undef LiteRtDestroyOptions
#undef LiteRtGetEnvironmentOptionsValue
#define LiteRtGetOpaqueOptions RuntimeGetOpaqueOptions
#define LiteRtFindOpaqueOptionsData RuntimeFindOpaqueOptionsData
#define LiteRtDestroyOptions RuntimeDestroyOptions
#define LiteRtGetEnvironmentOptionsValue RuntimeGetEnvironmentOptionsValue

#define CONTEXT_FUNCTION(result, member, function, parameters, arguments)   \
  result function parameters {                                              \
    const LiteRtRuntimeContext* const table = runtime_tables.current();     \
    if (table == nullptr || table->member == nullptr) return NONE_##result; \
    return table->member arguments;                                         \
  }
#include "litert/c/internal/litert_runtime_context.def"

#undef LiteRtGetOpaqueOptions
#undef LiteRtFindOpaqueOptionsData
#undef LiteRtDestroyOptions
#undef LiteRtGetEnvironmentOptionsValue

// -- Functions that both tables have --------------------------------------------------------------

// A compiler plugin has been handed the one table, a dispatch library the other; for a library that
// is both either serves, since the members stand for the same functions.
LiteRtStatus LiteRtGetOpaqueOptions(LiteRtOptions options, LiteRtOpaqueOptions* opaque_options) {
  return compiler_tables.current() != nullptr ? CompilerGetOpaqueOptions(options, opaque_options)
                                              : RuntimeGetOpaqueOptions(options, opaque_options);
}

LiteRtStatus LiteRtFindOpaqueOptionsData(LiteRtOpaqueOptions options,
                                         const char* payload_identifier, void** payload_data) {
  return compiler_tables.current() != nullptr
             ? CompilerFindOpaqueOptionsData(options, payload_identifier, payload_data)
             : RuntimeFindOpaqueOptionsData(options, payload_identifier, payload_data);
}

void LiteRtDestroyOptions(LiteRtOptions options) {
  compiler_tables.current() != nullptr ? CompilerDestroyOptions(options)
                                       : RuntimeDestroyOptions(options);
}

LiteRtStatus LiteRtGetEnvironmentOptionsValue(LiteRtEnvironmentOptions options,
                                              LiteRtEnvOptionTag tag, LiteRtAny* value) {
  return compiler_tables.current() != nullptr
             ? CompilerGetEnvironmentOptionsValue(options, tag, value)
             : RuntimeGetEnvironmentOptionsValue(options, tag, value);
}

// -- Functions that no table has, by others or by name ---------------------------------------------

// Hosts give LITERT_HOST_MEMORY_BUFFER_ALIGNMENT; more can't be asked for in abi 2.2.
LiteRtStatus LiteRtCreateTensorBufferRequirementsWithAlignment(
    int num_supported_tensor_buffer_types,
    const LiteRtTensorBufferType* supported_tensor_buffer_types, size_t buffer_size,
    int num_strides, const uint32_t* strides, size_t alignment,
    LiteRtTensorBufferRequirements* requirements) {
  if (alignment > LITERT_HOST_MEMORY_BUFFER_ALIGNMENT) return kLiteRtStatusErrorUnsupported;
  return LiteRtCreateTensorBufferRequirements(num_supported_tensor_buffer_types,
                                              supported_tensor_buffer_types, buffer_size,
                                              num_strides, strides, requirements);
}

// Some hosts are linked into a program that exports nothing.
LiteRtStatus LiteRtDuplicateTensorBuffer(LiteRtTensorBuffer tensor_buffer) {
  const LiteRtRuntimeContext* const table = runtime_tables.current();
  if (table == nullptr) return kLiteRtStatusErrorUnsupported;
  void* const duplicate = npukit_host_table::FindBeside(
      reinterpret_cast<void*>(table->destroy_tensor_buffer), "LiteRtDuplicateTensorBuffer");
  if (duplicate == nullptr) return kLiteRtStatusErrorUnsupported;
  return reinterpret_cast<decltype(&LiteRtDuplicateTensorBuffer)>(duplicate)(tensor_buffer);
}

// A plugin that is handed models owns none. Unoptimised code refers to this all the same.
void LiteRtDestroyModel(LiteRtModel) {}

}  // extern "C"
