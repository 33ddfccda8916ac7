//! Sheets: small tables with named columns, as studies make them, in every form that a table takes.
//!
//! CSV and LaTeX rows carry their provenance in comments and end with the hash of the rows; JSON has it as keys. Text and
//! HTML are for people.

use std::fmt::Write as _;
use std::path::Path;
use std::str::FromStr;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::{Output, Provenance, hex, html, latex};
use crate::error::{Error, Result};
use crate::number::grouped_by;

/// What stands in a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A whole number.
    Count(u64),
    /// A measured number, and how many digits after the point are meant.
    Real(f64, usize),
    /// Words.
    Text(String),
    /// Nothing: there is no such number.
    Missing,
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map_or(Self::Missing, Into::into)
    }
}

impl Cell {
    /// A measured number that may be missing.
    pub fn real(value: Option<f64>, places: usize) -> Self {
        value.map_or(Self::Missing, |value| Self::Real(value, places))
    }

    /// As a program reads it; empty when missing.
    fn plain(&self) -> String {
        match self {
            Self::Count(count) => count.to_string(),
            Self::Real(value, places) => format!("{value:.places$}"),
            Self::Text(text) => text.clone(),
            Self::Missing => String::new(),
        }
    }

    /// As people read it.
    fn shown(&self) -> String {
        match self {
            Self::Count(count) => grouped_by(*count, ","),
            Self::Missing => "-".into(),
            other => other.plain(),
        }
    }

    fn latex(&self) -> String {
        match self {
            Self::Count(count) => latex::grouped(*count),
            Self::Real(..) => format!("${}$", self.plain()),
            Self::Text(text) => latex::escaped(text),
            Self::Missing => "--".into(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Count(count) => (*count).into(),
            // The digits that are meant, so that every form says the same.
            Self::Real(..) => self.plain().parse::<f64>().map_or(Value::Null, Value::from),
            Self::Text(text) => text.clone().into(),
            Self::Missing => Value::Null,
        }
    }
}

/// A table of a study.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// What was studied, as in `density`.
    pub study: &'static str,
    /// Where the numbers come from: pairs of a name and a value, such as the set and n.
    pub origin: Vec<(&'static str, String)>,
    /// The names of the columns, in small letters and without spaces.
    pub columns: Vec<String>,
    /// As many cells each as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

/// A form that a sheet takes as a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetFormat {
    /// Named columns, with the provenance in comment lines.
    Csv,
    /// Rows for a `tabular`.
    Latex,
    /// One object.
    Json,
    /// Aligned columns.
    Text,
}

impl SheetFormat {
    const ALL: [(&'static str, Self); 4] =
        [("csv", Self::Csv), ("tex", Self::Latex), ("json", Self::Json), ("txt", Self::Text)];

    /// The form that a file's ending asks for: `.csv`, `.tex`, `.json` or `.txt`.
    ///
    /// # Errors
    /// [`Error::Format`] when the ending says nothing.
    pub fn of_path(path: &Path) -> Result<Self> {
        path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase().parse().map_err(
            |_| {
                Error::Format(format!(
                    "the name {} tells no format of a study; end it in .csv, .tex, .json or .txt, or give --format",
                    path.display()
                ))
            },
        )
    }
}

impl FromStr for SheetFormat {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, format)| *format).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|(name, _)| *name).collect();
            Error::Format(format!("a study has no format `{name}`; known: {}", known.join(", ")))
        })
    }
}

impl Sheet {
    /// A sheet without rows.
    pub fn new(study: &'static str, origin: &[(&'static str, String)], columns: &[&str]) -> Self {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        Self { study, origin: origin.to_vec(), columns, rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When it has not a cell for each column.
    pub fn push(&mut self, row: Vec<Cell>) {
        assert_eq!(row.len(), self.columns.len(), "a cell a column");
        self.rows.push(row);
    }

    /// Writes the sheet to a target.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&self, format: SheetFormat, mut output: Output) -> Result<()> {
        let text = match format {
            SheetFormat::Csv => self.csv(),
            SheetFormat::Latex => self.latex(),
            SheetFormat::Json => format!("{}\n", Value::Object(self.json())),
            SheetFormat::Text => self.text(),
        };
        output.put(text.as_bytes())?;
        output.finish()
    }

    /// The lines of a comment block.
    fn comments(&self, sign: &str) -> String {
        let mut text = format!("{sign} {}\n", Provenance::TOOL);
        let origin = self.origin.iter().map(|(name, value)| format!("{sign} {name} {value}\n"));
        text.extend(origin);
        text + &format!("{sign} study {}\n", self.study)
    }

    /// SHA-256 of the rows as CSV, in hexadecimal.
    fn sha256(&self) -> String {
        hex(&Sha256::digest(self.csv_rows()))
    }

    fn csv_rows(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let fields: Vec<String> = row.iter().map(|cell| quoted(&cell.plain())).collect();
            text += &fields.join(",");
            text.push('\n');
        }
        text
    }

    /// As CSV.
    pub fn csv(&self) -> String {
        let rows = self.csv_rows();
        format!("{}{}\n{rows}# sha256 {}\n", self.comments("#"), self.columns.join(","), self.sha256())
    }

    /// As LaTeX rows, to stand between `\begin{tabular}` and `\end{tabular}`.
    pub fn latex(&self) -> String {
        let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
        let head = line(self.columns.iter().map(|column| latex::escaped(&column.replace('_', " "))).collect());
        let rows: String = self.rows.iter().map(|row| line(row.iter().map(Cell::latex).collect())).collect();
        format!("{}\\toprule\n{head}\\midrule\n{rows}\\bottomrule\n% sha256 {}\n", self.comments("%"), self.sha256())
    }

    /// The rows as JSON objects.
    pub fn json_rows(&self) -> Value {
        let object = |row: &Vec<Cell>| -> Value {
            self.columns
                .iter()
                .zip(row)
                .map(|(column, cell)| (column.clone(), cell.json()))
                .collect::<Map<_, _>>()
                .into()
        };
        self.rows.iter().map(object).collect()
    }

    /// As a JSON object.
    pub fn json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("tool".into(), Provenance::TOOL.into());
        object.insert("study".into(), self.study.into());
        for (name, value) in &self.origin {
            // Numbers as numbers, where every reader keeps them.
            let number = value.parse::<u64>().ok().filter(|&number| super::check_json(number).is_ok());
            object.insert((*name).into(), number.map_or_else(|| json!(value), Value::from));
        }
        object.insert("rows".into(), self.json_rows());
        object.insert("sha256".into(), self.sha256().into());
        object
    }

    /// As columns for a terminal.
    pub fn text(&self) -> String {
        let cells: Vec<Vec<String>> = self.rows.iter().map(|row| row.iter().map(Cell::shown).collect()).collect();
        let width = |column: usize| {
            let widest = cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
            widest.max(self.columns[column].len())
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut text = String::new();
        let mut line = |cells: &mut dyn Iterator<Item = (usize, &str)>| {
            let mut row = String::new();
            for (column, cell) in cells {
                let gap = if column > 0 { "  " } else { "" };
                let width = widths[column];
                // Formatting into a string cannot fail.
                let _ = match self.is_text(column) {
                    true => write!(row, "{gap}{cell:<width$}"),
                    false => write!(row, "{gap}{cell:>width$}"),
                };
            }
            text += row.trim_end();
            text.push('\n');
        };
        line(&mut self.columns.iter().map(String::as_str).enumerate());
        cells.iter().for_each(|row| line(&mut row.iter().map(String::as_str).enumerate()));
        text
    }

    /// Tells whether a column holds words, which stand at the left.
    fn is_text(&self, column: usize) -> bool {
        self.rows.iter().any(|row| matches!(row[column], Cell::Text(_)))
    }

    /// As an HTML table.
    pub fn html(&self) -> String {
        let class = |column: usize| if self.is_text(column) { " class=\"text\"" } else { "" };
        let mut text = "<table>\n<thead><tr>".to_owned();
        for (column, name) in self.columns.iter().enumerate() {
            text += &format!("<th scope=\"col\"{}>{}</th>", class(column), html::escaped(&name.replace('_', " ")));
        }
        text += "</tr></thead>\n<tbody>\n";
        for row in &self.rows {
            let cell =
                |(column, cell): (usize, &Cell)| format!("<td{}>{}</td>", class(column), html::escaped(&cell.shown()));
            text += &format!("<tr>{}</tr>\n", row.iter().enumerate().map(cell).collect::<String>());
        }
        text + "</tbody>\n</table>\n"
    }
}

/// A field of CSV, in quotes where it needs them.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let mut sheet = Sheet::new("test", &[("set", "1,4".into()), ("n", "9".into())], &["n", "share", "what_it_is"]);
        sheet.push(vec![12_345.into(), Cell::Real(0.5, 3), "a, \"b\"".into()]);
        sheet.push(vec![7.into(), Cell::Missing, "x_1 < 2".into()]);
        sheet
    }

    #[test]
    fn every_form_says_the_same() {
        let text = sheet().csv();
        let mut rows = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        assert_eq!(rows.headers().unwrap(), vec!["n", "share", "what_it_is"]);
        let rows: Vec<Vec<String>> =
            rows.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
        assert_eq!(rows, [["12345", "0.500", "a, \"b\""], ["7", "", "x_1 < 2"]]);
        assert_eq!(sheet().text(), "     n  share  what_it_is\n12,345  0.500  a, \"b\"\n     7      -  x_1 < 2\n");
        assert!(sheet().latex().contains("12\\,345 & $0.500$ & a, \"b\" \\\\\n7 & -- & x\\_1 < 2 \\\\\n"));
        assert!(sheet().html().contains("<td>12,345</td><td>0.500</td><td class=\"text\">a, &quot;b&quot;</td>"));
        let object = Value::Object(sheet().json());
        assert_eq!(object["rows"][0], json!({"n": 12345, "share": 0.5, "what_it_is": "a, \"b\""}));
        assert_eq!((&object["n"], &object["rows"][1]["share"]), (&json!(9), &Value::Null));
        assert!(text.ends_with(&format!("# sha256 {}\n", object["sha256"].as_str().unwrap())));
    }

    #[test]
    fn endings_choose_the_form() {
        assert_eq!(SheetFormat::of_path(Path::new("x.TEX")).unwrap(), SheetFormat::Latex);
        assert!(SheetFormat::of_path(Path::new("x.npy")).unwrap_err().to_string().contains(".csv"));
    }
}
