//! `nimsieve study difference-free SET N`: is a set free of differences in SET, is it maximal, how large could it be?

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::Value;

use super::{Files, Finding, Source};
use crate::cli::context::{Context, grouped, object};
use crate::export::{Cell, Sheet};
use crate::set::{NamedSet, SubtractionSet, elements_below};
use crate::study::difference_free::{BASE_5, DigitSet, RUZSA, check, largest_square_difference_free, read_members};

/// Whose differences are looked at.
#[derive(Debug, Clone)]
enum Members {
    Cold,
    Ruzsa,
    Base5,
    File(PathBuf),
    Set(NamedSet),
}

impl FromStr for Members {
    type Err = crate::Error;

    fn from_str(text: &str) -> crate::Result<Self> {
        Ok(match text {
            "cold" => Self::Cold,
            "ruzsa" => Self::Ruzsa,
            "base-5" => Self::Base5,
            _ => match text.strip_prefix("file:") {
                Some(path) => Self::File(path.into()),
                None => Self::Set(text.parse()?),
            },
        })
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    source: Source,

    /// Whose differences: the cold positions of SET, Ruzsa's set, the like in base 5, the elements of a set, or a file with
    /// one number a line (or a b-file)
    #[arg(long, value_name = "cold|ruzsa|base-5|SET|file:PATH", default_value = "cold", value_parser = |text: &str| text.parse::<Members>())]
    members: Members,

    #[command(flatten)]
    files: Files,
}

impl Arguments {
    pub(super) fn run(&self, context: &Context) -> Result<ExitCode> {
        let (game, origin) = (&self.source.game, self.source.origin());
        let open = self.files.open(context, game.n)?;
        let (set, n) = (game.set.name(), game.n);
        context.check_memory(n / 4)?;
        let digit_set = |set: DigitSet| -> Result<Vec<u64>> {
            let mut members = Vec::new();
            for x in set.members(n) {
                context.control().check()?;
                members.push(x);
            }
            Ok(members)
        };
        let (members, what): (Vec<u64>, String) = match &self.members {
            Members::Cold => {
                let mut members = Vec::new();
                self.source.positions(context)?.visit(0..n, &mut |x| {
                    members.push(x);
                    Ok(())
                })?;
                (members, format!("the cold positions of {set}"))
            }
            Members::Ruzsa => (digit_set(RUZSA)?, "Ruzsa's set".into()),
            Members::Base5 => (digit_set(BASE_5)?, "the base-5 set".into()),
            Members::Set(members) => (elements_below(members, n, context.control())?, members.name()),
            Members::File(path) => {
                let members = read_members(path)?;
                if let Some(beyond) = members.iter().find(|&&x| x >= n) {
                    bail!("{}: {beyond} is not below N = {n}; raise N, or leave it out", path.display());
                }
                (members, path.display().to_string())
            }
        };
        let (report, _) = context.timed(n, |control| Ok(check(&members, &game.set, n, control)?))?;
        let verdict = match (report.broken, report.addable) {
            (Some((x, y)), _) => format!(
                "{what}: not free of differences in {set}: {} and {} differ by {}\n",
                grouped(x),
                grouped(y),
                grouped(y - x)
            ),
            (None, Some(x)) => {
                format!("{what}: free of differences in {set}, not maximal: {} could be added\n", grouped(x))
            }
            (None, None) => format!("{what}: free of differences in {set}, and maximal below {}\n", grouped(n)),
        };
        let mut sheet = Sheet::new("difference-free", &origin, &["members", "size"]);
        sheet.push(vec![Cell::Text(what), report.size.into()]);
        if set == "squares" {
            for (name, set) in [("Ruzsa's set", RUZSA), ("the base-5 set", BASE_5)] {
                if sheet.rows[0][0] != name.into() {
                    sheet.push(vec![name.into(), set.count_below(n).into()]);
                }
            }
            sheet.push(vec!["a largest one (A100719)".into(), largest_square_difference_free(n).into()]);
        }
        let number = |x: Option<u64>| x.map_or(Value::Null, Value::from);
        let json = object([
            ("size", report.size.into()),
            ("difference_free", report.is_difference_free().into()),
            ("maximal", report.is_maximal().into()),
            ("pair", report.broken.map_or(Value::Null, |(x, y)| vec![x, y].into())),
            ("addable", number(report.addable)),
        ]);
        let main = report.size.to_string();
        let free = report.is_difference_free();
        Finding { name: "difference-free", sheet, above: verdict, below: String::new(), json, main }
            .show(game, context, open)?;
        Ok(if free { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}
