/* Copyright 2026 The npukit Authors. */
/* SPDX-License-Identifier: Apache-2.0 */

/* npukit's C headers as C11. */

#include "npukit/compile_spec.h"
#include "npukit/delegate_debug.h"
#include "npukit/extensions/event_status.h"
#include "npukit/extensions/explain.h"
#include "npukit/extensions/in_place.h"
#include "npukit/extensions/last_error.h"
#include "npukit/extensions/reseal.h"
#include "npukit/metrics.h"
#include "npukit/static_plugin.h"

_Static_assert(sizeof(NpukitCompileSpec) == 3 * sizeof(void*), "layout");
_Static_assert(offsetof(NpukitDebugHandleInfo, handle) == sizeof(size_t),
               "struct_size comes first");
_Static_assert(offsetof(NpukitProfileEvent, handle) == sizeof(size_t), "struct_size comes first");

_Static_assert(sizeof(NpukitStaticPlugin) == 5 * sizeof(void*), "layout");
_Static_assert(sizeof(NpukitStaticSymbol) == 2 * sizeof(void*), "layout");

NpukitExplainOpT npukit_c11_explain_op = NpukitExplainOp;
NpukitLastErrorT npukit_c11_last_error = NpukitLastError;
