//! A page.

use crate::schema::Model;

impl Model {
    /// A page.
    #[must_use]
    pub fn html(&self) -> String {
        self.name.clone()
    }
}
