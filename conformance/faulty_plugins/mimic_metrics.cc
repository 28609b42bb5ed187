// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/faulty_plugins/fault.h"
#include "conformance/faulty_plugins/mimic_bytecode.h"
#include "conformance/faulty_plugins/mimic_misconduct.h"
#include "conformance/faulty_plugins/mimic_objects.h"
#include "litert/c/litert_any.h"
#include "npukit/delegate_debug.h"
#include "npukit/extensions/reseal.h"
#include "npukit/metrics.h"

class LiteRtDispatchMetricsT {
 public:
  struct Metric {
    std::string name;
    int64_t value;
  };
  std::vector<Metric> all;
};

namespace npukit::conformance::mimic {
namespace {

LiteRtStatus StartMetrics(LiteRtDispatchInvocationContext invocation, int detail_level) {
  if (!IsInvocation(invocation) || detail_level < 0) return kLiteRtStatusErrorInvalidArgument;
  invocation->runs_at_start = invocation->program->runs();
  invocation->metrics_level = detail_level;
  return kLiteRtStatusOk;
}

// A cycle for every byte that goes in or out. To the eye of its metrics a program is one operation.
std::vector<LiteRtDispatchMetricsT::Metric> CollectMetrics(
    const LiteRtDispatchInvocationContextT& invocation) {
  const auto all_runs = static_cast<int64_t>(invocation.program->runs());
  int64_t runs = all_runs - static_cast<int64_t>(invocation.runs_at_start);
  if (Has(Fault::metrics_of_last_run)) runs = std::min<int64_t>(runs, 1);
  int64_t read_bytes = 0;
  for (size_t i = 0; i < invocation.inputs.size(); ++i)
    read_bytes += static_cast<int64_t>(invocation.program->InputBytes(i));
  int64_t cycles = read_bytes;
  for (size_t i = 0; i < invocation.outputs.size(); ++i)
    cycles += static_cast<int64_t>(invocation.program->OutputBytes(i));
  cycles *= runs;
  static std::atomic<int64_t> measurements = 0;
  if (Has(Fault::cycles_vary)) cycles += ++measurements;
  std::vector<LiteRtDispatchMetricsT::Metric> metrics;
  const bool is_total = invocation.metrics_level == NPUKIT_METRICS_DETAIL_TOTALS;
  if (is_total || !Has(Fault::level_without_totals))
    metrics = {{NPUKIT_METRIC_INVOCATIONS, runs}, {NPUKIT_METRIC_CYCLES, cycles}};
  if (!is_total) {
    metrics.push_back({"op/mimic/cycles", cycles});
    metrics.push_back({"op/mimic/bytes_read",
                       read_bytes * (Has(Fault::op_metrics_of_all_runs) ? all_runs : runs)});
    if (Has(Fault::metric_twice)) metrics.push_back(metrics.back());
  }
  if (Has(Fault::nameless_metric)) metrics.front().name.clear();
  return metrics;
}

LiteRtStatus StopMetrics(LiteRtDispatchInvocationContext invocation, LiteRtDispatchMetrics* out) {
  if (!IsInvocation(invocation) || out == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if (invocation->metrics_level >= NPUKIT_METRICS_DETAIL_TRACE) LeakWithTrace();
  auto metrics = std::make_unique<LiteRtDispatchMetricsT>();
  metrics->all = CollectMetrics(*invocation);
  *out = metrics.release();
  return kLiteRtStatusOk;
}

LiteRtStatus GetNumMetrics(LiteRtDispatchMetrics metrics, int* count) {
  if (metrics == nullptr || count == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *count = static_cast<int>(metrics->all.size());
  return kLiteRtStatusOk;
}

LiteRtStatus GetMetric(LiteRtDispatchMetrics metrics, int index, LiteRtMetric* metric) {
  if (metrics == nullptr || metric == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const auto count = static_cast<int>(metrics->all.size());
  if (Has(Fault::metric_index_unchecked)) index = std::clamp(index, 0, count - 1);
  if (index < 0 || index >= count) return kLiteRtStatusErrorIndexOOB;
  const auto& found = metrics->all[static_cast<size_t>(index)];
  metric->name = found.name.c_str();
  metric->value.type = kLiteRtAnyTypeInt;
  metric->value.int_value = found.value;
  return kLiteRtStatusOk;
}

LiteRtStatus DestroyMetrics(LiteRtDispatchMetrics metrics) {
  if (metrics == nullptr) return kLiteRtStatusErrorInvalidArgument;
  delete metrics;
  return kLiteRtStatusOk;
}

// -- Profile: one event for each port, one after the other, a cycle for every byte.

struct Slice {
  const char* unit;
  uint64_t start;
  uint64_t end;
};

std::vector<Slice> Profile(const LiteRtDispatchInvocationContextT& invocation) {
  std::vector<Slice> slices;
  const bool outlasts = Has(Fault::profile_outlasts_recording) && invocation.has_recorded_profile;
  if (!invocation.records_profile && !outlasts) return slices;
  uint64_t cycle = 0;
  const auto add = [&](const char* unit, size_t bytes) {
    slices.push_back({unit, cycle, cycle + bytes});
    cycle += bytes;
  };
  for (size_t i = 0; i < invocation.inputs.size(); ++i)
    add("load", invocation.program->InputBytes(i));
  for (size_t i = 0; i < invocation.outputs.size(); ++i)
    add("store", invocation.program->OutputBytes(i));
  Slice& last = slices.back();
  if (Has(Fault::profile_ends_before_it_begins)) std::swap(last.start, last.end);
  if (Has(Fault::profile_outlives_run)) last.end += 1000;
  if (Has(Fault::profile_overlaps)) slices.push_back({last.unit, last.start + 1, last.end});
  if (Has(Fault::profile_overlaps)) --slices[slices.size() - 2].end;
  if (Has(Fault::profile_accumulates)) {
    const std::vector<Slice> once = slices;
    for (uint64_t run = 1; run < invocation.program->runs(); ++run)
      slices.insert(slices.end(), once.begin(), once.end());
  }
  return slices;
}

}  // namespace

void AddMetrics(LiteRtDispatchInterface& table) {
  table.start_metrics_collection = StartMetrics;
  table.stop_metrics_collection = StopMetrics;
  table.get_num_metrics = GetNumMetrics;
  table.get_metric = GetMetric;
  table.destroy_metrics = DestroyMetrics;
}

}  // namespace npukit::conformance::mimic

using npukit::conformance::mimic::Fault;
using npukit::conformance::mimic::Has;
using npukit::conformance::mimic::IsInvocation;
using npukit::conformance::mimic::LeakWithProfile;
using npukit::conformance::mimic::Profile;

extern "C" {

__attribute__((visibility("default"))) LiteRtStatus NpukitDispatchSetRecording(
    LiteRtDispatchInvocationContext invocation, uint32_t record) {
  if (!IsInvocation(invocation)) return kLiteRtStatusErrorInvalidArgument;
  constexpr uint32_t kKnown = uint32_t{kNpukitRecordProfile} | uint32_t{kNpukitRecordIntermediates};
  if ((record & ~kKnown) != 0 || invocation->graph != nullptr) return kLiteRtStatusErrorUnsupported;
  invocation->records_profile = (record & kNpukitRecordProfile) != 0;
  invocation->has_recorded_profile |= invocation->records_profile;
  invocation->records_intermediates = (record & kNpukitRecordIntermediates) != 0;
  return kLiteRtStatusOk;
}

__attribute__((visibility("default"))) LiteRtStatus NpukitDispatchGetNumProfileEvents(
    LiteRtDispatchInvocationContext invocation, size_t* count) {
  if (!IsInvocation(invocation) || count == nullptr) return kLiteRtStatusErrorInvalidArgument;
  LeakWithProfile();
  *count = Profile(*invocation).size();
  return kLiteRtStatusOk;
}

__attribute__((visibility("default"))) LiteRtStatus NpukitDispatchGetProfileEvent(
    LiteRtDispatchInvocationContext invocation, size_t position, NpukitProfileEvent* event) {
  if (!IsInvocation(invocation) || event == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const auto profile = Profile(*invocation);
  if (position >= profile.size()) return kLiteRtStatusErrorIndexOOB;
  event->handle = NPUKIT_NO_DEBUG_HANDLE;
  event->unit = profile[position].unit;
  event->start_cycle = profile[position].start;
  event->end_cycle = profile[position].end;
  return kLiteRtStatusOk;
}

}  // extern "C"

// What Mimic tells of ops within a partition.
LiteRtStatus NpukitDispatchGetIntermediate(LiteRtDispatchInvocationContext invocation,
                                           NpukitDebugHandle handle, int output_index,
                                           LiteRtRankedTensorType* type, const void** data,
                                           size_t* size_bytes) {
  if (!IsInvocation(invocation) || type == nullptr || data == nullptr || size_bytes == nullptr)
    return kLiteRtStatusErrorInvalidArgument;
  const bool has_values = invocation->records_intermediates || Has(Fault::values_outlast_recording);
  if (!has_values || handle == 0 || output_index != 0) return kLiteRtStatusErrorNotFound;
  if (Has(Fault::tells_op_before) && handle > 1) --handle;
  const std::span<const uint8_t> value = invocation->program->ResultOf(handle - 1, *type);
  if (value.empty()) return kLiteRtStatusErrorNotFound;
  if (Has(Fault::tells_truths)) type->element_type = kLiteRtElementTypeBool;
  if (Has(Fault::tells_one_row)) {
    uint32_t elems = 1;
    for (unsigned i = 0; i < type->layout.rank; ++i)
      elems *= static_cast<uint32_t>(type->layout.dimensions[i]);
    type->layout.rank = 1;
    type->layout.dimensions[0] = static_cast<int32_t>(elems);
  }
  *data = value.data();
  *size_bytes = value.size();
  return kLiteRtStatusOk;
}

// How its bytecode is resealed.
LiteRtStatus NpukitDispatchReseal(void* bytes, size_t size_bytes) {
  if (bytes == nullptr) return kLiteRtStatusErrorInvalidArgument;
  return npukit::conformance::mimic::Reseal({static_cast<uint8_t*>(bytes), size_bytes})
             ? kLiteRtStatusOk
             : kLiteRtStatusErrorInvalidArgument;
}

// What Mimic tells of a run that failed.
LiteRtStatus NpukitDispatchGetLastError(LiteRtDispatchInvocationContext invocation,
                                        NpukitDebugHandle* handle, char* buffer,
                                        size_t buffer_size) {
  if (!IsInvocation(invocation) || handle == nullptr || (buffer == nullptr && buffer_size > 0))
    return kLiteRtStatusErrorInvalidArgument;
  *handle = NPUKIT_NO_DEBUG_HANDLE;
  if (buffer_size == 0) return kLiteRtStatusOk;
  const std::lock_guard<std::mutex> lock(invocation->mutex);
  buffer[invocation->failure.copy(buffer, buffer_size - 1)] = '\0';
  return kLiteRtStatusOk;
}
