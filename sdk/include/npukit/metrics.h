/* Copyright 2026 The npukit Authors. */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of the metrics that a dispatch library may report through LiteRT's metrics functions
 * (start_metrics_collection, stop_metrics_collection, get_num_metrics, get_metric). All of them are
 * optional: the host shows what it gets and leaves the rest out. Metrics of other names are passed
 * through unchanged. A name stands once.
 *
 * Values cover all invocations of one invocation context between start and stop; the host adds the
 * counts of several partitions. Type: LiteRtAny of the kind in brackets; a number may come as int
 * or as real.
 */

#ifndef NPUKIT_METRICS_H_
#define NPUKIT_METRICS_H_

/* detail_level of start_metrics_collection. Each level includes those below; a library that knows
 * fewer treats a higher level as its highest. */
#define NPUKIT_METRICS_DETAIL_TOTALS 0
#define NPUKIT_METRICS_DETAIL_PER_OP 1
#define NPUKIT_METRICS_DETAIL_TRACE 2

/* -- Totals -- */

/* [string] SoC model, as the compiler plugin spells it. */
#define NPUKIT_METRIC_SOC "soc"
/* [int] Number of invocations that the other values cover. */
#define NPUKIT_METRIC_INVOCATIONS "invocations"
/* [int] Device cycles from the first fetch to the last store. */
#define NPUKIT_METRIC_CYCLES "cycles"
/* [int] Multiply-accumulates that the program asks for; padding that the hardware adds is not
 * counted. */
#define NPUKIT_METRIC_MACS "macs"
/* [int] Of the multiply-accumulates that the device performed, those of its arrays, also per operation.
 * Left out where there are no others, as those of depthwise convolutions in a vector unit beside the
 * array: utilisation counts macs then. */
#define NPUKIT_METRIC_ARRAY_MACS "array_macs"
/* [int] Multiply-accumulates that the device's arrays can do in one cycle, at the element type that
 * the program mostly uses. Not added up over partitions. utilisation = array_macs / (cycles *
 * array_macs_per_cycle). */
#define NPUKIT_METRIC_ARRAY_MACS_PER_CYCLE "array_macs_per_cycle"
/* [int] Bytes that the device can move from and to the memory outside it in one cycle, reads and
 * writes together. Not added up. With array_macs_per_cycle the two roofs of a roofline plot. */
#define NPUKIT_METRIC_MEMORY_BYTES_PER_CYCLE "memory_bytes_per_cycle"
/* [int] Size of the device's own memory, from which it computes. Not added up. */
#define NPUKIT_METRIC_SCRATCHPAD_BYTES "scratchpad_bytes"
/* [int] Lower bound of the cycles by the roofline: the larger of macs / array_macs_per_cycle and
 * bytes moved / bytes per cycle. */
#define NPUKIT_METRIC_ROOFLINE_CYCLES "roofline_cycles"
/* [real] Energy in picojoules. */
#define NPUKIT_METRIC_ENERGY_PJ "energy_pj"
/* [int] Bytes read from and written to memory outside the device. */
#define NPUKIT_METRIC_BYTES_READ "bytes_read"
#define NPUKIT_METRIC_BYTES_WRITTEN "bytes_written"
/* [real] Clock in megahertz, so that a host can turn cycles into time. Not added up. */
#define NPUKIT_METRIC_CLOCK_MHZ "clock_mhz"
/* [int] "stall_cycles/CAUSE": cycles lost, by cause; the causes are the vendor's. Where several
 * engines count by themselves, CAUSE is "ENGINE/CAUSE". */
#define NPUKIT_METRIC_STALL_CYCLES_PREFIX "stall_cycles/"

/* -- Per operation (detail level PER_OP) -- */

/* "op/KEY/FIELD" with FIELD one of the names above (cycles, macs, roofline_cycles, energy_pj,
 * bytes_read, bytes_written). KEY names the operation: the name of its first output tensor, or a
 * number, the debug handle. KEY may hold '/': the first and the last '/' of the metric's name are
 * the separators. In a vendor's order, which the host keeps. */
#define NPUKIT_METRIC_OP_PREFIX "op/"

/* [int] "op/KEY/stall_cycles:CAUSE" and "op/KEY/stall_cycles:ENGINE:CAUSE": those of the operation's
 * cycles that were lost. In place of '/', which would end KEY, CAUSE has ':'. An engine
 * that lost none has one cause with 0. */
#define NPUKIT_METRIC_OP_STALL_CYCLES_PREFIX "stall_cycles:"

/* -- Trace (detail level TRACE) -- */

/* [string] A JSON array of Chrome trace events ("ph": "X" with "name", "ts", "dur" in microseconds
 * of device time since the last invocation began, "tid" the engine; "M" events to name the
 * engines; "C" events for levels over time). The host places it at the moment of the invocation and
 * gives it a process of its own. "args" of "X" events may hold "handle", the debug handle, and
 * "begin_cycle" and "end_cycle", which are exact where "ts" and "dur" are rounded. */
#define NPUKIT_METRIC_TRACE_EVENTS "trace/chrome_json"
/* Name of the "C" events whose one argument is how many bytes of the scratchpad hold something that
 * is still needed. */
#define NPUKIT_TRACE_SCRATCHPAD_COUNTER "scratchpad bytes"
/* [string] "doubled_soc_file/RESOURCE": a description of a SoC like the device with twice as much of
 * RESOURCE ("array", "bandwidth", "scratchpad" or another of the vendor's), as the compile spec
 * NPUKIT_SPEC_SOC_FILE names it to the vendor's compiler plugin and dispatch library. With it the
 * host can measure what doubling it would bring. Not added up. */
#define NPUKIT_METRIC_DOUBLED_PREFIX "doubled_soc_file/"

#endif /* NPUKIT_METRICS_H_ */
