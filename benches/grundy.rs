//! Nim-values by engine, beside the frozen stamp-array mex. One thread unless the name says more.
//!
//! `cargo bench --bench grundy`

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nimsieve::Plan;
use nimsieve::grundy::Engine;
use nimsieve::run::Control;
use nimsieve::set::NamedSet;
use nimsieve::sink::GrundyCounter;

#[allow(dead_code, reason = "each bench uses its own yardsticks")]
mod baseline;

fn largest(set: &NamedSet, n: u64, engine: Engine, threads: usize) -> u16 {
    let mut counter = GrundyCounter::default();
    let plan = Plan::grundy(set, n).unwrap().engine(engine).unwrap().threads(threads);
    plan.run_into(&Control::new(), &mut counter).unwrap();
    counter.max().unwrap().0
}

/// Options of all positions below n: the unit of work of these engines.
fn options(set: &NamedSet, n: u64) -> u64 {
    nimsieve::set::elements_below(set, n, &Control::new()).unwrap().iter().map(|s| n - s).sum()
}

fn engines(criterion: &mut Criterion) {
    for (name, cases) in [
        ("squares", &[(1_u64 << 16, 63), (1 << 20, 170), (1 << 22, 278)][..]),
        ("primes", &[(10_000, 11), (100_000, 11)]),
    ] {
        let set: NamedSet = name.parse().unwrap();
        let mut group = criterion.benchmark_group(format!("grundy {name}"));
        group.sample_size(10);
        for &(n, expected) in cases {
            group.throughput(Throughput::Elements(options(&set, n)));
            // The definition takes too long where the yardstick is enough.
            let engines = Engine::all().filter(|&engine| engine != Engine::Recurrence || n <= 1 << 20);
            for engine in engines {
                let plan = Plan::grundy(&set, n).unwrap();
                let Ok(plan) = plan.engine(engine) else { continue };
                let bytes = plan.estimate().memory as f64 / n as f64;
                eprintln!("{engine} on {name} below {n}: {bytes:.2} bytes a position by estimate");
                assert_eq!(largest(&set, n, engine, 1), expected, "{engine} on {name} below {n}");
                group.bench_function(BenchmarkId::new(engine.name(), n), |b| {
                    b.iter(|| largest(black_box(&set), n, engine, 1))
                });
            }
            if name == "squares" {
                assert_eq!(baseline::stamp_mex(n as usize), expected);
                group.bench_function(BenchmarkId::new("stamp baseline", n), |b| {
                    b.iter(|| baseline::stamp_mex(black_box(n as usize)))
                });
                assert_eq!(largest(&set, n, Engine::Flags, 2), expected);
                group.bench_function(BenchmarkId::new("flags, 2 threads", n), |b| {
                    b.iter(|| largest(&set, n, Engine::Flags, 2))
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, engines);
criterion_main!(benches);
