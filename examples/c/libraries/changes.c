/*
 * changes: the changes of an SQLite database as signals.
 *
 *     cc -std=c11 changes.c -o changes $(pkg-config --cflags --libs signalkit sqlite3) && ./changes
 *
 *     sqlite3_update_hook ------> filter (inserts) -> map (rowid) -> reduce (sum)      -> the first printed line
 *                         \-----> filter (people)                                      -> counted
 *     sqlite3_progress_handler -> returns whether to stop                              -> a slow query is interrupted
 *
 * The hooks are native callbacks, which SQLite calls directly. The first parameter, SQLite's user pointer, is not needed: `ctx`.
 */
#include <signalkit.h>
#include <signalkit/callback.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition) ((condition) ? (void)0 : (fprintf(stderr, "line %d: %s: %s\n", __LINE__, #condition, sgk_last_error()), exit(1)))

static void run_sql(sqlite3 *database, const char *text, int expected) {
    int code = sqlite3_exec(database, text, NULL, NULL, NULL);
    if (code != expected) fprintf(stderr, "%s: %s\n", text, sqlite3_errmsg(database)), exit(1);
}

/* ---- Functions as one writes them; their signatures are below ---- */
static bool is_insert(int operation, const char *database, const char *table, sqlite3_int64 row) {
    (void)database, (void)table, (void)row;
    return operation == SQLITE_INSERT;
}
static int64_t row_of(int operation, const char *database, const char *table, sqlite3_int64 row) {
    (void)operation, (void)database, (void)table;
    return row;
}
static bool is_of_people(int operation, const char *database, const char *table, sqlite3_int64 row) {
    (void)operation, (void)database, (void)row;
    return strcmp(table, "people") == 0;
}
static int64_t add(int64_t sum, int64_t row) { return sum + row; }
static void keep(int64_t *place, int64_t value) { *place = value; }
static void count(int64_t *place) { ++*place; }
static int stop_after(int64_t *rounds) { return ++*rounds > 1000; } /* anything but 0 stops the query */

int main(void) {
    sqlite3 *database;
    EXPECT(sqlite3_open(":memory:", &database) == SQLITE_OK);
    run_sql(database, "create table people (name text); create table places (name text)", SQLITE_OK);
    int64_t sum = 0, people = 0, rounds = 0;
    {

        /* Rows as they are inserted. */
        SGK_AUTO(sgk_callback) updated = sgk_callback_create(sgk_signature_shared("(ctx, i32, cstr, cstr, i64) -> void"), sgk_null(), NULL, NULL, NULL);
        SGK_AUTO(sgk_signal) changes = sgk_callback_signal(updated);
        SGK_AUTO(sgk_signal) inserts = sgk_signal_filter_typed(changes, SGK_TYPED(is_insert, "(i32, cstr, cstr, i64) -> bool"), NULL, NULL);
        SGK_AUTO(sgk_signal) rows = sgk_signal_map_typed(inserts, SGK_TYPED(row_of, "(i32, cstr, cstr, i64) -> i64"), NULL, NULL);
        SGK_AUTO(sgk_signal) total = sgk_signal_reduce_typed(rows, sgk_int(0), SGK_TYPED(add, "(i64, i64) -> i64"), NULL, NULL);
        SGK_AUTO(sgk_disposable) summing = sgk_signal_start_typed(total, SGK_TYPED(keep, "(ctx, i64) -> void"), NULL, NULL, NULL, NULL, &sum, NULL);
        SGK_AUTO(sgk_signal) of_people = sgk_signal_filter_typed(changes, SGK_TYPED(is_of_people, "(i32, cstr, cstr, i64) -> bool"), NULL, NULL);
        SGK_AUTO(sgk_disposable) counting = sgk_signal_start_typed(of_people, SGK_TYPED(count, "(ctx) -> void"), NULL, NULL, NULL, NULL, &people, NULL);
        EXPECT(summing && counting);

        sqlite3_update_hook(database, (void (*)(void *, int, const char *, const char *, sqlite3_int64))sgk_callback_function(updated), NULL);
        run_sql(database, "begin; with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000) insert into people select i from n", SQLITE_OK);
        run_sql(database, "insert into places values ('Here'); update people set name = 'x' where rowid = 1; delete from people where rowid = 2; commit", SQLITE_OK);
        sqlite3_update_hook(database, NULL, NULL);  /* before the callback goes */
        SGK_AUTO(sgk_disposable) end = sgk_callback_disposable(updated);
        sgk_disposable_dispose(end);  /* the signal completes, and the sum comes */
        printf("rows inserted: sum of their numbers %lld; changes of people: %lld\n", (long long)sum, (long long)people);
        EXPECT(sum == 1000 * 1001 / 2 + 1);
        EXPECT(people == 1002);

        /* A handler that is asked: the query that never ends is stopped. */
        SGK_AUTO(sgk_callback) progress = sgk_callback_create_typed(sgk_signature_shared("(ctx) -> i32"), sgk_int(1), SGK_TYPED(stop_after, "(ctx) -> i32"), &rounds, NULL);
        EXPECT(progress);
        sqlite3_progress_handler(database, 1000, (int (*)(void *))sgk_callback_function(progress), NULL);
        run_sql(database, "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n", SQLITE_INTERRUPT);
        sqlite3_progress_handler(database, 0, NULL, NULL);
        printf("endless query stopped after %lld questions\n", (long long)rounds);
        EXPECT(rounds == 1001);
    }
    EXPECT(sqlite3_close(database) == SQLITE_OK);
    printf("Objects left alive: %lld\n", (long long)sgk_live_total());
    return sgk_live_total() ? 1 : 0;
}
