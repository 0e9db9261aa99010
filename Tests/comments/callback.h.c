/* needs sqlite3 */
#include <signalkit.h>
#include <signalkit/callback.h>
#include <sqlite3.h>

static int64_t row;
static void keep_row(void *context, sgk_value value) { (void)context, row = sgk_to_int(sgk_array_at(value, 3)); }

static void example(sqlite3 *database) {
    EXAMPLE
    SGK_AUTO(sgk_disposable) subscription = sgk_signal_start_next(changes, keep_row, NULL, NULL);
    sqlite3_exec(database, "create table t (a); insert into t values (1), (2)", NULL, NULL, NULL);
    sqlite3_update_hook(database, NULL, NULL);
}

int main(void) {
    sqlite3 *database;
    if (sqlite3_open(":memory:", &database) != SQLITE_OK) return 2;
    example(database);
    sqlite3_close(database);
    return row == 2 && sgk_live_total() == 0 ? 0 : 1;
}
