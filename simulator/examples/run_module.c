// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The driver from C: loads a module, runs its first entry point on inputs of ones, prints what it
// cost.
//
//   run_module MODULE [SOC]

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulator/driver/acme_driver.h"

// Reads a whole file; the caller frees it. NULL when it can't be read.
static void* ReadFile(const char* path, size_t* size_bytes) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return NULL;
  char* bytes = NULL;
  size_t used = 0;
  size_t room = 0;
  for (;;) {
    if (used == room) {
      room = room == 0 ? 65536 : 2 * room;
      char* larger = realloc(bytes, room);
      if (larger == NULL) break;
      bytes = larger;
    }
    const size_t count = fread(bytes + used, 1, room - used, file);
    if (count == 0) break;
    used += count;
  }
  fclose(file);
  *size_bytes = used;
  return bytes;
}

// Gives every binding memory: inputs all ones. Returns how many were bound; memory[] is freed by
// the caller.
static AcmeStatus BindAll(AcmeModule* module, AcmeContext* context, size_t count, void** memory) {
  for (size_t i = 0; i < count; ++i) {
    AcmeBindingInfo binding;
    AcmeStatus status = AcmeModuleGetBinding(module, 0, i, &binding);
    if (status != kAcmeOk) return status;
    memory[i] = malloc(binding.size_bytes > 0 ? binding.size_bytes : 1);
    if (memory[i] == NULL) return kAcmeInvalidArgument;
    memset(memory[i], binding.output ? 0 : 1, binding.size_bytes);
    status = AcmeContextBind(context, i, memory[i], binding.size_bytes);
    if (status != kAcmeOk) return status;
  }
  return kAcmeOk;
}

// Submits a run, waits for it and prints its counters.
static AcmeStatus RunAndReport(AcmeContext* context) {
  AcmeRunOptions options = {0};
  options.struct_size = sizeof(options);
  options.check_races = true;
  AcmeFence* fence = NULL;
  AcmeStatus status = AcmeContextSubmit(context, &options, &fence);
  if (status != kAcmeOk) return status;
  status = AcmeFenceWait(fence, -1);
  AcmeFenceRelease(fence);
  if (status != kAcmeOk) return status;
  AcmeCounters counters = {0};
  counters.struct_size = sizeof(counters);
  status = AcmeContextGetCounters(context, &counters);
  if (status != kAcmeOk) return status;
  printf("%" PRIu64 " cycles, %" PRIu64 " multiply-accumulates, %.3f uJ\n", counters.cycles,
         counters.macs, counters.energy_pj * 1e-6);
  for (size_t e = 0; e < kAcmeEngineCount; ++e) {
    printf("  %-8s busy %" PRIu64 "\n", AcmeEngineName(e), counters.busy_cycles[e]);
  }
  return kAcmeOk;
}

static AcmeStatus RunModule(const char* path, const char* soc_model) {
  size_t size_bytes = 0;
  void* bytes = ReadFile(path, &size_bytes);
  AcmeDevice* device = NULL;
  AcmeModule* module = NULL;
  AcmeContext* context = NULL;
  AcmeEntryInfo entry = {0};
  AcmeStatus status = AcmeDeviceOpen(soc_model, &device);
  if (status == kAcmeOk) status = AcmeModuleLoad(device, bytes, size_bytes, &module);
  free(bytes);
  if (status == kAcmeOk) status = AcmeModuleGetEntry(module, 0, &entry);
  if (status == kAcmeOk) status = AcmeContextCreate(module, 0, &context);
  void** memory = calloc(entry.binding_count + 1, sizeof(void*));
  if (status == kAcmeOk && memory != NULL)
    status = BindAll(module, context, entry.binding_count, memory);
  if (status == kAcmeOk) status = RunAndReport(context);
  if (status != kAcmeOk)
    fprintf(stderr, "%s: %s: %s\n", path, AcmeStatusName(status), AcmeLastError());
  AcmeContextDestroy(context);
  for (size_t i = 0; memory != NULL && i < entry.binding_count; ++i) free(memory[i]);
  free(memory);
  AcmeModuleUnload(module);
  AcmeDeviceClose(device);
  return status;
}

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: run_module MODULE [SOC]\n");
    return 2;
  }
  return RunModule(argv[1], argc == 3 ? argv[2] : NULL) == kAcmeOk ? 0 : 1;
}
