//! Large pages for large tables.
//!
//! Reads that are scattered over a gigabyte miss the address cache of the CPU at nearly every step when pages have
//! 4 KiB. Linux gives pages of 2 MiB to memory for which it is asked before it is first written to.

use std::mem::MaybeUninit;

use crate::error::{Error, Result};

/// Takes memory for `len` zero words, in large pages where the system has them.
///
/// # Errors
/// [`Error::Memory`] when the system refuses the memory.
pub fn zeros_in_large_pages(what: &'static str, len: u64) -> Result<Vec<u64>> {
    let mut words = reserve_in_large_pages(what, len)?;
    words.resize(len as usize, 0);
    Ok(words)
}

/// Makes room for `len` elements, in large pages where the system has them. Nothing is written, so the system hands out
/// each page when the first element comes to it.
///
/// # Errors
/// [`Error::Memory`] when the system refuses the memory.
pub fn reserve_in_large_pages<T>(what: &'static str, len: u64) -> Result<Vec<T>> {
    let refusal = || Error::Memory { what, needed: len.saturating_mul(size_of::<T>() as u64) };
    let len = usize::try_from(len).map_err(|_| refusal())?;
    let mut elements = Vec::new();
    elements.try_reserve_exact(len).map_err(|_| refusal())?;
    advise(elements.spare_capacity_mut());
    Ok(elements)
}

/// Asks for large pages. A wish: nothing depends on it.
fn advise<T>(memory: &mut [MaybeUninit<T>]) {
    #[cfg(target_os = "linux")]
    {
        /// Bytes of a large page.
        const PAGE: usize = 1 << 21;
        let start = memory.as_mut_ptr() as usize;
        let first = start.next_multiple_of(PAGE);
        let len = (start + size_of_val(memory)).saturating_sub(first) / PAGE * PAGE;
        if len > 0 {
            // SAFETY: the range lies within `memory`, which is borrowed mutably, and the advice changes no contents.
            unsafe { libc::madvise(first as *mut libc::c_void, len, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_whatever_the_length() {
        for len in [0, 1, 511, 1 << 19] {
            let words = zeros_in_large_pages("test", len).unwrap();
            assert_eq!(words.len() as u64, len);
            assert!(words.iter().all(|&w| w == 0));
        }
        assert!(matches!(zeros_in_large_pages("test", u64::MAX), Err(Error::Memory { .. })));
    }
}
