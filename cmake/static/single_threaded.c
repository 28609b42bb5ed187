// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For plugins that hold Debian's archive of yaml-cpp, which is compiled for programs: code for programs reads glibc's variable where
// a shared library can't. This one is the plugin's own and says that there may be threads, which is always right.

__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;
