//! The command `nimsieve`; everything is in [`nimsieve::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    nimsieve::cli::main()
}
