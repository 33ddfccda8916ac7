//! JSON: one object with the provenance, the values in an array, and their number and hash.

use serde_json::Value;

use super::{Kind, Output, Provenance, Summary, Writer};
use crate::error::{Error, Result};

/// Above this, readers that keep numbers as floating point, most of them, round to another integer.
const LIMIT: u64 = 1 << 53;

/// Tells whether positions below `n`, and their counts, are numbers that every reader of JSON keeps exactly.
///
/// # Errors
/// [`Error::Format`] when they are not.
pub fn check_json(n: u64) -> Result<()> {
    if n > LIMIT {
        return Err(Error::Format(format!(
            "{n} is above 2^53 = {LIMIT}, and JSON is read with floating point that rounds such numbers; \
             lower it, or choose another form of output"
        )));
    }
    Ok(())
}

/// A JSON file under way.
pub(super) struct Json {
    output: Output,
    first: bool,
}

impl Json {
    pub(super) fn begin(mut output: Output, provenance: &Provenance) -> Result<Self> {
        check_json(provenance.n)?;
        let values = match provenance.kind {
            Kind::Cold | Kind::MisereCold => "positions",
            Kind::Grundy => "nim_values",
            Kind::Remoteness | Kind::MisereRemoteness => "remoteness",
        };
        let text = |text: &str| Value::from(text).to_string();
        output.put(
            format!(
                "{{\"tool\":{},\"set\":{},\"kind\":{},\"n\":{},\"{values}\":[",
                text(Provenance::TOOL),
                text(&provenance.set),
                text(provenance.kind.name()),
                provenance.n,
            )
            .as_bytes(),
        )?;
        Ok(Self { output, first: true })
    }
}

impl Writer for Json {
    fn push(&mut self, _: u64, value: u64) -> Result<()> {
        if !std::mem::take(&mut self.first) {
            self.output.put(b",")?;
        }
        self.output.put(itoa::Buffer::new().format(value).as_bytes())
    }

    fn finish(mut self: Box<Self>, summary: &Summary) -> Result<()> {
        self.output.put(format!("],\"count\":{},\"sha256\":\"{}\"}}\n", summary.count, summary.sha256).as_bytes())?;
        self.output.finish()
    }
}
