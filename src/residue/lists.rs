//! What is kept of each class: a few of its members, and for which residues they are all that matter.

use super::structure::Structure;
use super::{BLOCK, Settings, UNDECIDED};

/// How the rows of the set lie in the table that windows are taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Geometry {
    /// Places in front of a segment that windows reach back to; a multiple of 512.
    pub(super) span: u64,
    /// Words of one copy of one row.
    pub(super) stride: usize,
    /// For each residue of the set its row in the table.
    rows: Vec<usize>,
}

impl Geometry {
    pub(super) fn new(structure: &Structure, settings: &Settings) -> Self {
        let span = (settings.reach / structure.modulus as u64).next_multiple_of(BLOCK) + BLOCK;
        // The span, the block of the warm-up, the segment, and an odd number of words of room.
        let stride = ((span + BLOCK) / 64) as usize + settings.blocks * (BLOCK / 64) as usize + 9;
        let mut next = 0..;
        let rows = structure.occupied.iter().map(|&occupied| if occupied { next.next().unwrap_or(0) } else { 0 });
        Self { span, stride, rows: rows.collect() }
    }

    /// Where the window of "subtract x - y" begins for the heaps x of row `from` in the first block: its byte, if the
    /// windows reach so far back.
    fn window(&self, structure: &Structure, from: usize, y: u64) -> Option<u32> {
        let modulus = structure.modulus as u64;
        let to = (y % modulus) as usize;
        // modulus * j + from - y = modulus * (j - back) + residue.
        let back = y / modulus + u64::from(from < to);
        let residue = (from + structure.modulus - to) % structure.modulus;
        if back + 8 > self.span {
            return None;
        }
        let copy = (8 - back % 8) % 8;
        let first = (self.rows[residue] * 8 + copy as usize) * self.stride * 8;
        u32::try_from(first as u64 + (self.span - back - copy) / 8).ok()
    }
}

/// How the candidates of one row are tested against one class.
#[derive(Debug, Clone, Default)]
pub(crate) struct Target {
    /// Windows of the members that are tried first, all lanes at once.
    pub(super) windows: Vec<u32>,
    /// The members that are tried after that, one lane at a time.
    pub(super) further: Vec<u64>,
    /// Whether these are all members from which an element can lead here: then a candidate that none of them reaches
    /// belongs to the class.
    pub(super) complete: bool,
}

/// The members of a class, as far as they are kept.
#[derive(Debug, Clone)]
pub(crate) struct Class {
    /// By residue, increasing; complete unless cut.
    members: Vec<Vec<u64>>,
    /// For each residue whether members are no longer added to its list.
    cut: Vec<bool>,
    /// For each residue whether a new member must be added to its list.
    pub(super) matters: Vec<bool>,
    /// For each row how it is tested.
    pub(super) targets: Vec<Target>,
}

/// The lists of all classes.
#[derive(Debug, Clone)]
pub(crate) struct Lists {
    pub(super) geometry: Geometry,
    structure: Structure,
    settings: Settings,
    pub(super) classes: Vec<Class>,
}

impl Lists {
    /// Members of a residue that is not known to matter, up to which its list is kept complete all the same.
    const FEW: usize = 8;

    /// Lists from the nim-values of the first heaps.
    ///
    /// A residue is *alive* in a class when the second half of the values has a member in it. Members of a residue from
    /// which no element leads up to one that is alive cannot keep anybody out of the class where its members are; they
    /// serve as witnesses, and their list is cut. All other lists must be complete.
    pub(crate) fn learn(structure: &Structure, values: &[u8], levels: usize, settings: &Settings) -> Self {
        let modulus = structure.modulus;
        let mut members: Vec<Vec<Vec<u64>>> = Vec::new();
        for (x, &value) in (0..).zip(values) {
            let value = usize::from(value);
            if value < levels && value != usize::from(UNDECIDED) {
                if members.len() <= value {
                    members.resize(value + 1, vec![Vec::new(); modulus]);
                }
                members[value][x % modulus].push(x as u64);
            }
        }
        let half = values.len() as u64 / 2;
        let mut lists = Self {
            geometry: Geometry::new(structure, settings),
            structure: structure.clone(),
            settings: settings.clone(),
            classes: Vec::new(),
        };
        for members in members {
            let alive: Vec<bool> = members.iter().map(|row| row.last().is_some_and(|&x| x >= half)).collect();
            let matters_to_alive = |to: usize| (0..modulus).any(|from| alive[from] && structure.leads(from, to));
            let cut = (0..modulus)
                .map(|row| match matters_to_alive(row) {
                    false => members[row].len() > Self::FEW,
                    true => members[row].len() > settings.strays,
                })
                .collect();
            let class = lists.class(members, cut);
            lists.classes.push(class);
        }
        lists
    }

    fn class(&self, members: Vec<Vec<u64>>, cut: Vec<bool>) -> Class {
        let modulus = self.structure.modulus;
        let targets: Vec<Target> = (0..modulus).map(|row| self.target(row, &members, &cut)).collect();
        let reaches = |to| (0..modulus).any(|from| targets[from].complete && self.structure.leads(from, to));
        let matters = (0..modulus).map(|to| !cut[to] && reaches(to)).collect();
        let mut class = Class { members, cut, matters, targets };
        class.members.iter_mut().zip(&class.cut).filter(|(_, cut)| **cut).for_each(|(list, _)| *list = Vec::new());
        class
    }

    fn target(&self, row: usize, members: &[Vec<u64>], cut: &[bool]) -> Target {
        let relevant = || (0..self.structure.modulus).filter(|&to| self.structure.leads(row, to));
        let complete = !relevant().any(|to| cut[to]);
        // Where lists are cut, the first members are as good as any.
        let kept = if complete { usize::MAX } else { self.settings.windows + self.settings.further };
        let mut witnesses: Vec<u64> = relevant().flat_map(|to| members[to].iter().copied().take(kept)).collect();
        if witnesses.len() > kept {
            witnesses.select_nth_unstable(kept);
            witnesses.truncate(kept);
        }
        witnesses.sort_unstable();
        let mut target = Target { complete, ..Target::default() };
        for y in witnesses {
            self.add(&mut target, row, y);
        }
        target
    }

    /// Adds a member to what a row is tested against.
    fn add(&self, target: &mut Target, row: usize, y: u64) {
        match self.geometry.window(&self.structure, row, y) {
            Some(window) if target.complete || target.windows.len() < self.settings.windows => {
                target.windows.push(window);
            }
            _ if target.complete || target.further.len() < self.settings.further => target.further.push(y),
            _ => {}
        }
    }

    /// The number of classes.
    pub(super) fn len(&self) -> usize {
        self.classes.len()
    }

    /// Whether `x`, a member of class `value`, is in its list, or need not be.
    pub(super) fn knows(&self, value: usize, x: u64) -> bool {
        let row = (x % self.structure.modulus as u64) as usize;
        self.classes.get(value).is_some_and(|class| !class.matters[row] || class.members[row].binary_search(&x).is_ok())
    }

    /// Adds a member that matters, larger than those of its list; the first of the next value makes a class.
    pub(super) fn insert(&mut self, value: usize, x: u64) {
        let modulus = self.structure.modulus;
        let row = (x % modulus as u64) as usize;
        if value == self.classes.len() {
            self.classes.push(self.class(vec![Vec::new(); modulus], vec![false; modulus]));
        }
        let mut class = self.classes[value].clone();
        class.members[row].push(x);
        for (from, target) in class.targets.iter_mut().enumerate() {
            if target.complete && self.structure.leads(from, row) {
                self.add(target, from, x);
            }
        }
        if class.members[row].len() > self.settings.strays {
            // Too many to keep complete: from here on they are witnesses.
            class.cut[row] = true;
            let leads = |from: usize| self.structure.leads(from, row);
            class.targets.iter_mut().enumerate().filter(|(from, _)| leads(*from)).for_each(|(_, t)| t.complete = false);
            let reaches = |to| (0..modulus).any(|from| class.targets[from].complete && self.structure.leads(from, to));
            class.matters = (0..modulus).map(|to| !class.cut[to] && reaches(to)).collect();
        }
        self.classes[value] = class;
    }
}
