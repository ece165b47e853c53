/* plugin.h: loads the contenders of a plugin, for the programs that run them.
 *
 * Each plugin is loaded into a linker namespace of its own, because Bullet's two precisions define the same symbols. The
 * program defines _GNU_SOURCE first.
 */
#ifndef PLUGIN_H
#define PLUGIN_H

#include "peer.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* The contenders, and how many they are. Ends the program if the file is no plugin. */
static const peer *contenders_of(const char *path, int *count)
{
    void *plugin = dlmopen(LM_ID_NEWLM, path, RTLD_NOW);
    const peer *(*offered)(int *) = plugin ? (const peer *(*)(int *))dlsym(plugin, "peers") : NULL;
    if (offered == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return offered(count);
}

#endif
