//! The network of a visitor, as a unit for limits.

use std::fmt::{self, Display};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An IPv4 address, or the first 64 bits of an IPv6 address, which one household shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Network(IpAddr);

impl From<IpAddr> for Network {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self(address.into()),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Self(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into())
            }
        }
    }
}

impl Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A range of networks: an address and the number of bits that its addresses share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NetworkRange {
    base: IpAddr,
    bits: u8,
}

impl NetworkRange {
    /// The lengths of IPv4 ranges, narrowest first.
    const V4: [u8; 3] = [32, 24, 16];
    /// The lengths of IPv6 ranges, narrowest first.
    const V6: [u8; 3] = [64, 48, 32];

    /// Reads `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/48`. The lengths are 32, 24 and 16 bits of IPv4, and 64,
    /// 48 and 32 bits of IPv6, so that a network is in three ranges.
    pub fn parse(text: &str) -> Option<Self> {
        let (address, bits) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
        let address: IpAddr = address.parse().ok()?;
        let network = Network::from(address);
        let bits = bits.map_or_else(|| Some(lengths(network.0)[0]), |bits| bits.parse().ok())?;
        Self::around(network).into_iter().find(|range| range.bits == bits)
    }

    /// Returns the ranges that contain a network, narrowest first.
    pub fn around(Network(address): Network) -> [Self; 3] {
        lengths(address).map(|bits| Self { base: masked(address, bits), bits })
    }
}

fn lengths(address: IpAddr) -> [u8; 3] {
    match address {
        IpAddr::V4(_) => NetworkRange::V4,
        IpAddr::V6(_) => NetworkRange::V6,
    }
}

/// Returns an address whose bits after the first `bits` are 0.
fn masked(address: IpAddr, bits: u8) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(bits)).unwrap_or(0);
            Ipv4Addr::from_bits(address.to_bits() & mask).into()
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(bits)).unwrap_or(0);
            Ipv6Addr::from_bits(address.to_bits() & mask).into()
        }
    }
}

/// A single network is written without a length.
impl Display for NetworkRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.bits == lengths(self.base)[0] {
            return self.base.fmt(f);
        }
        write!(f, "{}/{}", self.base, self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_household_is_one_place() {
        let of = |text: &str| Network::from(text.parse::<IpAddr>().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }

    #[test]
    fn a_network_is_in_three_ranges() {
        let around = |text: &str| {
            let network = Network::from(text.parse::<IpAddr>().unwrap());
            NetworkRange::around(network).map(|range| range.to_string())
        };
        assert_eq!(around("192.0.2.7"), ["192.0.2.7", "192.0.2.0/24", "192.0.0.0/16"]);
        assert_eq!(
            around("2001:db8:1:2:3::4"),
            ["2001:db8:1:2::", "2001:db8:1::/48", "2001:db8::/32"]
        );
        for (text, read) in [
            ("192.0.2.7/24", Some("192.0.2.0/24")),
            ("192.0.2.7", Some("192.0.2.7")),
            ("::ffff:192.0.2.7", Some("192.0.2.7")),
            ("2001:db8:1:2::9", Some("2001:db8:1:2::")),
            ("192.0.2.7/23", None),
            ("192.0.2.7/0", None),
            ("2001:db8::/128", None),
            ("192.0.2", None),
            ("alice", None),
        ] {
            let range = NetworkRange::parse(text).map(|range| range.to_string());
            assert_eq!(range.as_deref(), read, "{text}");
        }
    }
}
