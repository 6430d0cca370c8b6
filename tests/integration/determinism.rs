//! Everything that a run reports is the same for any number of threads, and from run to run.

use crate::cases::{CASES, program, run, text};
use provident::engine::{Explicit, Options, PRESETS, Refinement};

#[test]
fn threads_do_not_matter() {
    for case in CASES {
        let program = program(case.name, case.text);
        for (preset, _) in PRESETS {
            let refine = Refinement::preset(preset).expect("presets have meanings");
            let with = |threads| {
                text(
                    &run(
                        &program,
                        &Options {
                            refine,
                            threads,
                            // The refinement loop is what is tested here.
                            explicit: Explicit {
                                enabled: false,
                                ..Explicit::default()
                            },
                            ..Options::default()
                        },
                    )
                    .1,
                )
            };
            let one = with(1);
            assert_eq!(one, with(1), "{}: {preset}", case.name);
            assert_eq!(one, with(8), "{}: {preset}", case.name);
        }
    }
}
