# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0

# npukit new, and the templates where it looks for them: share/npukit/templates beside bin, as in an installation.
npukit_library(npukit_project_template SRCS project_template.cc DEPS npukit_sdk)
npukit_tool(npukit-new SRCS new.cc DEPS npukit_command_line npukit_project_template)
npukit_test(tools_project_template_test SRCS project_template_test.cc DEPS npukit_project_template)

file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share/npukit")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/templates" "${PROJECT_BINARY_DIR}/share/npukit/templates" SYMBOLIC)
