//! Executions with chosen inputs: their states at the places where something is claimed, and the facts that hold in all of these.
//!
//! | module | does |
//! |---|---|
//! | `sites` | the places of claims: loop heads, and where functions with contracts begin and end |
//! | `runs` | executions with chosen inputs, with a memory of calls |
//! | `leaps` | turns of loops that need not be executed |
//! | `tables` | equations between columns of samples, and sequences continued |
//! | `facts` | guesses for a site |
//! | `speaker` | the formulas of facts |

pub mod facts;
mod leaps;
pub mod runs;
pub mod sites;
pub mod speaker;
pub mod tables;
