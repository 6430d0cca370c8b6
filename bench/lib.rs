//! Helpers shared by the benches: generated inputs, nothing from outside the repository.
