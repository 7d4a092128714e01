//! What the processor has.
//!
//! Invariant: an instruction set counts only if the system keeps its registers.
//!
//! ```text
//! AVX2, BMI2, FMA, …, and no AVX-512   ⇒   level 3
//! ```

use core::ffi::c_int;

/// The highest level of x86-64 that the processor has, as in `x86-64-v3`: the levels of the psABI for System V. 1 for other
/// processors.
#[unsafe(no_mangle)]
pub extern "C" fn arr_rt_cpu_level() -> c_int {
    #[cfg(target_arch = "x86_64")]
    return x86::level();
    #[cfg(not(target_arch = "x86_64"))]
    return 1;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
    use core::ffi::c_int;

    /// The flags that `cpuid` gives.
    struct Flags {
        /// Leaf 1, `ecx`.
        basic: u32,
        /// Leaf 7, `ebx`.
        extended: u32,
        /// Leaf 8000 0001, `ecx`.
        amd: u32,
        /// The registers that the system keeps.
        kept: u64,
    }

    /// SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT; LAHF.
    const V2: (&[u32], &[u32]) = (&[0, 9, 13, 19, 20, 23], &[0]);
    /// FMA, MOVBE, AVX, F16C; BMI1, AVX2, BMI2; LZCNT.
    const V3: (&[u32], &[u32], &[u32]) = (&[12, 22, 28, 29], &[3, 5, 8], &[5]);
    /// AVX-512: F, DQ, CD, BW, VL.
    const V4: &[u32] = &[16, 17, 28, 30, 31];
    /// Registers of SSE and AVX, and those of AVX-512 beside them.
    const AVX: u64 = 0x6;
    const AVX_512: u64 = 0xe6;

    pub(super) fn level() -> c_int {
        let flags = flags();
        let v2 = has(flags.basic, V2.0) && has(flags.amd, V2.1);
        let v3 = has(flags.basic, V3.0) && has(flags.extended, V3.1) && has(flags.amd, V3.2);
        match () {
            () if !v2 => 1,
            () if !v3 || flags.kept & AVX != AVX => 2,
            () if !has(flags.extended, V4) || flags.kept & AVX_512 != AVX_512 => 3,
            () => 4,
        }
    }

    fn has(flags: u32, bits: &[u32]) -> bool {
        bits.iter().all(|bit| flags >> bit & 1 == 1)
    }

    fn flags() -> Flags {
        // SAFETY: every processor of 64 bits has the instruction; leaves beyond the last one are not read.
        unsafe {
            let basic = __cpuid(1).ecx;
            let extended = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
            let amd =
                if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
            // The instruction that tells the registers is there if this bit says so.
            let kept = if has(basic, &[27]) { kept_registers() } else { 0 };
            Flags { basic, extended, amd, kept }
        }
    }

    /// # Safety
    /// The processor has the instruction.
    #[target_feature(enable = "xsave")]
    unsafe fn kept_registers() -> u64 {
        // SAFETY: by contract.
        unsafe { _xgetbv(0) }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn the_level_is_that_of_the_flags_that_rust_reads() {
        let v3 = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("fma")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("movbe");
        let v4 = std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512dq")
            && std::arch::is_x86_feature_detected!("avx512cd")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vl");
        let level = arr_rt_cpu_level();
        assert_eq!((level >= 3, level >= 4), (v3, v3 && v4));
    }
}
