/* What the programs of this folder share: threads that a host lends to a call. */
#ifndef LEND_H
#define LEND_H

#include "check.h"

enum { MOST_HELPERS = 2 };

static void *run_copy(void *copy)
{
    void **body_and_argument = copy;
    (*(void (**)(void *))body_and_argument[0])(body_and_argument[1]);
    return NULL;
}

/* Runs copies of the body in the caller's thread and in new threads, of which there are `helpers` at most. */
static void lend_helpers(int helpers, int64_t copies, void (*body)(void *argument), void *argument)
{
    void *copy[2] = {&body, argument};
    pthread_t threads[MOST_HELPERS];
    int started = 0;
    while (started < helpers && started + 1 < copies &&
           pthread_create(&threads[started], NULL, run_copy, copy) == 0)
        started++;
    body(argument);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}

#endif
