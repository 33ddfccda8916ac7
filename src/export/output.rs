//! Where a file goes: a name, which gets the whole file or nothing, or standard output.

use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempPath;

use crate::error::{Error, Result};

/// A target that is opened before the long run, so that a bad name fails at once, and completed after it.
///
/// A file is written under a temporary name beside its target, synced, and renamed at the end: under its own name it is
/// complete or not there. What is dropped without [`Self::finish`] leaves nothing behind. A link stands for the file that
/// it leads to, there or not: that file is made or replaced, and the link stays. A file that is replaced passes its
/// permissions on. Targets that are no regular files (pipes, devices) are written directly; `-` is standard output.
#[derive(Debug)]
pub struct Output {
    /// As the user wrote it.
    name: PathBuf,
    /// Where it really is.
    target: PathBuf,
    stream: Stream,
}

#[derive(Debug)]
enum Stream {
    Temporary(Temporary),
    Direct(BufWriter<File>),
    Standard(BufWriter<Stdout>),
}

/// Bytes gathered before they are handed to the system.
const BUFFER: usize = 1 << 16;

/// Links that may lead from one to the next, as many as Linux follows.
const MAX_LINKS: usize = 40;

/// The temporary files that exist now, for [`exit`].
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    // The list is whole at every moment, whoever panicked.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the program at once and takes the unfinished files along, which a plain exit would leave behind.
#[cfg(feature = "cli")]
pub(crate) fn exit(code: i32) -> ! {
    // Held to the end, so that no other thread can begin a file in between.
    let unfinished = unfinished();
    for path in unfinished.iter() {
        // One that was completed meanwhile has another name; any other failure could not be told to anybody.
        let _ = std::fs::remove_file(path);
    }
    std::process::exit(code)
}

/// A file under a temporary name, removed when it is dropped.
#[derive(Debug)]
struct Temporary {
    writer: BufWriter<File>,
    path: TempPath,
    /// Dropped last, when the file is gone from its temporary name.
    listed: Listed,
}

/// A path in the list of unfinished files, as long as this value lives.
#[derive(Debug)]
struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        unfinished().retain(|path| *path != self.0);
    }
}

impl Temporary {
    /// Makes one beside its target, with the permissions of the file that it is to replace.
    fn create(folder: &Path, replaced: Option<&Metadata>) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".nimsieve-");
        #[cfg(unix)]
        {
            // As for any new file: the default of the library, 0600, would hide published data from everybody else.
            use std::os::unix::fs::PermissionsExt;
            let mode = replaced.map_or(0o666, |metadata| metadata.permissions().mode() & 0o777);
            builder.permissions(std::fs::Permissions::from_mode(mode));
        }
        let mut unfinished = unfinished();
        let (file, path) = builder.tempfile_in(folder).map_err(plain)?.into_parts();
        unfinished.push(path.to_path_buf());
        drop(unfinished);
        let listed = Listed(path.to_path_buf());
        let temporary = Self { writer: BufWriter::with_capacity(BUFFER, file), path, listed };
        if let Some(metadata) = replaced {
            // The mode at creation was subject to the umask.
            temporary.writer.get_ref().set_permissions(metadata.permissions())?;
        }
        Ok(temporary)
    }

    fn finish(self, target: &Path) -> io::Result<()> {
        let Self { mut writer, path, listed } = self;
        writer.flush()?;
        writer.get_ref().sync_all()?;
        path.persist(target).map_err(|error| error.error)?;
        drop(listed);
        Ok(())
    }
}

/// The system's error within one of tempfile, which names the temporary file where the user expects the target.
fn plain(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(|error| error.source()).and_then(|error| error.downcast_ref::<io::Error>());
    match inner.and_then(io::Error::raw_os_error) {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error,
    }
}

/// The file that a name stands for, which need not be there, in a folder that must.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    let folder = |path: &Path| match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let mut target = path.to_path_buf();
    let mut links = 0;
    while target.is_symlink() {
        links += 1;
        if links > MAX_LINKS {
            return Err(io::Error::other("the links lead nowhere; expected one that ends at a file"));
        }
        target = folder(&target).join(target.read_link()?);
    }
    let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = folder(&target);
    let resolved = folder.canonicalize().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            io::Error::new(error.kind(), format!("there is no folder {}; make it first", folder.display()))
        }
        _ => error,
    })?;
    Ok(resolved.join(name))
}

impl Output {
    /// Opens a target.
    ///
    /// # Errors
    /// [`Error::Io`] when the target cannot be written.
    pub fn create(path: &Path) -> Result<Self> {
        let failed = |source| Error::io(path, source);
        if path == Path::new("-") {
            let stream = Stream::Standard(BufWriter::with_capacity(BUFFER, io::stdout()));
            return Ok(Self { name: "standard output".into(), target: path.into(), stream });
        }
        let metadata = path.metadata().ok();
        match &metadata {
            Some(metadata) if metadata.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
            Some(metadata) if !metadata.is_file() => {
                let file = File::options().write(true).open(path).map_err(failed)?;
                let stream = Stream::Direct(BufWriter::with_capacity(BUFFER, file));
                return Ok(Self { name: path.into(), target: path.into(), stream });
            }
            Some(metadata) if metadata.permissions().readonly() => {
                return Err(failed(io::ErrorKind::PermissionDenied.into()));
            }
            _ => {}
        }
        let target = resolve(path).map_err(failed)?;
        let folder = target.parent().unwrap_or(Path::new("."));
        let temporary = Temporary::create(folder, metadata.as_ref()).map_err(failed)?;
        Ok(Self { name: path.into(), target, stream: Stream::Temporary(temporary) })
    }

    /// Where the target really is: two outputs with the same place would overwrite each other.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Tells whether the target is a regular file, and no pipe, device or standard output.
    pub fn is_file(&self) -> bool {
        matches!(self.stream, Stream::Temporary(_))
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
        let Self { name, target, stream } = self;
        let failed = |source| Error::io(&name, source);
        match stream {
            Stream::Temporary(temporary) => temporary.finish(&target).map_err(failed),
            Stream::Direct(mut writer) => writer.flush().map_err(failed),
            Stream::Standard(mut writer) => writer.flush().map_err(failed),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.stream {
            Stream::Temporary(Temporary { writer, .. }) => writer.write(bytes),
            Stream::Direct(writer) => writer.write(bytes),
            Stream::Standard(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.stream {
            Stream::Temporary(Temporary { writer, .. }) => writer.flush(),
            Stream::Direct(writer) => writer.flush(),
            Stream::Standard(writer) => writer.flush(),
        }
    }
}
