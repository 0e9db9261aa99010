/* The places where a program called the library: return addresses, with the names that the loader knows. */
#include "SignalKitSupport.h"

#ifdef __GLIBC__
#include <execinfo.h>

enum { INSIDE = 64 /* the stages of a chain, at most */, ROOM = sizeof((sgk_call_site *)0)->frames / sizeof(void *) };

/* The address range of the library. A static program has one range for both. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

static bool is_inside(const void *address) {
    return (uintptr_t)address >= (uintptr_t)__ehdr_start && (uintptr_t)address < (uintptr_t)etext;
}

/* The first address is in the called function of the library or in a function that it jumped to: the innermost one. */
void sgk_support_note_call_site(sgk_call_site *site) {
    void *all[INSIDE + ROOM];
    int count = backtrace(all, INSIDE + ROOM), first = 0;
    while (first + 1 < count && is_inside(all[first + 1])) first++;
    if (first + 1 == count) first = 0;
    /* in the call, not behind it, where another line may begin */
    for (int i = 0; i < ROOM; i++) site->frames[i] = first + i < count ? (const char *)all[first + i] - 1 : NULL;
}

void sgk_support_name_call_site(const sgk_call_site *site, void (*tell)(void *context, const char *), void *context) {
    int count = 0;
    while (count < ROOM && site->frames[count] != NULL) count++;
    char **names = backtrace_symbols((void *const *)site->frames, count);
    for (int i = 0; names != NULL && i < count; i++)
        if (i > 0 || !is_inside(site->frames[0]) || strstr(names[0], "(sgk_")) tell(context, names[i]);
    free(names);
}
#else
/* Nothing in the C library tells. */
void sgk_support_note_call_site(sgk_call_site *site) { *site = (sgk_call_site){{NULL}}; }
void sgk_support_name_call_site(const sgk_call_site *site, void (*tell)(void *context, const char *), void *context) {
    (void)site, (void)tell, (void)context;
}
#endif
