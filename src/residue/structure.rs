//! Which residues the elements of a set leave free, and whether the game keeps to that.

use std::sync::Arc;

use super::lists::Lists;
use super::{Settings, UNDECIDED};
use crate::set::{ClassElements, Rows, SubtractionSet};

/// The residues of a modulus that elements occupy, and the few small elements apart from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Structure {
    pub(crate) modulus: usize,
    /// For each residue, whether it holds an element that is no exception.
    pub(crate) occupied: Vec<bool>,
    /// The elements in other residues, increasing, each at most [`Structure::EXCEPTION`].
    pub(crate) exceptions: Vec<u64>,
}

impl Structure {
    /// The largest exception: as far back as the members of a class are remembered bit by bit.
    pub(crate) const EXCEPTION: u64 = 64;
    /// Moduli that are tried.
    const MODULI: std::ops::RangeInclusive<usize> = 2..=120;
    /// Moduli that are tried on the beginning of the game, those with the smallest share of occupied residues.
    const TRIES: usize = 3;
    /// Of so many places of an occupied residue class one at least is an element, in the beginning of the set.
    const SPARSE: f64 = 20.0;

    /// The structure of a set with these elements and no others.
    pub(super) fn of_elements(elements: &[u64], modulus: usize) -> Self {
        let mut occupied = vec![false; modulus];
        elements.iter().filter(|&&s| s > Self::EXCEPTION).for_each(|&s| occupied[s as usize % modulus] = true);
        let small = elements.iter().copied().take_while(|&s| s <= Self::EXCEPTION);
        let exceptions = small.filter(|&s| !occupied[s as usize % modulus]).collect();
        Self { modulus, occupied, exceptions }
    }

    /// The structure of all elements that the rows hold.
    pub(crate) fn of_rows(rows: &dyn Rows, modulus: usize) -> Self {
        let mut structure = Self { modulus, occupied: vec![true; modulus], exceptions: Vec::new() };
        for residue in 0..modulus {
            if let ClassElements::Listed(elements) = rows.class(residue as u64) {
                structure.occupied[residue] = elements.iter().any(|&s| s > Self::EXCEPTION);
                if !structure.occupied[residue] {
                    structure.exceptions.extend(elements);
                }
            }
        }
        structure.exceptions.sort_unstable();
        structure
    }

    /// The number of occupied residues.
    pub(crate) fn occupied_count(&self) -> usize {
        self.occupied.iter().filter(|&&occupied| occupied).count()
    }

    /// Whether an element may lead from residue `from` to residue `to`, exceptions apart.
    pub(crate) fn leads(&self, from: usize, to: usize) -> bool {
        self.occupied[(from + self.modulus - to) % self.modulus]
    }

    /// Where each exception leads from each row: the row, and how many places down in it.
    pub(crate) fn exceptional_moves(&self) -> Vec<Vec<(usize, u32)>> {
        let modulus = self.modulus as u64;
        let lands = |row: u64, e: u64| {
            let to = (row + e.next_multiple_of(modulus) - e) % modulus;
            (to as usize, ((to + e - row) / modulus) as u32)
        };
        (0..modulus).map(|row| self.exceptions.iter().map(|&e| lands(row, e)).collect()).collect()
    }

    /// The structures of a set that are worth a try, the promising first, from its elements below `end`.
    fn candidates(set: &dyn SubtractionSet, end: u64, n: u64) -> Result<(Vec<u64>, Vec<Self>), String> {
        /// Elements after which most sets have shown that they leave no multiples free.
        const EARLY: usize = 1024;
        let below = |count: usize| set.elements().take(count).take_while(move |&s| s < end).collect::<Vec<u64>>();
        let free = |elements: &[u64], modulus: usize| {
            let large = elements.partition_point(|&s| s <= Self::EXCEPTION);
            !elements[large..].iter().any(|&s| (s as u32).is_multiple_of(modulus as u32))
        };
        let mut elements = below(EARLY);
        let mut moduli: Vec<usize> = Self::MODULI.filter(|&modulus| free(&elements, modulus)).collect();
        // What is played by the definition alone needs no more.
        if elements.len() == EARLY && !moduli.is_empty() && n > end {
            elements = below(usize::MAX);
            moduli.retain(|&modulus| free(&elements, modulus));
        }
        if moduli.is_empty() {
            return Err("elements beyond 64 lie among the multiples of every modulus up to 120".into());
        }
        let reached = if n > end { end } else { elements.last().map_or(1, |last| last + 1) };
        let mut structures: Vec<Self> =
            moduli.into_iter().map(|modulus| Self::of_elements(&elements, modulus)).collect();
        let share = |structure: &Self| structure.occupied_count() as f64 / structure.modulus as f64;
        let dense = |structure: &Self| {
            elements.len() as f64 * Self::SPARSE > share(structure) * reached as f64 && structure.occupied_count() > 0
        };
        structures.retain(dense);
        if structures.is_empty() {
            return Err("its elements are too few for some of them to decide nearly every heap".into());
        }
        // A stable sort: of equals the smaller modulus stays in front.
        structures.sort_by(|a, b| share(a).total_cmp(&share(b)));
        structures.dedup_by(|a, b| share(a) == share(b));
        structures.truncate(Self::TRIES);
        Ok((elements, structures))
    }
}

/// What the beginning of a game shows.
#[derive(Debug, Clone)]
pub(crate) struct Learnt {
    pub(crate) structure: Structure,
    /// The nim-values of the beginning, [`UNDECIDED`] where only cold positions were asked for; empty when n is not
    /// beyond the beginning.
    pub(crate) values: Arc<Vec<u8>>,
    /// Whether the set has rows of its own, so that they need not be kept.
    pub(crate) streams: bool,
}

impl Learnt {
    /// Looks at the elements; where they leave residues free, plays the beginning for the nim-values below `levels`, with 1
    /// for cold positions, and sees whether the game keeps to them. Tells why, if the engine declines.
    pub(crate) fn of(set: &dyn SubtractionSet, n: u64, levels: usize) -> Result<Self, String> {
        let prefix = Settings::default().prefix;
        let (elements, structures) = Structure::candidates(set, prefix, n)?;
        let streams = matches!(set.rows(structures[0].modulus as u64, 0), Ok(Some(_)));
        if n <= prefix {
            return Ok(Self { structure: structures[0].clone(), values: Arc::default(), streams });
        }
        let values = play(&elements, prefix, levels);
        if levels > 1 && values.contains(&UNDECIDED) {
            return Err(format!("more than {levels} nim-values occur early"));
        }
        let mut reason = String::new();
        for structure in structures {
            match keeps_to(&structure, &values, levels) {
                Ok(()) => return Ok(Self { structure, values: Arc::new(values), streams }),
                Err(other) => reason = other,
            }
        }
        Err(reason)
    }
}

/// The nim-values of the heaps below `len`, as far as they are below `levels`, and [`UNDECIDED`] for the others.
///
/// Level by level: each member of a level makes hot for that level what lies one move above. len^2 / 128 words.
pub(super) fn play(elements: &[u64], len: u64, levels: usize) -> Vec<u8> {
    let len = len as usize;
    let mut set = vec![0_u64; len / 64 + 1];
    elements.iter().take_while(|&&s| s < len as u64).for_each(|&s| set[s as usize / 64] |= 1 << (s % 64));
    let mut values = vec![UNDECIDED; len];
    let mut left = len;
    for level in 0..levels.min(usize::from(UNDECIDED)) {
        if left == 0 {
            break;
        }
        let mut reached = vec![0_u64; len / 64 + 1];
        for x in 0..len {
            if values[x] != UNDECIDED || reached[x / 64] >> (x % 64) & 1 == 1 {
                continue;
            }
            values[x] = level as u8;
            left -= 1;
            let (word, bit) = (x / 64, x % 64);
            let mut carry = 0;
            for (target, &s) in reached[word..].iter_mut().zip(&set) {
                *target |= s << bit | carry;
                carry = s >> 1 >> (63 - bit);
            }
        }
    }
    values
}

/// Whether the second half of the values keeps to what the first half shows.
fn keeps_to(structure: &Structure, values: &[u8], levels: usize) -> Result<(), String> {
    /// Members of the second half that may stand where none was.
    const STRAYS: usize = 64;
    let modulus = structure.modulus;
    let half = values.len() / 2;
    let lists = Lists::learn(structure, &values[..half], levels, &Settings::default());
    let mut strays = 0;
    for (x, &value) in (half..).zip(&values[half..]) {
        if value == UNDECIDED {
            continue;
        }
        let Some(class) = lists.classes.get(usize::from(value)) else {
            strays += 1;
            continue;
        };
        if !class.targets[x % modulus].complete {
            return Err(format!(
                "nim-values do not keep to residues mod {modulus}: heap {x} of value {value} lies one move from where \
                 most of that value are"
            ));
        }
        strays += usize::from(class.matters[x % modulus]);
    }
    match strays {
        0..=STRAYS => Ok(()),
        _ => Err(format!("nim-values do not keep to residues mod {modulus}: {strays} stray early")),
    }
}
