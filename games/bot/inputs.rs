//! What a net sees.

/// The inputs of a net that are not 0, with their values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs(Vec<(u16, f32)>);

impl Inputs {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self(Vec::with_capacity(128))
    }

    /// All that are not 0.
    pub fn all(&self) -> &[(u16, f32)] {
        &self.0
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Where the inputs of one kind are told, counted from that number.
    pub(crate) fn from(&mut self, first: u16) -> Told<'_> {
        Told { inputs: self, next: first }
    }
}

/// Tells inputs one after the other.
pub(crate) struct Told<'a> {
    inputs: &'a mut Inputs,
    next: u16,
}

impl Told<'_> {
    /// Goes on with the inputs so many further on.
    pub(crate) fn from(&mut self, further: u16) -> Told<'_> {
        Told { next: self.next + further, inputs: self.inputs }
    }

    /// A number.
    pub(crate) fn number(&mut self, value: f32) {
        if value != 0.0 {
            self.inputs.0.push((self.next, value));
        }
        self.next += 1;
    }

    /// A whole number, as a share of what is much of it.
    pub(crate) fn share(&mut self, count: u32, much: f32) {
        self.number(few(count) / much);
    }

    /// Yes or no.
    pub(crate) fn flag(&mut self, is_so: bool) {
        self.number(f32::from(u8::from(is_so)));
    }

    /// A whole number from 1 to `most` by which of them it is; what is more counts as `most`.
    pub(crate) fn which(&mut self, count: u32, most: u16) {
        if let Some(last) = count.min(most.into()).checked_sub(1) {
            let last = u16::try_from(last).expect("it is below `most`");
            self.inputs.0.push((self.next + last, 1.0));
        }
        self.next += most;
    }

    /// The men on one place: whether there is one, two, or more, and how many beyond three.
    pub(crate) fn men(&mut self, count: u32) {
        self.which(count, 3);
        self.share(count.saturating_sub(3), 3.0);
    }

    /// The number of the input that comes next.
    pub(crate) fn next(&self) -> u16 {
        self.next
    }
}

/// A whole number that is not large.
pub(crate) fn few(count: u32) -> f32 {
    f32::from(u16::try_from(count).unwrap_or(u16::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_are_told_by_four_inputs() {
        for (count, told) in [
            (0, vec![]),
            (1, vec![(5, 1.0)]),
            (2, vec![(6, 1.0)]),
            (3, vec![(7, 1.0)]),
            (6, vec![(7, 1.0), (8, 1.0)]),
        ] {
            let mut inputs = Inputs::new();
            let mut next = inputs.from(5);
            next.men(count);
            assert_eq!(next.next(), 9);
            assert_eq!(inputs.all(), told, "{count}");
        }
    }
}
