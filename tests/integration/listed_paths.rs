//! Proofs that list the paths of a program: no path may be left out, and no way out of one.

use provident::evidence::obligations::Manifest;
use provident::evidence::obligations::coverage::covers;

/// The manifest of a program that is proved path by path.
fn by_paths() -> Manifest {
    let scratch = std::env::temp_dir().join(format!("provident-paths-{}", std::process::id()));
    let out = scratch.to_str().expect("a name");
    let program = "tests/programs/explicit/digits_added_true.c";
    for arguments in [
        &[
            "verify",
            program,
            "--property",
            "tests/programs/unreach-label.prp",
            "--out",
            out,
        ][..],
        &[
            "discharge",
            out,
            "--program",
            program,
            "--property",
            "tests/programs/unreach-label.prp",
        ][..],
    ] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_provident"));
        let output = command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output();
        assert_eq!(
            output.expect("the program runs").status.code(),
            Some(0),
            "{arguments:?}"
        );
    }
    let text = std::fs::read_to_string(scratch.join("proof/manifest.json")).expect("it has obligations");
    std::fs::remove_dir_all(scratch).expect("it is ours");
    serde_json::from_str(&text).expect("a manifest")
}

#[test]
fn what_is_proved_path_by_path_is_shown_by_its_paths_and_none_may_be_left_out() {
    let made = by_paths();
    assert_eq!(covers(&made), Ok(()));
    let paths = &made.blocks[0].paths;
    assert!(paths.len() > 3, "{} paths", paths.len());
    for (number, path) in paths.iter().enumerate() {
        let found = |change: &dyn Fn(&mut Manifest)| {
            let mut manifest = made.clone();
            change(&mut manifest);
            covers(&manifest).is_err()
        };
        let is_found = found(&|manifest| drop(manifest.blocks[0].paths.remove(number)));
        assert!(is_found, "path {number} is left out");
        let is_found = found(&|manifest| manifest.obligations.retain(|o| o.path != Some(number)));
        assert!(is_found || path.left.is_empty(), "nothing is shown of path {number}");
        for left in 0..path.left.len() {
            let is_found = found(&|manifest| manifest.blocks[0].paths[number].left.truncate(left));
            assert!(is_found, "way {left} out of path {number}");
        }
        let is_found = found(&|manifest| manifest.blocks[0].paths[number].edges.truncate(path.edges.len() - 1));
        assert!(is_found, "path {number} without its end");
    }
    // A path may not take a violation.
    let mut manifest = made.clone();
    let taken = manifest.blocks[0].paths[0].edges[0];
    manifest.violations.push(taken);
    assert!(covers(&manifest).is_err());
}
