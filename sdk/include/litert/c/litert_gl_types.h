// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// OpenGL and EGL types as the API passes them: the real ones where OpenGL is
// supported, types of the same size elsewhere.

#ifndef ODML_LITERT_LITERT_C_LITERT_GL_TYPES_H_
#define ODML_LITERT_LITERT_C_LITERT_GL_TYPES_H_

#include <stdint.h>

#include "litert/c/litert_common.h"

#if LITERT_HAS_OPENGL_SUPPORT
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
#include <GLES3/gl32.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if LITERT_HAS_OPENGL_SUPPORT
typedef GLenum LiteRtGLenum;
typedef GLuint LiteRtGLuint;
typedef GLint LiteRtGLint;
typedef EGLContext LiteRtEglContext;
typedef EGLDisplay LiteRtEglDisplay;
typedef EGLSyncKHR LiteRtEglSyncKhr;
#define LITE_RT_EGL_NO_CONTEXT EGL_NO_CONTEXT
#define LITE_RT_EGL_NO_DISPLAY EGL_NO_DISPLAY
#else
typedef uint32_t LiteRtGLenum;
typedef uint32_t LiteRtGLuint;
typedef int32_t LiteRtGLint;
typedef struct LiteRtEglContextStruct* LiteRtEglContext;
typedef struct LiteRtEglDisplayStruct* LiteRtEglDisplay;
typedef struct LiteRtEglSyncKhrStruct* LiteRtEglSyncKhr;
#define LITE_RT_EGL_NO_CONTEXT ((LiteRtEglContext)0)
#define LITE_RT_EGL_NO_DISPLAY ((LiteRtEglDisplay)0)
#endif

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_GL_TYPES_H_
