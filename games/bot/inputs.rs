//! The inputs of nets.

/// The nonzero inputs of a net, with their values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs(Vec<(u16, f32)>);

impl Inputs {
    /// Creates an empty list.
    #[must_use]
    pub fn new() -> Self {
        Self(Vec::with_capacity(128))
    }

    /// Returns the nonzero inputs.
    pub fn all(&self) -> &[(u16, f32)] {
        &self.0
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Collects the nonzero inputs of a stored example.
impl FromIterator<(u16, f32)> for Inputs {
    fn from_iter<T: IntoIterator<Item = (u16, f32)>>(all: T) -> Self {
        Self(all.into_iter().collect())
    }
}

/// A receiver of inputs in order. Most inputs are whole numbers, divided by a `scale`: a typical large
/// value of the number.
pub trait InputWriter {
    /// Writes a whole number, which may be negative.
    fn signed(&mut self, count: i32, scale: f32);

    /// Writes an input that is not a whole number.
    fn part(&mut self, value: f32);

    /// Skips inputs that are 0.
    fn skip(&mut self, count: u16);

    /// Writes a group of `inputs` inputs for each place from the first to the last of `from_to`: `write` is
    /// called for the places of `some`, and the groups of the other places are 0.
    fn each(
        &mut self,
        from_to: [u8; 2],
        some: impl Iterator<Item = u8>,
        inputs: u16,
        write: impl Fn(&mut Self, u8),
    );

    /// Writes a whole number.
    fn share(&mut self, count: u32, scale: f32) {
        self.signed(i32::try_from(count).unwrap_or(i32::MAX), scale);
    }

    /// Writes a flag.
    fn flag(&mut self, is_set: bool) {
        self.signed(is_set.into(), 1.0);
    }

    /// Writes a whole number from 1 to `most` in one-hot encoding; larger numbers count as `most`.
    fn which(&mut self, count: u32, most: u16);

    /// Writes the men on one place: one, two, more, and the count beyond three.
    fn men(&mut self, count: u32) {
        self.which(count, 3);
        self.share(count.saturating_sub(3), 3.0);
    }
}

/// A receiver of nonzero inputs by index.
pub(crate) trait InputSink {
    /// Receives a whole number and its scale.
    fn count(&mut self, input: u16, count: i32, scale: f32);

    /// Receives an input that is not a whole number.
    fn part(&mut self, input: u16, value: f32);
}

impl InputSink for Inputs {
    fn count(&mut self, input: u16, count: i32, scale: f32) {
        if count != 0 {
            let value = few(count.unsigned_abs()) / scale;
            self.0.push((input, if count < 0 { -value } else { value }));
        }
    }

    fn part(&mut self, input: u16, value: f32) {
        if value != 0.0 {
            self.0.push((input, value));
        }
    }
}

/// The inputs of a playing net: whole numbers in steps, and separately the inputs that are not
/// whole numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct InputSteps {
    /// In groups, since similar positions differ in few of them.
    pub(super) groups: Vec<[i16; GROUP]>,
    pub(super) parts: Vec<(u16, f32)>,
}

/// The number of inputs compared at once.
pub(super) const GROUP: usize = 8;

impl InputSteps {
    /// Creates empty inputs for a net of at most this many.
    pub(super) fn clear(&mut self, inputs: usize) {
        self.groups.clear();
        self.groups.resize(inputs.div_ceil(GROUP), [0; GROUP]);
        self.parts.clear();
    }
}

impl InputSink for InputSteps {
    fn count(&mut self, input: u16, count: i32, _: f32) {
        let steps = i16::try_from(count).unwrap_or(i16::MAX);
        self.groups.as_flattened_mut()[usize::from(input)] = steps;
    }

    fn part(&mut self, input: u16, value: f32) {
        self.parts.push((input, value));
    }
}

/// An encoder that numbers inputs and passes on the nonzero ones.
pub(crate) struct InputEncoder<'a, S> {
    to: &'a mut S,
    next: u16,
}

impl<'a, S> InputEncoder<'a, S> {
    /// Starts at the first input.
    pub(crate) fn to(to: &'a mut S) -> Self {
        Self { to, next: 0 }
    }

    /// Returns the number of inputs so far.
    pub(crate) fn written(&self) -> usize {
        self.next.into()
    }
}

impl<S: InputSink> InputWriter for InputEncoder<'_, S> {
    fn signed(&mut self, count: i32, scale: f32) {
        self.to.count(self.next, count, scale);
        self.next += 1;
    }

    fn part(&mut self, value: f32) {
        self.to.part(self.next, value);
        self.next += 1;
    }

    fn skip(&mut self, count: u16) {
        self.next += count;
    }

    fn each(
        &mut self,
        [low, high]: [u8; 2],
        some: impl Iterator<Item = u8>,
        inputs: u16,
        write: impl Fn(&mut Self, u8),
    ) {
        let first = self.next;
        for place in some {
            debug_assert!((low..=high).contains(&place), "it is one of these places");
            self.next = first + inputs * u16::from(place - low);
            write(self, place);
        }
        self.next = first + inputs * u16::from(high + 1 - low);
    }

    fn which(&mut self, count: u32, most: u16) {
        if let Some(last) = count.min(most.into()).checked_sub(1) {
            let last = u16::try_from(last).expect("it is below `most`");
            self.to.count(self.next + last, 1, 1.0);
        }
        self.next += most;
    }
}

/// The scale of each input, 0 for those that are not whole numbers. All inputs must be written,
/// none skipped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputScales(pub(super) Vec<f32>);

impl InputWriter for InputScales {
    fn signed(&mut self, _: i32, scale: f32) {
        self.0.push(scale);
    }

    fn part(&mut self, _: f32) {
        self.0.push(0.0);
    }

    fn skip(&mut self, _: u16) {
        debug_assert!(false, "all inputs are written");
    }

    fn each(
        &mut self,
        [low, high]: [u8; 2],
        _: impl Iterator<Item = u8>,
        _: u16,
        write: impl Fn(&mut Self, u8),
    ) {
        (low..=high).for_each(|place| write(self, place));
    }

    fn which(&mut self, _: u32, most: u16) {
        self.0.extend((0..most).map(|_| 1.0));
    }
}

/// Converts a small whole number.
pub(crate) fn few(count: u32) -> f32 {
    f32::from(u16::try_from(count).unwrap_or(u16::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_are_written_as_four_inputs() {
        for (count, told) in [
            (0, vec![]),
            (1, vec![(5, 1.0)]),
            (2, vec![(6, 1.0)]),
            (3, vec![(7, 1.0)]),
            (6, vec![(7, 1.0), (8, 1.0)]),
        ] {
            let mut inputs = Inputs::new();
            let mut next = InputEncoder::to(&mut inputs);
            next.skip(5);
            next.men(count);
            assert_eq!(next.written(), 9);
            assert_eq!(inputs.all(), told, "{count}");
        }
    }
}
