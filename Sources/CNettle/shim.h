#include <nettle/sha2.h>
#include <nettle/umac.h>
