// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Patterns over the views of litert_model.h: the matchers of litert/cc/internal/litert_matchers.h,
// which ask through the table of functions that a view knows.
//
//   Op root(context, op), mean;
//   if (Match(root, m_Op<kLiteRtOpCodeTflSqrt>(m_CaptureOrSameAs(
//                       &mean, m_Op<kLiteRtOpCodeTflMean>(m_Any(), m_IsConstant()))))) ...

#ifndef ODML_LITERT_LITERT_COMPILER_CC_LITERT_MATCHERS_H_
#define ODML_LITERT_LITERT_COMPILER_CC_LITERT_MATCHERS_H_

#include "litert/cc/internal/litert_matchers.h"
#include "litert/compiler/cc/litert_model.h"       // IWYU pragma: export
#include "litert/compiler/cc/litert_op_options.h"  // IWYU pragma: export

namespace litert::compiler {

using ::litert::DebugMatch;
using ::litert::LoggingMatchTracer;
using ::litert::Match;
using ::litert::MatchInput;
using ::litert::MatchTracer;

// Of ops.
using ::litert::m_AnyOp;
using ::litert::m_CommutativeOp;
using ::litert::m_CustomOp;
using ::litert::m_CustomOpCode;
using ::litert::m_Op;
using ::litert::m_OpCode;
using ::litert::m_Options;
using ::litert::m_OpVariadic;

// Of tensors.
using ::litert::m_Any;
using ::litert::m_ConstantValue;
using ::litert::m_ElementType;
using ::litert::m_HasOneUse;
using ::litert::m_HasUsers;
using ::litert::m_IsConstant;
using ::litert::m_IsQuantized;
using ::litert::m_IsSubgraphInput;
using ::litert::m_Name;
using ::litert::m_OutputIndex;
using ::litert::m_QType;
using ::litert::m_Rank;
using ::litert::m_Shape;

// Of either.
using ::litert::m_AllOf;
using ::litert::m_AnyOf;
using ::litert::m_CaptureOrSameAs;
using ::litert::m_Custom;
using ::litert::m_Not;
using ::litert::m_Predicate;

}  // namespace litert::compiler

#endif  // ODML_LITERT_LITERT_COMPILER_CC_LITERT_MATCHERS_H_
