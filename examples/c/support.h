/* Helpers that the example programs share: reading the cities, random numbers, and counting the checks
 * that failed. None of them is needed to call an entry. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- checks ---------------------------------------------------------------------------------- */

/* The checks of this program that failed. */
static int failures = 0;

/* Counts and reports a check that fails. */
static inline void expect(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "wrong: %s\n", what);
        failures += 1;
    }
}

/* Says whether all checks held; the program's exit status. */
static inline int summary(void)
{
    puts(failures == 0 ? "all as expected" : "NOT as expected");
    return failures == 0 ? 0 : 1;
}

/* Memory for `count` elements, also for none; the program ends where there is no more. */
static inline void *allocate(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

/* ---- random numbers -------------------------------------------------------------------------- */

/* The next number of a xorshift sequence, the same on every machine. */
static inline uint64_t random_bits(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A number from 0 up to but without 1. */
static inline double random_unit(uint64_t *state)
{
    return (double)(random_bits(state) >> 11) / 9007199254740992.0;
}

/* A whole number from 0 up to but without `bound`. */
static inline int64_t random_below(uint64_t *state, int64_t bound)
{
    return (int64_t)(random_bits(state) >> 1) % bound;
}

/* ---- the cities ------------------------------------------------------------------------------ */

enum { MAX_FIELDS = 16, MAX_LINE = 1024 };

/* Splits a line of CSV in place; quotes around a field are dropped, doubled ones become one. */
static inline int split_line(char *line, char **fields)
{
    int count = 0;
    char *in = line;
    for (;;) {
        char *out = in;
        int quoted = 0, ended = 0;
        if (count == MAX_FIELDS)
            return count;
        fields[count++] = out;
        for (;; in++) {
            if (*in == '"' && quoted && in[1] == '"')
                *out++ = *in++;
            else if (*in == '"')
                quoted = !quoted;
            else if (*in == '\0' || *in == '\n' || *in == '\r' || (*in == ',' && !quoted))
                break;
            else
                *out++ = *in;
        }
        ended = *in != ',';
        *out = '\0';
        if (ended)
            return count;
        in++;
    }
}

/* The field of that name in the first line, or -1. */
static inline int find_field(char **fields, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(fields[i], name) == 0)
            return i;
    return -1;
}

/* Reads the columns `lng` and `lat` of a CSV file into new arrays; the number of rows, or -1. */
static inline int64_t read_cities(const char *path, double **lng, double **lat)
{
    char line[MAX_LINE];
    char *fields[MAX_FIELDS];
    int64_t rows = 0, room = 1024;
    int at_lng = -1, at_lat = -1;
    FILE *file = fopen(path, "r");
    if (file == NULL || fgets(line, MAX_LINE, file) == NULL) {
        fprintf(stderr, "%s: cannot be read\n", path);
    } else {
        int count = split_line(line, fields);
        at_lng = find_field(fields, count, "lng");
        at_lat = find_field(fields, count, "lat");
        if (at_lng < 0 || at_lat < 0)
            fprintf(stderr, "%s: has no columns lng and lat\n", path);
    }
    if (at_lng < 0 || at_lat < 0) {
        if (file != NULL)
            fclose(file);
        return -1;
    }
    *lng = (double *)allocate(room, sizeof(double));
    *lat = (double *)allocate(room, sizeof(double));
    while (fgets(line, MAX_LINE, file) != NULL) {
        int count = split_line(line, fields);
        if (at_lng >= count || at_lat >= count)
            continue;
        if (rows == room) {
            double *more_lng = (double *)allocate(2 * room, sizeof(double));
            double *more_lat = (double *)allocate(2 * room, sizeof(double));
            memcpy(more_lng, *lng, (size_t)rows * sizeof(double));
            memcpy(more_lat, *lat, (size_t)rows * sizeof(double));
            free(*lng);
            free(*lat);
            *lng = more_lng;
            *lat = more_lat;
            room *= 2;
        }
        (*lng)[rows] = strtod(fields[at_lng], NULL);
        (*lat)[rows] = strtod(fields[at_lat], NULL);
        rows += 1;
    }
    fclose(file);
    return rows;
}

#endif
