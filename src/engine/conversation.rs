//! A running engine, and the conversation with it in its protocol.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "engines are programs")]

use super::confinement::{self, Confinement};
use super::{EngineAnswer, EngineFault};
use crate::config::EngineLimits;
use games::{EngineProtocol, EngineQuestion};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, kill_process_group, prlimit, setpriority_process,
};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tempfile::TempDir;

/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 64 * 1024;

/// The most bytes that a program may print for one question.
const MOST_OUTPUT: usize = 4 * 1024 * 1024;

/// The most characters of a program's name.
const LONGEST_NAME: usize = 40;

/// The most characters of a program's words in a fault.
const LONGEST_QUOTE: usize = 80;

/// The most bytes of a file that it may write.
const LARGEST_FILE: u64 = 1024 * 1024;

/// The processor time after which the system kills a program, in seconds. The next question starts it again.
const PROCESSOR_SECONDS: u64 = 3600;

/// The niceness of a program, so that the processes that serve players come first.
const NICENESS: i32 = 10;

/// A command that marks the end of an answer of GNU Backgammon, and how the line begins that it prints. On a
/// pipe there is no prompt, and errors go to the standard error.
const END_OF_ANSWER: (&str, &str) = ("show delay", "The delay is ");

/// A running program.
#[derive(Debug)]
pub(super) struct Conversation {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    protocol: EngineProtocol,
    nodes: u32,
    confinement: Confinement,
    /// What the program calls itself; `None` before the greeting.
    name: Option<String>,
    /// The bytes that it may still print for this question.
    left: usize,
    /// Its only folder.
    _folder: TempDir,
}

/// A handle that kills a program from another thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct EngineHandle(Pid);

impl EngineHandle {
    /// Kills the program and all programs that it has started.
    pub(super) fn kill(self) {
        // It may have ended by itself.
        let _ = kill_process_group(self.0, Signal::KILL);
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        self.handle().kill();
        let _ = self.child.wait();
    }
}

impl Conversation {
    /// Starts a program without the environment of this process, in a folder of its own.
    pub(super) fn start(
        words: &[String],
        protocol: EngineProtocol,
        limits: EngineLimits,
    ) -> Result<Self, EngineFault> {
        let failed = |error: &dyn std::fmt::Display| EngineFault::NotStarted(error.to_string());
        let [program, arguments @ ..] = words else { return Err(failed(&"it has no name")) };
        let folder = TempDir::new().map_err(|error| failed(&error))?;
        let mut command = Command::new(program);
        command.args(arguments).env_clear().env("HOME", folder.path()).env("LANG", "C");
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/games");
        command.current_dir(folder.path()).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let spawned = confinement::spawn(command, words, folder.path());
        let (mut child, confinement) = spawned.map_err(|error| failed(&error))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(failed(&"it has no input and output"));
        };
        let output = BufReader::new(output);
        let nodes = limits.nodes;
        let started = Self {
            child,
            input,
            output,
            protocol,
            nodes,
            confinement,
            name: None,
            left: 0,
            _folder: folder,
        };
        started.limit(limits).map_err(|error| failed(&error))?;
        Ok(started)
    }

    /// Sets the limits of the process. The processes that it starts inherit them.
    fn limit(&self, limits: EngineLimits) -> rustix::io::Result<()> {
        let of = [
            (Resource::As, limits.memory),
            (Resource::Fsize, LARGEST_FILE),
            (Resource::Cpu, PROCESSOR_SECONDS),
            (Resource::Core, 0),
        ];
        let pid = self.handle().0;
        let set = of.into_iter().try_for_each(|(resource, most)| {
            let most = Some(most);
            prlimit(Some(pid), resource, Rlimit { current: most, maximum: most }).map(drop)
        });
        // If the process has ended already, the first read finds out.
        let set = set.and_then(|()| setpriority_process(Some(pid), NICENESS));
        if set == Err(rustix::io::Errno::SRCH) { Ok(()) } else { set }
    }

    pub(super) fn handle(&self) -> EngineHandle {
        EngineHandle(Pid::from_child(&self.child))
    }

    pub(super) fn confinement(&self) -> Confinement {
        self.confinement
    }

    pub(super) fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Asks for a move, without a time limit.
    pub(super) fn ask(&mut self, question: &EngineQuestion) -> Result<EngineAnswer, EngineFault> {
        self.left = MOST_OUTPUT;
        if self.name.is_none() {
            let name = self.greet()?;
            self.name = Some(shortened(&name, LONGEST_NAME));
        }
        let answer = match self.protocol {
            EngineProtocol::Uci => self.ask_uci(question)?,
            EngineProtocol::Gtp => self.ask_gtp(question)?,
            EngineProtocol::Gnubg => self.ask_gnubg(question)?,
        };
        let decision = (question.read)(&answer)
            .ok_or_else(|| EngineFault::NoMove(shortened(&answer, LONGEST_QUOTE)))?;
        let name = self.name.clone().unwrap_or_default();
        Ok(EngineAnswer { decision, name })
    }

    /// Begins the conversation, and returns what the program calls itself.
    fn greet(&mut self) -> Result<String, EngineFault> {
        match self.protocol {
            EngineProtocol::Uci => {
                self.send("uci")?;
                let mut name = String::new();
                loop {
                    let line = self.read_line()?;
                    if let Some(own) = line.trim().strip_prefix("id name ") {
                        own.clone_into(&mut name);
                    }
                    if line.trim() == "uciok" {
                        return Ok(name);
                    }
                }
            }
            EngineProtocol::Gtp => {
                let name = self.command_gtp("name")?;
                // Not every program has a version.
                let version = self.command_gtp("version").or_else(|fault| match fault {
                    EngineFault::Refused(..) => Ok(String::new()),
                    fault => Err(fault),
                })?;
                Ok(format!("{name} {version}").trim().to_owned())
            }
            EngineProtocol::Gnubg => {
                let printed = self.read_until_end()?;
                let name = printed.lines().find(|line| line.starts_with("GNU Backgammon "));
                // A date follows the version.
                let words = name.into_iter().flat_map(|name| name.split_whitespace().take(3));
                Ok(words.collect::<Vec<_>>().join(" "))
            }
        }
    }

    fn ask_uci(&mut self, question: &EngineQuestion) -> Result<String, EngineFault> {
        question.setup.iter().try_for_each(|line| self.send(line))?;
        self.send("isready")?;
        while self.read_line()?.trim() != "readyok" {}
        self.send(&format!("{} nodes {}", question.ask, self.nodes))?;
        loop {
            let line = self.read_line()?;
            if let Some(answer) = line.trim().strip_prefix("bestmove") {
                return Ok(answer.trim().to_owned());
            }
        }
    }

    fn ask_gtp(&mut self, question: &EngineQuestion) -> Result<String, EngineFault> {
        for line in &question.setup {
            self.command_gtp(line)?;
        }
        self.command_gtp(&question.ask)
    }

    /// Gives a command of GTP, and returns the answer, which ends at an empty line.
    fn command_gtp(&mut self, command: &str) -> Result<String, EngineFault> {
        self.send(command)?;
        let mut line = self.read_line()?;
        // Other lines before the answer are skipped.
        while !line.starts_with(['=', '?']) {
            line = self.read_line()?;
        }
        let (is_done, mut answer) = (line.starts_with('='), line[1..].trim().to_owned());
        loop {
            let line = self.read_line()?;
            if line.trim().is_empty() {
                break;
            }
            answer = answer + "\n" + line.trim();
        }
        if is_done {
            Ok(answer)
        } else {
            let reason = shortened(&answer, LONGEST_QUOTE);
            Err(EngineFault::Refused(reason, command.to_owned()))
        }
    }

    fn ask_gnubg(&mut self, question: &EngineQuestion) -> Result<String, EngineFault> {
        question.setup.iter().try_for_each(|line| self.send(line))?;
        // Boards that were printed for the setup are no answer.
        self.read_until_end()?;
        self.send(&question.ask)?;
        self.read_until_end()
    }

    /// Returns all that GNU Backgammon prints for the commands sent so far.
    fn read_until_end(&mut self) -> Result<String, EngineFault> {
        let (command, end) = END_OF_ANSWER;
        self.send(command)?;
        let mut printed = String::new();
        loop {
            let line = self.read_line()?;
            if line.starts_with(end) {
                return Ok(printed);
            }
            printed += line.trim_end();
            printed += "\n";
        }
    }

    fn send(&mut self, line: &str) -> Result<(), EngineFault> {
        let line = format!("{line}\n");
        let sent = self.input.write_all(line.as_bytes()).and_then(|()| self.input.flush());
        sent.map_err(|_| EngineFault::Died)
    }

    /// Reads the next line.
    fn read_line(&mut self) -> Result<String, EngineFault> {
        let mut line = Vec::new();
        let read = (&mut self.output).take(LONGEST_LINE).read_until(b'\n', &mut line);
        let read = read.map_err(|_| EngineFault::Died)?;
        self.left = self.left.checked_sub(read).ok_or(EngineFault::TooMuch)?;
        match line.last() {
            None => Err(EngineFault::Died),
            Some(b'\n') => Ok(String::from_utf8_lossy(&line).into_owned()),
            // The end of the output, or more than a line may have.
            Some(_) if (read as u64) < LONGEST_LINE => Err(EngineFault::Died),
            Some(_) => Err(EngineFault::TooMuch),
        }
    }
}

/// Returns the printable beginning of a text in one line.
fn shortened(text: &str, most: usize) -> String {
    let plain = |c: char| if c.is_ascii_graphic() { c } else { ' ' };
    let words: String = text.chars().take(4 * most).map(plain).collect();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(most).collect::<String>().trim_end().to_owned()
}
