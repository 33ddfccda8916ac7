//! What others have published on the growth of sets without square differences, to stand beside what is measured.

/// How an exponent is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Fitted to counts, as here.
    Fitted,
    /// A construction with a published proof.
    Proved,
    /// Announced; not in print when this was written.
    Announced,
}

impl Status {
    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fitted => "fitted",
            Self::Proved => "proved",
            Self::Announced => "announced",
        }
    }
}

/// A published exponent a: that of a fit c n^a to the counts of cold positions, or of a construction of sets in 1..n of size
/// about n^a without two members that differ by a square.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// Whose, and which.
    pub what: &'static str,
    /// a.
    pub exponent: f64,
    /// c, of a fit.
    pub coefficient: Option<f64>,
    /// How it is known.
    pub status: Status,
}

/// For the squares. A construction from residues R modulo a squarefree m has the exponent (1 + log |R| / log m) / 2 (I. Z.
/// Ruzsa, Difference sets without squares, Period. Math. Hungar. 15, 1984, 205-209); the first three are m = 5, 65, 205
/// with |R| = 2, 7, 12.
pub const SQUARES: &[Published] = &[
    Published {
        what: "Eppstein 2018, cold positions to 2^30",
        exponent: 0.69835,
        coefficient: Some(0.8972),
        status: Status::Fitted,
    },
    Published { what: "difference-free sets, base 5", exponent: 0.715_338, coefficient: None, status: Status::Proved },
    Published {
        what: "difference-free sets, base 65 (Ruzsa 1984)",
        exponent: 0.733_077,
        coefficient: None,
        status: Status::Proved,
    },
    Published {
        what: "difference-free sets, base 205 (Beigel and Gasarch, Lewko)",
        exponent: 0.733_412,
        coefficient: None,
        status: Status::Proved,
    },
    Published {
        what: "difference-free sets, announced in 2026",
        exponent: 0.752_796,
        coefficient: None,
        status: Status::Announced,
    },
    Published {
        what: "difference-free sets, announced in 2026",
        exponent: 0.758_067,
        coefficient: None,
        status: Status::Announced,
    },
];

/// What is published for a set, by its canonical name.
pub fn published(set: &str) -> &'static [Published] {
    if set == "squares" { SQUARES } else { &[] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constructions_have_the_exponents_of_their_residues() {
        for (published, (m, r)) in SQUARES[1..4].iter().zip([(5.0_f64, 2.0_f64), (65.0, 7.0), (205.0, 12.0)]) {
            let exponent = (1.0 + r.ln() / m.ln()) / 2.0;
            assert!((published.exponent - exponent).abs() < 1e-6, "{published:?}: {exponent}");
        }
    }
}
