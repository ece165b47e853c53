//! The threads of an ensemble, from within the crate: they share work, pass on panics, and end.

use super::*;

const RUNS: usize = if cfg!(miri) { 20 } else { 20_000 };

/// Runs shares of `0..count`, and says how often each number was drawn.
fn draw(threads: &mut Threads, most: usize, count: usize) -> Vec<usize> {
    let (next, times) = (
        AtomicUsize::new(0),
        (0..count).map(|_| AtomicUsize::new(0)).collect::<Vec<_>>(),
    );
    threads.run(most, &|_| {
        while let Some(times) = times.get(next.fetch_add(1, Ordering::Relaxed)) {
            times.fetch_add(1, Ordering::Relaxed);
        }
    });
    times.into_iter().map(AtomicUsize::into_inner).collect()
}

#[test]
fn one_run_after_the_other_ends_when_its_work_is_done() {
    for count in [2, 3, 5] {
        let mut threads = Threads::start(count).unwrap();
        for run in 0..RUNS {
            assert_eq!(draw(&mut threads, 1 + run % 6, run % 7), vec![1; run % 7]);
            if run % 1000 == 999 {
                std::thread::sleep(std::time::Duration::from_micros(300)); // they fall asleep
            }
        }
    }
}

#[test]
fn all_threads_work_at_the_same_time_if_there_is_work_for_all() {
    let mut threads = Threads::start(4).unwrap();
    for (most, expected) in [(4, 4), (9, 4), (2, 2), (1, 1)] {
        let (here, ends) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        threads.run(most, &|end| {
            ends.lock().unwrap().push(end);
            here.fetch_add(1, Ordering::Relaxed);
            while here.load(Ordering::Relaxed) < expected {
                yield_now();
            }
        });
        assert_eq!(here.into_inner(), expected);
        let ends = ends.into_inner().unwrap();
        if expected == 4 {
            assert_eq!(ends.iter().filter(|&&end| end == End::Back).count(), 2);
        }
    }
}

#[test]
fn a_panic_on_any_thread_comes_out_when_no_thread_works_any_more() {
    let mut threads = Threads::start(3).unwrap();
    for who in 0..4 {
        let (here, working) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let panic = catch_unwind(AssertUnwindSafe(|| {
            threads.run(3, &|_| {
                let me = here.fetch_add(1, Ordering::Relaxed);
                while here.load(Ordering::Relaxed) < 3 {
                    yield_now();
                }
                if me == who || who == 3 {
                    resume_unwind(Box::new("on purpose"));
                }
                working.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(std::time::Duration::from_millis(1));
                working.fetch_sub(1, Ordering::Relaxed);
            });
        }));
        assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"on purpose"));
        assert_eq!(working.into_inner(), 0);
        assert_eq!(draw(&mut threads, 3, 10), [1; 10]);
    }
}

#[test]
fn threads_that_never_had_work_end() {
    for count in 2..20 {
        assert_eq!(Threads::start(count).unwrap().count(), count);
    }
}
