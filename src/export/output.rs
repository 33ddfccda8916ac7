//! Where a file goes: a name, which gets the whole file or nothing, or standard output.

use std::fs::File;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::{Error, Result};

/// A target that is opened before the long run, so that a bad name fails at once, and completed after it.
///
/// A file is written under a temporary name beside its target, synced, and renamed at the end: under its own name it is
/// complete or not there. What is dropped without [`Self::finish`] leaves nothing behind. Targets that are no regular
/// files (pipes, devices) are written directly; `-` is standard output.
#[derive(Debug)]
pub struct Output {
    name: PathBuf,
    stream: Stream,
}

#[derive(Debug)]
enum Stream {
    Temporary(BufWriter<NamedTempFile>),
    Direct(BufWriter<File>),
    Standard(BufWriter<Stdout>),
}

/// Bytes gathered before they are handed to the system.
const BUFFER: usize = 1 << 16;

impl Output {
    /// Opens a target.
    ///
    /// # Errors
    /// [`Error::Io`] when the target cannot be written.
    pub fn create(path: &Path) -> Result<Self> {
        let failed = |source| Error::io(path, source);
        if path == Path::new("-") {
            let stream = Stream::Standard(BufWriter::with_capacity(BUFFER, io::stdout()));
            return Ok(Self { name: "standard output".into(), stream });
        }
        // A link stands for its target: the file is replaced, not the link.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        match target.metadata() {
            Ok(metadata) if metadata.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
            Ok(metadata) if !metadata.is_file() => {
                let file = File::options().write(true).open(&target).map_err(failed)?;
                return Ok(Self { name: path.into(), stream: Stream::Direct(BufWriter::with_capacity(BUFFER, file)) });
            }
            Ok(metadata) if metadata.permissions().readonly() => {
                return Err(failed(io::ErrorKind::PermissionDenied.into()));
            }
            _ => {}
        }
        let folder = match target.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        if target.file_name().is_none() {
            return Err(failed(io::ErrorKind::InvalidInput.into()));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".nimsieve-");
        #[cfg(unix)]
        {
            // As for any new file: the default of the library, 0600, would hide published data from everybody else.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder).map_err(failed)?;
        Ok(Self { name: target, stream: Stream::Temporary(BufWriter::with_capacity(BUFFER, file)) })
    }

    /// The target's name, for messages.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Writes bytes, with the target's name in the error.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.write_all(bytes).map_err(|source| Error::io(&self.name, source))
    }

    /// Completes the target: everything is written, synced, and under its name.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn finish(self) -> Result<()> {
        let Self { name, stream } = self;
        let failed = |source| Error::io(&name, source);
        match stream {
            Stream::Temporary(writer) => {
                let file = writer.into_inner().map_err(|error| failed(error.into_error()))?;
                file.as_file().sync_all().map_err(failed)?;
                file.persist(&name).map_err(|error| failed(error.error))?;
                Ok(())
            }
            Stream::Direct(mut writer) => writer.flush().map_err(failed),
            Stream::Standard(mut writer) => writer.flush().map_err(failed),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.stream {
            Stream::Temporary(writer) => writer.write(bytes),
            Stream::Direct(writer) => writer.write(bytes),
            Stream::Standard(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.stream {
            Stream::Temporary(writer) => writer.flush(),
            Stream::Direct(writer) => writer.flush(),
            Stream::Standard(writer) => writer.flush(),
        }
    }
}
