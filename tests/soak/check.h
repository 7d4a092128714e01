/* What the programs of this folder share: checks. */
#ifndef CHECK_H
#define CHECK_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

#endif
