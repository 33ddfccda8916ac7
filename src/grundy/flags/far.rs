//! The far moves of a group of positions: windows of 32 flags that slide, or a byte flag for each value.

use crate::kernel::{Cpu, NimValue, Options, WINDOW, advance, mark, mark_one};

/// Elements between two looks at the windows. With fewer the looking costs more than it saves; with more, windows that
/// are full wait longer.
const CHUNK: usize = 64;
/// Rounds over all elements after which windows are taken to be the wrong way: byte flags take as long as about 15.
const ROUNDS: usize = 20;
/// Positions whose byte flags fit in the first-level cache together.
const ROWS: usize = 32;
/// As [`ROWS`], from 512 values on.
const FEW_ROWS: usize = 16;
/// Bytes between the ends of the rows, beyond the values: without them the rows would fall on the same few sets of the
/// first-level cache.
const GAP: usize = 64;

/// Elements, parted by which positions of a group can take them.
pub(super) struct Split<'a> {
    /// The first position of the group.
    x: usize,
    /// Those that every position can take.
    whole: &'a [usize],
    /// Those that only the later ones can.
    partial: &'a [usize],
}

impl<'a> Split<'a> {
    /// Parts increasing elements for `lanes` positions from `x` on.
    pub(super) fn new(elements: &'a [usize], x: usize, lanes: usize) -> Self {
        let (whole, rest) = elements.split_at(elements.partition_point(|&s| s <= x));
        Self { x, whole, partial: &rest[..rest.partition_point(|&s| s < x + lanes)] }
    }
}

/// What a group knows of its moves: every value below `base` is reached, and of the [`WINDOW`] values from there on those
/// are whose bit is set in `seen`. An entry a lane.
pub(super) struct Windows<V> {
    pub(super) base: Vec<V>,
    pub(super) seen: Vec<u32>,
}

impl<V: NimValue> Windows<V> {
    pub(super) fn new() -> Self {
        Self { base: vec![V::default(); V::LANES], seen: vec![0; V::LANES] }
    }

    /// Marks the options for all elements.
    pub(super) fn mark(&mut self, cpu: Cpu, elements: &Split<'_>, values: &[V], ahead: bool) {
        let options = Options { values, x: elements.x, elements: elements.whole, ahead };
        mark(cpu, options, &self.base, &mut self.seen);
        for &s in elements.partial {
            let lanes = self.base.iter().zip(&mut self.seen).skip(s - elements.x);
            for ((base, seen), value) in lanes.zip(values) {
                mark_one(value.get(), base.get(), seen);
            }
        }
    }
}

/// The far moves of the group of positions from `x` on.
pub(super) struct Far<'a, V> {
    pub(super) cpu: Cpu,
    /// The nim-values that are decided.
    pub(super) values: &'a [V],
    /// The elements, each at least as long as it takes from any position of the group to one that is decided.
    pub(super) elements: &'a [usize],
    pub(super) x: usize,
    /// The largest value so far.
    pub(super) max: usize,
}

impl<V: NimValue> Far<'_, V> {
    /// Slides the windows to where the mex is. Gives up, and returns false, after [`ROUNDS`] rounds.
    ///
    /// Whatever a window has left behind was seen. When no window of the group has moved while all elements went by
    /// once, each was compared with every option just as it stands; until then the rounds go on.
    pub(super) fn slide(&self, windows: &mut Windows<V>) -> bool {
        windows.base.fill(V::default());
        windows.seen.fill(0);
        let all = Split::new(self.elements, self.x, V::LANES);
        let chunks = all.whole.len().div_ceil(CHUNK).max(1);
        // Chunks since a window moved last.
        let mut still = 0;
        for round in 0..ROUNDS {
            for chunk in 0..chunks {
                let whole = &all.whole[chunk * CHUNK..all.whole.len().min((chunk + 1) * CHUNK)];
                let partial = if chunk + 1 == chunks { all.partial } else { &[] };
                windows.mark(self.cpu, &Split { x: self.x, whole, partial }, self.values, round == 0);
                still = if advance(self.cpu, &mut windows.base, &mut windows.seen) { 0 } else { still + 1 };
                if still == chunks {
                    return true;
                }
            }
        }
        false
    }

    /// Finds the windows by byte flags: each option sets the flag of its value in the row of its position.
    pub(super) fn flag(&self, windows: &mut Windows<V>) {
        match self.max {
            0..128 => self.flag_below::<128, ROWS>(windows),
            128..256 => self.flag_below::<256, ROWS>(windows),
            256..512 => self.flag_below::<512, ROWS>(windows),
            512..1024 => self.flag_below::<1024, FEW_ROWS>(windows),
            1024..8192 => self.flag_below::<8192, FEW_ROWS>(windows),
            _ => self.flag_below::<65_536, FEW_ROWS>(windows),
        }
    }

    /// As [`Self::flag`], when all values are below the power of two `VALUES`.
    fn flag_below<const VALUES: usize, const ROWS: usize>(&self, windows: &mut Windows<V>) {
        let row = VALUES + GAP;
        let mut flags = vec![0_u8; ROWS * row];
        let parts = windows.base.chunks_mut(ROWS).zip(windows.seen.chunks_mut(ROWS));
        for (x, (base, seen)) in (self.x..).step_by(ROWS).zip(parts) {
            flags.fill(0);
            let elements = Split::new(self.elements, x, ROWS);
            for &s in elements.whole {
                let options = self.values[x - s..].first_chunk::<ROWS>();
                set_flags::<V, VALUES>(&mut flags, row, options.expect("every option of the group is decided"));
            }
            for &s in elements.partial {
                set_flags::<V, VALUES>(&mut flags[(s - x) * row..], row, self.values);
            }
            for ((flags, base), seen) in flags.chunks_exact(row).zip(base).zip(seen) {
                let mex = flags.iter().position(|&flag| flag == 0).expect("the gap is never reached");
                let mex = mex.min(V::LIMIT - WINDOW);
                *base = V::new(mex);
                *seen = flags[mex..mex + WINDOW].iter().rev().fold(0, |bits, &flag| bits << 1 | u32::from(flag));
            }
        }
    }
}

/// Sets the flag of each option in the row of its lane.
#[inline(always)]
fn set_flags<V: NimValue, const VALUES: usize>(flags: &mut [u8], row: usize, options: &[V]) {
    for (flags, value) in flags.chunks_exact_mut(row).zip(options) {
        flags[value.get() & (VALUES - 1)] = 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether every value below the window is reached, and of the window just those that are marked.
    fn is_right<V: NimValue>(far: &Far<'_, V>, windows: &Windows<V>) -> bool {
        (0..V::LANES).all(|lane| {
            let x = far.x + lane;
            let mut reached = vec![false; V::LIMIT];
            far.elements.iter().filter(|&&s| s <= x).for_each(|s| reached[far.values[x - s].get()] = true);
            let base = windows.base[lane].get();
            let bits = |i: usize| windows.seen[lane] >> i & 1 == 1;
            reached[..base].iter().all(|&reached| reached) && (0..WINDOW).all(|i| reached[base + i] == bits(i))
        })
    }

    /// Values below `limit`, the lower ones more often.
    fn values<V: NimValue>(limit: usize) -> Vec<V> {
        let mut state = limit as u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % limit
        };
        (0..6000).map(|_| V::new(random().min(random()))).collect()
    }

    fn both_ways_find_the_windows<V: NimValue>(limits: &[usize]) {
        for &limit in limits {
            let values = values::<V>(limit);
            let max = values.iter().map(|value| value.get()).max().unwrap();
            let every = |step: usize| (V::LANES..6200).step_by(step).collect::<Vec<_>>();
            let mut slid = 0;
            for all in [vec![], vec![V::LANES], vec![5000, 5100], every(97), every(7), every(2)] {
                for x in [0, 1, V::LANES - 1, V::LANES, 5000, 6000 - V::LANES, 6000] {
                    let elements = &all[all.partition_point(|&s| x + V::LANES > 6000 + s)..];
                    for &cpu in Cpu::available() {
                        let far = Far { cpu, values: &values, elements, x, max };
                        let mut windows = Windows::new();
                        far.flag(&mut windows);
                        assert!(is_right(&far, &windows), "flags, values below {limit}, group at {x}");
                        if far.slide(&mut windows) {
                            assert!(is_right(&far, &windows), "{cpu:?}, values below {limit}, group at {x}");
                            slid += 1;
                        }
                    }
                }
            }
            assert!(slid > 20, "windows hardly ever came to an end");
        }
    }

    #[test]
    fn both_ways_find_the_windows_of_bytes() {
        both_ways_find_the_windows::<u8>(&[1, 2, 31, 32, 33, 100, 224, 225, 256]);
    }

    #[test]
    fn both_ways_find_the_windows_of_words() {
        both_ways_find_the_windows::<u16>(&[3, 256, 257, 400, 600, 1100]);
    }
}
