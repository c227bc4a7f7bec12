//! The page: files that are part of the program.

use axum::Router;
use axum::http::header;
use axum::routing::get;

/// Path, type and content.
type File = (&'static str, &'static str, &'static str);

const SCRIPT: &str = "text/javascript; charset=utf-8";

const FILES: [File; 9] = [
    (
        "/",
        "text/html; charset=utf-8",
        include_str!("page/index.html"),
    ),
    (
        "/studio.css",
        "text/css; charset=utf-8",
        include_str!("page/studio.css"),
    ),
    ("/studio.js", SCRIPT, include_str!("page/studio.js")),
    ("/dom.js", SCRIPT, include_str!("page/dom.js")),
    ("/values.js", SCRIPT, include_str!("page/values.js")),
    ("/rows.js", SCRIPT, include_str!("page/rows.js")),
    ("/patterns.js", SCRIPT, include_str!("page/patterns.js")),
    ("/item.js", SCRIPT, include_str!("page/item.js")),
    ("/overview.js", SCRIPT, include_str!("page/overview.js")),
];

/// The routes, each under `base`.
pub(super) fn routes(base: &str) -> Router {
    FILES
        .iter()
        .fold(Router::new(), |routes, (path, kind, content)| {
            let serve = get(move || async move { ([(header::CONTENT_TYPE, *kind)], *content) });
            routes.route(&format!("{base}{path}"), serve)
        })
}
