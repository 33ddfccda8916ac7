//! Cold positions by engine, over a range of n, beside the frozen plain sieve. One thread unless the name says more.
//!
//! `cargo bench --bench cold`

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nimsieve::Plan;
use nimsieve::cold::Engine;
use nimsieve::run::Control;
use nimsieve::set::NamedSet;
use nimsieve::sink::ColdCounter;

#[allow(dead_code, reason = "each bench uses its own yardsticks")]
mod baseline;

fn count(set: &NamedSet, n: u64, engine: Engine, threads: usize) -> u64 {
    let mut counter = ColdCounter::default();
    let plan = Plan::cold(set, n).unwrap().engine(engine).unwrap().threads(threads);
    plan.run_into(&Control::new(), &mut counter).unwrap();
    counter.count
}

/// Engines that are not worth waiting for.
fn too_slow(engine: Engine, name: &str, n: u64) -> bool {
    match engine {
        Engine::Recurrence => n > if name == "primes" { 100_000 } else { 1_000_000 },
        _ => false,
    }
}

fn engines(criterion: &mut Criterion) {
    // Set, n, and the number of cold positions below it.
    for (name, cases) in [
        ("squares", &[(100_000, 2_781), (1_000_000, 13_952), (10_000_000, 69_489)][..]),
        ("triangular", &[(100_000, 1_524), (1_000_000, 6_073), (10_000_000, 23_959)]),
        ("primes", &[(100_000, 15_066), (1_000_000, 163_912)]),
    ] {
        let set: NamedSet = name.parse().unwrap();
        let mut group = criterion.benchmark_group(format!("cold {name}"));
        group.sample_size(10);
        for &(n, expected) in cases {
            group.throughput(Throughput::Elements(n));
            let serves = |engine| Plan::cold(&set, n).unwrap().engine(engine).is_ok();
            for engine in Engine::all().filter(|&engine| serves(engine) && !too_slow(engine, name, n)) {
                assert_eq!(count(&set, n, engine, 1), expected, "{engine} on {name} below {n}");
                group.bench_function(BenchmarkId::new(engine.name(), n), |b| {
                    b.iter(|| count(black_box(&set), n, engine, 1))
                });
            }
            if name == "squares" {
                assert_eq!(baseline::plain_sieve(n), expected);
                group.bench_function(BenchmarkId::new("plain baseline", n), |b| {
                    b.iter(|| baseline::plain_sieve(black_box(n)))
                });
            }
        }
        group.finish();
    }
}

/// The sieve at the size of the main job and beyond, against the baseline, and on two threads.
fn large(criterion: &mut Criterion) {
    let squares: NamedSet = "squares".parse().unwrap();
    let (n, expected) = (100_000_000, 346_814);
    let mut group = criterion.benchmark_group("cold squares 1e8");
    group.sample_size(10).throughput(Throughput::Elements(n));
    assert_eq!(baseline::plain_sieve(n), expected);
    group.bench_function("plain baseline", |b| b.iter(|| baseline::plain_sieve(black_box(n))));
    for threads in [1, 2] {
        assert_eq!(count(&squares, n, Engine::Sieve, threads), expected);
        group.bench_function(format!("sieve, {threads} threads"), |b| {
            b.iter(|| count(&squares, n, Engine::Sieve, threads))
        });
    }
    group.finish();
}

criterion_group!(benches, engines, large);
criterion_main!(benches);
