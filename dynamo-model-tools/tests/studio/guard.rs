//! Only the page itself is answered.

use super::client::start;

#[tokio::test]
async fn the_page_and_its_files_come_from_the_server_alone() {
    let page = start(|studio| studio).await;
    let index = page.get("/").await;
    assert_eq!(index.status, 200);
    assert!(
        index
            .head
            .contains("content-security-policy: default-src 'none'; script-src 'self'")
    );
    assert!(index.head.contains("referrer-policy: no-referrer"));
    assert!(index.head.contains("cache-control: no-store"));
    let linked = index
        .body
        .split('"')
        .filter(|it| it.ends_with(".js") || it.ends_with(".css"));
    let mut files: Vec<_> = linked.map(str::to_owned).collect();
    assert_eq!(files.len(), 2);
    // The modules that the scripts import.
    files.extend(
        [
            "dom.js",
            "values.js",
            "rows.js",
            "patterns.js",
            "item.js",
            "overview.js",
        ]
        .map(Into::into),
    );
    for file in files {
        let file = page.get(&format!("/{file}")).await;
        assert_eq!(file.status, 200);
        for foreign in ["http://", "https://", "@import", "eval(", "innerHTML"] {
            assert!(!file.body.contains(foreign), "{foreign}");
        }
    }
}

#[tokio::test]
async fn another_token_finds_nothing() {
    let page = start(|studio| studio).await;
    let host = format!("Host: {}", page.host);
    let other = "0".repeat(page.token.len());
    for path in [
        "/".into(),
        "/api/schema".into(),
        format!("/{other}/"),
        format!("/{other}/api/schema"),
        format!("/{}0/", page.token),
    ] {
        let response = page.send("GET", &path, &[&host], "").await;
        assert_eq!(response.status, 404, "{path}");
        assert!(!response.body.contains("Club"));
    }
}

#[tokio::test]
async fn two_studios_have_two_tokens() {
    let (one, other) = (start(|studio| studio).await, start(|studio| studio).await);
    assert_ne!(one.token, other.token);
    assert_eq!(one.token.len(), 32);
}

#[tokio::test]
async fn a_foreign_host_origin_or_site_is_refused() {
    let page = start(|studio| studio).await;
    let path = format!("/{}/api/schema", page.token);
    let own = format!("Host: {}", page.host);
    let port = page.host.split(':').nth(1).unwrap();
    let (localhost, attacker) = (
        format!("Host: localhost:{port}"),
        format!("Host: attacker.test:{port}"),
    );
    let refused: [&[&str]; 8] = [
        &[],
        &[&localhost],
        &[&attacker],
        &[&own, "Origin: http://attacker.test"],
        &[&own, "Origin: null"],
        &[&own, "Origin: http://127.0.0.1"],
        &[&own, "Sec-Fetch-Site: cross-site"],
        &[&own, "Sec-Fetch-Site: same-site"],
    ];
    for headers in refused {
        let response = page.send("GET", &path, headers, "").await;
        assert!(matches!(response.status, 400 | 403), "{headers:?}");
        assert!(!response.body.contains("Club"), "{headers:?}");
    }
    let origin = format!("Origin: http://{}", page.host);
    let accepted = page
        .send(
            "GET",
            &path,
            &[&own, &origin, "Sec-Fetch-Site: same-origin"],
            "",
        )
        .await;
    assert_eq!(accepted.status, 200);
}

#[tokio::test]
async fn a_request_that_a_form_can_send_is_refused() {
    let page = start(|studio| studio.write(true)).await;
    let path = format!("/{}/api/scan", page.token);
    let host = format!("Host: {}", page.host);
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ] {
        let kind = format!("Content-Type: {kind}");
        let response = page
            .send("POST", &path, &[&host, &kind], r#"{"table":"Notes"}"#)
            .await;
        assert_eq!(response.status, 415);
    }
    let response = page
        .send("POST", &path, &[&host], r#"{"table":"Notes"}"#)
        .await;
    assert_eq!(response.status, 415);
}
