// bullet.cpp: the contender Bullet. A world with one body; the torque is added before each step. It is built twice, because
// Debian has Bullet in single precision (its default) and in double precision.
//
// The centre of mass of the body is the fixed point. The moments of inertia are about it, and no force moves it.
#include "peer.h"
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>
#include <string>

#ifdef BT_USE_DOUBLE_PRECISION
#define NUMBER "double"
#else
#define NUMBER "single"
#endif

static btVector3 vector(const double *v)
{
    return btVector3(btScalar(v[0]), btScalar(v[1]), btScalar(v[2]));
}

struct state {
    const problem *p;
    int steps, taken;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btSphereShape shape{btScalar(0.1)};
    std::unique_ptr<btRigidBody> body;
};

static void *start(const problem *p, double steps)
{
    state *s = new state;
    s->p = p;
    s->steps = static_cast<int>(steps);
    s->taken = 0;
    s->world.setGravity(btVector3(0, 0, 0));
    s->body.reset(new btRigidBody(btRigidBody::btRigidBodyConstructionInfo(1, nullptr, &s->shape, vector(p->moments))));
    const btQuaternion q(btScalar(p->q[1]), btScalar(p->q[2]), btScalar(p->q[3]), btScalar(p->q[0]));
    s->body->setCenterOfMassTransform(btTransform(q));
    s->body->setAngularVelocity(quatRotate(q, vector(p->omega)));
    s->body->setDamping(0, 0);
    s->body->setActivationState(DISABLE_DEACTIVATION);
    s->body->setFlags(BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY);
    s->world.addRigidBody(s->body.get());
    return s;
}

static void run(void *of)
{
    state *s = static_cast<state *>(of);
    const btScalar h = btScalar(s->p->end / s->steps);
    const btVector3 arm = vector(s->p->arm), force = vector(s->p->force);
    for (int i = 0; i < s->steps; i++) {
        if (s->p->torqued) s->body->applyTorque((s->body->getWorldTransform().getBasis() * arm).cross(force));
        s->taken += s->world.stepSimulation(h, 0);
    }
}

static void finish(void *of, outcome *result)
{
    state *s = static_cast<state *>(of);
    const btQuaternion q = s->body->getOrientation();
    const btVector3 omega = quatRotate(q.inverse(), s->body->getAngularVelocity());
    const double numbers[4] = {q.w(), q.x(), q.y(), q.z()};
    for (int i = 0; i < 4; i++) result->q[i] = numbers[i];
    for (int i = 0; i < 3; i++) result->omega[i] = omega[i];
    if (s->taken < s->steps) result->q[0] = NAN; // Bullet skips steps shorter than its epsilon
    result->steps = result->evaluations = s->taken;
    s->world.removeRigidBody(s->body.get());
    delete s;
}

const peer *peers(int *count)
{
    static const std::string library = "Bullet " + std::to_string(BT_BULLET_VERSION / 100) + "." +
                                       std::to_string(BT_BULLET_VERSION % 100);
    static const peer all[] = {
        {"Bullet, " NUMBER, library.c_str(),
         "`stepSimulation`: semi-implicit Euler, gyroscopic torque implicit (its default), q rotated by the exponential map",
         "start, world", "normalised", NUMBER, 1, STEPS, 1,
         start, run, finish},
    };
    *count = sizeof all / sizeof *all;
    return all;
}
