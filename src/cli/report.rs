//! `nimsieve report SET N -o report.html`: everything about one game on one page that needs no other file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use sha2::{Digest, Sha256};

use super::context::{Context, grouped, object};
use super::parse_n;
use super::plot::nim_values;
use super::study::{GridArgs, Source, sheets};
use crate::export::html::Page;
use crate::export::{Output, Provenance, Sheet, hex};
use crate::plot::{Picture, Theme, figures};
use crate::set::SubtractionSet;
use crate::sink::{GrundyBlock, GrundyCounter, GrundySink, NimValues};
use crate::study::density::{Grid, density};
use crate::study::digits::digits;
use crate::study::fit::{Method, PowerLaw};
use crate::study::gaps::gaps;
use crate::study::residues::{by_octave, ranking, residues};
use crate::table::{ColdPositions, GrundyTable};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    source: Source,

    #[command(flatten)]
    grid: GridArgs,

    /// The modulus of the residues [default: of those up to 100 the one with the most uneven classes]
    #[arg(long, value_name = "M", value_parser = parse_n)]
    modulus: Option<u64>,

    /// The base of the digits
    #[arg(long, value_name = "B", default_value = "10", value_parser = parse_n)]
    base: u64,

    /// Nim-values of the positions below M [default: the least of N and 100,000]
    #[arg(long, value_name = "M", value_parser = parse_n)]
    nim_below: Option<u64>,

    /// The page; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
}

/// Nim-values of a page, if not told otherwise.
const NIM_BELOW: u64 = 100_000;
/// Positions of the scatter of nim-values: more of them would be a grey field.
const SCATTER: u64 = 2_000;
/// Moduli that are ranked, and those that are shown.
const RANKED: u64 = 100;
const SHOWN: usize = 12;
/// Rows of a table that is shown in part.
const ROWS: usize = 40;
/// Classes and digits that a picture has room for.
const COLUMNS: u64 = 512;

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let use_stdout = arguments.output == Path::new("-");
    if use_stdout && context.options.json {
        bail!("--json and -o - both want standard output; give the page a file");
    }
    for (what, columns) in [("modulus", arguments.modulus.unwrap_or(2)), ("base", arguments.base)] {
        if !(2..=COLUMNS).contains(&columns) {
            bail!("the {what} of a page is from 2 to {COLUMNS}, and {columns} is not");
        }
    }
    arguments.grid.grid().points(arguments.source.game.n)?;
    let mut output = Output::create(&arguments.output)?;
    let html = page(arguments, context)?;
    output.put(html.as_bytes())?;
    output.finish()?;
    if !use_stdout {
        let (file, sha256) = (arguments.output.display().to_string(), hex(&Sha256::digest(&html)));
        let lines = format!("{file}: {} bytes\nsha256 {sha256}\n", grouped(html.len()));
        let game = &arguments.source.game;
        let json = object([
            ("command", "report".into()),
            ("set", game.set.name().into()),
            ("n", game.n.into()),
            ("file", file.into()),
            ("sha256", sha256.clone().into()),
        ]);
        context.answer(json, &sha256, &lines)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn page(arguments: &Arguments, context: &Context) -> Result<String> {
    let game = &arguments.source.game;
    let (set, n) = (game.set.name(), game.n);
    context.check_json(n)?;
    let positions = arguments.source.positions(context)?;
    let mut page = Page::new(&format!("The subtraction game {set}, positions below {}", grouped(n)));
    summary(&mut page, &set, n, &*positions)?;
    density_section(&mut page, arguments, &*positions)?;
    residue_section(&mut page, arguments, &*positions)?;
    digit_section(&mut page, arguments, &*positions)?;
    gap_section(&mut page, arguments, &*positions)?;
    drop(positions);
    nim_section(&mut page, arguments, context)?;
    provenance(&mut page, arguments);
    Ok(page.finish())
}

fn summary(page: &mut Page, set: &str, n: u64, positions: &dyn ColdPositions) -> Result<()> {
    let (mut count, mut largest, mut hash) = (0_u64, None, Sha256::new());
    let mut text = itoa::Buffer::new();
    positions.visit(0..n, &mut |x| {
        count += 1;
        largest = Some(x);
        hash.update(text.format(x));
        hash.update("\n");
        Ok(())
    })?;
    page.paragraph(&format!(
        "Two players take in turn from a heap a number of tokens that belongs to {set}; whoever cannot move loses. A \
         position is cold when the player to move loses. Below {} there are {} cold positions; the largest is {}.",
        grouped(n),
        grouped(count),
        largest.map_or_else(|| "none".into(), grouped)
    ));
    page.paragraph(&format!(
        "SHA-256 of the cold positions, in decimal with a line feed after each: {}",
        hex(&hash.finalize())
    ));
    Ok(())
}

fn figure(page: &mut Page, picture: &Picture, caption: &str) -> Result<()> {
    page.figure(&picture.svg(Theme::Auto)?, caption);
    Ok(())
}

/// A table, of which the last rows are left out when there are too many.
fn table(page: &mut Page, mut sheet: Sheet) {
    let all = sheet.rows.len();
    sheet.rows.truncate(ROWS);
    page.table(&sheet.html());
    if all > ROWS {
        page.paragraph(&format!("The first {ROWS} of {} rows.", grouped(all)));
    }
}

fn density_section(page: &mut Page, arguments: &Arguments, positions: &dyn ColdPositions) -> Result<()> {
    let (game, origin) = (&arguments.source.game, arguments.source.origin());
    let set = game.set.name();
    let counts = density(positions, game.n, &arguments.grid.grid())?;
    page.section("density", "Density");
    figure(page, &figures::density(&set, game.n, &counts), "Cold positions below n, with the fitted power law.")?;
    let fits: Vec<PowerLaw> = Method::ALL.iter().filter_map(|&method| counts.fit(method)).collect();
    page.paragraph(
        "Power laws c n^a over the window of the picture. The error is that of the delete-a-group jackknife: how much \
         the exponent hangs on parts of the window. Nothing here says that an exponent exists in the limit.",
    );
    table(page, sheets::fits(&origin, &fits, &set));
    figure(
        page,
        &figures::exponent(&set, game.n, &counts),
        "The slope of log count over log n, over the octave that ends at n.",
    )?;
    let octaves = Grid { per_octave: 1, ..arguments.grid.grid() };
    table(page, sheets::density(&origin, &density(positions, game.n, &octaves)?));
    Ok(())
}

fn residue_section(page: &mut Page, arguments: &Arguments, positions: &dyn ColdPositions) -> Result<()> {
    let (game, origin) = (&arguments.source.game, arguments.source.origin());
    let ranked = ranking(positions, game.n, RANKED)?;
    let modulus = arguments.modulus.unwrap_or(ranked[0].modulus);
    page.section("residues", "Residues");
    page.paragraph(&format!(
        "The moduli up to {RANKED} by concentration M sum p^2, where p is the share of a class: 1 when all classes are \
         alike, M when one holds everything. A class has died out when its members are all below n / 2."
    ));
    table(page, sheets::ranking(&origin, &ranked[..SHOWN.min(ranked.len())]));
    let octaves = by_octave(positions, game.n, modulus)?;
    let caption = "Residue classes by octave; blank where a class has no position.";
    figure(page, &figures::residues(&game.set.name(), game.n, modulus, &octaves), caption)?;
    table(page, sheets::residues(&origin, &residues(positions, game.n, modulus)?));
    Ok(())
}

fn digit_section(page: &mut Page, arguments: &Arguments, positions: &dyn ColdPositions) -> Result<()> {
    let game = &arguments.source.game;
    let study = digits(positions, game.n, arguments.base)?;
    page.section("digits", "Digits");
    let caption = "How often each digit stands at each place, in percent; position 0 and zeros in front are left out.";
    figure(page, &figures::digits(&game.set.name(), game.n, &study), caption)
}

fn gap_section(page: &mut Page, arguments: &Arguments, positions: &dyn ColdPositions) -> Result<()> {
    let study = gaps(positions, arguments.source.game.n)?;
    page.section("gaps", "Gaps");
    if let (Some(mean), Some(median)) = (study.mean(), study.median()) {
        page.paragraph(&format!(
            "The mean gap between neighbouring cold positions is {mean:.3}, the median {}. Gaps larger than all before:",
            grouped(median)
        ));
    }
    table(page, sheets::gap_records(&arguments.source.origin(), &study));
    Ok(())
}

impl Arguments {
    /// The positions whose nim-values are on the page.
    fn nim_game(&self) -> super::Game {
        let game = &self.source.game;
        super::Game { set: game.set.clone(), n: self.nim_below.unwrap_or(NIM_BELOW.min(game.n)) }
    }
}

fn nim_section(page: &mut Page, arguments: &Arguments, context: &Context) -> Result<()> {
    let game = arguments.nim_game();
    let (set, origin) = (game.set.name(), game.origin());
    let values: GrundyTable = nim_values(&game, context)?;
    let mut counter = GrundyCounter::default();
    counter.accept(&GrundyBlock { start: 0, values: values.values() })?;
    page.section("nim-values", "Nim-values");
    page.paragraph(&format!("Nim-values of the positions below {}.", grouped(game.n)));
    let shown = SCATTER.min(game.n) as usize;
    let part = match values.values() {
        NimValues::Bytes(values) => NimValues::Bytes(&values[..shown]),
        NimValues::Words(values) => NimValues::Words(&values[..shown]),
    };
    figure(page, &figures::nim_values(&set, shown as u64, part), "The nim-value of each of the first positions.")?;
    figure(page, &figures::histogram(&set, game.n, &counter), "How many positions have each nim-value.")?;
    let caption = "How many nim-values occur below n, with the fitted power law.";
    figure(page, &figures::growth(&set, game.n, 100, &counter), caption)?;
    table(page, sheets::nim(&origin, &counter));
    Ok(())
}

fn provenance(page: &mut Page, arguments: &Arguments) {
    let game = &arguments.source.game;
    page.section("provenance", "Provenance");
    page.paragraph(&format!(
        "Made by {}. Every number was computed when the page was made; the same command gives the same page, whatever \
         engine and machine it runs on:",
        Provenance::TOOL
    ));
    let mut command = format!("nimsieve report {} {}", game.set.name(), game.n);
    let Grid { from, per_octave } = arguments.grid.grid();
    command += &format!(" --from {from} --per-octave {per_octave}");
    if let Some(modulus) = arguments.modulus {
        command += &format!(" --modulus {modulus}");
    }
    command += &format!(" --base {} --nim-below {} -o report.html", arguments.base, arguments.nim_game().n);
    page.verbatim(&command);
}
