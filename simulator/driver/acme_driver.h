// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The Acme NPU's driver: what a runtime links to run compiled modules. C11.
//
// Life of an inference:
//
// 1. AcmeDeviceOpen: a chip; as many as you like, of different kinds.
// 2. AcmeModuleLoad: verifies every byte of the code before it may run.
// 3. AcmeContextCreate: one entry point of the module, with buffers and a scratchpad of its own.
// 4. AcmeContextBind: the caller's memory for each input and output.
// 5. AcmeContextRun; or AcmeContextSubmit and AcmeFenceWait.
// 6. AcmeContextGetCounters: cycles, stalls, bytes, energy of the last run.
// 7. AcmeContextDestroy, AcmeModuleUnload, AcmeDeviceClose.
//
// simulator/examples/run_module.c is a whole program.
//
// Threads: a device and a module may be used from any number of threads at once. A context belongs
// to one thread at a time, except AcmeContextCancel, which may come from any thread. Runs of
// different contexts do not wait for each other.
//
// Errors: every function returns a status, and never crashes on a bad argument, module or program.
// AcmeLastError() tells more, for the calling thread's last failed call. Objects are reference
// counted inside: closing a device before its modules, or a module before its contexts, is safe.

#ifndef NPUKIT_SIMULATOR_DRIVER_ACME_DRIVER_H_
#define NPUKIT_SIMULATOR_DRIVER_ACME_DRIVER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum AcmeStatus {
  kAcmeOk = 0,
  kAcmeInvalidArgument = 1,  // null, out of range, wrong size
  kAcmeInvalidProgram = 2,   // a module or program that the verifier refuses
  kAcmeIncompatible = 3,     // made for another ISA version or SoC
  kAcmeNotFound = 4,         // no such SoC, entry point, file
  kAcmeDeadlock = 5,         // engines wait for semaphores that no instruction posts
  kAcmeCycleBudget = 6,      // more cycles than AcmeRunOptions.cycle_budget
  kAcmeRace = 7,             // check_races found an unordered access
  kAcmeCancelled = 8,
  kAcmeIo = 9,         // a file could not be read or written
  kAcmeTimeout = 10,   // AcmeFenceWait gave up; the run goes on
  kAcmeBusy = 11,      // the context is running
  kAcmeBadIndex = 12,  // the run's data names an element that does not exist
} AcmeStatus;

typedef struct AcmeDevice AcmeDevice;
typedef struct AcmeModule AcmeModule;
typedef struct AcmeContext AcmeContext;
typedef struct AcmeFence AcmeFence;

// The name of a status: "kAcmeOk".
const char* AcmeStatusName(AcmeStatus status);

// Why the calling thread's last failed call failed; "" when none has. Valid until the thread's next
// call.
const char* AcmeLastError(void);

// --- device

// Opens a chip of a built-in model; NULL or "" is acme_a1.
AcmeStatus AcmeDeviceOpen(const char* soc_model, AcmeDevice** device);
// Opens a chip described by a YAML file.
AcmeStatus AcmeDeviceOpenFile(const char* yaml_path, AcmeDevice** device);
void AcmeDeviceClose(AcmeDevice* device);

// Built-in models: their number, and the name of the i-th (NULL when there is none).
size_t AcmeSocModelCount(void);
const char* AcmeSocModelName(size_t index);

typedef struct AcmeDeviceInfo {
  const char* name;  // lives as long as the device
  int64_t clock_mhz;
  int64_t peak_macs_per_cycle;
  int64_t scratchpad_bytes;
  int64_t dram_bytes_per_cycle;
} AcmeDeviceInfo;
AcmeStatus AcmeDeviceGetInfo(AcmeDevice* device, AcmeDeviceInfo* info);

// What a chip may have twice as much of: "array", "vector", ...; NULL when there is no i-th.
const char* AcmeResourceName(size_t index);
// The description, as AcmeDeviceOpenFile reads it, of a chip like the device with twice the resource.
// *size_bytes becomes the text's size with the zero that ends it; the text is written if
// capacity_bytes is at least that, and may be NULL if it is 0. kAcmeNotFound: no such resource;
// kAcmeInvalidArgument: no chip may have as much.
AcmeStatus AcmeDeviceDescribeDoubled(AcmeDevice* device, size_t resource, char* text,
                                     size_t capacity_bytes, size_t* size_bytes);

// --- module

// Copies what it needs; the bytes may be freed after the call.
AcmeStatus AcmeModuleLoad(AcmeDevice* device, const void* bytes, size_t size_bytes,
                          AcmeModule** module);
void AcmeModuleUnload(AcmeModule* module);
// Makes the checksum of a module's bytes right again, in place, after somebody changed others of them:
// so that what the verifier does can be tried. kAcmeInvalidProgram: its tables are damaged.
AcmeStatus AcmeModuleReseal(void* bytes, size_t size_bytes);

typedef struct AcmeEntryInfo {
  const char* name;  // lives as long as the module
  size_t binding_count;
  size_t input_count;
  size_t output_count;
  uint64_t macs;
  uint64_t workspace_bytes;  // of DRAM that a run needs beside constants and bindings
} AcmeEntryInfo;
size_t AcmeModuleEntryCount(AcmeModule* module);
AcmeStatus AcmeModuleGetEntry(AcmeModule* module, size_t index, AcmeEntryInfo* info);
// NULL or "" finds the only entry point of a module that has one.
AcmeStatus AcmeModuleFindEntry(AcmeModule* module, const char* name, size_t* index);

typedef struct AcmeBindingInfo {
  const char* name;  // lives as long as the module
  uint64_t size_bytes;
  bool output;
} AcmeBindingInfo;
// Bindings stand in the order the compiler gave them: inputs first, then outputs, is its business.
AcmeStatus AcmeModuleGetBinding(AcmeModule* module, size_t entry, size_t index,
                                AcmeBindingInfo* info);

// What a debug handle stands for; handle 0 and unknown ones are kAcmeNotFound. op_indices lives as
// long as the module.
AcmeStatus AcmeModuleGetHandle(AcmeModule* module, uint32_t handle, const char** name,
                               const uint32_t** op_indices, size_t* op_count);

// --- context

AcmeStatus AcmeContextCreate(AcmeModule* module, size_t entry, AcmeContext** context);
// Waits for a run under way.
void AcmeContextDestroy(AcmeContext* context);

// Gives the memory of a binding: at least its size_bytes, any alignment, alive until the last run
// is over or it is bound anew. NULL with size 0 unbinds. Outputs may not overlap other bindings.
AcmeStatus AcmeContextBind(AcmeContext* context, size_t binding, void* data, size_t size_bytes);

// Gives the memory of the workspace, in place of the context's own: at least the entry point's
// workspace_bytes, any alignment and contents, apart from all bindings, alive until the last run is
// over or it is given anew. Contexts that never run at the same time may have the same. NULL with
// size 0: the context's own again.
AcmeStatus AcmeContextUseWorkspace(AcmeContext* context, void* data, size_t size_bytes);

// What a run computes.
typedef enum AcmeMode {
  kAcmeFunctionAndTime = 0,
  kAcmeFunctionOnly = 1,  // values; every counter of time is 0
  kAcmeTimeOnly = 2,      // counters; needs no bindings, reads and writes no data
} AcmeMode;

typedef struct AcmeRunOptions {
  size_t struct_size;  // sizeof(AcmeRunOptions): a later driver knows which fields are there
  AcmeMode mode;
  uint64_t cycle_budget;  // 0: 2^40
  bool check_races;       // fail with kAcmeRace at the first access that no semaphore orders
  bool profile;           // keep per-handle counters
  bool trace;             // keep the timeline for AcmeContextWriteTrace
} AcmeRunOptions;

// Runs to the end. options NULL: function and time, nothing else.
AcmeStatus AcmeContextRun(AcmeContext* context, const AcmeRunOptions* options);

// Starts a run and returns. The fence must be released; it stays valid after the context is gone.
AcmeStatus AcmeContextSubmit(AcmeContext* context, const AcmeRunOptions* options,
                             AcmeFence** fence);
// Waits for the run and returns its status. timeout_ms < 0: as long as it takes. 0: only asks.
AcmeStatus AcmeFenceWait(AcmeFence* fence, int64_t timeout_ms);
void AcmeFenceRelease(AcmeFence* fence);

// Makes the run under way, if any, end with kAcmeCancelled soon.
AcmeStatus AcmeContextCancel(AcmeContext* context);

// Forgets counters, trace and the scratchpad's contents. kAcmeBusy while running.
AcmeStatus AcmeContextReset(AcmeContext* context);

// The debug handle at fault when the last run failed; 0 when it is unknown.
uint32_t AcmeContextFailedHandle(AcmeContext* context);

// --- what a run cost

enum { kAcmeEngineCount = 5, kAcmeStallCount = 8 };

// Engines, in the order of the arrays below.
typedef enum AcmeEngine {
  kAcmeEngineCommand = 0,
  kAcmeEngineLoad = 1,
  kAcmeEngineMatrix = 2,
  kAcmeEngineVector = 3,
  kAcmeEngineStore = 4,
} AcmeEngine;

// "load", "bank conflict", ...; NULL when out of range.
const char* AcmeEngineName(size_t engine);
const char* AcmeStallName(size_t stall);

typedef struct AcmeCounters {
  size_t struct_size;  // set by the caller to sizeof(AcmeCounters)
  uint64_t cycles;
  uint64_t instructions;
  uint64_t macs;         // performed, padding included
  uint64_t array_macs;   // of macs, the matrix engine's; depthwise ones are the vector engine's
  uint64_t useful_macs;  // of the source operators, as the compiler counted them
  uint64_t dram_read_bytes;
  uint64_t dram_write_bytes;
  uint64_t scratchpad_bytes;
  uint64_t accumulator_bytes;
  uint64_t roofline_cycles;  // lower bound for any program of the same work, as the compiler gave
                             // it; 0 when it gave none
  double energy_pj;
  double utilisation;  // of the matrix engine: array_macs / (cycles * peak)
  uint64_t busy_cycles[kAcmeEngineCount];
  // busy_cycles[e] plus the sum of stall_cycles[e] is cycles, for each engine.
  uint64_t stall_cycles[kAcmeEngineCount][kAcmeStallCount];
} AcmeCounters;
// Of the last run that ended. kAcmeNotFound before the first.
AcmeStatus AcmeContextGetCounters(AcmeContext* context, AcmeCounters* counters);

typedef struct AcmeHandleProfile {
  uint32_t handle;  // 0: instructions without one
  // Of the timeline: each cycle belongs to one handle, that of the first busy engine of matrix,
  // vector, store and load, or the last one that was. The sum over handles is the run's cycles.
  uint64_t cycles;
  uint64_t busy_cycles[kAcmeEngineCount];
  uint64_t instructions;
  uint64_t macs;
  uint64_t array_macs;  // of macs, the matrix engine's
  uint64_t dram_bytes;
  double energy_pj;
  uint64_t dram_read_bytes;  // of dram_bytes
  // Of `cycles`, those in which an engine did nothing, whoever it waited for.
  uint64_t stall_cycles[kAcmeEngineCount][kAcmeStallCount];
} AcmeHandleProfile;
// Per-handle counters of the last run with options.profile, ascending by handle. They live until
// the next run or reset.
AcmeStatus AcmeContextGetProfile(AcmeContext* context, const AcmeHandleProfile** records,
                                 size_t* count);

// Writes the last run's timeline (options.trace) as Chrome/Perfetto JSON.
AcmeStatus AcmeContextWriteTrace(AcmeContext* context, const char* path);

#ifdef __cplusplus
}
#endif

#endif  // NPUKIT_SIMULATOR_DRIVER_ACME_DRIVER_H_
