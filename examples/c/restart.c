/* restart.c: a run restarted from a checkpoint ends with the same bits. */
/* Torque, method and clock of the new body are set first, and the row last: docs/restart.md. */
#include <quatint.h>
#include <stdio.h>
#include <string.h>

enum { PARTS = QI_PART_STATE | QI_PART_MEMORY, MOST = 7 + 7 };

typedef struct {
    double row[MOST], clock[2];
} checkpoint;

static qi_body *start(void)
{
    const double inertia[9] = {3, 0.1, 0, 0.1, 5, 0.2, 0, 0.2, 7}, omega[3] = {0.1, 0.4, 0.2}, drag[3] = {0.1, 0.2, 0.3};
    qi_body *body = qi_create_body(inertia, NULL, omega, NULL);
    if (body == NULL || qi_set_method(body, QI_METHOD_SPLITTING) != QI_OK || qi_set_linear_drag_torque(body, drag) != QI_OK)
        return NULL;
    return body;
}

static int save(const qi_body *body, checkpoint *c)
{
    return qi_get_body_row_size(body, PARTS) <= MOST && qi_get_body_row(body, PARTS, c->row) == QI_OK
        && qi_get_clock(body, c->clock) == QI_OK;
}

int main(void)
{
    checkpoint middle, end[2];
    memset(end, 0, sizeof end);
    qi_body *through = start(), *restarted = start();
    const int good = through != NULL && restarted != NULL
        && qi_advance(through, 1e-3, 500, NULL) == QI_OK && save(through, &middle)
        && qi_advance(through, 1e-3, 500, NULL) == QI_OK && save(through, &end[0])
        && qi_set_clock(restarted, middle.clock) == QI_OK && qi_set_body_row(restarted, PARTS, middle.row) == QI_OK
        && qi_advance(restarted, 1e-3, 500, NULL) == QI_OK && save(restarted, &end[1]);
    if (!good) return fprintf(stderr, "%s\n", qi_last_error()), 1;
    printf("state and clock have the same bits: %s\n", memcmp(&end[0], &end[1], sizeof end[0]) == 0 ? "yes" : "no");
    qi_destroy_body(through);
    qi_destroy_body(restarted);
    return 0;
}

/* It prints:
state and clock have the same bits: yes
*/
