//! The file format of nets. Weights have 16 bits, since more precision does not improve play.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `PBNETS01` |
//! | 2 | number of nets |
//! | for each net: 2, 2 | inputs, hidden units |
//! | 1, 1 | binary shift of the weights of each layer |
//! | 2 a weight | the weights of both layers |
//! | 8 | FNV-1a of all bytes before |
//!
//! All numbers are little-endian. Weights are multiplied by a power of two, so reading is exact.

use super::Net;
use crate::kit::Odds;
use crate::kit::chance::{FNV_START, fnv_1a};

const MAGIC: &[u8; 8] = b"PBNETS01";

/// Parses nets.
///
/// # Errors
/// What is wrong with the bytes.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Net>, &'static str> {
    let (told, sum) = bytes.split_last_chunk().ok_or("too short")?;
    if !told.starts_with(MAGIC) {
        return Err("no weights of nets");
    }
    if fnv_1a(FNV_START, told) != u64::from_le_bytes(*sum) {
        return Err("the checksum is another");
    }
    let mut rest = NetReader(&told[MAGIC.len()..]);
    let count = rest.number()?;
    let nets = (0..count).map(|_| rest.net()).collect::<Result<_, _>>()?;
    if rest.0.is_empty() { Ok(nets) } else { Err("too long") }
}

/// The unread bytes.
struct NetReader<'a>(&'a [u8]);

impl NetReader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], &'static str> {
        let (first, rest) = self.0.split_first_chunk().ok_or("too short")?;
        self.0 = rest;
        Ok(*first)
    }

    fn number(&mut self) -> Result<u16, &'static str> {
        self.take().map(u16::from_le_bytes)
    }

    fn net(&mut self) -> Result<Net, &'static str> {
        let [inputs, hidden] = [self.number()?, self.number()?].map(usize::from);
        let shifts: [u8; 2] = self.take()?;
        if !hidden.is_multiple_of(16) || shifts.iter().any(|&shift| shift > 30) {
            return Err("no shape of a net");
        }
        if self.0.len() < 2 * ((inputs + 1) * hidden + Odds::COUNT * (hidden + 1)) {
            return Err("too short");
        }
        let mut net = Net::new(inputs, hidden, || 0.0);
        for (layer, shift) in net.layers_mut().into_iter().zip(shifts) {
            let unit = 1.0 / f32::from_bits((127 + u32::from(shift)) << 23);
            for weight in layer {
                *weight = f32::from(i16::from_le_bytes(self.take()?)) * unit;
            }
        }
        Ok(net)
    }
}

/// Serializes nets; weights are rounded to 16 bits.
pub(super) fn write(nets: &[Net]) -> Vec<u8> {
    let short = |number: usize| u16::try_from(number).expect("nets are small").to_le_bytes();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(short(nets.len()));
    for net in nets {
        net.shape().map(short).iter().for_each(|number| bytes.extend(number));
        let shifts = net.layers().map(shift);
        bytes.extend(shifts);
        for (layer, shift) in net.layers().into_iter().zip(shifts) {
            let unit = f32::from_bits((127 + u32::from(shift)) << 23);
            bytes.extend(layer.iter().flat_map(|weight| rounded(weight * unit).to_le_bytes()));
        }
    }
    bytes.extend(fnv_1a(FNV_START, &bytes).to_le_bytes());
    bytes
}

/// Returns the largest binary shift with which all weights fit into 16 bits.
fn shift(weights: &[f32]) -> u8 {
    let largest = weights.iter().fold(0.0_f32, |most, weight| most.max(weight.abs()));
    let fits = |shift: &u8| largest * f32::from_bits((127 + u32::from(*shift)) << 23) <= 32_767.0;
    (0..=15).rev().find(fits).unwrap_or(0)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the shift makes it fit; larger weights saturate"
)]
fn rounded(weight: f32) -> i16 {
    weight.round() as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nets() -> Vec<Net> {
        let mut number = 0_i16;
        let mut draw = || {
            number = (number + 37) % 1_000;
            f32::from(number - 500) / 256.0
        };
        vec![Net::new(9, 16, &mut draw), Net::new(3, 32, &mut draw)]
    }

    #[test]
    fn nets_are_read_as_they_were_written() {
        let bytes = write(&nets());
        assert_eq!(read(&bytes), Ok(nets()));
        assert_eq!(write(&read(&bytes).unwrap()), bytes);
    }

    #[test]
    fn bytes_that_were_changed_are_refused() {
        let bytes = write(&nets());
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(read(&changed).is_err(), "{at}");
            assert!(read(&bytes[..at]).is_err(), "{at}");
        }
        let mut short = bytes[..bytes.len() - 30].to_vec();
        short.extend(fnv_1a(FNV_START, &short).to_le_bytes());
        assert_eq!(read(&short), Err("too short"));
    }
}
