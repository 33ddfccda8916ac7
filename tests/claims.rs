//! The published claims: what became of each was found by an independent program too.

use nimsieve::claims::{COLUMNS, Row, Topic, Verdict, all, write_csv};
use nimsieve::run::Control;

/// The rows that are not as published, by the beginning of the statement, with a part of what is true.
const NOT_AS_PUBLISHED: [(&str, Verdict, &str); 14] = [
    ("a hand with five fingers or more", Verdict::Ambiguous, "with cutoff 171 positions and 11 endings"),
    ("the longest game", Verdict::Fails, "171 moves (proved)"),
    ("a beginner", Verdict::Fails, "from 11 of 162 drawn positions such a player can step into a loss; 3 plies"),
    ("with cutoff the first player", Verdict::Fails, "r = 5: a draw"),
    ("with cutoff a winning strategy", Verdict::Fails, "no such answer to 1312"),
    ("for r > 2, C(r + 1, 2)^2", Verdict::Fails, "4: -1, 6: -1, 8: -1, 10: -1, 12: -1, 14: -1, 16: -1, 18: -1, 20: -1"),
    ("at r = 2 there are", Verdict::Fails, "3^p - 2p - 1; 3 for p = 2 if the ending is left out"),
    ("at r = 2 a game has", Verdict::Ambiguous, "p = 2: 3 to 3 moves"),
    ("with one hand each, the number", Verdict::Fails, "exchanged"),
    ("meta and suicide together make", Verdict::Ambiguous, "20 as listed; 24 with those of suicide itself"),
    ("splits (only", Verdict::Ambiguous, "(2, 6) Chopsticks, cutoff, splits halves (in 14)"),
    ("with division and suicide", Verdict::Ambiguous, "(2, 5) Chopsticks, cutoff, suicide (in 26)"),
    ("cherry bomb", Verdict::Fails, "1101 rollover: draw"),
    ("there are 180,000", Verdict::Ambiguous, "183496"),
];

#[test]
fn every_claim_has_its_verdict() {
    let rows = all(&Control::new()).unwrap();
    for (start, verdict, computed) in NOT_AS_PUBLISHED {
        let found: Vec<&Row> = rows.iter().filter(|row| row.statement.starts_with(start)).collect();
        let [row] = found[..] else { panic!("{} rows start with {start}", found.len()) };
        assert_eq!(row.verdict, verdict, "{row:?}");
        assert!(row.computed.contains(computed), "{row:?}");
    }
    for row in &rows {
        let is_listed = NOT_AS_PUBLISHED.iter().any(|(start, ..)| row.statement.starts_with(start));
        assert_eq!(row.verdict == Verdict::Holds, !is_listed, "{row:?}");
        assert!(!row.computed.is_empty() && !row.reading.is_empty(), "{row:?}");
    }
    let of = |topic| rows.iter().filter(|row| row.topic == topic).count();
    assert!(of(Topic::Chopsticks) >= 55 && of(Topic::Squares) >= 15, "{}", rows.len());

    let mut csv = Vec::new();
    write_csv(&rows, &mut csv).unwrap();
    let mut reader = csv::Reader::from_reader(&csv[..]);
    assert_eq!(reader.headers().unwrap(), COLUMNS.as_slice());
    let read: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(read.len(), rows.len());
    assert!(read.iter().zip(&rows).all(|(record, row)| record[3] == row.computed && record[2] == *row.statement));
}

#[test]
fn a_stopped_check_says_so() {
    let control = Control::new();
    control.stop();
    assert!(matches!(all(&control), Err(nimsieve::Error::Stopped { .. })));
}
