//! A small DNS client for `doctor`: a few questions with a short timeout, and no cache.

#![expect(clippy::disallowed_methods, reason = "the client reads which DNS server to ask")]

use resolv_conf::ScopedIp;
use simple_dns::rdata::RData;
use simple_dns::{CLASS, Name, Packet, PacketFlag, QTYPE, Question, RCODE, TYPE};
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::net::{IpAddr, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

/// The timeout of a question.
const QUESTION_TIMEOUT: Duration = Duration::from_millis(1500);
/// How often a question is asked.
const TRIES: u16 = 2;
/// The port of DNS servers.
const PORT: u16 = 53;
/// The longest answer in one packet without EDNS.
const MAX_PACKET: usize = 512;
/// The file that names the machine's DNS servers.
const RESOLV_CONF: &str = "/etc/resolv.conf";

/// A client of one DNS server.
#[derive(Clone, Copy, Debug)]
pub struct DnsClient {
    server: SocketAddr,
}

/// The records in an answer. All empty if the name does not exist.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DnsRecords {
    /// TXT records, each as one text.
    pub texts: Vec<String>,
    /// The hosts of MX records. An empty name means that the domain takes no mail (RFC 7505).
    pub exchangers: Vec<String>,
    /// Addresses of A and AAAA records.
    pub addresses: Vec<IpAddr>,
}

impl DnsClient {
    /// Returns a client of the given server, or of the first one of the machine.
    ///
    /// # Errors
    /// The machine has no DNS server configured.
    pub fn new(named: Option<SocketAddr>) -> io::Result<Self> {
        if let Some(server) = named {
            return Ok(Self { server });
        }
        let text = fs::read(RESOLV_CONF)?;
        let (config, _) = resolv_conf::Config::parse_with_errors(&text);
        let first = config.get_nameservers_or_local().into_iter().next();
        let server = match first.ok_or(io::ErrorKind::NotFound)? {
            ScopedIp::V4(ip) => SocketAddr::from((ip, PORT)),
            ScopedIp::V6(ip, _) => SocketAddr::from((ip, PORT)),
        };
        Ok(Self { server })
    }

    /// Returns the server's address.
    pub fn server(&self) -> SocketAddr {
        self.server
    }

    /// Returns the records of a name.
    ///
    /// # Errors
    /// The server does not answer, or reports a failure.
    pub fn ask(&self, name: &str, kind: TYPE) -> io::Result<DnsRecords> {
        let mut last = io::ErrorKind::TimedOut.into();
        for number in 1..=TRIES {
            match self.ask_once(name, kind, number) {
                Ok(records) => return Ok(records),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    last = io::Error::new(io::ErrorKind::TimedOut, "no answer");
                }
                Err(error) => return Err(error),
            }
        }
        Err(last)
    }

    fn ask_once(&self, name: &str, kind: TYPE, number: u16) -> io::Result<DnsRecords> {
        let question = question(name, kind, number)?;
        // A connected socket receives from the server only, on a port that nobody can guess.
        let own = if self.server.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
        let socket = UdpSocket::bind(own)?;
        socket.connect(self.server)?;
        socket.set_read_timeout(Some(QUESTION_TIMEOUT))?;
        socket.send(&question)?;
        let mut bytes = [0; MAX_PACKET];
        let length = socket.recv(&mut bytes)?;
        let answer = Packet::parse(&bytes[..length]);
        match answer.ok().filter(|answer| answer.id() == number) {
            Some(answer) if !answer.has_flags(PacketFlag::TRUNCATION) => records(&answer),
            // A truncated answer may end anywhere.
            Some(_) | None => records(&parsed(&self.ask_over_tcp(&question)?)?),
        }
    }

    /// Asks over TCP, for an answer too long for one packet.
    fn ask_over_tcp(&self, question: &[u8]) -> io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect_timeout(&self.server, QUESTION_TIMEOUT)?;
        stream.set_read_timeout(Some(QUESTION_TIMEOUT))?;
        let length = u16::try_from(question.len()).map_err(io::Error::other)?;
        stream.write_all(&[&length.to_be_bytes()[..], question].concat())?;
        let mut length = [0; 2];
        stream.read_exact(&mut length)?;
        let mut answer = vec![0; u16::from_be_bytes(length).into()];
        stream.read_exact(&mut answer)?;
        Ok(answer)
    }
}

fn question(name: &str, kind: TYPE, number: u16) -> io::Result<Vec<u8>> {
    let mut packet = Packet::new_query(number);
    packet.set_flags(PacketFlag::RECURSION_DESIRED);
    let name = Name::new(name).map_err(io::Error::other)?;
    let question = Question::new(name, QTYPE::TYPE(kind), CLASS::IN.into(), false);
    packet.questions.push(question);
    packet.build_bytes_vec().map_err(io::Error::other)
}

fn parsed(bytes: &[u8]) -> io::Result<Packet<'_>> {
    Packet::parse(bytes).map_err(io::Error::other)
}

fn records(answer: &Packet) -> io::Result<DnsRecords> {
    if !matches!(answer.rcode(), RCODE::NoError | RCODE::NameError) {
        return Err(io::Error::other(format!("it answers {:?}", answer.rcode())));
    }
    let mut records = DnsRecords::default();
    for record in &answer.answers {
        match &record.rdata {
            RData::TXT(text) => records.texts.extend(String::try_from(text.clone()).ok()),
            RData::MX(mx) => {
                records.exchangers.push(mx.exchange.to_string().trim_matches('.').to_owned());
            }
            RData::A(it) => records.addresses.push(IpAddr::V4(it.address.into())),
            RData::AAAA(it) => records.addresses.push(IpAddr::V6(it.address.into())),
            _ => {}
        }
    }
    Ok(records)
}
