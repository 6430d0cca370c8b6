//! A cgroup (version 2) for one run, where this process may make one.
//!
//! A group counts the processor time of all processes that were ever in it, also of those that nobody waited for. The peak of its memory counts pages of files as well, so it is looked at only where the peak of
//! resident memory is not known. On a cluster a job step often owns its part of the hierarchy; on other machines it does not, and then `wait4` alone has to do.

use super::process::Usage;
use std::fs::{self, File, OpenOptions};
use std::os::fd::{AsRawFd, RawFd};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The group of one run. It is removed when it is dropped.
pub struct Group {
    folder: PathBuf,
    entrance: File,
}

/// The folder of this process's own group, if groups can be made in it. Asked once: each try costs a few system calls.
fn own() -> Option<&'static Path> {
    static OWN: OnceLock<Option<PathBuf>> = OnceLock::new();
    OWN.get_or_init(|| {
        let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
        let mount = mounts.lines().find_map(|line| {
            let mut words = line.split(' ').skip(1);
            let (place, kind) = (words.next()?, words.next()?);
            (kind == "cgroup2").then_some(place)
        })?;
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let group = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
        let folder = Path::new(mount).join(group);
        let probe = folder.join(format!("provident-{}", std::process::id()));
        fs::create_dir(&probe).ok()?;
        let counts = fs::read_to_string(probe.join("cpu.stat")).is_ok_and(|text| text.contains("usage_usec"));
        fs::remove_dir(&probe).ok()?;
        counts.then_some(folder)
    })
    .as_deref()
}

impl Group {
    /// A new group, where that is possible.
    pub fn create() -> Option<Group> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = own()?.join(format!("provident-{}-{number}", std::process::id()));
        fs::create_dir(&folder).ok()?;
        match OpenOptions::new().write(true).open(folder.join("cgroup.procs")) {
            Ok(entrance) => Some(Group { folder, entrance }),
            Err(_) => {
                let _ = fs::remove_dir(&folder);
                None
            }
        }
    }

    /// The descriptor through which a process that writes `0` enters.
    pub fn entrance(&self) -> RawFd {
        self.entrance.as_raw_fd()
    }

    /// Replaces what `wait4` said by what the group says, where that is more. The group may be missing something only if the process could not enter, and then it counts nothing.
    pub fn improve(&self, usage: &mut Usage) {
        let text = fs::read_to_string(self.folder.join("cpu.stat")).unwrap_or_default();
        let seconds = |name: &str| {
            let line = text
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
            let micro: f64 = line.trim().parse().ok()?;
            Some(micro / 1e6)
        };
        if let (Some(user), Some(system)) = (seconds("user_usec"), seconds("system_usec"))
            && user + system > usage.user_s + usage.system_s
        {
            (usage.user_s, usage.system_s) = (user, system);
        }
        if usage.memory_is_exact {
            return;
        }
        let peak = fs::read_to_string(self.folder.join("memory.peak")).ok();
        if let Some(bytes) = peak
            .and_then(|text| text.trim().parse::<u64>().ok())
            .filter(|bytes| *bytes > 0)
        {
            usage.memory_kb = bytes / 1024;
            usage.memory_is_exact = true;
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Processes that were killed a moment ago may still be there; then the empty group stays until the machine removes it.
        for _ in 0..50 {
            match fs::remove_dir(&self.folder) {
                Err(error) if error.raw_os_error() == Some(libc::EBUSY) => {
                    std::thread::sleep(std::time::Duration::from_millis(1));
                }
                _ => return,
            }
        }
    }
}
