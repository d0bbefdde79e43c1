/* The first lines of a kernel that not every processor runs: there its import is an ImportError, not an illegal instruction.
 *
 * Programs that look at all modules of a package import it, too. Python calls RV_INIT, which asks the processor; Cython's
 * own initialization, compiled for the level, has the name rv_init_kernel.
 */
#ifndef REVERSI_GUARD_H
#define REVERSI_GUARD_H

#include "cpu.h"

PyMODINIT_FUNC rv_init_kernel(void);

PyMODINIT_FUNC RV_INIT(void) {
    if (rv_x86_level() < RV_LEVEL) {
        PyErr_SetString(PyExc_ImportError, "this processor does not run this build of the kernel");
        return NULL;
    }
    return rv_init_kernel();
}

#endif
