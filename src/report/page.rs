//! The report as one HTML page that needs nothing else: no network, no other file.
//!
//! The page holds the data of the report as JSON and a script that lays them out. It draws big parts (automata, abstract states, long paths) only on request. The
//! script inserts texts as text, never as markup, and the page allows no connections, so the text of a program cannot run in it.

use super::views::Views;
use super::{Report, text, trace};
use serde::Serialize;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
/// The parts of the script, in order; the last one opens the page.
const VIEW: [&str; 6] = [
    include_str!("page/base.js"),
    include_str!("page/drawing.js"),
    include_str!("page/source.js"),
    include_str!("page/path.js"),
    include_str!("page/parts.js"),
    include_str!("page/main.js"),
];

/// The data for the script of the page.
#[derive(Serialize)]
struct Data<'r> {
    report: &'r Report,
    views: &'r Views,
    /// For each property, the inputs of its violation as [rows](trace::input_rows). The report in the page does without the list itself, which may be of any length.
    inputs: Vec<Vec<[String; 4]>>,
    /// The [course](text::course) of the verification.
    course: Option<String>,
}

/// The page of a report.
pub fn page(report: &Report) -> String {
    let mut short = report.clone();
    let mut inputs = Vec::new();
    for property in &mut short.properties {
        inputs.push(property.trace.as_ref().map(trace::input_rows).unwrap_or_default());
        if let Some(trace) = &mut property.trace {
            trace.inputs.clear();
        }
    }
    let data = Data {
        report: &short,
        views: &report.views,
        inputs,
        course: text::course(&report.statistics),
    };
    let json = serde_json::to_string(&data).expect("a report has only string keys and finite numbers");
    // In JSON `<` stands in strings only; escaped, it can neither end the script element nor begin a comment.
    let json = json.replace('<', "\\u003c");
    // The data come last: what a program's text holds is not looked at again.
    let page = PAGE.replace("{{style}}", STYLE).replace("{{view}}", &VIEW.concat());
    page.replacen("{{data}}", &json, 1)
}

#[cfg(test)]
mod tests {
    use super::super::tests::blank;
    use super::*;

    #[test]
    fn a_text_of_the_program_cannot_leave_the_data() {
        let mut report = blank();
        report.inputs = vec!["</script><script>alert(1)</script>{{view}}<!--".to_string()];
        let page = page(&report);
        assert!(!page.contains("alert(1)</script>"));
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.contains("{{view}}"), "data are not looked at again");
    }

    #[test]
    fn the_page_names_no_other_place() {
        let page = page(&blank());
        let names = page.matches("http").count() - page.matches("http-equiv").count();
        // The name of the SVG namespace is no address that is fetched.
        assert_eq!(names, page.matches("http://www.w3.org/2000/svg").count());
        assert!(!page.contains("src=") && !page.contains("@import"));
    }
}
