// A library that is opened with dlopen(3) instead of being linked: a struct of pointers to its functions.

#ifndef DYNAMIC_LIBRARY_H
#define DYNAMIC_LIBRARY_H

#include <dlfcn.h>
#include <stddef.h>

#define DYNAMIC_LIBRARY_FIELD(name) __typeof__(name) *name;
#define DYNAMIC_LIBRARY_FIND(name) \
    if (!(functions->name = (__typeof__(name) *)dlsym(library, #name))) return #name;

// clang-format off
/// Declares `struct PREFIX_functions`, and PREFIX_find_functions, which fills it from an open library and returns the
/// name of the first function that is missing, or NULL. `list` is a macro: it applies its argument to each name.
#define DYNAMIC_LIBRARY(prefix, list) \
    struct prefix##_functions { \
        list(DYNAMIC_LIBRARY_FIELD) \
    }; \
    static inline const char *prefix##_find_functions(void *library, struct prefix##_functions *functions) { \
        list(DYNAMIC_LIBRARY_FIND) return NULL; \
    }
// clang-format on

#endif
