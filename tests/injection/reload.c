/* A host that loads the library as a plug-in: dlopen, use with threads, dlclose, again and again. Its only argument is the library. */
#include <dlfcn.h>
#include <quatint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            const char *why = dlerror(); \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, why ? why : ""); \
            exit(1); \
        } \
    } while (0)

enum { LOADS = 200, N = 1000 };

/* a function pointer from the object pointer that dlsym returns, as POSIX has it */
#define FIND(library, name) \
    __typeof__(&name) name = NULL; \
    *(void **)&name = dlsym(library, #name); \
    CHECK(name != NULL)

static long resident_pages(void)
{
    long size = 0, resident = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    CHECK(statm != NULL && fscanf(statm, "%ld %ld", &size, &resident) == 2);
    fclose(statm);
    return resident;
}

static double turned(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    FIND(library, qi_create_ensemble);
    FIND(library, qi_set_angular_velocities);
    FIND(library, qi_set_ensemble_threads);
    FIND(library, qi_advance_ensemble);
    FIND(library, qi_get_orientations);
    FIND(library, qi_destroy_ensemble);
    FIND(library, qi_step_ensemble);
    FIND(library, qi_last_error);

    const double omega[3] = {0, 0, 1};
    static double q[4 * N];
    qi_ensemble *e = qi_create_ensemble(N, NULL);
    CHECK(e != NULL && qi_set_ensemble_threads(e, 2) == QI_OK);
    CHECK(qi_set_angular_velocities(e, omega, 0, 1) == QI_OK);
    CHECK(qi_advance_ensemble(e, 0.01, 10, NULL) == QI_OK);
    CHECK(qi_step_ensemble(NULL, 0.01) == QI_ERR_NULL && qi_last_error()[0] != '\0'); /* the thread has a text of the library now */
    CHECK(qi_get_orientations(e, q, 4, 1) == QI_OK);
    qi_destroy_ensemble(e);
    CHECK(dlclose(library) == 0); /* threads of the library may be about to end: its code must still be there */
    return q[4 * N - 1];
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    long pages = 0;
    double first = 0;
    for (int i = 0; i < LOADS; i++) {
        const double z = turned(argv[1]);
        if (i == 0) first = z;
        CHECK(z == first && z > 0.049 && z < 0.051);
        if (i == LOADS / 2) pages = resident_pages();
    }
    CHECK(resident_pages() < pages + 256); /* 1 MiB */
    CHECK(dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) != NULL); /* its code is never taken away from a thread */
    printf("%d times loaded\n", LOADS);
    return 0;
}
