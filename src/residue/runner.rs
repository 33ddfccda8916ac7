//! How a run goes from segment to segment.

use rayon::prelude::*;

use super::lists::Lists;
use super::segment::{Game, History, Segment, Trouble, decide};
use super::state::Saved;
use super::structure::Structure;
use super::{BLOCK, Piece, Run, Settings, Wanted};
use crate::error::{Error, Result};
use crate::kernel::Cpu;
use crate::set::Rows;

/// What goes through the segments of a run.
pub(super) struct Runner<'a> {
    pub(super) run: &'a Run<'a>,
    pub(super) structure: &'a Structure,
    pub(super) exceptional: &'a [Vec<(usize, u32)>],
    pub(super) rows: &'a dyn Rows,
    /// The values of the heaps that were played by the definition.
    pub(super) beginning: &'a [u8],
    pub(super) history: History,
    /// What was added to the lists, value and heap.
    pub(super) strays: Vec<(usize, u64)>,
}

impl Runner<'_> {
    fn game<'b>(&'b self, lists: &'b Lists) -> Game<'b> {
        Game {
            structure: self.structure,
            exceptional: self.exceptional,
            lists,
            rows: self.rows,
            beginning: self.beginning,
            cpu: Cpu::best(),
            wanted: self.run.wanted,
        }
    }

    /// Decides blocks with the history at hand, and adds to the lists what must be in them.
    pub(super) fn decide_in_order(
        &mut self,
        lists: &mut Lists,
        block: u64,
        blocks: u64,
        wanted: Wanted,
    ) -> Result<Segment> {
        loop {
            match decide(&Game { wanted, ..self.game(lists) }, block, blocks, Some(&self.history)) {
                Ok(segment) => return Ok(segment),
                Err(Trouble::Stray { value, heap }) => {
                    self.run.control.check()?;
                    if value >= Settings::LEVELS {
                        return Err(self.run.declined(format!("the nim-value of heap {heap} is above {value}")));
                    }
                    lists.insert(value, heap);
                    self.strays.push((value, heap));
                }
                Err(Trouble::Cut { value, heap }) => {
                    return Err(Error::Undecided { set: self.run.set.name(), heap, value });
                }
            }
        }
    }

    /// Decides the heaps from a block to the end, several segments at once.
    ///
    /// Each segment starts from a history of its own, which it made by deciding the block before; when that is not what
    /// the segment before left, or when a list must grow, the segment is decided again in order.
    pub(super) fn rest(
        &mut self,
        lists: &mut Lists,
        saved: Saved,
        output: &mut dyn FnMut(Piece<'_>) -> Result<()>,
    ) -> Result<()> {
        let Saved { structure, learnt, mut block, history, strays } = saved;
        (self.history, self.strays) = (history, strays);
        let unit = BLOCK * self.structure.modulus as u64;
        let end = self.run.n.div_ceil(unit);
        let size = self.run.settings.blocks as u64;
        while block < end {
            let segments: Vec<(u64, u64)> = (0..2 * rayon::current_num_threads() as u64)
                .map(|i| block + i * size)
                .take_while(|&first| first < end)
                .map(|first| (first, size.min(end - first)))
                .collect();
            let run = self.run;
            let wanted = |first: u64, blocks: u64| run.wanted_of(first * unit, (first + blocks) * unit);
            let game = self.game(lists);
            let speculate = |&(first, blocks): &(u64, u64)| {
                decide(&Game { wanted: wanted(first, blocks), ..game }, first, blocks, None)
            };
            let decided: Vec<Result<Segment, Trouble>> = segments.par_iter().map(speculate).collect();
            for ((first, blocks), decided) in segments.into_iter().zip(decided) {
                let (segment, as_foreseen) = match decided {
                    Ok(segment) if segment.before.agrees(&self.history) => (segment, true),
                    _ => (self.decide_in_order(lists, first, blocks, wanted(first, blocks))?, false),
                };
                // A run that goes on decides this segment once more: it may be known in part.
                let save = || {
                    let (structure, history) = (structure.clone(), self.history.clone());
                    Saved { structure, learnt, block: first, history, strays: self.strays.clone() }.to_bytes()
                };
                self.run.hand_over(&segment, first * unit, blocks * unit, &save, output)?;
                self.history = segment.after;
                block = first + blocks;
                if !as_foreseen {
                    // The lists may have grown.
                    break;
                }
            }
        }
        Ok(())
    }
}
