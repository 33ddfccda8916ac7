//! One exact boolean convolution by method: the cold indicator with the set's, for a sparse and a dense set.
//!
//! `cargo bench --bench convolve`

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nimsieve::convolve::{Method, sums};
use nimsieve::run::Control;
use nimsieve::set::{NamedSet, elements_below};

fn indicator(elements: &[u64], n: u64) -> Vec<u64> {
    let mut words = vec![0; n.div_ceil(64) as usize];
    elements.iter().for_each(|s| words[(s / 64) as usize] |= 1 << (s % 64));
    words
}

fn methods(criterion: &mut Criterion) {
    for name in ["squares", "primes"] {
        let set: NamedSet = name.parse().unwrap();
        let mut group = criterion.benchmark_group(format!("convolution with {name}"));
        group.sample_size(10);
        for n in [1_u64 << 14, 1 << 17, 1 << 20] {
            let elements = indicator(&elements_below(&set, n, &Control::new()).unwrap(), n);
            let cold = nimsieve::cold(&set, n).unwrap();
            // Below the set's end every position is cold or one move above a cold one, and none is both.
            let hot: Vec<u64> = cold.words().iter().map(|word| !word).collect();
            group.throughput(Throughput::Elements(n));
            for method in [Method::Shift, Method::Transform] {
                assert_eq!(sums(method, cold.words(), &elements, n).unwrap(), hot, "{method:?} with {name} below {n}");
                group.bench_function(BenchmarkId::new(format!("{method:?}"), n), |b| {
                    b.iter(|| sums(method, black_box(cold.words()), &elements, n).unwrap());
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, methods);
criterion_main!(benches);
