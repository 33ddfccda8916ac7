//! HTML: one page that needs no other file, for light and dark screens and for paper.

use super::Provenance;

/// Text with the characters that HTML takes for markup made harmless.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A page under way.
#[derive(Debug, Clone, Default)]
pub struct Page {
    title: String,
    contents: String,
    body: String,
}

impl Page {
    /// Begins a page.
    pub fn new(title: &str) -> Self {
        Self { title: escaped(title), ..Self::default() }
    }

    /// Begins a section; `id` is its anchor.
    pub fn section(&mut self, id: &str, title: &str) {
        let title = escaped(title);
        self.contents += &format!("<li><a href=\"#{id}\">{title}</a></li>\n");
        self.body += &format!("<h2 id=\"{id}\">{title}</h2>\n");
    }

    /// Adds a paragraph of plain text.
    pub fn paragraph(&mut self, text: &str) {
        self.body += &format!("<p>{}</p>\n", escaped(text));
    }

    /// Adds an SVG picture as it is, with a caption.
    pub fn figure(&mut self, svg: &str, caption: &str) {
        let svg = svg.trim_start_matches(|c| c != '<');
        self.body += &format!("<figure>\n{svg}\n<figcaption>{}</figcaption>\n</figure>\n", escaped(caption));
    }

    /// Adds a table as HTML, which may scroll sideways on small screens.
    pub fn table(&mut self, html: &str) {
        self.body += &format!("<div class=\"table\">\n{html}</div>\n");
    }

    /// Adds text as it would stand in a terminal.
    pub fn verbatim(&mut self, text: &str) {
        self.body += &format!("<pre>{}</pre>\n", escaped(text));
    }

    /// The page. It holds nothing that changes from run to run.
    pub fn finish(self) -> String {
        let Self { title, contents, body } = self;
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"generator\" content=\"{}\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
             <body>\n<main>\n<h1>{title}</h1>\n<nav><ul>\n{contents}</ul></nav>\n{body}</main>\n</body>\n</html>\n",
            Provenance::TOOL
        )
    }
}

/// Colours come in two sets, and follow the reader's preference.
const STYLE: &str = "\
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1c1c1c; --soft: #5c5c5c; --line: #d9d9d9; --link: #005a94; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #161616; --ink: #e8e8e8; --soft: #a8a8a8; --line: #3a3a3a; --link: #7cc0f0; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0; padding: 0; }
a { color: var(--link); }
figure { margin: 1.25rem 0; }
figure svg { display: block; width: 100%; height: auto; }
figcaption { color: var(--soft); font-size: .9rem; margin-top: .25rem; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .75rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
td.text, th.text { text-align: left; white-space: normal; }
thead th { border-bottom: 2px solid var(--soft); color: var(--soft); font-weight: 600; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: 4px; font-size: .85rem; }
@media print { nav { display: none; } main { max-width: none; padding: 0; } figure, tr { break-inside: avoid; } }
";
