//! The page of a study: one HTML file that needs nothing else.

use std::fmt::Write;

/// A page that is being written.
#[derive(Clone, Debug, Default)]
pub struct Page {
    title: String,
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

impl Page {
    /// An empty page.
    pub fn new(title: &str) -> Page {
        Page {
            title: title.to_string(),
            body: format!("<h1>{}</h1>\n", escape(title)),
        }
    }

    /// Adds a heading.
    pub fn heading(&mut self, text: &str) {
        let _ = writeln!(self.body, "<h2>{}</h2>", escape(text));
    }

    /// Adds a paragraph.
    pub fn text(&mut self, text: &str) {
        let _ = writeln!(self.body, "<p>{}</p>", escape(text));
    }

    /// Adds text whose lines stay as they are.
    pub fn verbatim(&mut self, text: &str) {
        let _ = writeln!(self.body, "<pre>{}</pre>", escape(text));
    }

    /// Adds a table. The first cell of a row is its name, the others are numbers.
    pub fn table(&mut self, caption: &str, header: &[&str], rows: &[Vec<String>]) {
        let _ = write!(self.body, "<table><caption>{}</caption>\n<tr>", escape(caption));
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
        self.body.push_str("</table>\n");
    }

    /// Adds a figure, given as SVG.
    pub fn figure(&mut self, svg: &str, caption: &str) {
        let _ = writeln!(
            self.body,
            "<figure>{svg}<figcaption>{}</figcaption></figure>",
            escape(caption)
        );
    }

    /// The page as text.
    pub fn html(&self) -> String {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>\n<style>\nbody {{ font: 15px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; }}\n\
             table {{ border-collapse: collapse; margin: 1em 0; }}\ncaption, figcaption {{ text-align: left; color: #555; font-size: 90%; padding: 0.3em 0; }}\n\
             th, td {{ border-bottom: 1px solid #ddd; padding: 0.15em 0.7em; text-align: right; }}\nth:first-child, td:first-child {{ text-align: left; }}\n\
             figure {{ margin: 1.5em 0; }}\npre {{ background: #f5f5f5; padding: 0.6em; overflow-x: auto; }}\n</style></head>\n<body>\n{}</body></html>\n",
            escape(&self.title),
            self.body
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        let mut page = Page::new("a & b");
        page.text("<script>");
        page.table("t", &["name", "n"], &[vec!["\"x\"".to_string(), "1".to_string()]]);
        let html = page.html();
        assert!(html.contains("<title>a &amp; b</title>") && html.contains("&lt;script&gt;"));
        assert!(html.contains("<td>&quot;x&quot;</td><td>1</td>"));
        assert!(!html.contains("<script>"));
    }
}
