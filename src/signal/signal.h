#ifndef PRVCUT_SIGNAL_SIGNAL_H
#define PRVCUT_SIGNAL_SIGNAL_H

#include "base/error.h"
#include "prvcut/signals.h"

#endif
