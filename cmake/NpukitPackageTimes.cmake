# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# CPack runs this on what it is about to pack: the same sources give the same bytes.

if(DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND find "${CPACK_TEMPORARY_DIRECTORY}" -exec touch --no-dereference "--date=@$ENV{SOURCE_DATE_EPOCH}" {} +
                  COMMAND_ERROR_IS_FATAL ANY)
endif()
