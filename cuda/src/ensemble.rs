//! Bodies whose orientations and angular velocities lie in arrays on the device.

use crate::clock::Clock;
use crate::columns::{Columns, Numbers, array_of};
use crate::driver::Device;
use crate::error::{Error, Failure, check, finite};
use crate::failure_record::FailureRecord;
use crate::kernel::Vec3;
use crate::last_torques::LastTorques;
use crate::layout::{self, Arguments, Array};
use crate::method::{Method, Plan, WhatActs, check_diffusion};
use crate::opened::{Opened, Work};
use crate::properties::{Drag, HeatBath, Inertias, Torque};
use crate::protocol::Protocol;
use crate::refusal::Refusal;
use std::ffi::c_void;
use std::sync::Arc;

/// What noise depends on.
#[derive(Default)]
pub(crate) struct Random {
    pub(crate) heat_bath: Option<HeatBath>,
    pub(crate) ids: Option<Columns>,
    pub(crate) draws: u64,
}

/// Which bodies move.
#[derive(Clone, Copy)]
pub(crate) struct Active {
    /// The address of their indices on the device; 0: they are the first ones.
    pub(crate) list: u64,
    pub(crate) count: usize,
}

pub(crate) struct Ensemble {
    pub(crate) opened: Arc<Opened>,
    /// All bodies, whether they move or not.
    pub(crate) count: usize,
    active: Active,
    stream: *mut c_void,
    pub(crate) orientation: Option<Array>,
    pub(crate) velocity: Option<Array>,
    velocity_kind: u32,
    /// Whether drifts compute free rotations in single precision.
    pub(crate) drifts_in_single: bool,
    pub(crate) method: Method,
    pub(crate) inertias: Inertias,
    pub(crate) torque: Torque,
    pub(crate) flow_gradients: Option<Array>,
    pub(crate) drag: Option<Drag>,
    pub(crate) random: Random,
    pub(crate) last: LastTorques,
    pub(crate) clock: Clock,
    pub(crate) protocol: Protocol,
    failures: FailureRecord,
    /// The bits of the longest step that is known to be stable under the drag.
    stable_up_to: f64,
}

// SAFETY: the stream is a handle, which any thread may use
unsafe impl Send for Ensemble {}

impl Ensemble {
    pub(crate) fn new(opened: &Arc<Opened>, count: usize) -> Result<Self, Refusal> {
        let device = &opened.device;
        Ok(Ensemble {
            opened: opened.clone(),
            count,
            active: Active { list: 0, count },
            stream: std::ptr::null_mut(),
            orientation: None,
            velocity: None,
            velocity_kind: layout::OMEGA_BODY,
            drifts_in_single: false,
            method: Method::default(),
            inertias: Inertias::of_moments(device, &Numbers::Shared([1.0; 3]))?,
            torque: Torque::free(),
            flow_gradients: None,
            drag: None,
            random: Random::default(),
            last: LastTorques::default(),
            clock: Clock::default(),
            protocol: Protocol::default(),
            failures: FailureRecord::new(device)?,
            stable_up_to: -1.0,
        })
    }

    pub(crate) fn device(&self) -> &Arc<Device> {
        &self.opened.device
    }

    /// Refuses a change in the middle of a step. The last torques are no longer known, nor what is
    /// stable.
    pub(crate) fn begin_change(&mut self) -> Result<(), Error> {
        self.protocol.check_no_step_begun()?;
        self.last.forget();
        self.stable_up_to = -1.0;
        Ok(())
    }

    /// [`Ensemble::begin_change`] of what acts: the rates of change stay if the next plan keeps them.
    fn begin_change_to(&mut self, next: &Plan) -> Result<(), Error> {
        let rates_stay = self.last.rates_are_known
            && (next.kept(), next.is_damped()) == (self.plan().kept(), self.plan().is_damped());
        self.begin_change()?;
        self.last.rates_are_known = rates_stay;
        Ok(())
    }

    /// Something that the torque reads has changed.
    pub(crate) fn forget_torques(&mut self) -> Result<(), Error> {
        self.begin_change_to(self.plan())
    }

    /// Waits for the kernels of this ensemble, before memory that they read is given back.
    fn wait(&self) -> Result<(), Refusal> {
        Ok(self.device().synchronise(self.stream)?)
    }

    /// From now on starts kernels in this stream, when those of the stream before have ended. That
    /// stream may be gone.
    pub(crate) fn set_stream(&mut self, stream: *mut c_void) -> Result<(), Refusal> {
        self.device().synchronise_all()?;
        self.stream = stream;
        Ok(())
    }

    fn forget_factors(&mut self) {
        if let Some(heat_bath) = &mut self.random.heat_bath {
            heat_bath.of_steps = None;
        }
    }

    pub(crate) fn bind_orientations(&mut self, array: Array) -> Result<(), Refusal> {
        self.begin_change()?;
        self.orientation = Some(array);
        Ok(())
    }

    pub(crate) fn bind_velocities(&mut self, array: Array, kind: u32) -> Result<(), Refusal> {
        self.begin_change()?;
        self.velocity = Some(array);
        self.velocity_kind = kind;
        Ok(())
    }

    pub(crate) fn bind_active(&mut self, active: Active) -> Result<(), Refusal> {
        check(
            active.count <= self.count,
            "count",
            "must not be above the number of bodies",
        )?;
        self.begin_change()?;
        self.active = active;
        Ok(())
    }

    pub(crate) fn bind_flow_gradients(&mut self, array: Option<Array>) -> Result<(), Refusal> {
        self.forget_torques()?;
        self.flow_gradients = array;
        Ok(())
    }

    pub(crate) fn set_inertias(&mut self, inertias: Inertias) -> Result<(), Refusal> {
        self.protocol.check_no_step_begun()?;
        self.wait()?;
        self.begin_change()?;
        self.inertias = inertias;
        self.forget_factors();
        Ok(())
    }

    pub(crate) fn set_torque(&mut self, torque: Torque) -> Result<(), Refusal> {
        self.protocol.check_no_step_begun()?;
        let under = self.what_acts_with(&torque, self.drag.is_some(), self.is_random());
        let plan = self.method.takes(under, "torque")?;
        self.wait()?;
        self.begin_change_to(plan)?;
        self.torque = torque;
        Ok(())
    }

    pub(crate) fn set_drag(&mut self, drag: Option<Drag>) -> Result<(), Refusal> {
        self.protocol.check_no_step_begun()?;
        let under = self.what_acts_with(&self.torque, drag.is_some(), self.is_random());
        let plan = self.method.takes(under, "drag")?;
        self.wait()?;
        match drag {
            Some(_) => self.begin_change_to(plan)?,
            None => self.begin_change()?,
        }
        self.drag = drag;
        Ok(())
    }

    pub(crate) fn set_heat_bath(&mut self, heat_bath: Option<HeatBath>) -> Result<(), Refusal> {
        self.protocol.check_no_step_begun()?;
        let under = self.what_acts_with(&self.torque, self.drag.is_some(), heat_bath.is_some());
        self.method.takes(under, "coefficients")?;
        self.wait()?;
        self.begin_change()?;
        self.random.heat_bath = heat_bath;
        Ok(())
    }

    pub(crate) fn set_ids(&mut self, ids: Option<&[u64]>) -> Result<(), Refusal> {
        self.protocol.check_no_step_begun()?;
        let ids = match ids {
            Some(ids) => Some(Columns::of_bits(self.device(), ids)?),
            None => None,
        };
        self.wait()?;
        self.random.ids = ids;
        Ok(())
    }

    pub(crate) fn set_method(&mut self, method: Method) -> Result<(), Refusal> {
        self.protocol.check_no_step_begun()?;
        method.takes(self.what_acts(), "method")?;
        self.begin_change()?;
        self.method = method;
        Ok(())
    }

    pub(crate) fn set_drift_precision(&mut self, is_single: bool) -> Result<(), Refusal> {
        self.protocol.check_no_step_begun()?;
        self.drifts_in_single = is_single;
        Ok(())
    }

    pub(crate) fn set_time(&mut self, time: f64) -> Result<(), Refusal> {
        self.protocol.check_no_step_begun()?;
        let [time] = finite("time", [time])?;
        self.last.by = None;
        self.clock = Clock([time, 0.0]);
        Ok(())
    }

    /// What acts on the bodies.
    pub(crate) fn what_acts(&self) -> WhatActs {
        self.what_acts_with(&self.torque, self.drag.is_some(), self.is_random())
    }

    /// [`Ensemble::what_acts`], if these were there.
    fn what_acts_with(&self, torque: &Torque, has_drag: bool, is_random: bool) -> WhatActs {
        WhatActs {
            resists: has_drag || torque.resists_besides(is_random),
            has_drag,
            is_random,
            ..WhatActs::default()
        }
    }

    fn is_random(&self) -> bool {
        self.random.heat_bath.is_some()
    }

    pub(crate) fn plan(&self) -> &'static Plan {
        self.method.plan(self.what_acts())
    }

    /// Whether there is a torque, or something acts besides it.
    pub(crate) fn acts(&self) -> bool {
        self.torque.acts() || self.drag.is_some() || self.plan().is_random()
    }

    /// The arguments of any kernel. Errors: an array is not bound.
    pub(crate) fn arguments(&self) -> Result<Arguments, Error> {
        let unbound = Error::Order("bind orientations and angular velocities first");
        let (Some(orientation), Some(velocity)) = (self.orientation, self.velocity) else {
            return Err(unbound);
        };
        let plan = self.plan();
        let mut arguments = Arguments {
            count: self.active.count as u64,
            active: self.active.list,
            bodies: self.count as u64,
            steps: 1,
            stages: [0, plan.torque_at.len() as u32],
            all_stages: plan.torque_at.len() as u32,
            composition: number_of(plan),
            orientation,
            velocity,
            velocity_kind: self.velocity_kind,
            drifts_in_single: u32::from(self.drifts_in_single),
            flow_gradients: self.flow_gradients.unwrap_or_default(),
            is_damped: u32::from(plan.is_damped()),
            draw: self.random.draws,
            ids: array_of(self.random.ids.as_ref()),
            failures: self.failures.address(),
            ..Arguments::default()
        };
        arguments.velocity.is_scalar_last = orientation.is_scalar_last; // of conjugate momenta
        self.inertias.write(&mut arguments);
        self.torque.write(&mut arguments);
        if let Some(drag) = &self.drag {
            drag.write(&mut arguments);
        }
        if let Some(heat_bath) = &self.random.heat_bath {
            heat_bath.write(&mut arguments);
        }
        Ok(arguments)
    }

    /// Starts a kernel for all bodies.
    pub(crate) fn launch(&self, work: Work, arguments: &Arguments) -> Result<(), Refusal> {
        // SAFETY: the caller has said that the bound arrays are on the device; the others are of
        // buffers that live as long as the ensemble
        unsafe { self.opened.launch(work, self.stream, arguments) }
    }

    /// Waits for all that the stream has been given, and reports the bodies that have failed.
    pub(crate) fn check(&mut self) -> Result<(), Refusal> {
        let outcome = self.failures.check(&self.opened.device, self.stream);
        if let Err(Refusal::Bodies { .. }) = outcome {
            self.last.forget();
        }
        outcome
    }

    /// Reports bodies that are known to have failed, and does not wait.
    pub(crate) fn look(&mut self) -> Result<(), Refusal> {
        self.failures.look(self.stream)
    }

    /// The kinetic energy and the angular momentum, world frame, of the active bodies. It waits, and
    /// reports failures as [`Ensemble::check`] does.
    pub(crate) fn totals(&mut self) -> Result<[f64; 4], Refusal> {
        const THREADS: usize = 1 << 14; // more than a device has at a time
        let mut arguments = self.arguments()?;
        let threads = THREADS.min(self.active.count);
        let sums = Columns::new::<f64>(self.device(), threads, 4)?;
        arguments.count = threads as u64;
        arguments.summed = self.active.count as u64;
        arguments.sums = sums.array();
        self.launch(Work::Totals, &arguments)?;
        self.check()?;
        let sums = sums.read(4 * threads)?;
        Ok(std::array::from_fn(|k| {
            sums[k * threads..][..threads].iter().sum()
        }))
    }

    /// Before steps of `h` with random torques, or Brownian steps without.
    pub(crate) fn begin_random(&mut self, under: WhatActs, h: f64) -> Result<(), Refusal> {
        if !self.method.concerns_noise(under) {
            return Ok(());
        }
        self.method.check_random(under, h)?;
        if self.device().is_capturing(self.stream)? {
            let why = "a graph would repeat the deviates of random torques: end the capture first";
            return Err(Error::Order(why).into());
        }
        self.prepare_heat_bath(h)
    }

    /// Computes the factors of the deviates on the device. For steps of another length it neither
    /// waits nor needs memory: kernels that read the factors before have begun before.
    fn prepare_heat_bath(&mut self, h: f64) -> Result<(), Refusal> {
        let is_brownian = self.method == Method::Brownian;
        let of_steps = Some((h.to_bits(), is_brownian));
        let Some(heat_bath) = &mut self.random.heat_bath else {
            return Ok(());
        };
        if heat_bath.of_steps == of_steps {
            return Ok(());
        }
        let has_room = heat_bath.of_steps.is_some_and(|of| of.1 == is_brownian);
        heat_bath.of_steps = None;
        let inertias = &self.inertias;
        let bodies = if heat_bath.are_all_equal(inertias) {
            self.count.min(1)
        } else {
            self.count
        };
        if !has_room {
            if is_brownian {
                for body in 0..bodies {
                    let coefficients = Vec3(*heat_bath.coefficients.at(body));
                    check_diffusion(&inertias.of_body(body), coefficients)
                        .map_err(|error| Failure::of_body(body, error))?;
                }
            }
            let device = &self.opened.device;
            device.synchronise(self.stream)?; // kernels that read the factors before
            heat_bath.prepare(device, inertias, self.count, is_brownian)?;
        }
        let mut arguments = self.arguments()?;
        arguments.count = bodies as u64; // all, because others may be active in the next step
        arguments.active = 0;
        arguments.h = h;
        arguments.is_brownian = u32::from(is_brownian);
        self.launch(Work::Factors, &arguments)?;
        if let Some(heat_bath) = &mut self.random.heat_bath {
            heat_bath.of_steps = of_steps;
        }
        Ok(())
    }

    /// Refuses a step of `h` that is not stable under a resistance, with the first such body.
    pub(crate) fn check_stable(&mut self, h: f64) -> Result<(), Refusal> {
        let resists = self.what_acts().resists;
        if self.method.most_stiffness().is_none() || !resists || h.abs() <= self.stable_up_to {
            return Ok(());
        }
        for body in 0..self.count {
            let mut coefficients = self.torque.resistance_of(body);
            if let Some(drag) = &self.drag {
                coefficients = coefficients + drag.resistance_of(body);
            }
            let inertia = &self.inertias.of_body(body);
            self.method
                .check_stable(inertia, coefficients, h)
                .map_err(|error| Failure::of_body(body, error))?;
        }
        self.stable_up_to = h.abs();
        Ok(())
    }
}

impl Drop for Ensemble {
    fn drop(&mut self) {
        // the stream may be gone, and a device that has failed needs no waiting
        let _ = self.device().synchronise_all();
    }
}

/// The number of a composition in [`layout`].
fn number_of(plan: &Plan) -> u32 {
    let Some(composition) = plan.composition() else {
        return layout::STRANG;
    };
    match composition.drifts.len() {
        _ if composition.gradient.is_some() => layout::FORCE_GRADIENT,
        1 => layout::STRANG,
        6 => layout::BLANES_MOAN_4,
        _ => layout::BLANES_MOAN_6,
    }
}
