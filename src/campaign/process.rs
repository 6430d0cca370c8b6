//! A child process, from its start to its last byte: what it printed, how it ended, and what it took, also if it died.
//!
//! - Time and memory are those that the kernel tells to who waits (`wait4`): they are there however the child ended, and include the processes that the child has waited for. Where there is a
//!   [cgroup](super::cgroup), processes that nobody waited for count as well.
//! - The child dies with this process (`PR_SET_PDEATHSIG`), also after `kill -9`. The signal is bound to the *thread* that started the child, so that thread has to live as long as the child: it is the one
//!   that waits.
//! - The child leads a process group of its own; what is left of the group when the child has ended is killed.
//! - Waiting costs nothing: one `poll` on the child's end (`pidfd`), its two pipes, the flag that asks to stop, and the moment at which patience is over. Where the kernel has no `pidfd` (before 5.3)
//!   the end is looked for every 50 ms.
//!
//! The peak memory that Linux reports begins with that of the process that called `exec`, which is a copy of ours. So a value that is not above our own is only a bound; see [`Usage::memory_is_exact`].

use super::cgroup::Group;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a child may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(10);
/// How often the end is looked for where the kernel does not tell.
const TICK: Duration = Duration::from_millis(50);
/// Processor seconds below which a child takes none.
const LEAST_CPU: f64 = 0.05;
/// How much of the error output is kept.
const MOST_ERRORS: usize = 1 << 16;

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// With this exit status.
    Exit(i32),
    /// By this signal.
    Signal(i32),
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Status::Exit(status) => write!(f, "exit status {status}"),
            Status::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

/// Why a child was asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The experiment ends.
    Interrupted,
    /// Its patience was over.
    Overdue,
}

/// The resources of a child.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Processor seconds in the program.
    pub user_s: f64,
    /// Processor seconds in the kernel.
    pub system_s: f64,
    /// The greatest resident memory of one of its processes in KiB.
    pub memory_kb: u64,
    /// Whether that is exact; else it is an upper bound.
    pub memory_is_exact: bool,
}

/// A child that is no more.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How it ended.
    pub status: Status,
    /// The cause of its end.
    pub stopped: Option<Stopped>,
    /// Its output.
    pub output: Vec<u8>,
    /// The first of what it printed to standard error.
    pub errors: Vec<u8>,
    /// Its resources.
    pub usage: Usage,
    /// Seconds from start to end.
    pub wall_s: f64,
}

/// How long a child may take that keeps limits itself, before it counts as one that hangs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patience {
    /// Until it is looked at.
    pub time: Duration,
    /// The processor seconds that it may take. One that has taken less, and still takes some, is waiting for a processor: on a busy machine that may last.
    pub cpu_s: Option<f64>,
}

impl Patience {
    /// Three times a limit, and a little for start and report. `wall` is the limit on time, `cpu` that on processor time, which counts where there is no other.
    pub fn of_limits(wall: Option<f64>, cpu: Option<f64>) -> Option<Patience> {
        let limit = wall.or(cpu)?;
        Some(Patience {
            time: Duration::try_from_secs_f64(3.0 * limit + 10.0).ok()?,
            cpu_s: cpu.filter(|_| wall.is_none()),
        })
    }
}

/// The watch over a child that may hang.
#[derive(Debug)]
pub struct Watch {
    id: libc::pid_t,
    patience: Option<Patience>,
    deadline: Option<Instant>,
    /// The processor seconds that it had taken when it was looked at last.
    seen: f64,
}

impl Watch {
    /// Over a child that begins now.
    pub fn over(id: libc::pid_t, patience: Option<Patience>) -> Watch {
        Watch {
            id,
            patience,
            deadline: patience.and_then(|patience| Instant::now().checked_add(patience.time)),
            seen: 0.0,
        }
    }

    /// Whether patience with it is over.
    pub fn is_over(&mut self) -> bool {
        let (Some(patience), Some(deadline)) = (self.patience, self.deadline) else {
            return false;
        };
        if Instant::now() < deadline {
            return false;
        }
        let Some(limit) = patience.cpu_s else {
            return true;
        };
        let taken = cpu_seconds_of(self.id);
        if taken >= 1.5 * limit + 5.0 || taken - self.seen < LEAST_CPU {
            return true;
        }
        self.seen = taken;
        self.deadline = Instant::now().checked_add(patience.time);
        false
    }
}

/// Processor seconds of a process and of those that it has waited for; 0 where the system does not tell.
fn cpu_seconds_of(id: libc::pid_t) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // The name before may have any characters.
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields.split_whitespace().skip(11).take(4);
    let ticks: u32 = ticks.filter_map(|ticks| ticks.parse::<u32>().ok()).sum();
    // SAFETY: the call takes and returns an integer.
    let per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    f64::from(ticks) / f64::from(i32::try_from(per_second).unwrap_or(100).max(1))
}

/// A flag that signals set and that many threads can wait for: a pipe that becomes readable and stays so.
#[derive(Debug)]
pub struct Stop {
    reader: OwnedFd,
    /// Kept open, so that the reader does not see an end.
    _writer: OwnedFd,
}

impl Stop {
    /// A flag that the signals set. A handler that cannot be installed leaves the signal as it was: it ends this process, and all children with it.
    ///
    /// # Errors
    /// There is no pipe to be had.
    pub fn on(signals: impl IntoIterator<Item = i32>) -> io::Result<Stop> {
        let mut ends = [0; 2];
        // SAFETY: the array has room for the two descriptors that the call makes.
        if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC | libc::O_NONBLOCK) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: both descriptors were just made, and nobody else owns them.
        let (reader, writer) = unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) };
        for signal in signals {
            let _ = signal_hook::low_level::pipe::register(signal, writer.try_clone()?);
        }
        Ok(Stop {
            reader,
            _writer: writer,
        })
    }

    /// Whether the flag is set.
    pub fn is_set(&self) -> bool {
        let mut polled = [poll_for(self.reader.as_raw_fd())];
        poll(&mut polled, Some(Duration::ZERO));
        polled[0].revents != 0
    }
}

fn poll_for(fd: RawFd) -> libc::pollfd {
    libc::pollfd {
        fd,
        events: libc::POLLIN,
        revents: 0,
    }
}

/// Waits until one of them has something, or the time is over. An interruption counts as the end of the time: the caller looks at everything anyway.
fn poll(fds: &mut [libc::pollfd], time: Option<Duration>) {
    let milliseconds = time.map_or(-1, |time| i32::try_from(time.as_millis()).unwrap_or(i32::MAX));
    let count = libc::nfds_t::try_from(fds.len()).expect("a handful of descriptors");
    // SAFETY: the slice is valid for reads and writes of that many entries.
    unsafe { libc::poll(fds.as_mut_ptr(), count, milliseconds) };
}

/// The peak of this process's own resident memory in KiB.
pub fn own_peak_kb() -> u64 {
    // SAFETY: a plain structure of integers may be all zero, and the call fills it in.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    u64::try_from(usage.ru_maxrss).unwrap_or(0)
}

/// A pipe of the child that does not block.
struct Pipe {
    file: File,
    bytes: Vec<u8>,
    most: usize,
    open: bool,
}

impl Pipe {
    fn new(fd: OwnedFd, most: usize) -> Pipe {
        // SAFETY: the descriptor is open and ours; the calls only change how it is read.
        unsafe {
            let flags = libc::fcntl(fd.as_raw_fd(), libc::F_GETFL);
            libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, flags | libc::O_NONBLOCK);
        }
        Pipe {
            file: File::from(fd),
            bytes: Vec::new(),
            most,
            open: true,
        }
    }

    fn fd(&self) -> RawFd {
        if self.open { self.file.as_raw_fd() } else { -1 }
    }

    /// Reads what is there.
    fn drain(&mut self) {
        let mut buffer = [0; 1 << 14];
        while self.open {
            match self.file.read(&mut buffer) {
                Ok(0) => self.open = false,
                Ok(count) => {
                    let room = self.most.saturating_sub(self.bytes.len()).min(count);
                    self.bytes.extend_from_slice(&buffer[..room]);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // Keep the part that could be read.
                Err(_) => self.open = false,
            }
        }
    }
}

/// Runs a command to its end.
///
/// # Errors
/// It cannot be started.
pub fn run(mut command: Command, patience: Option<Patience>, stop: &Stop) -> io::Result<Ended> {
    let start = Instant::now();
    let group = Group::create();
    let entrance = group.as_ref().map(Group::entrance);
    let parent = i32::try_from(std::process::id()).expect("numbers of processes are small");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    // SAFETY: all calls are safe between fork and exec.
    unsafe {
        command.pre_exec(move || {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            // If the parent died before that call, nobody sends the signal.
            if libc::getppid() != parent {
                libc::_exit(1);
            }
            if let Some(entrance) = entrance {
                libc::write(entrance, c"0".as_ptr().cast(), 1);
            }
            Ok(())
        });
    }
    let own = own_peak_kb();
    let mut child = command.spawn()?;
    let mut pipes = [
        Pipe::new(child.stdout.take().expect("it is piped").into(), usize::MAX),
        Pipe::new(child.stderr.take().expect("it is piped").into(), MOST_ERRORS),
    ];
    let (status, raw, stopped) = follow(&child, &mut pipes, patience, stop);
    // Processes that the child has left behind have no purpose any more, and must not hold the pipes open.
    signal(&child, libc::SIGKILL);
    pipes.iter_mut().for_each(Pipe::drain);
    let mut usage = usage_of(&raw);
    usage.memory_is_exact = usage.memory_kb > own;
    if let Some(group) = group {
        group.improve(&mut usage);
    }
    let [output, errors] = pipes;
    Ok(Ended {
        status,
        stopped,
        output: output.bytes,
        errors: errors.bytes,
        usage,
        wall_s: start.elapsed().as_secs_f64(),
    })
}

/// The kernel's account of a child, whose memory may be only a bound.
pub fn usage_of(raw: &libc::rusage) -> Usage {
    let seconds = |time: libc::timeval| {
        let (whole, micro) = (
            u32::try_from(time.tv_sec).unwrap_or(0),
            u32::try_from(time.tv_usec).unwrap_or(0),
        );
        f64::from(whole) + f64::from(micro) / 1e6
    };
    Usage {
        user_s: seconds(raw.ru_utime),
        system_s: seconds(raw.ru_stime),
        memory_kb: u64::try_from(raw.ru_maxrss).unwrap_or(0),
        memory_is_exact: false,
    }
}

/// Sends a signal to the child's group.
fn signal(child: &Child, number: i32) {
    if let Ok(id) = i32::try_from(child.id()) {
        // SAFETY: the call only sends a signal, to a group whose number the child has, or had a moment ago.
        unsafe { libc::kill(-id, number) };
    }
}

/// Follows the child to its end.
fn follow(
    child: &Child,
    pipes: &mut [Pipe; 2],
    patience: Option<Patience>,
    stop: &Stop,
) -> (Status, libc::rusage, Option<Stopped>) {
    let id = libc::pid_t::try_from(child.id()).expect("numbers of processes are small");
    // SAFETY: the call takes two integers and makes a descriptor, or says that it cannot.
    let descriptor = unsafe { libc::syscall(libc::SYS_pidfd_open, id, 0) };
    // SAFETY: the descriptor was just made, and nobody else owns it.
    let end = i32::try_from(descriptor)
        .ok()
        .filter(|fd| *fd >= 0)
        .map(|fd| unsafe { OwnedFd::from_raw_fd(fd) });
    let mut watch = Watch::over(id, patience);
    // Of a child that was asked to end.
    let mut deadline = None;
    let mut stopped = None;
    loop {
        let mut time = deadline
            .or(watch.deadline)
            .map(|deadline| deadline.saturating_duration_since(Instant::now()) + Duration::from_millis(1));
        if end.is_none() {
            time = Some(time.map_or(TICK, |time| time.min(TICK)));
        }
        let mut polled = [
            poll_for(end.as_ref().map_or(-1, AsRawFd::as_raw_fd)),
            poll_for(pipes[0].fd()),
            poll_for(pipes[1].fd()),
            poll_for(if stopped.is_none() { stop.reader.as_raw_fd() } else { -1 }),
        ];
        poll(&mut polled, time);
        pipes.iter_mut().for_each(Pipe::drain);
        if (end.is_none() || polled[0].revents != 0)
            && let Some((status, usage)) = reap(id)
        {
            return (status, usage, stopped);
        }
        let overdue = match deadline {
            Some(deadline) => Instant::now() >= deadline,
            None => watch.is_over(),
        };
        if polled[3].revents != 0 || overdue {
            if stopped.is_none() {
                stopped = Some(if overdue {
                    Stopped::Overdue
                } else {
                    Stopped::Interrupted
                });
                signal(child, libc::SIGTERM);
            } else {
                signal(child, libc::SIGKILL);
            }
            deadline = Instant::now().checked_add(GRACE);
        }
    }
}

/// How a child ended and what it took, if it has ended.
pub fn reap(id: libc::pid_t) -> Option<(Status, libc::rusage)> {
    let mut status = 0;
    // SAFETY: a plain structure of integers may be all zero; the call fills in both.
    let (found, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        let found = libc::wait4(id, &raw mut status, libc::WNOHANG, &raw mut usage);
        (found, usage)
    };
    if found < 0 {
        // Somebody else has waited for it, which nobody here does; its end is all that is known.
        return Some((Status::Exit(-1), usage));
    }
    (found == id).then(|| {
        let ended = if libc::WIFSIGNALED(status) {
            Status::Signal(libc::WTERMSIG(status))
        } else {
            Status::Exit(libc::WEXITSTATUS(status))
        };
        (ended, usage)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, patience: Option<f64>) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let patience = patience.map(|seconds| Patience {
            time: Duration::from_secs_f64(seconds),
            cpu_s: None,
        });
        run(command, patience, &Stop::on([]).unwrap()).unwrap()
    }

    /// A machine that is busy is no reason to end a child: it goes on as long as it takes processor time below its limit.
    #[test]
    fn a_child_that_waits_for_a_processor_does_not_hang() {
        let own = libc::pid_t::try_from(std::process::id()).unwrap();
        let watch = |cpu_s: Option<f64>, seen: f64| {
            let time = Duration::ZERO;
            let mut watch = Watch::over(own, Some(Patience { time, cpu_s }));
            watch.seen = seen;
            watch.is_over()
        };
        let mut sum = 0_u64;
        while cpu_seconds_of(own) < 2.0 * LEAST_CPU {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(watch(None, 0.0), "its time is over");
        assert!(!watch(Some(1e9), 0.0), "it has taken something since");
        assert!(watch(Some(1e9), 1e9), "it has taken nothing since");
        assert!(watch(Some(-100.0), 0.0), "it has taken more than its limit");
    }

    #[test]
    fn output_and_status_are_those_of_the_child() {
        let ended = shell("echo out; echo err >&2; exit 7", None);
        assert_eq!(
            (ended.output.as_slice(), ended.errors.as_slice()),
            (&b"out\n"[..], &b"err\n"[..])
        );
        assert_eq!((ended.status, ended.stopped), (Status::Exit(7), None));
        assert_eq!(shell("kill -9 $$", None).status, Status::Signal(9));
    }

    #[test]
    fn more_output_than_a_pipe_holds_is_read() {
        let ended = shell(
            "i=0; while [ $i -lt 20000 ]; do echo 0123456789012345678; echo error >&2; i=$((i+1)); done",
            None,
        );
        assert_eq!(ended.output.len(), 20 * 20000);
        assert_eq!(ended.errors.len(), MOST_ERRORS);
    }

    #[test]
    fn one_that_hangs_is_ended_and_what_it_started_as_well() {
        let ended = shell("sleep 1000 & sleep 1000", Some(0.1));
        assert_eq!(
            (ended.status, ended.stopped),
            (Status::Signal(libc::SIGTERM), Some(Stopped::Overdue))
        );
    }

    #[test]
    fn processor_time_is_counted_when_it_dies() {
        let ended = shell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; kill -9 $$", None);
        assert_eq!(ended.status, Status::Signal(9));
        assert!(ended.usage.user_s + ended.usage.system_s > 0.0 && ended.usage.memory_kb > 0);
    }
}
