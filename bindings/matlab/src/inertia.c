/* inertia.c: the inertia, one that an M function gives, and body axes about which bodies do not turn. */
#include "quatint_mex.h"

void set_inertias(call c)
{
    ptrdiff_t stride;
    const double *inertias = for_each_body(c.entry, c.in[0], 9, "inertia", &stride);
    check(c.entry, qi_set_inertias(c.entry->ensemble, inertias, stride));
}

static int32_t kept(const mxArray *a)
{
    char name[24] = "";
    const bool is_text = mxIsChar(a) && mxGetString(a, name, sizeof name) == 0;
    if (is_text && is_named(name, "angularvelocity")) return QI_KEEP_ANGULAR_VELOCITY;
    if (!is_text || !is_named(name, "angularmomentum"))
        mexErrMsgIdAndTxt("quatint:Invalid", "`keep` must be 'angularVelocity' or 'angularMomentum'");
    return QI_KEEP_ANGULAR_MOMENTUM;
}

/* Of a body. */
void set_inertia(call c)
{
    const double *inertia = vector(c.in[0], 9, "inertia");
    check(c.entry, qi_set_inertia(c.entry->body->handle, inertia, kept(c.in[1])));
    c.entry->body->changes = false;
}

static qi_status pass_function(body *b)
{
    const qi_status status = qi_set_inertia_function(b->handle, ask_inertia, b);
    if (status == QI_OK) b->changes = true;
    return status;
}

/* M code answers the questions for the function. */
void set_inertia_function(call c) { start_task(c, pass_function); }

/* The inertia stays that of this moment. */
void end_inertia_function(call c)
{
    check(c.entry, qi_set_inertia_function(c.entry->body->handle, NULL, NULL));
    c.entry->body->changes = false;
}

/* 'xz', for instance; '' is no axis. */
static int32_t axes_named(const mxArray *a)
{
    static const char *const MUST = "`axes` must be letters x, y and z, such as 'x' or 'xz', or a cell array of such texts";
    char text[8] = "";
    int32_t axes = 0;
    if (a == NULL || !mxIsChar(a) || (mxGetNumberOfElements(a) > 0 && mxGetString(a, text, sizeof text) != 0))
        mexErrMsgIdAndTxt("quatint:Invalid", "%s", MUST);
    for (const char *letter = text; *letter != '\0'; letter++)
        switch (tolower((unsigned char)*letter)) {
        case 'x': axes |= QI_AXIS_X; break;
        case 'y': axes |= QI_AXIS_Y; break;
        case 'z': axes |= QI_AXIS_Z; break;
        default: mexErrMsgIdAndTxt("quatint:Invalid", "%s", MUST);
        }
    return axes;
}

/* Takes a text for all bodies, or a cell array with one for each. */
void lock_axes(call c)
{
    const size_t n = c.entry->count;
    const bool is_each = mxIsCell(c.in[0]);
    int32_t *axes = mxMalloc((n + 1)*sizeof *axes);
    if (is_each && mxGetNumberOfElements(c.in[0]) != n)
        mexErrMsgIdAndTxt("quatint:Size", "`axes` must have %lu cells, not %lu", (unsigned long)n,
                          (unsigned long)mxGetNumberOfElements(c.in[0]));
    axes[0] = is_each ? 0 : axes_named(c.in[0]);
    for (size_t i = 0; is_each && i < n; i++) axes[i] = axes_named(mxGetCell(c.in[0], i));
    if (c.entry->body != NULL) {
        check(c.entry, qi_set_locked_axes(c.entry->body->handle, axes[0]));
        c.entry->body->changes = false;
    } else {
        check(c.entry, qi_set_ensemble_locked_axes(c.entry->ensemble, axes, is_each ? 1 : 0));
    }
    mxFree(axes);
}
