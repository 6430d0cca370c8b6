//! The `provident` binary: see the library's documentation.

fn main() -> std::process::ExitCode {
    std::process::ExitCode::from(provident::cli::run(std::env::args_os()))
}
