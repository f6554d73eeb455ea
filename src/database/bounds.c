#include "database/bounds.h"

#include "base/seconds.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Steps of SQLite's machine between two looks at the clock: each may be a function on long texts.
 */
#define BND_STEPS 1000

/* Pairs of bytes that a call may compare at all, and without a look at the clock. */
#define BND_MOST INT64_C(200000000)
#define BND_LOOK INT64_C(100000)

/* Between two looks at the clock from beside it, in ns. */
#define BND_PAUSE 20000000L

enum bnd_kind {
    BND_MATCHES, /* the second text against the first one */
    BND_COMPARES,
    BND_PRINTS
};

/* Functions that compare each byte of one text with many of another one, or write one character as
   often as they are told. */
static const struct bnd_function {
    const char *name;
    int texts; /* -1: as many as there are */
    enum bnd_kind kind;
} bnd_functions[DBS_BOUNDED] = {
    { "like", 2, BND_MATCHES },   { "like", 3, BND_MATCHES },     { "glob", 2, BND_MATCHES },
    { "instr", 2, BND_COMPARES }, { "replace", 3, BND_COMPARES }, { "json_patch", 2, BND_COMPARES },
    { "trim", 2, BND_COMPARES },  { "ltrim", 2, BND_COMPARES },   { "rtrim", 2, BND_COMPARES },
    { "printf", -1, BND_PRINTS }, { "format", -1, BND_PRINTS },
};

/* Once it is to end, it is. */
static bool bnd_must_end(struct dbs_bounds *b)
{
    b->stopped = b->stopped || (b->run->stop && b->run->stop(b->run->ctx));
    b->late = b->late || prvcut_seconds() > b->until;
    return b->stopped || b->late;
}

static int bnd_look(void *ctx)
{
    struct dbs_bounds *b = ctx;
    bool end;

    pthread_mutex_lock(&b->lock);
    end = bnd_must_end(b);
    pthread_mutex_unlock(&b->lock);
    return end;
}

/* When to look again: soon, and when the time is over. */
static struct timespec bnd_next(const struct dbs_bounds *b)
{
    const double left = b->until - prvcut_seconds();
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += left > 0 && left < BND_PAUSE * 1e-9 ? (long)(left * 1e9) + 1 : BND_PAUSE;
    at.tv_sec += at.tv_nsec / 1000000000L;
    at.tv_nsec %= 1000000000L;
    return at;
}

/* An interrupt that comes between two statements is forgotten: it goes on until all is told. */
static void *bnd_watch(void *ctx)
{
    struct dbs_bounds *b = ctx;

    pthread_mutex_lock(&b->lock);
    while (!b->ended) {
        const struct timespec at = bnd_next(b);

        if (pthread_cond_timedwait(&b->wake, &b->lock, &at) == ETIMEDOUT && !b->ended &&
            bnd_must_end(b))
            sqlite3_interrupt(b->watched);
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

/* A width or precision: digits, or the next of the other texts where it is a star. */
static int64_t bnd_number(const char **at, sqlite3_value **text, int texts, int *next)
{
    int64_t n = 0;

    if (**at == '*') {
        ++*at;
        n = *next < texts ? sqlite3_value_int64(text[*next]) : 0;
        ++*next;
        return n < -DBS_TEXT_MOST ? INT64_MAX : n < 0 ? -n : n;
    }
    for (; **at >= '0' && **at <= '9'; ++*at)
        n = n > DBS_TEXT_MOST ? n : 10 * n + (**at - '0');
    return n;
}

/* Is any part of what is printed longer than a text may be? */
static bool bnd_prints_more(sqlite3_value **text, int texts)
{
    const char *at = texts > 0 ? (const char *)sqlite3_value_text(text[0]) : NULL;
    int next = 1;

    while (at && (at = strchr(at, '%')) != NULL) {
        at += 1 + strspn(at + 1, "-+ #0!,");
        if (bnd_number(&at, text, texts, &next) > DBS_TEXT_MOST)
            return true;
        at += *at == '.';
        if (bnd_number(&at, text, texts, &next) > DBS_TEXT_MOST)
            return true;
        at += strspn(at, "l");
        next += *at != '%';
        at += *at != '\0';
    }
    return false;
}

/* May it be called? If not, it has failed. */
static bool bnd_may(sqlite3_context *at, struct dbs_bounded *mine, int texts, sqlite3_value **text)
{
    struct dbs_bounds *b = mine->of;
    const struct bnd_function *f = &bnd_functions[mine - b->bounded];
    const int64_t one = texts > 0 ? sqlite3_value_bytes(text[0]) : 0;
    const int64_t pairs = texts > 1 ? one * sqlite3_value_bytes(text[1]) : 0;
    const bool too_long = f->kind == BND_PRINTS ? bnd_prints_more(text, texts)
                                                : pairs > BND_MOST || (f->kind == BND_MATCHES &&
                                                                       one > DBS_PATTERN_MOST);

    if (too_long)
        b->long_in = f->name;
    if (too_long || (pairs > BND_LOOK && bnd_look(b))) {
        sqlite3_result_error_code(at, SQLITE_TOOBIG);
        return false;
    }
    return true;
}

/* As SQLite has them, which gives its matching away but not these functions. */
static void bnd_match(sqlite3_context *at, int texts, sqlite3_value **text)
{
    struct dbs_bounded *mine = sqlite3_user_data(at);
    const char *name = bnd_functions[mine - mine->of->bounded].name;
    const char *pattern = (const char *)sqlite3_value_text(text[0]);
    const char *in = (const char *)sqlite3_value_text(text[1]);
    const char *escape = texts > 2 ? (const char *)sqlite3_value_text(text[2]) : "";

    if (!pattern || !in || !escape || !bnd_may(at, mine, texts, text))
        return;
    if (texts > 2 && strlen(escape) != 1)
        sqlite3_result_error(at, "ESCAPE expression must be a single character", -1);
    else if (*name == 'g')
        sqlite3_result_int(at, sqlite3_strglob(pattern, in) == 0);
    else
        sqlite3_result_int(at, sqlite3_strlike(pattern, in, (unsigned char)*escape) == 0);
}

static sqlite3_stmt *bnd_own(struct dbs_bounded *mine, int texts)
{
    struct dbs_bounds *b = mine->of;
    char sql[400];
    size_t n =
        (size_t)snprintf(sql, sizeof sql, "SELECT %s(", bnd_functions[mine - b->bounded].name);

    if (mine->call && mine->texts == texts)
        return mine->call;
    for (int i = 0; i < texts && n + 4 < sizeof sql; i++)
        n += (size_t)snprintf(sql + n, sizeof sql - n, i > 0 ? ",?" : "?");
    snprintf(sql + n, sizeof sql - n, ")");
    if (!b->own && sqlite3_open(":memory:", &b->own) == SQLITE_OK)
        sqlite3_limit(b->own, SQLITE_LIMIT_LENGTH, DBS_TEXT_MOST);
    sqlite3_finalize(mine->call);
    mine->call = NULL;
    mine->texts = texts;
    sqlite3_prepare_v2(b->own, sql, -1, &mine->call, NULL);
    return mine->call;
}

/* SQLite's own function cannot be called from what stands in its place, but by a question. */
static void bnd_call(sqlite3_context *at, int texts, sqlite3_value **text)
{
    struct dbs_bounded *mine = sqlite3_user_data(at);
    sqlite3_stmt *own;
    int rc = SQLITE_OK;

    if (!bnd_may(at, mine, texts, text))
        return;
    own = bnd_own(mine, texts);
    if (!own) {
        sqlite3_result_error_nomem(at);
        return;
    }
    for (int i = 0; i < texts && rc == SQLITE_OK; i++)
        rc = sqlite3_bind_value(own, i + 1, text[i]);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(own);
    if (rc == SQLITE_ROW)
        sqlite3_result_value(at, sqlite3_column_value(own, 0));
    else
        sqlite3_result_error_code(at, rc);
    sqlite3_reset(own);
    sqlite3_clear_bindings(own);
}

int dbs_bounds_set(sqlite3 *db, struct dbs_bounds *b)
{
    const int how = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int rc = SQLITE_OK;

    pthread_mutex_init(&b->lock, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, DBS_TEXT_MOST);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, DBS_TEXT_MOST);
    sqlite3_progress_handler(db, BND_STEPS, bnd_look, b);
    for (int i = 0; i < DBS_BOUNDED && rc == SQLITE_OK; i++) {
        const struct bnd_function *f = &bnd_functions[i];

        b->bounded[i].of = b;
        rc = sqlite3_create_function(db, f->name, f->texts, how, &b->bounded[i],
                                     f->kind == BND_MATCHES ? bnd_match : bnd_call, NULL, NULL);
    }
    return rc;
}

void dbs_bounds_watch(sqlite3 *db, struct dbs_bounds *b)
{
    pthread_condattr_t how;

    if (pthread_condattr_init(&how) != 0)
        return;
    pthread_condattr_setclock(&how, CLOCK_MONOTONIC);
    if (pthread_cond_init(&b->wake, &how) == 0) {
        b->watched = db;
        if (pthread_create(&b->watcher, NULL, bnd_watch, b) != 0) {
            b->watched = NULL;
            pthread_cond_destroy(&b->wake);
        }
    }
    pthread_condattr_destroy(&how);
}

void dbs_bounds_rest(struct dbs_bounds *b)
{
    if (!b->watched)
        return;
    pthread_mutex_lock(&b->lock);
    b->ended = true;
    pthread_cond_signal(&b->wake);
    pthread_mutex_unlock(&b->lock);
    pthread_join(b->watcher, NULL);
    pthread_cond_destroy(&b->wake);
    b->watched = NULL;
}

void dbs_bounds_end(sqlite3 *db, struct dbs_bounds *b)
{
    dbs_bounds_rest(b);
    pthread_mutex_destroy(&b->lock);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    for (int i = 0; i < DBS_BOUNDED; i++)
        sqlite3_finalize(b->bounded[i].call);
    sqlite3_close(b->own);
}
