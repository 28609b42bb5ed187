/* Copyright 2026 The npukit Authors. */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of the metrics that a dispatch library may report through LiteRT's metrics functions
 * (start_metrics_collection, stop_metrics_collection, get_num_metrics, get_metric). All of them are
 * optional: the host shows what it gets and leaves the rest out. Metrics of other names are passed
 * through unchanged.
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
/* [int] Multiply-accumulates that the device's arrays can do in one cycle, at the element type that
 * the program mostly uses. Not added up over partitions. utilisation = macs / (cycles *
 * array_macs_per_cycle). */
#define NPUKIT_METRIC_ARRAY_MACS_PER_CYCLE "array_macs_per_cycle"
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
/* [int] "stall_cycles/CAUSE": cycles lost, by cause; the causes are the vendor's. */
#define NPUKIT_METRIC_STALL_CYCLES_PREFIX "stall_cycles/"

/* -- Per operation (detail level PER_OP) -- */

/* "op/KEY/FIELD" with FIELD one of the names above (cycles, macs, roofline_cycles, energy_pj,
 * bytes_read, bytes_written). KEY names the operation: the name of its first output tensor, or a
 * number, the debug handle. KEY may hold '/': the first and the last '/' of the metric's name are
 * the separators. In a vendor's order, which the host keeps. */
#define NPUKIT_METRIC_OP_PREFIX "op/"

/* -- Trace (detail level TRACE) -- */

/* [string] A JSON array of Chrome trace events ("ph": "X" with "name", "ts", "dur" in microseconds
 * of device time since the last invocation began, "tid" the engine; "M" events to name the
 * engines). The host places it at the moment of the invocation and gives it a process of its own.
 */
#define NPUKIT_METRIC_TRACE_EVENTS "trace/chrome_json"

#endif /* NPUKIT_METRICS_H_ */
