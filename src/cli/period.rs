//! `nimsieve period SET`: certified periods, and `--check`, which verifies a certificate.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::{Value, json};

use super::context::{Context, grouped, object};
use super::{parse_n, parse_set};
use crate::export::{Output, Provenance, certificate_json, read_certificates};
use crate::period::{Answer, Certificate, Kind, Shape, find};
use crate::set::NamedSet;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A finite set, or one like allbut:2,3,7
    #[arg(value_parser = parse_set, required_unless_present = "check", conflicts_with = "check")]
    set: Option<NamedSet>,

    /// Look at the values below N
    #[arg(long, value_name = "N", default_value = "1e9", value_parser = parse_n)]
    bound: u64,

    /// Write the certificates to a file
    #[arg(short, long, value_name = "FILE", conflicts_with = "check")]
    output: Option<PathBuf>,

    /// Verify the certificates of a file, without a search
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    match (&arguments.check, &arguments.set) {
        (Some(path), _) => check(path, context),
        (None, Some(set)) => search(set, arguments, context),
        (None, None) => bail!("expected a set, as in `nimsieve period 1,4,9`, or --check FILE"),
    }
}

/// Finds both periods.
fn search(set: &NamedSet, arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let bound = arguments.bound;
    // Certificates reach less far than the search.
    crate::export::check_json(bound)?;
    let shape = Shape::of(set)?;
    // What is too short to hold a window is not looked at.
    if Kind::BOTH.into_iter().any(|kind| shape.window(kind) < bound) {
        context.check_memory(shape.memory().min(bound.saturating_mul(48)))?;
    }
    let standard = Path::new("-");
    if context.options.json && arguments.output.as_deref() == Some(standard) {
        bail!("--json and -o - both want standard output; leave -o out: the object holds the certificates");
    }
    let output = arguments.output.as_deref().map(Output::create).transpose()?;
    let mut answers = Vec::new();
    for kind in Kind::BOTH {
        let (answer, _) = context.timed(bound, |control| Ok(find(set, kind, bound, control)?))?;
        answers.push((kind, answer));
    }
    let certificates: Vec<&Certificate> = answers.iter().filter_map(|(_, answer)| answer.certificate()).collect();
    let list: Value =
        certificates.iter().map(|certificate| certificate_json(certificate)).collect::<crate::Result<_>>()?;
    if let Some(mut output) = output {
        let object = json!({"tool": Provenance::TOOL, "certificates": list});
        output.put(format!("{object:#}\n").as_bytes())?;
        output.finish()?;
        if arguments.output.as_deref() == Some(standard) {
            return Ok(ExitCode::SUCCESS);
        }
    }
    let mut lines = String::new();
    let mut json = object([("command", "period".into()), ("set", shape.name().into()), ("bound", bound.into())]);
    for (kind, answer) in &answers {
        lines += &describe(*kind, answer);
        let numbers = |certificate: &Certificate| {
            json!({
                "preperiod": certificate.preperiod(),
                "period": certificate.period(),
                "saltus": certificate.saltus(),
            })
        };
        json.insert(kind.name().into(), answer.certificate().map_or(Value::Null, numbers));
    }
    json.insert("certificates".into(), list);
    let nim = answers.iter().find_map(|(kind, answer)| answer.certificate().filter(|_| *kind == Kind::Nim));
    let main = nim.map_or("- -".into(), |nim| format!("{} {}", nim.preperiod(), nim.period()));
    context.answer(json, &main, &lines)?;
    Ok(ExitCode::SUCCESS)
}

fn plural(kind: Kind) -> &'static str {
    match kind {
        Kind::Outcome => "outcomes",
        Kind::Nim => "nim-values",
    }
}

fn describe(kind: Kind, answer: &Answer) -> String {
    let name = plural(kind);
    match answer {
        Answer::Period(certificate) => {
            let (preperiod, period) = (certificate.preperiod(), certificate.period());
            let saltus = match certificate.saltus() {
                0 => String::new(),
                saltus => format!(", saltus {}", grouped(saltus)),
            };
            let end = preperiod + certificate.window();
            format!(
                "{name:10}  preperiod {}, period {}{saltus}\n  certificate: the {} from {} on agree with those from {} on{}\n",
                grouped(preperiod),
                grouped(period),
                grouped(end - preperiod),
                grouped(preperiod),
                grouped(preperiod + period),
                if saltus.is_empty() { "" } else { ", up to the saltus" },
            )
        }
        Answer::NotFound { bound, from } => format!(
            "{name:10}  no period shows below {}: the window at {} does not come again there; --bound N looks further\n",
            grouped(*bound),
            grouped(*from),
        ),
    }
}

/// Verifies what a file claims.
fn check(path: &Path, context: &Context) -> Result<ExitCode> {
    let certificates = read_certificates(path)?;
    let (mut lines, mut rows, mut all) = (String::new(), Vec::new(), true);
    for certificate in &certificates {
        context.check_memory(certificate.shape().memory().saturating_mul(4))?;
        let (flaw, _) = context.timed(certificate.reach(), |control| Ok(certificate.check(control)?))?;
        let verdict = flaw.map_or("proved".to_owned(), |flaw| format!("WRONG: {flaw}"));
        lines += &format!("{verdict}: {}\n", certificate.claim());
        let mut row = certificate_json(certificate)?;
        row["proved"] = flaw.is_none().into();
        row["flaw"] = flaw.map_or(Value::Null, |flaw| flaw.to_string().into());
        rows.push(row);
        all &= flaw.is_none();
    }
    let json = object([
        ("command", "period".into()),
        ("file", path.display().to_string().into()),
        ("proved", all.into()),
        ("certificates", rows.into()),
    ]);
    context.answer(json, if all { "proved" } else { "wrong" }, &lines)?;
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
