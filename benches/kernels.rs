//! The word kernels in bytes a second, for each vector level that this machine has.
//!
//! `cargo bench --bench kernels`

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nimsieve::kernel::ntt::Roots;
use nimsieve::kernel::{Cpu, PaddedBits, STRIP, STRIP_WORDS, Shifts, or_windows};

/// The union of windows that lie in the first-level, the second-level cache, and beyond.
fn windows(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("or_windows");
    for (place, bits) in [("16 KiB", 1_u64 << 17), ("512 KiB", 1 << 22), ("64 MiB", 1 << 29)] {
        let mut source = PaddedBits::zeros("bench", bits).unwrap();
        source.set(bits / 2);
        let x = bits;
        // 1024 windows, all over the source, of one class mod 8.
        let shifts: Vec<u64> = (0..1024).map(|i| 8 + i * (bits / 1024)).collect();
        let shifts = Shifts::new(&shifts).unwrap();
        group.throughput(Throughput::Bytes(1024 * STRIP / 8));
        for &cpu in Cpu::available() {
            let union = || {
                let mut strip = [0; STRIP_WORDS];
                for class in shifts.within(0..u64::MAX) {
                    or_windows(cpu, &mut strip, black_box(x), &source, class);
                }
                strip
            };
            assert_eq!(union().iter().map(|word| word.count_ones()).sum::<u32>(), expected(&shifts, x, bits / 2));
            group.bench_function(BenchmarkId::new(cpu.name(), place), |b| b.iter(union));
        }
    }
    group.finish();
}

/// How many places of the strip at `x` one bit of the source reaches.
fn expected(shifts: &Shifts, x: u64, bit: u64) -> u32 {
    (x..x + STRIP).filter(|place| shifts.within(place - bit..place - bit + 1).next().is_some()).count() as u32
}

/// A convolution of 2^20 numbers: one transform there and one back.
fn transform(criterion: &mut Criterion) {
    let len = 1 << 20;
    let roots = Roots::new(len).unwrap();
    let mut one = vec![0; len];
    one[0] = 1;
    let spectrum = roots.spectrum(one);
    let data: Vec<u32> = (0..len as u32).collect();
    let convolve = || {
        let mut copy = data.clone();
        roots.forward(&mut copy);
        roots.multiply_and_return(&mut copy, &spectrum);
        copy
    };
    // Convolution with 1 gives the numbers back, reversed.
    let result = convolve();
    assert!((0..len).all(|x| result[(len - x) % len] == x as u32));
    let mut group = criterion.benchmark_group("transform");
    group.sample_size(10).throughput(Throughput::Bytes(4 * len as u64));
    group.bench_function("there and back, 2^20", |b| b.iter(convolve));
    group.finish();
}

criterion_group!(benches, windows, transform);
criterion_main!(benches);
