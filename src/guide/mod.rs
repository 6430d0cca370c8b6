//! The user guide. The README is the short form of it.
//!
//! | chapter | explains |
//! |---|---|
//! | [`first_steps`] | how to verify a program, and how to read the answer |
//! | [`library`] | how to verify a function of a library that has no `main` |
//! | [`properties`] | property files, specification automata, built-in rules, many properties in one run |
//! | [`options`] | every option, made of the table that the parser reads |
//! | [`assumptions`] | the assumption ledger: what a verdict takes on trust, kind by kind |
//! | [`evidence`] | witnesses, harnesses, proof obligations, and who checks them |
//! | [`reports`] | the text on the terminal, the report files, codes and exit statuses |
//! | [`studies`] | many tasks: campaigns and the studies of the papers |
//! | [`refinement`] | the operators of provident refinement and their options |
//! | [`interpolation`] | which interpolants verify more: what the study of interpolation measured |
//! | [`architecture`] | the rooms, and the walk of one task through them, file by file |
//! | [`glossary`] | the words that reports and source files use |
//!
//! Each chapter is a Markdown file in `src/guide/`. The commands in it are run from the root of the sources.

#[doc = include_str!("first_steps.md")]
pub mod first_steps {}

#[doc = include_str!("library.md")]
pub mod library {}

#[doc = include_str!("properties.md")]
pub mod properties {}

#[doc = include_str!("options.md")]
pub mod options {}

#[doc = include_str!("assumptions.md")]
pub mod assumptions {}

#[doc = include_str!("evidence.md")]
pub mod evidence {}

#[doc = include_str!("reports.md")]
pub mod reports {}

#[doc = include_str!("studies.md")]
pub mod studies {}

#[doc = include_str!("refinement.md")]
pub mod refinement {}

#[doc = include_str!("interpolation.md")]
pub mod interpolation {}

#[doc = include_str!("architecture.md")]
pub mod architecture {}

#[doc = include_str!("glossary.md")]
pub mod glossary {}
