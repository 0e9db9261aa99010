/* A system without executable memory, made by a seccomp filter. Native callbacks that are not compiled fail with a
 * reason, and everything else works.
 *
 *     no_exec all    no memory becomes executable
 *     no_exec wx     no writable memory becomes executable, as with systemd's MemoryDenyWriteExecute. libffi may
 *                    support it, or not
 *     no_exec mdwe   the same by the kernel (PR_SET_MDWE, since Linux 6.3) */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signalkit.h>
#include <signalkit/callback.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define CHECK(condition) \
    ((condition) ? (void)0 : (printf("line %d: %s (%s)\n", __LINE__, #condition, sgk_last_error()), exit(1)))

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#define PR_MDWE_REFUSE_EXEC_GAIN 1
#endif

static void filter_executable_memory(bool only_writable) {
    struct sock_filter filter[] = {
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 5),
        LOAD(args[2]),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, (unsigned)(only_writable ? PROT_EXEC | PROT_WRITE : PROT_EXEC)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(only_writable ? PROT_EXEC | PROT_WRITE : PROT_EXEC), 0, 1),
        REFUSE,
        ALLOW,
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pkey_mprotect, 0, 3),
        LOAD(args[2]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        REFUSE,
        ALLOW,
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

/* Returns whether the system supports it. */
static bool forbid_executable_memory(const char *how) {
    if (strcmp(how, "mdwe") != 0) filter_executable_memory(strcmp(how, "wx") == 0);
    else if (prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) != 0) return false;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page == MAP_FAILED && (errno == EPERM || errno == EACCES)); /* it is at work */
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED && mprotect(page, 4096, PROT_READ | PROT_EXEC) < 0 && munmap(page, 4096) == 0);
    return true;
}

static int destroyed;
static void on_destroy(void *context) { (void)context, destroyed++; }
static int64_t next_one(int64_t value) { return value + 1; }
static int8_t narrowed(int8_t value) { return (int8_t)(value * 2); }
static sgk_value times_three(void *context, sgk_value value) { return (void)context, sgk_int(sgk_to_int(value) * 3); }
static void remember(int64_t *last, int64_t value) { *last = value; }
static sgk_value fourth(void *context, const sgk_value *values, size_t count) {
    return (void)context, (void)values, sgk_int((int64_t)count + 3);
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    if (!forbid_executable_memory(argv[1])) return printf("skipped: no PR_SET_MDWE, which came with Linux 6.3\n"), 0;
    sgk_signature *wide = sgk_signature_create("(i64) -> i64"), *narrow = sgk_signature_create("(i8) -> i8 via libffi");
    sgk_signature *last_one = sgk_signature_create("(ctx, i64) -> void");
    sgk_signature *forced = sgk_signature_create("(i64) -> i64 via libffi");
    sgk_callback *callback = sgk_callback_create(wide, sgk_null(), fourth, NULL, on_destroy);
    CHECK(callback || sgk_signature_uses_libffi(wide));
    if (callback) CHECK(((int64_t(*)(int64_t))sgk_callback_function(callback))(1) == 4);
    sgk_callback_release(callback);
    CHECK(destroyed == 1);
    destroyed = 0;
    callback = sgk_callback_create(forced, sgk_null(), fourth, NULL, on_destroy);
    if (callback) {
        CHECK(strcmp(argv[1], "all") != 0);
        CHECK(((int64_t(*)(int64_t))sgk_callback_function(callback))(1) == 4);
        sgk_callback_release(callback);
        printf("libffi knows a way to executable memory\n");
    } else {
        CHECK(sgk_last_status() == SGK_ERROR_SYSTEM);
        CHECK(strstr(sgk_last_error(), "sgk_callback_create: signature: the system rejects executable memory"));
        printf("%s\n", sgk_last_error());
    }
    CHECK(destroyed == 1);
    sgk_clear_error();
    int64_t last = 0;
    {
        SGK_AUTO(sgk_signal) source = sgk_signal_just(sgk_int(4)); /* plain, compiled in, through libffi */
        SGK_AUTO(sgk_signal) plain = sgk_signal_map(source, times_three, NULL, NULL);
        SGK_AUTO(sgk_signal) fast = sgk_signal_map_typed(plain, SGK_FUNCTION(next_one), wide, NULL, NULL);
        SGK_AUTO(sgk_signal) slow = sgk_signal_map_typed(fast, SGK_FUNCTION(narrowed), narrow, NULL, NULL);
        SGK_AUTO(sgk_disposable)
        run = sgk_signal_start_typed(slow, SGK_FUNCTION(remember), last_one, NULL, NULL, NULL, NULL, &last, NULL);
        CHECK(run);
    }
    CHECK(last == 26);
    sgk_signature_release(wide);
    sgk_signature_release(narrow);
    sgk_signature_release(forced);
    sgk_signature_release(last_one);
    CHECK(sgk_live_total() == 0);
    return 0;
}
