//! LaTeX: rows for a `tabular` with the rules of `booktabs`, digits in groups of three.
//!
//! The file is what goes between `\begin{tabular}{rr}` and `\end{tabular}`, to be taken in with `\input`. Numbers are
//! finished text, because `pgfplotstable` would round them. The provenance stands in comments.

use super::{Kind, Output, Provenance, Summary, Writer};
use crate::error::Result;

/// LaTeX rows under way.
pub(super) struct Latex {
    output: Output,
}

impl Latex {
    pub(super) fn begin(mut output: Output, provenance: &Provenance) -> Result<Self> {
        for line in provenance.lines() {
            output.put(format!("% {line}\n").as_bytes())?;
        }
        let head = match provenance.kind {
            Kind::Cold | Kind::MisereCold => "$i$ & $x_i$",
            Kind::Grundy => "$x$ & $g(x)$",
            Kind::Remoteness | Kind::MisereRemoteness => "$x$ & remoteness",
        };
        output.put(format!("\\toprule\n{head} \\\\\n\\midrule\n").as_bytes())?;
        Ok(Self { output })
    }
}

impl Writer for Latex {
    fn push(&mut self, index: u64, value: u64) -> Result<()> {
        self.output.put(format!("{} & {} \\\\\n", grouped(index), grouped(value)).as_bytes())
    }

    fn finish(mut self: Box<Self>, summary: &Summary) -> Result<()> {
        self.output.put(format!("\\bottomrule\n% sha256 {}\n", summary.sha256).as_bytes())?;
        self.output.finish()
    }
}

/// A number in groups of three digits with thin spaces.
pub(super) fn grouped(number: u64) -> String {
    crate::number::grouped_by(number, "\\,")
}

/// Text with the characters that LaTeX takes for commands made harmless.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_text() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1\\,000", "1\\,234\\,567"]);
        assert_eq!(escaped("k^2 & 50%_"), "k\\textasciicircum{}2 \\& 50\\%\\_");
    }
}
