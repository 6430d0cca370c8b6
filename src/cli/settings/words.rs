//! Options as other programs write them, in the words of our parser.

/// The options that other programs write with one dash, as the parser has them: of compilers `-include`, `-isystem`, `-std=`; of solvers, for `smt`, `-in` for
/// standard input, `-smt2`, which is the only language, `-T:SECONDS` for the whole script, and `-t:MILLISECONDS` for each check.
pub(super) fn others_words<I: IntoIterator<Item = std::ffi::OsString>>(arguments: I) -> Vec<std::ffi::OsString> {
    let arguments: Vec<std::ffi::OsString> = arguments.into_iter().collect();
    let solves = arguments.get(1).is_some_and(|command| command == "smt");
    let mut all_are_inputs = false;
    let mut words = Vec::with_capacity(arguments.len());
    for argument in arguments {
        all_are_inputs |= argument == "--";
        let text = argument.to_str().filter(|_| !all_are_inputs);
        match text {
            Some("-include" | "-isystem") => words.push(format!("-{}", text.unwrap_or_default()).into()),
            Some(text) if text.starts_with("-std=") => words.push(format!("-{text}").into()),
            Some("-in") if solves => words.push("-".into()),
            Some("-smt2") if solves => {}
            Some(text) if solves && text.starts_with("-T:") => {
                words.push(format!("--wall-limit={}", &text[3..]).into());
            }
            Some(text) if solves && text.starts_with("-t:") => {
                // The option refuses a text that is no number where it is read.
                let seconds = text[3..]
                    .parse()
                    .map(|milliseconds: u32| (f64::from(milliseconds) / 1000.0).to_string());
                words.push(format!("--check-limit={}", seconds.unwrap_or_else(|_| text[3..].to_string())).into());
            }
            _ => words.push(argument),
        }
    }
    words
}
