/* inertia.c: another inertia for a body alone, and body axes about which bodies do not turn. */
#include "quatint_mex.h"

/* Gives the inertia of the body, and what it has left of the rotation, to the ensemble, bit for bit. */
void give_inertia(entry *e)
{
    enum { PARTS = QI_PART_STATE | QI_PART_INERTIA };
    double row[14];
    check(e, qi_get_body_row(e->lone->body, PARTS, row));
    check(e, qi_set_ensemble_rows(e->ensemble, PARTS, NULL, 1, row));
    e->lone->taken.clock[0] = NAN;
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

/* Unlike set_inertia, which keeps the angular velocity, it leaves the torque and all else of the body. */
void set_inertia_keeping(call c)
{
    lone_body *l = lone_of(c);
    const double *inertia = vector(c.in[0], 9, "inertia");
    const int32_t keep = kept(c.in[1]);
    take_state(c.entry);
    check(c.entry, qi_set_inertia(l->body, inertia, keep));
    l->changes = false;
    give_inertia(c.entry);
}

/* The inertia of a body alone that was saved: no tensor gives that of one with locked axes. */
void set_inertia_row(call c)
{
    lone_body *l = lone_of(c);
    const double *row = vector(c.in[0], 7, "row");
    take_state(c.entry);
    check(c.entry, qi_set_body_row(l->body, QI_PART_INERTIA, row));
    give_inertia(c.entry);
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
        switch (*letter) {
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
    if (c.entry->lone != NULL) {
        take_state(c.entry);
        check(c.entry, qi_set_locked_axes(c.entry->lone->body, axes[0]));
        c.entry->lone->changes = false;
        give_inertia(c.entry);
    } else {
        check(c.entry, qi_set_ensemble_locked_axes(c.entry->ensemble, axes, is_each ? 1 : 0));
    }
    mxFree(axes);
}
