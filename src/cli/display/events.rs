//! Events that the parts of a verification report, printed under `--verbose`: why an execution or a sample stopped, and how a formula was decided.

use super::finish::eprintln_quietly;
use super::live::LiveLine;
use std::fmt::{Debug, Write};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber, subscriber};

/// Prints each event as one line of standard error, above the line that is updated if there is one.
struct Events {
    line: Option<LiveLine>,
}

/// From now on events of this process are printed. Only the first call counts.
pub(super) fn print(line: Option<LiveLine>) {
    let _ = subscriber::set_global_default(Events { line });
}

impl Subscriber for Events {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && metadata.target().starts_with(env!("CARGO_CRATE_NAME"))
    }

    fn event(&self, event: &Event<'_>) {
        let mut text = Text::default();
        event.record(&mut text);
        let text = format!("{}{}", text.message, text.values);
        match &self.line {
            Some(line) => line.say(&text),
            None => eprintln_quietly(&text),
        }
    }

    // Nothing opens spans.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The message of an event, and its values with their names.
#[derive(Default)]
struct Text {
    message: String,
    values: String,
}

impl Text {
    fn add(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            value.clone_into(&mut self.message);
            return;
        }
        let separator = if self.values.is_empty() { ":" } else { "," };
        let name = field.name().replace('_', " ");
        write!(self.values, "{separator} {name} {value}").expect("a text can be written");
    }
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.add(field, &format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, value);
    }
}
