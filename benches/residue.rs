//! The engine on residue structure by n and by threads, and its kernel alone by level of vector instructions.
//!
//! `cargo bench --bench residue`; elements a second are positions a second. Options a second follow from the options of
//! all positions below n, which are printed: the sum of n - p over the primes p.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nimsieve::kernel::{Cpu, KILL_WORDS, take_windows};
use nimsieve::run::Control;
use nimsieve::set::{NamedSet, visit_below};
use nimsieve::sink::{ColdCounter, GrundyCounter};
use nimsieve::{Plan, cold, grundy};

fn cold_count(primes: &NamedSet, n: u64, threads: usize) -> u64 {
    let mut counter = ColdCounter::default();
    let plan = Plan::cold(primes, n).unwrap().engine(cold::Engine::Residue).unwrap().threads(threads);
    plan.run_into(&Control::new(), &mut counter).unwrap();
    counter.count
}

fn histogram(primes: &NamedSet, n: u64, threads: usize) -> Vec<u64> {
    let mut counter = GrundyCounter::default();
    let plan = Plan::grundy(primes, n).unwrap().engine(grundy::Engine::Residue).unwrap().threads(threads);
    plan.run_into(&Control::new(), &mut counter).unwrap();
    counter.histogram().to_vec()
}

fn by_n(criterion: &mut Criterion) {
    let primes: NamedSet = "primes".parse().unwrap();
    let mut group = criterion.benchmark_group("residue primes");
    group.sample_size(10);
    for (n, cold) in [(1_000_000, 163_912), (10_000_000, 1_741_797), (100_000_000, 18_222_709)] {
        let mut options = 0_u64;
        visit_below(&primes, n, &Control::new(), |p| {
            options += n - p;
            Ok(())
        })
        .unwrap();
        println!("below {n}: {:.1} options a position", options as f64 / n as f64);
        group.throughput(Throughput::Elements(n));
        for threads in [1, 2] {
            assert_eq!(cold_count(&primes, n, threads), cold);
            group.bench_function(BenchmarkId::new(format!("cold, {threads} threads"), n), |b| {
                b.iter(|| cold_count(black_box(&primes), n, threads))
            });
            let values = histogram(&primes, n, threads);
            assert_eq!((values.len(), values[0], values.iter().sum::<u64>()), (12, cold, n));
            group.bench_function(BenchmarkId::new(format!("nim-values, {threads} threads"), n), |b| {
                b.iter(|| histogram(black_box(&primes), n, threads))
            });
        }
    }
    group.finish();
}

/// A hundred windows of 512 bits, which leave some lanes to the end.
fn kernel(criterion: &mut Criterion) {
    let table: Vec<u64> = (0..1 << 10).map(|i: u64| 1 << (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)).collect();
    let offsets: Vec<u32> = (0..100).map(|i| 79 * i % 8000).collect();
    let left = |cpu| {
        let mut lanes = [u64::MAX; KILL_WORDS];
        let taken = take_windows(cpu, &mut lanes, black_box(&table), 0, &offsets);
        (lanes, taken)
    };
    let mut group = criterion.benchmark_group("a hundred windows of 512 bits");
    group.throughput(Throughput::Elements(left(Cpu::best()).1 as u64));
    for &cpu in Cpu::available() {
        assert_eq!(left(cpu), left(Cpu::available()[0]), "{cpu:?}");
        group.bench_function(cpu.name(), |b| b.iter(|| left(black_box(cpu))));
    }
    group.finish();
}

criterion_group!(benches, by_n, kernel);
criterion_main!(benches);
