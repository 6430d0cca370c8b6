//! The part of a page that a study writes: headings, text, tables and figures as HTML that needs nothing else.

use std::fmt::Write;

/// A part of a page that is being written.
#[derive(Clone, Debug, Default)]
pub struct Section {
    body: String,
}

/// A text as it has to stand in HTML and SVG.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

impl Section {
    /// An empty part.
    pub fn new() -> Section {
        Section::default()
    }

    /// Adds a heading.
    pub fn heading(&mut self, text: &str) {
        let _ = writeln!(self.body, "<h2>{}</h2>", escape(text));
    }

    /// Adds a paragraph.
    pub fn text(&mut self, text: &str) {
        let _ = writeln!(self.body, "<p>{}</p>", escape(text));
    }

    /// Adds a table. The first cell of a row is its name, the others are numbers.
    pub fn table(&mut self, caption: &str, header: &[&str], rows: &[Vec<String>]) {
        let _ = write!(
            self.body,
            "<div class=\"wide\"><table><caption>{}</caption>\n<tr>",
            escape(caption)
        );
        for cell in header {
            let _ = write!(self.body, "<th>{}</th>", escape(cell));
        }
        self.body.push_str("</tr>\n");
        for row in rows {
            self.body.push_str("<tr>");
            for cell in row {
                let _ = write!(self.body, "<td>{}</td>", escape(cell));
            }
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</table></div>\n");
    }

    /// Adds a figure, given as SVG.
    pub fn figure(&mut self, svg: &str, caption: &str) {
        let _ = writeln!(
            self.body,
            "<figure>{svg}<figcaption>{}</figcaption></figure>",
            escape(caption)
        );
    }

    /// The part as HTML.
    pub fn html(&self) -> &str {
        &self.body
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        let mut section = Section::new();
        section.text("<script>");
        section.table("t", &["name", "n"], &[vec!["\"x\"".to_string(), "1".to_string()]]);
        let html = section.html();
        assert!(html.contains("&lt;script&gt;") && !html.contains("<script>"));
        assert!(html.contains("<td>&quot;x&quot;</td><td>1</td>"));
    }
}
