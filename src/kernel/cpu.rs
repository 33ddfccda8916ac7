//! Which vector instructions the machine has, found once at run time.

use std::fmt;
use std::sync::LazyLock;

/// A level of vector instructions that this machine has.
///
/// A value of this type is proof: there is no way to make one for a level that was not detected, so a kernel may use
/// the instructions of the level it is handed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cpu(pub(super) Level);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

static AVAILABLE: LazyLock<Vec<Cpu>> = LazyLock::new(|| {
    #[allow(unused_mut, reason = "only x86-64 adds to it")]
    let mut levels = vec![Cpu(Level::Portable)];
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2") {
            levels.push(Cpu(Level::Avx2));
        }
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
            levels.push(Cpu(Level::Avx512));
        }
    }
    levels
});

impl Cpu {
    /// The best level of this machine.
    pub fn best() -> Self {
        AVAILABLE[AVAILABLE.len() - 1]
    }

    /// Every level of this machine, the portable one first.
    pub fn available() -> &'static [Self] {
        &AVAILABLE
    }

    /// `portable`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Level::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512",
        }
    }

    /// Bits of a vector.
    pub fn vector_bits(self) -> u64 {
        match self.0 {
            Level::Portable => 128,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => 256,
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => 512,
        }
    }
}

impl fmt::Debug for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cpu").field(&self.name()).finish()
    }
}
