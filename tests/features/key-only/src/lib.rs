//! Empty: the package contains only tests.
