//! A reply that was not executed, as its writer typed it: the forms of the page show it again.

use crate::web::http::form::PostedForm;

/// The form of a page in which a reply was typed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum DraftForm {
    /// The move that was put together on the board, or a button.
    #[default]
    Board,
    /// A move in words.
    Written,
    /// A move in advance.
    Queue,
    /// A message.
    Chat,
}

/// A reply that was not executed.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    form: DraftForm,
    say: String,
    comment: String,
    /// The steps of the move that was put together.
    pub(super) steps: String,
}

/// The name of the field that tells the form with a written move from the others.
pub(super) const FORM: &str = "form";

/// The value of [`FORM`] for a written move.
pub(super) const WRITTEN: &str = "written";

impl Draft {
    /// Reads the draft from a form.
    pub(super) fn from_form(form: &PostedForm) -> Self {
        let field = |name: &str| form.field(name).unwrap_or_default().to_owned();
        let kind = match form.field("verb") {
            Some("chat") => DraftForm::Chat,
            Some("queue") => DraftForm::Queue,
            _ if form.field(FORM) == Some(WRITTEN) => DraftForm::Written,
            _ => DraftForm::Board,
        };
        Self { form: kind, say: field("say"), comment: field("comment"), steps: field("steps") }
    }

    /// Returns the move or command that was typed in a form.
    pub(super) fn say(&self, form: DraftForm) -> &str {
        if self.form == form { &self.say } else { "" }
    }

    /// Returns the message that was typed in a form.
    pub(super) fn comment(&self, form: DraftForm) -> &str {
        if self.form == form { &self.comment } else { "" }
    }
}
