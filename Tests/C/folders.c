/* Changes in all folders below a folder: new, moved and removed ones. */
#include "suite.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

/* The last changes of a subscription, each as `bits name|`. */
typedef struct changes {
    pthread_mutex_t lock;
    char text[1 << 16];
    size_t length;
    const char *awaited; /* a change that others may soon replace in the text */
    atomic_bool has_come;
    atomic_int error, ends, destroyed;
    sgk_disposable *run;
} changes;

static void take_change(void *context, sgk_value value) {
    changes *c = context;
    pthread_mutex_lock(&c->lock);
    if (c->length > sizeof c->text / 2) c->length = 0;
    char *text = c->text + c->length;
    c->length += (size_t)snprintf(text, sizeof c->text - c->length, "%llx %s|",
        (long long)sgk_to_int(sgk_array_at(value, 0)), (const char *)sgk_value_data(sgk_array_at(value, 1), NULL));
    if (c->awaited && strcmp(text, c->awaited) == 0) c->has_come = true;
    pthread_mutex_unlock(&c->lock);
}
static void take_error(void *context, sgk_value error) {
    changes *c = context;
    c->error = sgk_error_code(error);
    c->ends++;
}
static void take_end(void *context) { ((changes *)context)->ends++; }
static void take_destroy(void *context) { ((changes *)context)->destroyed++; }

static sgk_queue *queue;
static char top[64], elsewhere[64], old[4096];
static int open_before;

enum { ALL = SGK_FILE_CREATED | SGK_FILE_DELETED | SGK_FILE_MOVED_FROM | SGK_FILE_MOVED_TO | SGK_FILE_GONE };

static changes *start(const char *path, uint32_t mask) {
    changes *c = calloc(1, sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    sgk_handlers handlers = SGK_HANDLERS_INIT;
    handlers.next = take_change, handlers.error = take_error, handlers.completed = take_end;
    handlers.context = c, handlers.destroy = take_destroy;
    sgk_signal *signal = sgk_signal_file_changes(path, mask | SGK_FILE_RECURSIVE, queue);
    c->run = sgk_signal_start(signal, &handlers);
    sgk_signal_release(signal);
    return c;
}
static void stop(changes *c) {
    sgk_disposable_dispose(c->run);
    EVENTUALLY(c->destroyed == 1);
    sgk_disposable_release(c->run);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

/* Whether the text has arrived. Takes it and all text before it away. */
static bool take(changes *c, const char *text) {
    pthread_mutex_lock(&c->lock);
    char *found = strstr(c->text, text);
    if (found) {
        memmove(c->text, found + strlen(text), strlen(found + strlen(text)) + 1);
        c->length = strlen(c->text);
    }
    pthread_mutex_unlock(&c->lock);
    return found != NULL;
}
static bool has(changes *c, const char *text) {
    pthread_mutex_lock(&c->lock);
    bool is_there = strstr(c->text, text) != NULL;
    pthread_mutex_unlock(&c->lock);
    return is_there;
}

static void await(changes *c, const char *text) {
    pthread_mutex_lock(&c->lock);
    c->awaited = text;
    c->has_come = false;
    pthread_mutex_unlock(&c->lock);
}

static const char *in(const char *folder, const char *name) {
    static char paths[64][1024]; /* of all threads */
    static atomic_uint next;
    char *path = paths[next++ % 64];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}
static void write_to(const char *name) {
    int fd = open(in(top, name), O_WRONLY);
    assert_int_equal(write(fd, "x", 1), 1);
    close(fd);
}
static void folder(const char *name) { assert_int_equal(mkdir(in(top, name), 0700), 0); }
static void file(const char *name) { close(open(in(top, name), O_CREAT | O_WRONLY, 0600)); }

/* The number of files that this process watches. */
static int watches(void) {
    int count = 0;
    char line[256];
    DIR *descriptors = opendir("/proc/self/fdinfo");
    for (const struct dirent *one; descriptors && (one = readdir(descriptors));) {
        FILE *info = *one->d_name == '.' ? NULL : fopen(in("/proc/self/fdinfo", one->d_name), "r");
        while (info && fgets(line, sizeof line, info)) count += strncmp(line, "inotify ", 8) == 0;
        if (info) fclose(info);
    }
    if (descriptors) closedir(descriptors);
    return count;
}

static int remove_one(const char *path, const struct stat *kind, int type, struct FTW *place) {
    (void)kind, (void)type, (void)place;
    return remove(path);
}
static void remove_all(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

static int prepare(void **state) {
    (void)state;
    assert_non_null(getcwd(old, sizeof old));
    strcpy(top, "/tmp/signalkit-XXXXXX");
    strcpy(elsewhere, "/tmp/signalkit-XXXXXX");
    assert_true(mkdtemp(top) && mkdtemp(elsewhere));
    queue = sgk_queue_create("folders");
    changes *c = start(top, ALL);
    assert_int_equal(c->error, 0);
    stop(c);
    open_before = open_descriptors();
    return 0;
}
static int finish(void **state) {
    assert_int_equal(chdir(old), 0);
    remove_all(top);
    remove_all(elsewhere);
    EVENTUALLY(open_descriptors() <= open_before);
    sgk_queue_release(queue);
    return nothing_alive(state);
}
#define IN_FOLDERS(name) cmocka_unit_test_setup_teardown(name, prepare, finish)

static void folders_that_exist(void **state) {
    (void)state;
    folder("a"), folder("a/b"), folder("a/b/c"), folder("d");
    file("a/b/before");
    assert_int_equal(symlink("..", in(top, "a/link")), 0);
    changes *c = start(top, ALL | SGK_FILE_READ | SGK_FILE_MOVED);
    file("a/b/c/x");
    EVENTUALLY(has(c, "100 a/b/c/x|"));
    file("y");
    file("d/z");
    unlink(in(top, "a/b/before"));
    EVENTUALLY(take(c, "100 y|100 d/z|200 a/b/before|"));
    rename(in(top, "d/z"), in(top, "a/b/w"));
    EVENTUALLY(take(c, "40 d/z|80 a/b/w|"));
    rmdir(in(top, "a/b/c")); /* which has a file */
    remove_all(in(top, "a/b/c"));
    EVENTUALLY(take(c, "200 a/b/c/x|40000200 a/b/c|"));
    assert_int_equal(c->length, 0); /* nothing else, and nothing of folders themselves */
    assert_int_equal(c->ends, 0);
    stop(c);
}

/* Files that a folder contains before it can be watched. */
static void folders_that_are_created(void **state) {
    (void)state;
    changes *c = start(top, ALL | SGK_FILE_WRITTEN);
    for (int i = 0; i < repeated(100); i++) {
        folder("a"), folder("a/b"), folder("a/b/c");
        file("a/b/c/f");
        EVENTUALLY(
            has(c, "40000100 a|") && has(c, "40000100 a/b|") && has(c, "40000100 a/b/c|") && has(c, "100 a/b/c/f|"));
        write_to("a/b/c/f");
        EVENTUALLY(take(c, "2 a/b/c/f|"));
        remove_all(in(top, "a"));
        EVENTUALLY(take(c, "40000200 a|"));
    }
    stop(c);
    c = start(top, SGK_FILE_WRITTEN); /* which does not ask for what is created */
    folder("a");
    file("a/f");
    EVENTUALLY((write_to("a/f"), has(c, "2 a/f|"))); /* the folder may not be watched yet */
    assert_true(!has(c, "100"));
    stop(c);
}

static void folders_that_are_moved(void **state) {
    (void)state;
    folder("a"), folder("a/b"), folder("other");
    changes *c = start(top, ALL);
    rename(in(top, "a"), in(top, "other/z"));
    file("other/z/b/f");
    EVENTUALLY(take(c, "40000040 a|40000080 other/z|100 other/z/b/f|"));
    /* Out of the folder, where nothing is reported any more, and back. */
    rename(in(top, "other/z"), in(elsewhere, "z"));
    close(open(in(elsewhere, "z/b/unseen"), O_CREAT | O_WRONLY, 0600));
    file("seen");
    EVENTUALLY(take(c, "40000040 other/z|100 seen|"));
    EVENTUALLY(watches() == 2); /* the folder itself, and other */
    close(open(in(elsewhere, "z/b/unseen too"), O_CREAT | O_WRONLY, 0600));
    rename(in(elsewhere, "z"), in(top, "back"));
    EVENTUALLY(take(c, "40000080 back|"));
    file("back/b/g"); /* The program looks itself for what was there before the event. */
    EVENTUALLY(take(c, "100 back/b/g|"));
    assert_true(!has(c, "unseen"));
    /* A folder that has moved before it could be watched. */
    for (int i = 0; i < repeated(100); i++) {
        folder("new"), folder("new/in");
        rename(in(top, "new"), in(top, "newer"));
        file("newer/in/h");
        EVENTUALLY(take(c, "100 newer/in/h|"));
        remove_all(in(top, "newer"));
        EVENTUALLY(take(c, "40000200 newer|"));
    }
    stop(c);
}

/* One folder leaves, and the next event is the arrival of another one. */
static void a_folder_for_another(void **state) {
    (void)state;
    folder("a");
    assert_int_equal(mkdir(in(elsewhere, "b"), 0700), 0);
    changes *c = start(top, ALL);
    rename(in(top, "a"), in(elsewhere, "a"));
    rename(in(elsewhere, "b"), in(top, "b"));
    EVENTUALLY(take(c, "40000040 a|40000080 b|"));
    close(open(in(elsewhere, "a/unseen"), O_CREAT | O_WRONLY, 0600));
    file("b/seen");
    EVENTUALLY(has(c, "100 b/seen|"));
    assert_false(has(c, "unseen"));
    stop(c);
}

/* A folder has the name of a removed one, and leaves. */
static void a_name_of_two_folders(void **state) {
    (void)state;
    folder("a");
    changes *c = start(top, ALL);
    rmdir(in(top, "a"));
    folder("a");
    EVENTUALLY(take(c, "40000200 a|40000100 a|"));
    rename(in(top, "a"), in(elsewhere, "a"));
    file("seen");
    EVENTUALLY(take(c, "40000040 a|100 seen|"));
    close(open(in(elsewhere, "a/unseen"), O_CREAT | O_WRONLY, 0600));
    file("seen too");
    EVENTUALLY(has(c, "100 seen too|"));
    assert_false(has(c, "unseen"));
    stop(c);
}

/* A folder reports its attributes, and so does the folder that contains it. */
static void attributes_once(void **state) {
    (void)state;
    folder("a");
    file("f");
    changes *c = start(top, SGK_FILE_ATTRIBUTES);
    chmod(in(top, "a"), 0755);
    chmod(in(top, "f"), 0644);
    EVENTUALLY(take(c, "40000004 a|4 f|"));
    stop(c);
}

/* A folder that was watched elsewhere and is found in a new folder: its contents have new names, too. */
static void a_folder_in_a_new_one(void **state) {
    (void)state;
    for (int i = 0; i < repeated(100); i++) {
        folder("a"), folder("a/k");
        file("a/f"), file("a/k/g");
        changes *c = start(top, ALL);
        folder("b");
        rename(in(top, "a"), in(top, "b/c"));
        EVENTUALLY(has(c, "40000100 b/c|") || has(c, "40000080 b/c|"));
        if (!has(c, "40000080 b/c|")) EVENTUALLY(has(c, "100 b/c/f|") && has(c, "100 b/c/k/g|"));
        stop(c);
        remove_all(in(top, "b"));
    }
}

/* The end of each watch is an event, and there are more than the system keeps. */
static void many_folders_leave(void **state) {
    (void)state;
    int most = 0;
    FILE *limit = fopen("/proc/sys/fs/inotify/max_queued_events", "r");
    if (limit == NULL) skip();
    assert_int_equal(fscanf(limit, "%d", &most), 1);
    fclose(limit);
    if (most > 20000 || repeated(100) < 100) skip(); /* that would take long */
    folder("big");
    for (int i = 0; i < most + 500; i++) {
        char name[32];
        snprintf(name, sizeof name, "big/%d", i);
        folder(name);
    }
    changes *c = start(top, ALL);
    rename(in(top, "big"), in(elsewhere, "big"));
    file("after");
    EVENTUALLY(take(c, "100 after|"));
    close(open(in(elsewhere, "big/7/unseen"), O_CREAT | O_WRONLY, 0600));
    for (int i = 0; i < 100; i++) { /* while the watches end */
        file("again");
        EVENTUALLY(take(c, "100 again|"));
        unlink(in(top, "again"));
    }
    assert_int_equal(c->ends, 0);
    assert_false(has(c, "unseen"));
    for (int i = 0; watches() > 1 && i < 10 * PATIENCE; i++) usleep(100000); /* (The count takes time.) */
    assert_int_equal(watches(), 1);
    rename(in(elsewhere, "big"), in(top, "back"));
    EVENTUALLY(take(c, "40000080 back|"));
    file("back/7/seen");
    EVENTUALLY(take(c, "100 back/7/seen|"));
    stop(c);
}

static void ends_of_folders(void **state) {
    (void)state;
    folder("a"), folder("a/b");
    changes *c = start(in(top, "a"), ALL), *none = start(in(top, "missing"), ALL), *one;
    EVENTUALLY(none->ends == 1);
    assert_int_equal(none->error, ENOENT);
    stop(none);
    remove_all(in(top, "a"));
    EVENTUALLY(c->ends == 1);
    assert_int_equal(c->error, 0);
    assert_true(take(c, "40000200 b|") && has(c, "400 |"));
    stop(c);
    file("f");
    one = start(in(top, "f"), SGK_FILE_WRITTEN | SGK_FILE_GONE); /* a file has nothing below it */
    write_to("f");
    EVENTUALLY(take(one, "2 |"));
    unlink(in(top, "f"));
    EVENTUALLY(one->ends == 1 && take(one, "400 |"));
    stop(one);
    if (geteuid() != 0) { /* a folder that may not be read is left out */
        folder("closed"), folder("open");
        chmod(in(top, "closed"), 0);
        c = start(top, ALL);
        file("open/f");
        EVENTUALLY(take(c, "100 open/f|"));
        chmod(in(top, "closed"), 0700);
        stop(c);
    }
}

/* A relative path stays right in another working directory. */
static void relative_folder(void **state) {
    (void)state;
    folder("a");
    assert_int_equal(chdir(top), 0);
    changes *c = start("a", ALL);
    assert_int_equal(chdir("/"), 0);
    folder("a/b");
    EVENTUALLY(take(c, "40000100 b|"));
    file("a/b/f");
    EVENTUALLY(take(c, "100 b/f|"));
    stop(c);
}

static void deep_folders(void **state) {
    (void)state;
    enum { DEPTH = 400 };
    char path[2 * DEPTH + 8] = "d", expected[2 * DEPTH + 16];
    changes *c = start(top, ALL);
    for (int i = 0; i < DEPTH; i++) {
        folder(path);
        strcat(path, "/d");
    }
    path[strlen(path) - 1] = 'f';
    snprintf(expected, sizeof expected, "100 %s|", path);
    await(c, expected);
    file(path);
    EVENTUALLY(c->has_come);
    stop(c);
    c = start(top, ALL); /* all of them exist */
    path[strlen(path) - 1] = 'g';
    snprintf(expected, sizeof expected, "100 %s|", path);
    await(c, expected);
    file(path);
    EVENTUALLY(c->has_come);
    stop(c);
    path[1] = 0;
    remove_all(in(top, path));
}

/* Folders change their names at random. In the end each is watched by its present name. */
static changes *seen;
static int check_folder(const char *path, const struct stat *kind, int type, struct FTW *place) {
    (void)kind, (void)place;
    if (type != FTW_D) return 0;
    char expected[600];
    const char *name = in(path, "last");
    close(open(name, O_CREAT | O_WRONLY, 0600));
    snprintf(expected, sizeof expected, "100 %s|", name + strlen(top) + 1);
    EVENTUALLY(take(seen, expected));
    unlink(in(path, "last"));
    return 0;
}
static void folders_at_random(void **state) {
    (void)state;
    unsigned seed = 1;
    for (int round = 0; round < repeated(20); round++) {
        char a[16], b[16];
        seen = start(top, ALL);
        for (int i = 0; i < 400; i++) {
            seed = seed * 1103515245 + 12345;
            unsigned at = seed >> 16;
            snprintf(a, sizeof a, at % 2 ? "%u" : "%u/%u", at % 5, at / 5 % 5);
            snprintf(b, sizeof b, at % 3 ? "%u" : "%u/%u", at / 25 % 5, at / 125 % 5);
            if (at % 7 < 3) (void)mkdir(in(top, a), 0700);
            else if (at % 7 < 6) (void)rename(in(top, a), in(top, b));
            else (void)rename(in(top, a), in(elsewhere, at % 2 ? "x" : "y"));
            if (at % 11 == 0) remove_all(in(elsewhere, "x"));
        }
        file("all"); /* All events before this one were handled, and so all folders are watched. */
        EVENTUALLY(take(seen, "100 all|"));
        unlink(in(top, "all"));
        nftw(top, check_folder, 16, FTW_PHYS);
        stop(seen);
        for (char name[] = "0"; name[0] < '5'; name[0]++) remove_all(in(top, name));
    }
}

enum { ROUNDS = 20 };
static void start_and_dispose(void *context, int index) {
    (void)context;
    for (int round = 0; round < ROUNDS; round++) {
        char name[16];
        changes *c = start(top, ALL);
        snprintf(name, sizeof name, "%d-%d", index, round);
        (void)mkdir(in(top, name), 0700);
        for (int i = 0; i < round % 5; i++) sched_yield();
        stop(c);
    }
}
static void many_subscriptions_to_folders(void **state) {
    (void)state;
    in_parallel(4, start_and_dispose, NULL);
}

int run_folders(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDERS(folders_that_exist),
        IN_FOLDERS(folders_that_are_created),
        IN_FOLDERS(folders_that_are_moved),
        IN_FOLDERS(a_folder_in_a_new_one),
        IN_FOLDERS(a_folder_for_another),
        IN_FOLDERS(a_name_of_two_folders),
        IN_FOLDERS(attributes_once),
        IN_FOLDERS(many_folders_leave),
        IN_FOLDERS(ends_of_folders),
        IN_FOLDERS(relative_folder),
        IN_FOLDERS(deep_folders),
        IN_FOLDERS(folders_at_random),
        IN_FOLDERS(many_subscriptions_to_folders),
    };
    if (getenv("PORTABLE")) return 0; /* only on Linux */
    return cmocka_run_group_tests_name("folders", tests, NULL, NULL);
}
