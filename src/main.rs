//! The `provident` binary: see the library's documentation.

/// Terms, clauses and states are many small allocations.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    std::process::ExitCode::from(provident::cli::run(std::env::args_os()))
}
