// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Nothing: only the headers are wanted.
