//! How many positions of Chopsticks a second: `cargo bench --bench chopsticks`.
//!
//! Each engine must give the known count before it is timed. The ratio that counts is `bits` to `baseline` at (6, 5).

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nimsieve::chopsticks::{Engine, Machine, Rules, reach, solve, unreachable};
use nimsieve::run::Control;

/// The yardstick: breadth-first search of the base game as one would write it in half an hour. Frozen.
mod baseline {
    /// The number of reachable positions of (p, r) Chopsticks, with one byte for each position.
    pub fn reachable(p: u32, r: usize) -> u64 {
        let pairs: Vec<(usize, usize)> = (0..r).flat_map(|a| (a..r).map(move |b| (a, b))).collect();
        let number = |a: usize, b: usize| pairs.iter().position(|&pair| pair == (a.min(b), a.max(b))).unwrap();
        let n = pairs.len();
        let splits: Vec<Vec<usize>> = pairs
            .iter()
            .map(|&(a, b)| {
                (1..r)
                    .filter(|x| (1..r).any(|y| x + y == a + b && *x <= y && y != b))
                    .map(|x| number(x, a + b - x))
                    .collect()
            })
            .collect();
        let add = |a: usize, (c, d): (usize, usize)| {
            [(c, d), (d, c)].into_iter().filter(move |hit| a > 0 && hit.0 > 0).map(move |(c, d)| number((c + a) % r, d))
        };
        let hits: Vec<Vec<Vec<usize>>> = pairs
            .iter()
            .map(|&(a, b)| pairs.iter().map(|&pair| add(a, pair).chain(add(b, pair)).collect()).collect())
            .collect();
        let power: Vec<usize> = (0..=p).map(|i| n.pow(i)).collect();
        let seats = p as usize;
        let start = power[..seats].iter().map(|power| number(1 % r, 1 % r) * power).sum::<usize>();
        let mut seen = vec![false; power[seats]];
        seen[start] = true;
        let (mut queue, mut count) = (vec![start], 0);
        while let Some(position) = queue.pop() {
            count += 1;
            let front = position / power[seats - 1];
            if (0..seats).filter(|&i| !(position / power[i]).is_multiple_of(n)).count() < 2 {
                continue;
            }
            let mut visit = |rest: usize, acted: usize| {
                let next = rest * n + acted;
                if !std::mem::replace(&mut seen[next], true) {
                    queue.push(next);
                }
            };
            let rest = position % power[seats - 1];
            if front == 0 {
                visit(rest, 0);
            }
            splits[front].iter().for_each(|&acted| visit(rest, acted));
            for &place in &power[..seats - 1] {
                let target = rest / place % n;
                hits[front][target].iter().for_each(|&hit| visit(rest + hit * place - target * place, front));
            }
        }
        count
    }
}

fn benches(criterion: &mut Criterion) {
    let control = Control::new();
    let mut group = criterion.benchmark_group("chopsticks");
    for (p, r, expected) in [(4, 5, 50_567), (6, 5, 11_390_490), (4, 8, 1_679_492)] {
        let machine = Machine::new(&Rules::new(p, r).expect("good rules")).expect("small tables");
        let count = |engine| reach(&machine, engine, None, &control, |_| ()).expect("enough memory").reachable();
        assert_eq!(baseline::reachable(p, r as usize), expected);
        group.throughput(Throughput::Elements(expected)).sample_size(10);
        group.bench_function(format!("baseline ({p}, {r})"), |bencher| {
            bencher.iter(|| baseline::reachable(p, r as usize));
        });
        for engine in Engine::ALL {
            assert_eq!(count(engine), expected);
            group.bench_function(format!("{engine} ({p}, {r})"), |bencher| bencher.iter(|| count(engine)));
        }
    }

    let machine = Machine::new(&Rules::new(2, 40).expect("good rules")).expect("small tables");
    let positions = machine.states().pow(2) as u64;
    let won = || solve(&machine, None, &control).expect("enough memory").count(|_| true);
    let tally = won();
    assert_eq!(tally.wins + tally.losses + tally.draws, positions);
    group.throughput(Throughput::Elements(positions));
    group.bench_function("solve (2, 40)", |bencher| bencher.iter(won));

    let machine = Machine::new(&Rules::new(8, 8).expect("good rules")).expect("small tables");
    let count = || unreachable(&machine, None, &control).expect("enough memory").count();
    let expected = count();
    group.throughput(Throughput::Elements(expected));
    group.bench_function("unreachable (8, 8)", |bencher| bencher.iter(count));
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
