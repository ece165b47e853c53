/* calllib_mex.c: the C part of the stand-in for MATLAB's calllib, for x86-64 and AArch64 Unix. It allocates memory and calls a
 * function by name. On these systems integers and doubles are passed in separate registers, each kind in order. So one function
 * type fits all functions with at most 6 integers and 4 doubles.
 *
 *     calllib_mex('open', file)              calllib_mex('new', numbers) -> address
 *     calllib_mex('get', address, count)     calllib_mex('free', address)
 *     calllib_mex('call', name, 'i' | 'd' | 's', int64 integers, doubles) -> int64, double or text
 */
#include <dlfcn.h>
#include <mex.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PARAMETERS int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, double, double, double, double
#define ARGUMENTS i[0], i[1], i[2], i[3], i[4], i[5], d[0], d[1], d[2], d[3]

void mexFunction(int outputs, mxArray *out[], int inputs, const mxArray *in[])
{
    static void *library;
    char what[16], text[1024];
    (void)outputs, (void)inputs;
    mxGetString(in[0], what, sizeof what);
    if (strcmp(what, "open") == 0) {
        mxGetString(in[1], text, sizeof text);
        library = dlopen(text, RTLD_NOW);
        if (library == NULL) mexErrMsgIdAndTxt("calllib:open", "%s", dlerror());
    } else if (strcmp(what, "new") == 0) {
        const size_t size = mxGetNumberOfElements(in[1])*sizeof(double);
        double *memory = malloc(size + 1);
        memcpy(memory, mxGetPr(in[1]), size);
        out[0] = mxCreateNumericMatrix(1, 1, mxINT64_CLASS, mxREAL);
        *(int64_t *)mxGetData(out[0]) = (int64_t)(intptr_t)memory;
    } else if (strcmp(what, "get") == 0) {
        const size_t count = (size_t)mxGetScalar(in[2]);
        out[0] = mxCreateDoubleMatrix(1, count, mxREAL);
        memcpy(mxGetPr(out[0]), (void *)(intptr_t)*(int64_t *)mxGetData(in[1]), count*sizeof(double));
    } else if (strcmp(what, "free") == 0) {
        free((void *)(intptr_t)*(int64_t *)mxGetData(in[1]));
    } else {
        int64_t i[6] = {0};
        double d[4] = {0};
        mxGetString(in[1], text, sizeof text);
        void *symbol = dlsym(library, text);
        if (symbol == NULL) mexErrMsgIdAndTxt("calllib:call", "%s", dlerror());
        mxGetString(in[2], what, sizeof what);
        if (mxGetNumberOfElements(in[3]) > 6 || mxGetNumberOfElements(in[4]) > 4)
            mexErrMsgIdAndTxt("calllib:call", "too many arguments");
        memcpy(i, mxGetData(in[3]), mxGetNumberOfElements(in[3])*sizeof *i);
        memcpy(d, mxGetPr(in[4]), mxGetNumberOfElements(in[4])*sizeof *d);
        if (what[0] == 'd') {
            out[0] = mxCreateDoubleScalar(((double (*)(PARAMETERS))symbol)(ARGUMENTS));
        } else if (what[0] == 's') {
            out[0] = mxCreateString(((const char *(*)(PARAMETERS))symbol)(ARGUMENTS));
        } else {
            out[0] = mxCreateNumericMatrix(1, 1, mxINT64_CLASS, mxREAL);
            *(int64_t *)mxGetData(out[0]) = ((int64_t (*)(PARAMETERS))symbol)(ARGUMENTS);
        }
    }
}
