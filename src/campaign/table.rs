//! The table of a campaign's results.

use std::path::Path;

/// The result for one property of one task.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The task definition.
    pub task: String,
    /// The property's name; empty if the child did not get as far as that.
    pub property: String,
    /// What the task definition expects.
    pub expected: Option<bool>,
    /// `true`, `false`, `unknown`, or `none` if there is no verdict.
    pub verdict: String,
    /// Processor seconds; of a task with several properties, an equal share.
    pub cpu_s: f64,
    /// Seconds, likewise.
    pub wall_s: f64,
    /// The greatest resident memory in MiB.
    pub memory_mb: u64,
    /// Refinements applied.
    pub refinements: Option<u64>,
    /// Why there is no answer.
    pub reason: String,
}

/// How a verdict compares with what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The expected answer.
    Correct,
    /// The opposite of the expected answer.
    Wrong,
    /// UNKNOWN, or no verdict, or nothing was expected.
    Open,
}

impl Row {
    /// A row for a child that gave no report.
    pub fn failed(task: &Path, wall_s: f64, reason: String) -> Row {
        Row {
            task: task.display().to_string(),
            property: String::new(),
            expected: None,
            verdict: "none".to_string(),
            cpu_s: 0.0,
            wall_s,
            memory_mb: 0,
            refinements: None,
            reason,
        }
    }

    /// Compares verdict and expectation.
    pub fn judgement(&self) -> Judgement {
        match (self.expected, self.verdict.as_str()) {
            (Some(expected), "true" | "false") => {
                if expected == (self.verdict == "true") {
                    Judgement::Correct
                } else {
                    Judgement::Wrong
                }
            }
            _ => Judgement::Open,
        }
    }
}

/// The table as CSV, with a header line.
pub fn csv(rows: &[Row]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = [
        "task",
        "property",
        "expected",
        "verdict",
        "judgement",
        "cpu_s",
        "wall_s",
        "memory_mb",
        "refinements",
        "reason",
    ];
    writer.write_record(header).expect("writing to memory");
    for row in rows {
        let judgement = match row.judgement() {
            Judgement::Correct => "correct",
            Judgement::Wrong => "WRONG",
            Judgement::Open => "",
        };
        let record = [
            row.task.clone(),
            row.property.clone(),
            row.expected.map(|e| e.to_string()).unwrap_or_default(),
            row.verdict.clone(),
            judgement.to_string(),
            format!("{:.3}", row.cpu_s),
            format!("{:.3}", row.wall_s),
            row.memory_mb.to_string(),
            row.refinements.map(|n| n.to_string()).unwrap_or_default(),
            row.reason.clone(),
        ];
        writer.write_record(record).expect("writing to memory");
    }
    String::from_utf8(writer.into_inner().expect("writing to memory")).expect("made of strings")
}

/// One line: how many of each.
pub fn summary(rows: &[Row]) -> String {
    let count = |verdict: &str| rows.iter().filter(|row| row.verdict == verdict).count();
    let judged = |judgement| rows.iter().filter(|row| row.judgement() == judgement).count();
    let cpu: f64 = rows.iter().map(|row| row.cpu_s).sum();
    format!(
        "{} results: {} true, {} false, {} unknown, {} without verdict; {} correct, {} wrong; {cpu:.1} s CPU",
        rows.len(),
        count("true"),
        count("false"),
        count("unknown"),
        count("none"),
        judged(Judgement::Correct),
        judged(Judgement::Wrong)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn the_table_says_what_is_wrong() {
        let mut row = Row::failed(Path::new("a,b.yml"), 1.5, "killed".to_string());
        let mut rows = vec![row.clone()];
        row.verdict = "true".to_string();
        row.expected = Some(false);
        row.refinements = Some(7);
        row.reason = String::new();
        rows.push(row);
        expect![[r#"
            task,property,expected,verdict,judgement,cpu_s,wall_s,memory_mb,refinements,reason
            "a,b.yml",,,none,,0.000,1.500,0,,killed
            "a,b.yml",,false,true,WRONG,0.000,1.500,0,7,
        "#]]
        .assert_eq(&csv(&rows));
        expect!["2 results: 1 true, 0 false, 0 unknown, 1 without verdict; 0 correct, 1 wrong; 0.0 s CPU"]
            .assert_eq(&summary(&rows));
    }
}
