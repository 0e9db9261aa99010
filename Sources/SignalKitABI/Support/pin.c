/* In the archive alone: a plug-in that contains the library is not unloaded by dlclose while threads of the library run
 * in it. */
#include "shims/thread.h"

#include <dlfcn.h>
#include <stdatomic.h>

/* (Weak: a static program may have neither, and is never unloaded. Where one names dlopen, the linker warns.) */
extern __attribute__((weak)) int dladdr(const void *address, Dl_info *info);
extern __attribute__((weak)) void *dlsym(void *handle, const char *name);

static void pin(void) {
    static atomic_bool is_pinned;
    Dl_info info;
    if (atomic_exchange(&is_pinned, true) || !dladdr || !dlsym || dladdr(&is_pinned, &info) == 0) return;
    void *(*open)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_DEFAULT, "dlopen");
    if (open) (void)open(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* Before those of the program, which may start a thread. */
static __attribute__((constructor(101))) void have_it_pinned(void) { sgk_shim_pin = pin; }
