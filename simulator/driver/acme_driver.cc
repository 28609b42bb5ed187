// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The C face: checks arguments, converts errors, keeps objects alive. Behaviour is in
// loaded_module.cc and execution_context.cc.

#include "simulator/driver/acme_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "simulator/driver/driver_objects.h"
#include "simulator/hw/hardware.h"
#include "simulator/module/module.h"

namespace {

static_assert(kAcmeEngineCount == acme::kEngineCount && kAcmeStallCount == acme::kStallCount);

// Of each thread, so that a call on another thread does not change what this one is about to read.
std::string& LastError() {
  thread_local std::string message;
  return message;
}

AcmeStatus StatusOf(acme::ErrorCode code) {
  switch (code) {
    case acme::ErrorCode::kInvalidArgument:
      return kAcmeInvalidArgument;
    case acme::ErrorCode::kInvalidProgram:
      return kAcmeInvalidProgram;
    case acme::ErrorCode::kIncompatible:
      return kAcmeIncompatible;
    case acme::ErrorCode::kNotFound:
      return kAcmeNotFound;
    case acme::ErrorCode::kDeadlock:
      return kAcmeDeadlock;
    case acme::ErrorCode::kCycleBudget:
      return kAcmeCycleBudget;
    case acme::ErrorCode::kRace:
      return kAcmeRace;
    case acme::ErrorCode::kCancelled:
      return kAcmeCancelled;
    case acme::ErrorCode::kBadIndex:
      return kAcmeBadIndex;
    case acme::ErrorCode::kIo:
      return kAcmeIo;
  }
  return kAcmeInvalidArgument;
}

}  // namespace

namespace acme::driver {

AcmeStatus Fail(AcmeStatus status, std::string message) {
  LastError() = std::move(message);
  return status;
}

AcmeStatus Fail(const Error& error) { return Fail(StatusOf(error.Code()), error.Message()); }

}  // namespace acme::driver

namespace {

using acme::driver::Fail;
using acme::driver::Guarded;

// The fields of options that the caller's version has.
AcmeStatus ReadOptions(const AcmeRunOptions* from, acme::RunOptions& to) {
  if (from == nullptr) return kAcmeOk;
  if (from->struct_size != sizeof(AcmeRunOptions))
    return Fail(kAcmeInvalidArgument, "options.struct_size is wrong");
  switch (from->mode) {
    case kAcmeFunctionAndTime:
      to.mode = acme::RunMode::kFunctionAndTime;
      break;
    case kAcmeFunctionOnly:
      to.mode = acme::RunMode::kFunctionOnly;
      break;
    case kAcmeTimeOnly:
      to.mode = acme::RunMode::kTimeOnly;
      break;
    default:
      return Fail(kAcmeInvalidArgument, "options.mode is unknown");
  }
  if (from->cycle_budget > uint64_t{1} << 60)
    return Fail(kAcmeInvalidArgument, "options.cycle_budget is above 2^60");
  if (from->cycle_budget != 0) to.cycle_budget = static_cast<int64_t>(from->cycle_budget);
  to.check_races = from->check_races;
  to.profile = from->profile;
  to.trace = from->trace;
  return kAcmeOk;
}

template <class T>
bool IsNull(const T* pointer) {
  return pointer == nullptr;
}

#define ACME_CHECK_ARGUMENTS(...)                                                             \
  do {                                                                                        \
    const bool acme_null[] = {__VA_ARGS__};                                                   \
    for (bool null : acme_null) {                                                             \
      if (null) return Fail(kAcmeInvalidArgument, std::string(__func__) + ": null argument"); \
    }                                                                                         \
  } while (false)

AcmeStatus OpenDevice(acme::Expected<acme::Hardware> hardware, AcmeDevice** device) {
  if (!hardware) return Fail(hardware.Error());
  // Modules share the description, and contexts their module: none dangles where they are released
  // in another order than acme_driver.h's.
  *device = new AcmeDevice(std::make_shared<const acme::Hardware>(std::move(*hardware)));
  return kAcmeOk;
}

const acme::ModuleEntry* EntryAt(const AcmeModule* module, size_t index) {
  const auto& entries = module->loaded->module.entries;
  return index < entries.size() ? &entries[index] : nullptr;
}

}  // namespace

extern "C" {

const char* AcmeStatusName(AcmeStatus status) {
  switch (status) {
    case kAcmeOk:
      return "kAcmeOk";
    case kAcmeInvalidArgument:
      return "kAcmeInvalidArgument";
    case kAcmeInvalidProgram:
      return "kAcmeInvalidProgram";
    case kAcmeIncompatible:
      return "kAcmeIncompatible";
    case kAcmeNotFound:
      return "kAcmeNotFound";
    case kAcmeDeadlock:
      return "kAcmeDeadlock";
    case kAcmeCycleBudget:
      return "kAcmeCycleBudget";
    case kAcmeRace:
      return "kAcmeRace";
    case kAcmeCancelled:
      return "kAcmeCancelled";
    case kAcmeIo:
      return "kAcmeIo";
    case kAcmeTimeout:
      return "kAcmeTimeout";
    case kAcmeBusy:
      return "kAcmeBusy";
    case kAcmeBadIndex:
      return "kAcmeBadIndex";
  }
  return "unknown status";
}

const char* AcmeLastError(void) { return LastError().c_str(); }

AcmeStatus AcmeDeviceOpen(const char* soc_model, AcmeDevice** device) {
  ACME_CHECK_ARGUMENTS(IsNull(device));
  return Guarded([&] {
    return OpenDevice(acme::BuiltinHardware(soc_model == nullptr ? "" : soc_model), device);
  });
}

AcmeStatus AcmeDeviceOpenFile(const char* yaml_path, AcmeDevice** device) {
  ACME_CHECK_ARGUMENTS(IsNull(yaml_path), IsNull(device));
  return Guarded([&] { return OpenDevice(acme::ReadHardwareFile(yaml_path), device); });
}

void AcmeDeviceClose(AcmeDevice* device) { delete device; }

size_t AcmeSocModelCount(void) { return acme::BuiltinSocModels().size(); }

const char* AcmeSocModelName(size_t index) {
  const auto models = acme::BuiltinSocModels();
  return index < models.size() ? models[index].data() : nullptr;  // literals, so terminated
}

AcmeStatus AcmeDeviceGetInfo(AcmeDevice* device, AcmeDeviceInfo* info) {
  ACME_CHECK_ARGUMENTS(IsNull(device), IsNull(info));
  const acme::Hardware& hw = *device->hardware;
  *info = {hw.name.c_str(), hw.clock_mhz, hw.PeakMacsPerCycle(), hw.scratchpad_bytes,
           hw.dram_bytes_per_cycle};
  return kAcmeOk;
}

AcmeStatus AcmeModuleLoad(AcmeDevice* device, const void* bytes, size_t size_bytes,
                          AcmeModule** module) {
  ACME_CHECK_ARGUMENTS(IsNull(device), IsNull(bytes), IsNull(module));
  return Guarded([&] {
    auto loaded = device->modules.Load({static_cast<const uint8_t*>(bytes), size_bytes});
    if (!loaded) return Fail(loaded.Error());
    *module = new AcmeModule{std::move(*loaded)};
    return kAcmeOk;
  });
}

void AcmeModuleUnload(AcmeModule* module) { delete module; }

AcmeStatus AcmeModuleReseal(void* bytes, size_t size_bytes) {
  ACME_CHECK_ARGUMENTS(IsNull(bytes));
  return Guarded([&] {
    auto resealed = acme::ResealModule({static_cast<uint8_t*>(bytes), size_bytes});
    return resealed ? kAcmeOk : Fail(resealed.Error());
  });
}

size_t AcmeModuleEntryCount(AcmeModule* module) {
  return module == nullptr ? 0 : module->loaded->module.entries.size();
}

AcmeStatus AcmeModuleGetEntry(AcmeModule* module, size_t index, AcmeEntryInfo* info) {
  ACME_CHECK_ARGUMENTS(IsNull(module), IsNull(info));
  const acme::ModuleEntry* entry = EntryAt(module, index);
  if (entry == nullptr)
    return Fail(kAcmeNotFound, fmt::format("there is no entry point {}", index));
  const size_t outputs =
      static_cast<size_t>(std::count_if(entry->bindings.begin(), entry->bindings.end(),
                                        [](const acme::ModuleBinding& b) { return b.output; }));
  *info = {entry->name.c_str(), entry->bindings.size(), entry->bindings.size() - outputs, outputs,
           entry->macs,         entry->workspace_bytes};
  return kAcmeOk;
}

AcmeStatus AcmeModuleFindEntry(AcmeModule* module, const char* name, size_t* index) {
  ACME_CHECK_ARGUMENTS(IsNull(module), IsNull(index));
  const auto& entries = module->loaded->module.entries;
  if (name == nullptr || name[0] == 0) {
    if (entries.size() != 1) {
      return Fail(kAcmeNotFound,
                  fmt::format("the module has {} entry points; name one", entries.size()));
    }
    *index = 0;
    return kAcmeOk;
  }
  for (size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].name != name) continue;
    *index = i;
    return kAcmeOk;
  }
  return Fail(kAcmeNotFound, fmt::format("there is no entry point {}", name));
}

AcmeStatus AcmeModuleGetBinding(AcmeModule* module, size_t entry, size_t index,
                                AcmeBindingInfo* info) {
  ACME_CHECK_ARGUMENTS(IsNull(module), IsNull(info));
  const acme::ModuleEntry* found = EntryAt(module, entry);
  if (found == nullptr || index >= found->bindings.size()) {
    return Fail(kAcmeNotFound,
                fmt::format("there is no binding {} of entry point {}", index, entry));
  }
  const acme::ModuleBinding& binding = found->bindings[index];
  *info = {binding.name.c_str(), binding.size_bytes, binding.output};
  return kAcmeOk;
}

AcmeStatus AcmeModuleGetHandle(AcmeModule* module, uint32_t handle, const char** name,
                               const uint32_t** op_indices, size_t* op_count) {
  ACME_CHECK_ARGUMENTS(IsNull(module), IsNull(name), IsNull(op_indices), IsNull(op_count));
  const auto& debug = module->loaded->module.debug;
  if (handle == 0 || handle > debug.size())
    return Fail(kAcmeNotFound, fmt::format("there is no handle {}", handle));
  const acme::DebugRecord& record = debug[handle - 1];
  *name = record.name.c_str();
  *op_indices = record.op_indices.data();
  *op_count = record.op_indices.size();
  return kAcmeOk;
}

AcmeStatus AcmeContextCreate(AcmeModule* module, size_t entry, AcmeContext** context) {
  ACME_CHECK_ARGUMENTS(IsNull(module), IsNull(context));
  return Guarded([&] {
    if (EntryAt(module, entry) == nullptr)
      return Fail(kAcmeNotFound, fmt::format("there is no entry point {}", entry));
    *context = new AcmeContext(module->loaded, entry);
    return kAcmeOk;
  });
}

void AcmeContextDestroy(AcmeContext* context) { delete context; }

AcmeStatus AcmeContextBind(AcmeContext* context, size_t binding, void* data, size_t size_bytes) {
  ACME_CHECK_ARGUMENTS(IsNull(context));
  return Guarded([&] {
    if (context->context.Busy()) return Fail(kAcmeBusy, "the context is running");
    acme::Expected<void> bound = context->context.Bind(binding, data, size_bytes);
    return bound ? kAcmeOk : Fail(bound.Error());
  });
}

AcmeStatus AcmeContextUseWorkspace(AcmeContext* context, void* data, size_t size_bytes) {
  ACME_CHECK_ARGUMENTS(IsNull(context));
  return Guarded([&] {
    if (context->context.Busy()) return Fail(kAcmeBusy, "the context is running");
    acme::Expected<void> used = context->context.UseWorkspace(data, size_bytes);
    return used ? kAcmeOk : Fail(used.Error());
  });
}

AcmeStatus AcmeContextRun(AcmeContext* context, const AcmeRunOptions* options) {
  ACME_CHECK_ARGUMENTS(IsNull(context));
  return Guarded([&] {
    if (context->context.Busy()) return Fail(kAcmeBusy, "the context is running");
    acme::RunOptions run;
    if (AcmeStatus status = ReadOptions(options, run); status != kAcmeOk) return status;
    acme::Expected<void> ran = context->context.Run(run);
    return ran ? kAcmeOk : Fail(ran.Error());
  });
}

AcmeStatus AcmeContextSubmit(AcmeContext* context, const AcmeRunOptions* options,
                             AcmeFence** fence) {
  ACME_CHECK_ARGUMENTS(IsNull(context), IsNull(fence));
  return Guarded([&] {
    if (context->context.Busy()) return Fail(kAcmeBusy, "the context is running");
    acme::RunOptions run;
    if (AcmeStatus status = ReadOptions(options, run); status != kAcmeOk) return status;
    auto outcome = context->context.Submit(run);
    if (!outcome) return Fail(outcome.Error());
    *fence = new AcmeFence{std::move(*outcome)};
    return kAcmeOk;
  });
}

AcmeStatus AcmeFenceWait(AcmeFence* fence, int64_t timeout_ms) {
  ACME_CHECK_ARGUMENTS(IsNull(fence));
  return Guarded([&] {
    if (!fence->outcome->Wait(timeout_ms)) return Fail(kAcmeTimeout, "the run is not over yet");
    return fence->outcome->error() ? Fail(*fence->outcome->error()) : kAcmeOk;
  });
}

void AcmeFenceRelease(AcmeFence* fence) { delete fence; }

AcmeStatus AcmeContextCancel(AcmeContext* context) {
  ACME_CHECK_ARGUMENTS(IsNull(context));
  // Not refused while it is busy, as all else is: that is when it is of use.
  context->context.Cancel();
  return kAcmeOk;
}

AcmeStatus AcmeContextReset(AcmeContext* context) {
  ACME_CHECK_ARGUMENTS(IsNull(context));
  return Guarded([&] {
    if (context->context.Busy()) return Fail(kAcmeBusy, "the context is running");
    acme::Expected<void> reset = context->context.Reset();
    return reset ? kAcmeOk : Fail(reset.Error());
  });
}

uint32_t AcmeContextFailedHandle(AcmeContext* context) {
  // The run's thread writes it; Busy() is false only after that is done.
  return context == nullptr || context->context.Busy() ? 0 : context->context.failed_handle();
}

}  // extern "C"
