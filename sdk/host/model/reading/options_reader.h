// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_MODEL_READING_OPTIONS_READER_H_
#define NPUKIT_SDK_HOST_MODEL_READING_OPTIONS_READER_H_

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/options/op_options.h"
#include "sdk/host/model/reading/read_context.h"

namespace npukit::schema {
struct Operator;
}  // namespace npukit::schema

namespace npukit {

// The builtin options of either union. Error: a table of unknown kind, or
// options in both unions.
litert::Expected<OpOptions> ReadOpOptions(const schema::Operator& op, ReadContext& context);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_READING_OPTIONS_READER_H_
