//! Collects errors, so that one compile shows all of them.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::cell::RefCell;
use std::fmt::Display;

/// The errors of one declaration. Call [`Ctxt::check`] before dropping it.
#[derive(Debug)]
pub(crate) struct Ctxt {
    errors: RefCell<Option<Vec<syn::Error>>>,
}

impl Ctxt {
    pub(crate) fn new() -> Self {
        Self {
            errors: RefCell::new(Some(Vec::new())),
        }
    }

    /// Adds an error that underlines `span`.
    pub(crate) fn error(&self, span: Span, message: impl Display) {
        self.syn_error(syn::Error::new(span, message));
    }

    /// Adds an error that underlines all of `tokens`. A span alone would underline the first token.
    pub(crate) fn error_on(&self, tokens: impl ToTokens, message: impl Display) {
        self.syn_error(syn::Error::new_spanned(tokens, message));
    }

    pub(crate) fn syn_error(&self, error: syn::Error) {
        if let Some(errors) = self.errors.borrow_mut().as_mut() {
            errors.push(error);
        }
    }

    /// Turns a failed parse into a collected error.
    pub(crate) fn ok<T>(&self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.syn_error(error)).ok()
    }

    /// Returns the errors as `compile_error!` calls, or `Ok` without errors.
    pub(crate) fn check(self) -> Result<(), TokenStream> {
        let errors = self.errors.borrow_mut().take().unwrap_or_default();
        if errors.is_empty() {
            return Ok(());
        }
        Err(errors.iter().map(syn::Error::to_compile_error).collect())
    }
}

impl Drop for Ctxt {
    fn drop(&mut self) {
        // A forgotten check would swallow errors; only our own tests can see this.
        debug_assert!(
            std::thread::panicking() || self.errors.borrow().is_none(),
            "errors were collected and never reported"
        );
    }
}
