//! The fields of a form: each is filled with what was typed if the form is shown again, and has the
//! reason beside it if it is the field that was refused.

use super::refusals::Subject;
use crate::web::http::form::HiddenFields;
use maud::{Markup, html};

/// The fields of one form of a page.
#[derive(Clone, Copy)]
pub(crate) struct FormFields<'a> {
    pub(crate) hidden_fields: &'a HiddenFields,
    pub(crate) name: &'a str,
}

/// A field with a label.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    name: &'a str,
    /// The place among the fields of the form with the same name, from 0.
    index: usize,
    label: &'a str,
    kind: &'a str,
    subjects: &'a [Subject],
    value: Option<&'a str>,
    autocomplete: Option<&'a str>,
    zones: Option<&'a str>,
    pattern: Option<&'a str>,
    min: Option<usize>,
    max: Option<usize>,
    is_required: bool,
}

impl<'a> Field<'a> {
    /// Creates a text field.
    pub(crate) const fn new(name: &'a str, label: &'a str) -> Self {
        Self {
            name,
            index: 0,
            label,
            kind: "text",
            subjects: &[],
            value: None,
            autocomplete: None,
            zones: None,
            pattern: None,
            min: None,
            max: None,
            is_required: true,
        }
    }

    /// Sets the type: `password`, `email`, `date`, `number`. What is typed as a password is not shown
    /// again.
    pub(crate) const fn kind(self, kind: &'a str) -> Self {
        Self { kind, ..self }
    }

    /// Sets the subjects of refusals that are told at this field.
    pub(crate) const fn about(self, subjects: &'a [Subject]) -> Self {
        Self { subjects, ..self }
    }

    /// Sets the place among the fields of the form with the same name.
    pub(crate) const fn at(self, index: usize) -> Self {
        Self { index, ..self }
    }

    /// Sets the value if nothing was typed.
    pub(crate) const fn value(self, value: Option<&'a str>) -> Self {
        Self { value, ..self }
    }

    pub(crate) const fn autocomplete(self, autocomplete: &'a str) -> Self {
        Self { autocomplete: Some(autocomplete), ..self }
    }

    /// Makes it a field for a time zone, which the script fills in. `zones` is the id of the list to
    /// choose from.
    pub(crate) const fn zone(self, zones: &'a str) -> Self {
        Self { zones: Some(zones), ..self }
    }

    pub(crate) const fn pattern(self, pattern: &'a str) -> Self {
        Self { pattern: Some(pattern), ..self }
    }

    /// Sets the limits of the length.
    pub(crate) const fn length(self, min: usize, max: usize) -> Self {
        Self { min: if min > 0 { Some(min) } else { None }, max: Some(max), ..self }
    }

    pub(crate) const fn optional(self) -> Self {
        Self { is_required: false, ..self }
    }
}

/// The parts of a field that depend on what was refused.
struct FieldState<'a> {
    typed: Option<&'a str>,
    problem: Option<&'a str>,
    id: String,
}

impl<'a> FormFields<'a> {
    /// Renders the hidden fields of the form.
    pub(crate) fn hidden(&self) -> Markup {
        self.hidden_fields.fields(self.name)
    }

    /// Returns what was typed in a field.
    pub(crate) fn typed(&self, field: &str, index: usize) -> Option<&'a str> {
        self.hidden_fields.returned.as_ref()?.typed(self.name, field, index)
    }

    /// Returns whether a field had this value; `None` if the form is not shown again.
    pub(crate) fn has_typed(&self, field: &str, value: &str) -> Option<bool> {
        self.hidden_fields.returned.as_ref()?.has_typed(self.name, field, value)
    }

    /// Renders the reason why the form was refused, if none of its fields rendered so far tells it.
    pub(crate) fn problem(&self) -> Markup {
        let returned = self.hidden_fields.returned.as_ref();
        let problem = returned.and_then(|form| form.problem_of_form(self.name));
        html! {
            @if let Some(problem) = problem {
                p.problem role="alert" tabindex="-1" autofocus { (problem) }
            }
        }
    }

    fn state(&self, field: &Field) -> FieldState<'a> {
        let returned = self.hidden_fields.returned.as_ref();
        let typed = returned.and_then(|form| form.typed(self.name, field.name, field.index));
        // Fields with the same name are told apart by what they are about.
        let name = if field.index == 0 { field.name } else { "" };
        let problem = returned.and_then(|form| form.problem_at(self.name, name, field.subjects));
        let id = format!("{}-{}-{}-problem", self.name, field.name, field.index);
        FieldState { typed, problem, id: id.replace(char::is_whitespace, "-") }
    }

    /// Renders a field of one line.
    pub(crate) fn text(&self, field: &Field) -> Markup {
        let state = self.state(field);
        let value = state.typed.filter(|_| field.kind != "password").or(field.value);
        html! {
            label { (field.label)
                input type=(field.kind) name=(field.name) value=[value]
                    autocomplete=[field.autocomplete] list=[field.zones]
                    data-zone[field.zones.is_some()]
                    pattern=[field.pattern] minlength=[field.min] maxlength=[field.max]
                    required[field.is_required]
                    aria-invalid=[state.problem.map(|_| "true")]
                    aria-describedby=[state.problem.map(|_| &state.id)]
                    autofocus[state.problem.is_some()];
            }
            (render_problem(&state))
        }
    }

    /// Renders a field of several lines.
    pub(crate) fn area(&self, field: &Field, rows: u8) -> Markup {
        let state = self.state(field);
        html! {
            label { (field.label)
                textarea name=(field.name) rows=(rows) maxlength=[field.max]
                    required[field.is_required]
                    aria-invalid=[state.problem.map(|_| "true")]
                    aria-describedby=[state.problem.map(|_| &state.id)]
                    autofocus[state.problem.is_some()] {
                    // A line break at the beginning of a textarea does not count.
                    @if let Some(text) = state.typed.or(field.value) { "\n" (text) }
                }
            }
            (render_problem(&state))
        }
    }
}

/// Renders the reason why a field was refused.
fn render_problem(state: &FieldState) -> Markup {
    html! {
        @if let Some(problem) = state.problem {
            p.problem id=(state.id) role="alert" { (problem) }
        }
    }
}
