//! Records what `--version` says: the commit of the sources and a hash of the solver's sources.
//!
//! Results are compared over years, so that each carries the identity of the solver that made it: two binaries with the same
//! hash have the same solver, whatever their version numbers say. The hash is FNV-1a over the names and contents of the
//! files below `smt/src` in sorted order; it identifies, it does not protect.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| ".".into()));
    println!("cargo:rustc-env=PROVIDENT_COMMIT={}", commit(&root));
    println!("cargo:rustc-env=PROVIDENT_SOLVER={:016x}", solver_hash(&root));
    link_small();
    for watched in ["smt/src", "src", "build.rs"] {
        println!("cargo:rerun-if-changed={watched}");
    }
}

/// Makes the binary for clusters smaller: the linker keeps one copy of functions with the same code (instances of generics for types of the same layout), and no index for unwinding, as a panic ends the
/// process there. Only for this target, whose linker comes with Rust and can do that. Rust promises nothing about addresses of functions.
fn link_small() {
    let is_own = std::env::var("TARGET").is_ok_and(|target| target == "x86_64-unknown-linux-gnu");
    // The name of the profile stands nowhere else.
    let is_dist = std::env::var("OUT_DIR").is_ok_and(|folder| Path::new(&folder).iter().any(|name| name == "dist"));
    if is_own && is_dist {
        println!("cargo:rustc-link-arg-bins=-Wl,-O2,--icf=all,--no-eh-frame-hdr");
    }
}

/// The abbreviated commit, with `+` if the sources differ from it; `unknown` outside a checkout.
fn commit(root: &Path) -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else {
        return "unknown".to_string();
    };
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        let log = root.join(log);
        if log.exists() {
            println!("cargo:rerun-if-changed={}", log.display());
        }
    }
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|s| !s.is_empty());
    if changed { format!("{commit}+") } else { commit }
}

/// FNV-1a over the solver's sources.
fn solver_hash(root: &Path) -> u64 {
    let mut files = Vec::new();
    collect(&root.join("smt/src"), &mut files);
    files.sort();
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut feed = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    for file in files {
        let name = file
            .strip_prefix(root)
            .unwrap_or(&file)
            .to_string_lossy()
            .replace('\\', "/");
        feed(name.as_bytes());
        feed(&[0]);
        feed(&std::fs::read(&file).unwrap_or_default());
        feed(&[0]);
    }
    hash
}

/// All files below a folder.
fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, into);
        } else {
            into.push(path);
        }
    }
}
