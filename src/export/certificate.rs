//! Certificates of periods as JSON: an object whose `certificates` each state a set, a kind, and the numbers claimed.

use std::path::Path;

use serde_json::{Value, json};

use super::check_json;
use crate::error::{Error, Result};
use crate::period::{Certificate, Kind};

/// The largest file of certificates that is read: a million numbers of a set or more.
const MAX_BYTES: u64 = 64 << 20;

/// A certificate as a JSON object. `window` and `claim` say what the rest amounts to.
///
/// # Errors
/// [`Error::Format`] when a number passes 2^53.
pub fn certificate_json(certificate: &Certificate) -> Result<Value> {
    check_json(certificate.reach())?;
    Ok(json!({
        "set": certificate.shape().name(),
        "kind": certificate.kind().name(),
        "preperiod": certificate.preperiod(),
        "period": certificate.period(),
        "saltus": certificate.saltus(),
        "window": certificate.window(),
        "claim": certificate.claim(),
    }))
}

/// Reads the certificates of a JSON file: what `nimsieve period` writes with `-o`, or prints with `--json`.
///
/// # Errors
/// [`Error::Io`]; [`Error::Format`] when the file is no such object; whatever [`Certificate::claimed`] returns.
pub fn read_certificates(path: &Path) -> Result<Vec<Certificate>> {
    let failed = |source| Error::io(path, source);
    let wrong = |what: String| {
        Error::Format(format!(
            "{}: {what}; expected the JSON that `nimsieve period SET -o FILE` writes",
            path.display()
        ))
    };
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    std::io::Read::read_to_string(&mut std::io::Read::take(file, MAX_BYTES), &mut text).map_err(failed)?;
    let object: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let list = object["certificates"].as_array().ok_or_else(|| wrong("there is no list `certificates`".into()))?;
    if list.is_empty() {
        return Err(wrong("there is no certificate in it".into()));
    }
    list.iter()
        .map(|entry| {
            let text =
                |key: &str| entry[key].as_str().ok_or_else(|| wrong(format!("a certificate has no text `{key}`")));
            let number =
                |key: &str| entry[key].as_u64().ok_or_else(|| wrong(format!("a certificate has no number `{key}`")));
            let kind: Kind = text("kind")?.parse()?;
            let certificate =
                Certificate::claimed(text("set")?, kind, number("preperiod")?, number("period")?, number("saltus")?)?;
            let window = number("window")?;
            if window != certificate.window() {
                let needed = certificate.window();
                return Err(wrong(format!("the window has {window} positions where {needed} prove the claim")));
            }
            Ok(certificate)
        })
        .collect()
}
