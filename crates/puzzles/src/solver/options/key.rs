//! An option together with the type that its values have in code.

use super::choice::Choice;
use super::kind::OptionValue;
use super::spec::{DirectiveRule, OptionSpec};
use super::typed::Values;

/// An option whose values are of type `T`: what [`Options::get`](super::Options::get) reads it by, and its entry in
/// the solver's table.
#[derive(Debug, Clone, Copy)]
pub struct OptionKey<T> {
    /// The entry in the solver's table.
    pub spec: OptionSpec,
    pub(super) read: fn(OptionValue) -> Option<T>,
}

impl<T: Copy> Values<T> {
    /// An option of these values, which a directive may set as it likes. The default is written as people write it.
    #[must_use]
    pub const fn option(self, name: &'static str, default: &'static str, help: &'static str) -> OptionKey<T> {
        let spec = OptionSpec { name, kind: self.kind, default, help, directive: DirectiveRule::Free };
        OptionKey { spec, read: self.from }
    }
}

impl<T: Copy> OptionKey<T> {
    /// The same as a limit, which a directive may lower and never raise.
    #[must_use]
    pub const fn lower_only(mut self) -> Self {
        self.spec.directive = DirectiveRule::LowerOnly;
        self
    }
}

impl<T: Choice> OptionKey<T> {
    /// One of the words of `T`, the first being the default.
    #[must_use]
    pub const fn choice(name: &'static str, help: &'static str) -> Self {
        Values::choice().option(name, T::WORDS[0], help)
    }
}
