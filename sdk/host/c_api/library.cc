// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// libLiteRt.so is made of the archives of sdk/host's folders; this file only
// gives the linker a source.
