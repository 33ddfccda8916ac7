//! The wheel by n, by level of vector instructions and by threads, beside the frozen plain sieve; and its kernel alone.
//!
//! `cargo bench --bench wheel`; the plain sieve is timed up to 10^8, where it takes seconds.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nimsieve::cold::wheel::{Options, run_with};
use nimsieve::kernel::{Cpu, or_union};
use nimsieve::run::{Control, with_threads};
use nimsieve::set::Squares;
use nimsieve::sink::ColdCounter;

#[allow(dead_code, reason = "each bench uses its own yardsticks")]
mod baseline;

fn count(n: u64, cpu: Cpu, threads: usize) -> u64 {
    let mut counter = ColdCounter::default();
    let options = Options::default().cpu(cpu);
    with_threads(Some(threads), || run_with(&Squares, n, &options, &Control::new(), &mut counter)).unwrap();
    counter.count
}

fn by_n(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("wheel");
    group.sample_size(10);
    for (n, expected) in [(10_000_000, 69_489), (40_000_000, 183_496), (100_000_000, 346_814)] {
        group.throughput(Throughput::Elements(n));
        assert_eq!(baseline::plain_sieve(n), expected);
        group.bench_function(BenchmarkId::new("plain baseline", n), |b| b.iter(|| baseline::plain_sieve(black_box(n))));
        for &cpu in Cpu::available() {
            assert_eq!(count(n, cpu, 1), expected, "{cpu:?}");
            group.bench_function(BenchmarkId::new(cpu.name(), n), |b| b.iter(|| count(black_box(n), cpu, 1)));
        }
        assert_eq!(count(n, Cpu::best(), 2), expected);
        group.bench_function(BenchmarkId::new("two threads", n), |b| b.iter(|| count(black_box(n), Cpu::best(), 2)));
    }
    group.finish();
}

/// Windows of 4096 bits from a table of half a megabyte.
fn kernel(criterion: &mut Criterion) {
    const WORDS: u64 = 1 << 16;
    let table: Vec<u64> = (0..WORDS).map(|i| 1 << (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)).collect();
    let offsets: Vec<u32> = (0..512_u32).map(|i| i.wrapping_mul(2_654_435_761) % (8 * (WORDS as u32 - 65))).collect();
    let union = |cpu| {
        let mut target = [0; 64];
        or_union(cpu, &mut target, &table, 0, &offsets, 3);
        target
    };
    let mut group = criterion.benchmark_group("union of 512 windows of 4096 bits");
    group.throughput(Throughput::Elements(8 * offsets.len() as u64));
    for &cpu in Cpu::available() {
        assert_eq!(union(cpu), union(Cpu::available()[0]), "{cpu:?}");
        group.bench_function(cpu.name(), |b| b.iter(|| black_box(union(black_box(cpu)))));
    }
    group.finish();
}

criterion_group!(benches, by_n, kernel);
criterion_main!(benches);
