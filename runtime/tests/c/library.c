/* A shared library as arrc makes them. */
#include "generated.h"
#include "arr_rt.h"
#include "compiled.h"
