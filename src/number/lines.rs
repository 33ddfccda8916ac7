//! Text files that people hand in, line by line: sets of numbers, b-files.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::error::{Error, Result};

/// A longer line holds no number of a list or a b-file, and whoever gave the name of a device or of a binary file is to
/// hear of it at once, not when memory is full. Twice the longest comment that anybody is likely to write.
const MAX_LINE: usize = 4096;

/// Calls `visit` with each line of a text file, numbered from 1, until it fails. LF and CR LF both end a line; a byte
/// order mark at the start of the file is passed over.
///
/// # Errors
/// [`Error::Io`]; [`Error::Line`] for a line that is not UTF-8 or is longer than 4096 bytes; what `visit` returns.
pub(crate) fn for_each_line(path: &Path, mut visit: impl FnMut(u64, &str) -> Result<()>) -> Result<()> {
    let failed = |source| Error::io(path, source);
    let mut reader = BufReader::new(File::open(path).map_err(failed)?);
    let mut bytes = Vec::new();
    for number in 1.. {
        let malformed = |message: String| Error::Line { path: path.into(), line: number, message };
        bytes.clear();
        // One byte more than a line and its end may have, to see that it is too long.
        reader.by_ref().take(MAX_LINE as u64 + 3).read_until(b'\n', &mut bytes).map_err(failed)?;
        if bytes.is_empty() {
            break;
        }
        let line = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > MAX_LINE {
            return Err(malformed(format!("the line has more than {MAX_LINE} bytes; expected a text file of numbers")));
        }
        let line = std::str::from_utf8(line)
            .map_err(|_| malformed("the line is not UTF-8; expected a text file of numbers".into()))?;
        let line = if number == 1 { line.strip_prefix('\u{feff}').unwrap_or(line) } else { line };
        visit(number, line)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Vec<(u64, String)>> {
        let name = format!("nimsieve-lines-{}-{:?}", std::process::id(), std::thread::current().id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, bytes).unwrap();
        let mut lines = Vec::new();
        let result = for_each_line(&path, |number, line| {
            lines.push((number, line.to_owned()));
            Ok(())
        });
        std::fs::remove_file(&path).unwrap();
        result.map(|()| lines)
    }

    fn failing_line(bytes: &[u8]) -> u64 {
        match read(bytes) {
            Err(Error::Line { line, .. }) => line,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn marks_and_line_ends_are_no_part_of_a_line() {
        let lines = [(1, "a".to_owned()), (2, String::new()), (3, "b".to_owned())];
        for text in ["a\n\nb\n", "a\r\n\r\nb\r\n", "\u{feff}a\n\nb", "\u{feff}a\r\n\nb\n"] {
            assert_eq!(read(text.as_bytes()).unwrap(), lines, "{text:?}");
        }
        assert!(read(b"").unwrap().is_empty());
    }

    #[test]
    fn a_line_that_is_no_text_is_named() {
        assert_eq!(failing_line(b"1\n2\n\xff\xfe\n"), 3);
        let mut long = b"1\n".to_vec();
        long.extend([b'7'; MAX_LINE]);
        assert!(read(&long).is_ok());
        long.push(b'7');
        assert_eq!(failing_line(&long), 2);
        assert_eq!(failing_line(&[0; 100_000]), 1);
    }
}
