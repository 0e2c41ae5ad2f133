#include <uniwidth.h>
