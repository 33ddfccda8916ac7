//! Nim-values of finite sets without use of their periods, beside the frozen ring buffer; the search for a period; a
//! census. One thread but for the census.
//!
//! `cargo bench --bench period`

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nimsieve::Plan;
use nimsieve::census::{Census, Row};
use nimsieve::grundy::Engine;
use nimsieve::period::{Kind, find};
use nimsieve::run::Control;
use nimsieve::set::Finite;
use nimsieve::sink::{GrundyBlock, GrundySink, NimValues};

#[allow(dead_code, reason = "each bench uses its own yardsticks")]
mod baseline;

const SETS: [(&str, &[u64]); 3] = [
    ("3 elements", &[1, 23, 64]),
    ("8 elements", &[2, 5, 11, 19, 30, 42, 55, 64]),
    // An odd number of binary digits 1; 64 for 62.
    (
        "32 elements",
        &[
            1, 2, 4, 7, 8, 11, 13, 14, 16, 19, 21, 22, 25, 26, 28, 31, 32, 35, 37, 38, 41, 42, 44, 47, 49, 50, 52, 55,
            56, 59, 61, 64,
        ],
    ),
];

/// Adds the values up, so that they are made.
#[derive(Default)]
struct Sum(u64);

impl GrundySink for Sum {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> nimsieve::Result<()> {
        self.0 += match block.values {
            NimValues::Bytes(bytes) => bytes.iter().map(|&value| u64::from(value)).sum::<u64>(),
            NimValues::Words(words) => words.iter().map(|&value| u64::from(value)).sum(),
        };
        Ok(())
    }
}

fn engine_sum(set: &Finite, n: u64) -> u64 {
    let mut sum = Sum::default();
    let plan = Plan::grundy(set, n).unwrap().engine(Engine::Sparse).unwrap().threads(1);
    plan.run_into(&Control::new(), &mut sum).unwrap();
    sum.0
}

fn values(criterion: &mut Criterion) {
    let n = 1 << 20;
    let mut group = criterion.benchmark_group("nim-values of finite sets");
    group.sample_size(10).throughput(Throughput::Elements(n));
    for (name, elements) in SETS {
        assert_eq!((elements.len(), elements.last()), (name.split(' ').next().unwrap().parse().unwrap(), Some(&64)));
        let set = Finite::new(elements.iter().copied()).unwrap();
        let plain: Vec<usize> = elements.iter().map(|&s| s as usize).collect();
        assert_eq!(engine_sum(&set, n), baseline::ring_mex(&plain, n as usize), "{name}");
        group.bench_function(BenchmarkId::new("sparse", name), |b| b.iter(|| engine_sum(black_box(&set), n)));
        group.bench_function(BenchmarkId::new("ring baseline", name), |b| {
            b.iter(|| baseline::ring_mex(black_box(&plain), n as usize))
        });
    }
    group.finish();
}

fn periods(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("periods");
    group.sample_size(10);
    let set = Finite::new([2, 5, 11, 19, 30, 42, 55, 64]).unwrap();
    for kind in Kind::BOTH {
        assert!(find(&set, kind, 100_000_000, &Control::new()).unwrap().certificate().is_some());
        group.bench_function(BenchmarkId::new("find", kind), |b| {
            b.iter(|| find(black_box(&set), kind, 100_000_000, &Control::new()).unwrap())
        });
    }
    let census = Census::new(Some(3), 30, 1_000_000).unwrap();
    let count = || {
        let mut count = 0;
        let add = |rows: &[Row]| {
            count += rows.len();
            Ok(())
        };
        census.run(0, &Control::new(), add).unwrap();
        count
    };
    group.throughput(Throughput::Elements(census.candidates()));
    assert_eq!(count(), 3472);
    group.bench_function("census of triples up to 30", |b| b.iter(count));
    group.finish();
}

criterion_group!(benches, values, periods);
criterion_main!(benches);
