//! Subtract-a-Square.

use crate::claims::lab::FORTY_MILLION;
use crate::claims::{Claim, Finding, Source};
use crate::cold::Engine;
use crate::error::Result;
use crate::plan::Plan;
use crate::set::{NamedSet, Squares, SubtractionSet};
use crate::sum::{Play, is_cold};
use crate::table::ColdTable;

/// What is checked heap by heap is checked below this.
const MILLION: u64 = 1_000_000;

/// The nim-values that the text prints.
const NIM_VALUES: [u16; 29] = [0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 3, 2, 3, 4];

/// The misere-cold numbers that the text prints.
const MISERE: [u64; 13] = [1, 3, 6, 8, 11, 13, 16, 18, 21, 23, 35, 40, 45];

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        statement: "from 13 the first player wins if he begins with 1, and 2 is cold",
        source: Source::Squares,
        reading: "the winning moves from 13, and the outcome of 2",
        check: |_| {
            let table = crate::cold(&Squares, 14)?;
            let moves = table.winning_moves(&Squares, 13)?;
            Ok(Finding::new(moves == [1] && table.is_cold(2)?, format!("winning moves from 13: {moves:?}; 2 is cold")))
        },
    },
    Claim {
        statement: "after 13 - 1 = 12 the replies 11, 8 and 3 are answered by 2, 7 and 2, and 7 - 1 and 7 - 4 by 2",
        source: Source::Squares,
        reading: "each answer leaves a cold number, and the replies are all there are",
        check: |_| {
            let table = crate::cold(&Squares, 14)?;
            let replies = |heap: u64| Squares.elements().take_while(move |&s| s <= heap).map(move |s| heap - s);
            let all = replies(12).collect::<Vec<_>>() == [11, 8, 3] && replies(7).collect::<Vec<_>>() == [6, 3];
            let answers = [(11, 2), (8, 7), (3, 2), (6, 2), (3, 2), (1, 0)];
            let mut good = true;
            for (heap, leave) in answers {
                good &= replies(heap).any(|left| left == leave) && table.is_cold(leave)?;
            }
            Ok(Finding::new(all && good, "every answer leaves a cold number"))
        },
    },
    Claim {
        statement: "a number is cold if only hot ones can be reached from it, and hot if a cold one can; 0 is cold and 1 hot",
        source: Source::Squares,
        reading: "the bit-parallel engines against this definition, below 10^6",
        check: |lab| {
            let table = lab.squares()?;
            let by_definition = definition(MILLION, false);
            let agree = by_definition.iter().zip(0..).all(|(&cold, x)| table.is_cold(x).is_ok_and(|is| is == cold));
            let count = by_definition.iter().filter(|&&cold| cold).count();
            Ok(Finding::new(
                agree && by_definition[0] && !by_definition[1],
                format!("{count} cold numbers below 10^6, the same"),
            ))
        },
    },
    Claim {
        statement: "a divide and conquer algorithm computes the same sequence",
        source: Source::Squares,
        reading: "engine divide against engine recurrence, below 10^6",
        check: |lab| {
            let mut tables = Vec::new();
            for engine in [Engine::Divide, Engine::Recurrence] {
                let mut table = ColdTable::new("squares".into(), MILLION)?;
                Plan::cold(&Squares, MILLION)?.engine(engine)?.run_into(lab.control, &mut table)?;
                tables.push(table);
            }
            Ok(Finding::new(tables[0] == tables[1], format!("{} cold numbers by both", tables[0].count())))
        },
    },
    Claim {
        statement: "there are 180,000 cold numbers below 40 million",
        source: Source::Squares,
        reading: "exactly; or to two digits",
        check: |lab| {
            let count = lab.squares()?.count();
            Ok(Finding::read(count == 180_000, (175_000..185_000).contains(&count), count.to_string()))
        },
    },
    Claim {
        statement: "only one cold number below 40 million ends in 6: 11,356",
        source: Source::Squares,
        reading: "in decimal",
        check: |lab| {
            let six: Vec<u64> = lab.squares()?.iter().filter(|x| x % 10 == 6).collect();
            Ok(Finding::new(six == [11_356], format!("{six:?}")))
        },
    },
    Claim {
        statement: "cold numbers tend to end in 0, 2, 4, 5, 7 or 9; others are rare",
        source: Source::Squares,
        reading: "below 40 million; rare if less than one in a hundred",
        check: |lab| {
            let table = lab.squares()?;
            let others = table.iter().filter(|x| [1, 3, 6, 8].contains(&(x % 10))).count() as u64;
            let computed = format!("{others} of {} end in 1, 3, 6 or 8", table.count());
            Ok(Finding::new(others * 100 < table.count(), computed))
        },
    },
    Claim {
        statement: "the cold numbers below n are at least about sqrt(n)",
        source: Source::Squares,
        reading: "every hot number is a cold one plus a square, so there are at least n / (sqrt(n) + 1); at every power of ten \
                  and at 40 million",
        check: |lab| {
            let table = lab.squares()?;
            let mut texts = Vec::new();
            let mut holds = true;
            for (n, count) in counts(table)? {
                holds &= count as f64 >= n as f64 / ((n as f64).sqrt() + 1.0);
                texts.push(format!("{count} below {n}"));
            }
            Ok(Finding::new(holds, texts.join(", ")))
        },
    },
    Claim {
        statement: "there are infinitely many cold numbers",
        source: Source::Squares,
        reading: "a theorem, for finitely many leave no move from a number far above them; the counts to ten times as far grow",
        check: |lab| {
            let counts = counts(lab.squares()?)?;
            let largest = lab.squares()?.largest().unwrap_or(0);
            let grows = counts.windows(2).all(|pair| pair[0].1 < pair[1].1);
            Ok(Finding::new(grows, format!("the largest below 40 million is {largest}")))
        },
    },
    Claim {
        statement: "no two cold numbers differ by a square",
        source: Source::Squares,
        reading: "a theorem; looked at below 10^6",
        check: |lab| {
            let table = lab.squares()?;
            let mut pairs = 0_u64;
            for x in table.range(0..MILLION)? {
                pairs += table.winning_moves(&Squares, x)?.len() as u64;
            }
            Ok(Finding::new(pairs == 0, format!("{pairs} pairs")))
        },
    },
    Claim {
        statement: "the density of the cold numbers is zero",
        source: Source::Squares,
        reading: "a theorem of Furstenberg and Sarkozy, which no computation proves; the shares that are computed fall",
        check: |lab| {
            let shares: Vec<f64> =
                counts(lab.squares()?)?.into_iter().map(|(n, count)| count as f64 / n as f64).collect();
            let texts: Vec<String> = shares.iter().map(|share| format!("{share:.4}")).collect();
            Ok(Finding::new(shares.windows(2).all(|pair| pair[1] < pair[0]), texts.join(", ")))
        },
    },
    Claim {
        statement: "the number of cold numbers grows about as n^0.7",
        source: Source::Squares,
        reading: "an observation: the exponents between 10^5, 10^6, 10^7 and 40 million are 0.7 to one digit",
        check: |lab| {
            let counts = counts(lab.squares()?)?;
            let exponents: Vec<f64> = counts[counts.len() - 4..]
                .windows(2)
                .map(|pair| {
                    let ((n, count), (more, larger)) = (pair[0], pair[1]);
                    (larger as f64 / count as f64).ln() / (more as f64 / n as f64).ln()
                })
                .collect();
            let texts: Vec<String> = exponents.iter().map(|exponent| format!("{exponent:.3}")).collect();
            Ok(Finding::new(exponents.iter().all(|x| (0.65..0.75).contains(x)), texts.join(", ")))
        },
    },
    Claim {
        statement: "in a sum of heaps, play is best that leaves a nim-sum of 0",
        source: Source::Squares,
        reading: "all pairs of heaps up to 60, against a search of the game",
        check: |_| {
            let nim = crate::grundy(&Squares, 61)?;
            let mut cold = vec![vec![false; 61]; 61];
            let mut agree = true;
            for (a, b) in (0..61).flat_map(|a| (0..61).map(move |b| (a, b))) {
                let squares = || Squares.elements().map(|s| s as usize);
                let wins = squares().take_while(|&s| s <= a).any(|s| cold[a - s][b])
                    || squares().take_while(|&s| s <= b).any(|s| cold[a][b - s]);
                cold[a][b] = !wins;
                agree &= is_cold([nim.value(a as u64)?, nim.value(b as u64)?], Play::Normal) != wins;
            }
            Ok(Finding::new(agree, if agree { "all 3,721 pairs agree" } else { "some pair differs" }))
        },
    },
    Claim {
        statement: "the nim-values begin 0, 1, 0, 1, 2, 0, 1, 0, 1, 2, ... 2, 3, 2, 3, 4 (29 terms)",
        source: Source::Squares,
        reading: "heaps 0 to 28",
        check: |_| {
            let values: Vec<u16> = crate::grundy(&Squares, 29)?.iter().collect();
            Ok(Finding::new(values == NIM_VALUES, format!("{values:?}")))
        },
    },
    Claim {
        statement: "a position is cold if and only if its nim-value is 0",
        source: Source::Squares,
        reading: "below 10^6",
        check: |lab| {
            let nim = crate::grundy(&Squares, MILLION)?;
            let table = lab.squares()?;
            let agree = nim.iter().zip(0..).all(|(value, x)| table.is_cold(x).is_ok_and(|cold| cold == (value == 0)));
            Ok(Finding::new(agree, if agree { "all agree" } else { "some differ" }))
        },
    },
    Claim {
        statement: "Golomb's game with the Moser-de Bruijn sequence grows as the squares do",
        source: Source::Squares,
        reading: "the k-th element lies between (k^2 + 2k) / 3 and k^2, k below 2^16",
        check: |_| {
            let mut holds = true;
            let mut last = 0;
            for (k, element) in (1_u64..1 << 16).zip(moser_de_bruijn()?.elements()) {
                holds &= 3 * element >= k * k + 2 * k && element <= k * k;
                last = element;
            }
            Ok(Finding::new(holds, format!("the last of them is {last}")))
        },
    },
    Claim {
        statement: "its cold positions are easier to determine",
        source: Source::Squares,
        reading: "they are twice the elements, below 10^6",
        check: |_| {
            let set = moser_de_bruijn()?;
            let cold: Vec<u64> = crate::cold(&set, MILLION)?.iter().collect();
            let twice = std::iter::once(0).chain(set.elements().map(|x| 2 * x)).take_while(|&x| x < MILLION);
            Ok(Finding::new(
                twice.eq(cold.iter().copied()),
                format!("{} cold positions, each 0 or twice an element", cold.len()),
            ))
        },
    },
    Claim {
        statement: "misere: 1 is cold and 2 hot, and the cold numbers are those of normal play plus 1: 1, 3, 6, 8, 11, ... 45",
        source: Source::Squares,
        reading: "the definition of misere play, below 10^6",
        check: |lab| {
            let misere = definition(MILLION, true);
            let table = lab.squares()?;
            let shifted = (1..MILLION).all(|x| table.is_cold(x - 1).is_ok_and(|cold| cold == misere[x as usize]));
            let first: Vec<u64> = (0..MILLION).filter(|&x| misere[x as usize]).take(MISERE.len()).collect();
            let holds = shifted && !misere[0] && misere[1] && !misere[2] && first == MISERE;
            Ok(Finding::new(holds, format!("{first:?} and so on, all below 10^6")))
        },
    },
];

fn moser_de_bruijn() -> Result<NamedSet> {
    "moser-de-bruijn".parse()
}

/// Which heaps below `n` are cold, from the definition; in misere play whoever finds no token has won.
fn definition(n: u64, misere: bool) -> Vec<bool> {
    let mut cold: Vec<bool> = Vec::with_capacity(n as usize);
    for x in 0..n {
        let hot = (1_u64..).map(|k| k * k).take_while(|&s| s <= x).any(|s| cold[(x - s) as usize]);
        cold.push(!(hot || misere && x == 0));
    }
    cold
}

/// The cold numbers below each power of ten, and below forty million.
fn counts(table: &ColdTable) -> Result<Vec<(u64, u64)>> {
    let ends = (1..=7).map(|power| 10_u64.pow(power)).chain([FORTY_MILLION]);
    ends.map(|n| Ok((n, table.range(0..n)?.count() as u64))).collect()
}
