//! The installation on a cluster: the binary needs nothing of the machine, and completions and manual pages come from the table of options.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

const BINARY: &str = env!("CARGO_BIN_EXE_provident");

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("provident-distribution-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The kinds of the segments of an ELF file of 64 bits.
fn segments(bytes: &[u8]) -> Vec<u32> {
    let number = |at: usize, size: usize| {
        bytes[at..at + size]
            .iter()
            .rev()
            .fold(0usize, |n, byte| n << 8 | usize::from(*byte))
    };
    assert_eq!(&bytes[..5], b"\x7fELF\x02");
    let (start, size, count) = (number(32, 8), number(54, 2), number(56, 2));
    (0..count)
        .map(|i| u32::try_from(number(start + i * size, 4)).unwrap())
        .collect()
}

/// An interpreter (segment kind 3) is the loader of shared libraries.
#[test]
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn the_binary_is_static() {
    const INTERPRETER: u32 = 3;
    let kinds = segments(&fs::read(BINARY).unwrap());
    assert!(kinds.contains(&1) && !kinds.contains(&INTERPRETER), "{kinds:?}");
}

/// Needs the right to `chroot`; without it nothing is tried.
#[test]
fn the_binary_starts_where_there_is_nothing_else() {
    let folder = folder("root");
    fs::copy(BINARY, folder.join("provident")).unwrap();
    let program = "int main(void) { ERROR: return 0; }\n";
    fs::write(folder.join("a.i"), program).unwrap();
    fs::write(folder.join("p.prp"), "CHECK( init(main()), LTL(G ! label(ERROR)) )\n").unwrap();
    let output = Command::new("chroot")
        .arg(&folder)
        .args(["/provident", "verify", "/a.i", "--property", "/p.prp"])
        .output();
    if let Ok(output) = output
        && !String::from_utf8_lossy(&output.stderr).contains("Operation not permitted")
    {
        assert!(
            String::from_utf8_lossy(&output.stdout).ends_with("VERDICT: FALSE\n"),
            "{output:?}"
        );
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn completions_and_manual_pages_know_the_options() {
    for shell in ["bash", "zsh", "fish"] {
        let output = Command::new(BINARY).args(["completions", shell]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success() && text.contains("memory-limit") && text.contains("benchexec-import"),
            "{shell}"
        );
    }
    let folder = folder("man");
    assert!(Command::new(BINARY).arg("man").arg(&folder).status().unwrap().success());
    let page = fs::read_to_string(folder.join("provident-verify.1")).unwrap();
    assert!(page.contains("memory\\-limit") && page.contains("refine.rank"));
    fs::remove_dir_all(folder).unwrap();
}
