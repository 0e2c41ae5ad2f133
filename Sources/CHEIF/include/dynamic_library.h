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
/// name of the first function that is missing, or NULL. PREFIX_load also opens the library, and returns its name if it
/// is not there. `list` is a macro: it applies its argument to each name.
#define DYNAMIC_LIBRARY(prefix, list) \
    struct prefix##_functions { \
        list(DYNAMIC_LIBRARY_FIELD) \
    }; \
    static inline const char *prefix##_find_functions(void *library, struct prefix##_functions *functions) { \
        list(DYNAMIC_LIBRARY_FIND) return NULL; \
    } \
    static inline const char *prefix##_load(const char *name, struct prefix##_functions *functions) { \
        void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL); \
        if (!library) return name; \
        const char *missing = prefix##_find_functions(library, functions); \
        if (missing) dlclose(library); \
        return missing; \
    }
// clang-format on

#endif
