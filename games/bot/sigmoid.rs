//! The exponential function with the same bits on every machine.

/// Returns `e` to the power of `x` to about seven digits; `x` is clamped to -80 and 80.
///
/// The power is split into a whole power of two, which becomes the exponent, and a rest of at most
/// half of ln 2, for which a polynomial of the sixth degree suffices (coefficients from `expf` in
/// Moshier's Cephes).
#[inline]
#[expect(clippy::excessive_precision, reason = "digits as in the source")]
pub(super) fn exp(x: f32) -> f32 {
    /// Added and subtracted again, it rounds a small number to a whole one.
    const ROUNDS: f32 = 12_582_912.0;
    /// The logarithm of two in two parts, the first of few digits.
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    let x = x.clamp(-80.0, 80.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUNDS;
    let whole = shifted - ROUNDS;
    let rest = x - whole * LN_2[0] - whole * LN_2[1];
    let polynomial = 1.987_569_1e-4_f32;
    let polynomial = polynomial * rest + 1.398_199_9e-3;
    let polynomial = polynomial * rest + 8.333_452e-3;
    let polynomial = polynomial * rest + 4.166_579_6e-2;
    let polynomial = polynomial * rest + 1.666_666_5e-1;
    let polynomial = polynomial * rest + 5.000_000_1e-1;
    let power = polynomial * (rest * rest) + rest + 1.0;
    // The lowest bits of the shifted number are the whole number; 127 is the exponent of 1.
    let two = f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23));
    power * two
}

/// Returns the logistic function.
#[inline]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// Returns the logistic function of `x` times `unit`, a little less exact and in half the time. The
/// product must be between -64 and 64.
///
/// It splits as [`exp`] does, but for a power of two. The rest is at most a half; a minimax
/// polynomial of the fourth degree has an error of 3 parts in a million there.
#[inline]
pub(super) fn quick_sigmoid(x: f32, unit: f32) -> f32 {
    /// Added and subtracted again, it rounds a small number to a whole one.
    const ROUNDS: f32 = 12_582_912.0;
    let x = x * (-std::f32::consts::LOG2_E * unit);
    let shifted = x + ROUNDS;
    let rest = x - (shifted - ROUNDS);
    let polynomial = 9.570_102e-3_f32;
    let polynomial = polynomial * rest + 5.591_786e-2;
    let polynomial = polynomial * rest + 2.402_474_4e-1;
    let polynomial = polynomial * rest + 6.931_218e-1;
    let polynomial = polynomial * rest + 0.999_999_3;
    // The lowest bits of the shifted number are the whole number, which is added to the exponent.
    let power = f32::from_bits(polynomial.to_bits().wrapping_add(shifted.to_bits() << 23));
    1.0 / (1.0 + power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_near_the_true_one() {
        for step in -8_000..=8_000_i16 {
            let x = f32::from(step) / 100.0;
            let (ours, known) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((ours / known - 1.0).abs() < 3e-7, "{x}: {ours} {known}");
        }
        for step in -6_400..=6_400_i16 {
            let x = f32::from(step) / 100.0;
            let known = 1.0 / (1.0 + f64::from(-x).exp());
            let ours = f64::from(quick_sigmoid(2.0 * x, 0.5));
            assert!((ours - known).abs() < 1e-6, "{x}: {ours} {known}");
        }
        assert_eq!(exp(0.0).to_bits(), 1.0_f32.to_bits());
        assert_eq!(exp(-1e9).to_bits(), exp(-80.0).to_bits());
        assert_eq!(sigmoid(0.0).to_bits(), 0.5_f32.to_bits());
    }
}
