//! The graph of positions and moves, as DOT, GraphML and, for small games, SVG.
//!
//! Nodes are the reachable positions, with their depth, whether they are endings and, for two players, their value;
//! edges are moves, each pair of positions once. The order is that of ranks, so the same game gives the same bytes.

use std::io::{self, Write};

use crate::chopsticks::longest::{PositionGraph, position_graph};
use crate::chopsticks::moves::Machine;
use crate::chopsticks::solve::{Value, solve};
use crate::error::{Error, Result};
use crate::run::Control;

/// One reachable position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// How the position is written.
    pub code: String,
    /// The least number of moves from the start.
    pub depth: u32,
    /// Whether the game is over.
    pub is_ending: bool,
    /// The value for the player to act, with two players.
    pub value: Option<Value>,
    /// The numbers of the positions that one move leads to.
    pub moves: Vec<usize>,
}

impl Node {
    /// A colour for the value, or for an ending when values are not known.
    const fn colour(&self) -> &'static str {
        match (self.value, self.is_ending) {
            (Some(Value::Win(_)), _) => "#bcd9f2",
            (Some(Value::Loss(_)), _) => "#f6cf9f",
            (None, true) => "#d8d8d8",
            (Some(Value::Draw) | None, _) => "#ffffff",
        }
    }
}

/// The positions that can be reached and the moves between them; the start is the first node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// The rules in words.
    pub title: String,
    /// The positions.
    pub nodes: Vec<Node>,
}

impl Graph {
    /// The most positions of a graph.
    pub const MAX_NODES: u64 = 200_000;
    /// The most positions of a drawing.
    pub const MAX_DRAWN: usize = 500;

    /// Makes the graph of a game.
    ///
    /// # Errors
    /// [`Error::Chopsticks`] when more than [`Self::MAX_NODES`] positions can be reached or more than `memory` bytes are
    /// needed, and those of [`reach`](fn@crate::chopsticks::reach).
    pub fn new(machine: &Machine, memory: Option<u64>, control: &Control) -> Result<Self> {
        let PositionGraph { positions, moves } = position_graph(machine, Self::MAX_NODES, "a graph", memory, control)?;
        let solution = if machine.players() == 2 { Some(solve(machine, memory, control)?) } else { None };
        let mut depths = vec![u32::MAX; positions.len()];
        depths[0] = 0;
        let mut level = vec![0];
        for depth in 1.. {
            let mut next = Vec::new();
            for &after in level.iter().flat_map(|&node: &usize| &moves[node]) {
                if depths[after] == u32::MAX {
                    depths[after] = depth;
                    next.push(after);
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        let nodes = positions
            .iter()
            .zip(moves)
            .zip(depths)
            .map(|((seats, moves), depth)| Node {
                code: machine.code(seats),
                depth,
                is_ending: machine.is_over(seats),
                value: solution.as_ref().map(|solution| solution.value(seats)),
                moves,
            })
            .collect();
        Ok(Self { title: machine.rules().to_string(), nodes })
    }

    /// Writes the graph in the DOT language of Graphviz.
    ///
    /// # Errors
    /// What `out` returns.
    pub fn write_dot(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        writeln!(out, "digraph chopsticks {{")?;
        writeln!(out, "  label=\"{}\";\n  node [shape=box, style=filled];", self.title)?;
        for (i, node) in self.nodes.iter().enumerate() {
            let shape = if node.is_ending { ", peripheries=2" } else { "" };
            write!(out, "  n{i} [label=\"{}\", fillcolor=\"{}\"{shape}", node.code, node.colour())?;
            if let Some(value) = node.value {
                write!(out, ", tooltip=\"{value}\"")?;
            }
            writeln!(out, "];")?;
        }
        for (i, node) in self.nodes.iter().enumerate() {
            node.moves.iter().try_for_each(|after| writeln!(out, "  n{i} -> n{after};"))?;
        }
        writeln!(out, "}}")
    }

    /// Writes the graph as GraphML, with the node data `code`, `depth`, `ending`, `value` and `plies`.
    ///
    /// # Errors
    /// What `out` returns.
    pub fn write_graphml(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
        for (key, kind) in
            [("code", "string"), ("depth", "int"), ("ending", "boolean"), ("value", "string"), ("plies", "int")]
        {
            writeln!(out, "  <key id=\"{key}\" for=\"node\" attr.name=\"{key}\" attr.type=\"{kind}\"/>")?;
        }
        writeln!(out, "  <graph id=\"chopsticks\" edgedefault=\"directed\">")?;
        writeln!(out, "    <desc>{}</desc>", self.title)?;
        for (i, node) in self.nodes.iter().enumerate() {
            write!(out, "    <node id=\"n{i}\"><data key=\"code\">{}</data>", node.code)?;
            write!(out, "<data key=\"depth\">{}</data><data key=\"ending\">{}</data>", node.depth, node.is_ending)?;
            if let Some(value) = node.value {
                let word = match value {
                    Value::Win(_) => "win",
                    Value::Loss(_) => "loss",
                    Value::Draw => "draw",
                };
                write!(out, "<data key=\"value\">{word}</data>")?;
                if let Some(plies) = value.plies() {
                    write!(out, "<data key=\"plies\">{plies}</data>")?;
                }
            }
            writeln!(out, "</node>")?;
        }
        for (i, node) in self.nodes.iter().enumerate() {
            for after in &node.moves {
                writeln!(out, "    <edge source=\"n{i}\" target=\"n{after}\"/>")?;
            }
        }
        writeln!(out, "  </graph>\n</graphml>")
    }

    /// Draws the graph as SVG: one row for each depth, endings with a thick border. Wins are blue and losses
    /// orange, which readers of every colour vision tell apart, and a print in grey as well.
    ///
    /// # Errors
    /// [`Error::Chopsticks`] when it has more than [`Self::MAX_DRAWN`] nodes.
    pub fn to_svg(&self) -> Result<String> {
        use std::fmt::Write as _;
        if self.nodes.len() > Self::MAX_DRAWN {
            return Err(Error::Chopsticks(format!(
                "a drawing of {} positions would be unreadable, and the limit is {}; write DOT or GraphML instead",
                self.nodes.len(),
                Self::MAX_DRAWN
            )));
        }
        let widest_code = self.nodes.iter().map(|node| node.code.len()).max().unwrap_or(0);
        let (box_width, box_height, gap, row_height) = (8 * widest_code + 10, 20, 10, 90);
        let mut rows: Vec<Vec<usize>> = Vec::new();
        for (i, node) in self.nodes.iter().enumerate() {
            let row = node.depth as usize;
            rows.resize(rows.len().max(row + 1), Vec::new());
            rows[row].push(i);
        }
        let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
        // The widest line of the legend has this many characters.
        let width = (widest * (box_width + gap) + gap).max(8 * self.title.len().max(46) + 2 * gap);
        let height = rows.len() * row_height + 70;
        let mut centres = vec![(0, 0); self.nodes.len()];
        for (depth, row) in rows.iter().enumerate() {
            let left = (width - row.len() * (box_width + gap)) / 2;
            for (i, &node) in row.iter().enumerate() {
                centres[node] = (left + i * (box_width + gap) + (box_width + gap) / 2, 60 + depth * row_height);
            }
        }

        let mut svg = String::new();
        let mut line = |text: std::fmt::Arguments<'_>| {
            // Writing to a string does not fail.
            let _ = writeln!(svg, "{text}");
        };
        line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} \
             {height}\" font-family=\"monospace\" font-size=\"13\" text-anchor=\"middle\">"
        ));
        line(format_args!("<title>{}</title>", self.title));
        line(format_args!("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"));
        line(format_args!("<text x=\"{}\" y=\"20\">{}</text>", width / 2, self.title));
        line(format_args!("<g stroke=\"#777777\" stroke-opacity=\"0.45\" fill=\"none\">"));
        for (i, node) in self.nodes.iter().enumerate() {
            for &after in &node.moves {
                let ((x, y), (u, v)) = (centres[i], centres[after]);
                // A move to the next row is a straight line; any other bows out, so that it is not hidden by boxes.
                if v > y {
                    let (y, v) = (y + box_height / 2, v - box_height / 2);
                    line(format_args!("<path d=\"M{x} {y}L{u} {v}\"/>"));
                } else {
                    let bow = x.max(u) + (y - v) / 3 + 20;
                    line(format_args!("<path d=\"M{x} {y}Q{bow} {} {u} {v}\" stroke-dasharray=\"3 3\"/>", (y + v) / 2));
                }
            }
        }
        line(format_args!("</g>"));
        for (node, (x, y)) in self.nodes.iter().zip(&centres) {
            let stroke = if node.is_ending { 2 } else { 1 };
            line(format_args!(
                "<rect x=\"{}\" y=\"{}\" width=\"{box_width}\" height=\"{box_height}\" rx=\"4\" fill=\"{}\" \
                 stroke=\"#333333\" stroke-width=\"{stroke}\"/>",
                x - box_width / 2,
                y - box_height / 2,
                node.colour()
            ));
            line(format_args!("<text x=\"{x}\" y=\"{}\">{}</text>", y + 5, node.code));
        }
        let dashed = "dashed: a move back or to a position as deep";
        let legend = if self.nodes.iter().any(|node| node.value.is_some()) {
            ["blue: won by the player to act, orange: lost,", "white: drawn; thick: an ending", dashed]
        } else {
            ["grey and thick: an ending", dashed, ""]
        };
        for (i, text) in legend.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            line(format_args!("<text x=\"{}\" y=\"{}\">{text}</text>", width / 2, height - 45 + 17 * i));
        }
        line(format_args!("</svg>"));
        Ok(svg)
    }
}
