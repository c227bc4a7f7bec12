//! Serves a directory over HTTP on 127.0.0.1, for one reader.

use crate::Outcome;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

/// Serves until the process ends. Port 0 takes a free port.
pub(crate) fn serve(directory: &Path, port: u16) -> Outcome<()> {
    let listener = TcpListener::bind(("127.0.0.1", port)).map_err(|error| {
        format!("cannot listen on port {port}: {error}; give another one: serve 3001")
    })?;
    println!("http://{}/", listener.local_addr()?);
    for stream in listener.incoming() {
        // A reader that goes away is not an error of the server.
        if let Err(error) = stream.and_then(|stream| answer(directory, stream)) {
            eprintln!("{error}");
        }
    }
    Ok(())
}

fn answer(directory: &Path, mut stream: TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(2)))?;
    let mut line = String::new();
    BufReader::new(&stream).read_line(&mut line)?;
    let mut words = line.split_whitespace();
    let target = match (words.next(), words.next()) {
        (Some("GET"), Some(target)) => target,
        _ => {
            return write!(
                stream,
                "HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\n\r\n"
            );
        }
    };
    let file = file(directory, target);
    let (status, body) = match file.as_deref().map(fs::read) {
        Some(Ok(body)) => ("200 OK", body),
        _ => ("404 Not Found", b"There is no such page.".to_vec()),
    };
    let kind = content_type(file.as_deref().unwrap_or(Path::new("")));
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\
         connection: close\r\n\r\n"
    )?;
    stream.write_all(&body)
}

/// Returns the file of a request; nothing outside of the directory.
fn file(directory: &Path, target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?.trim_start_matches('/');
    let path = Path::new(path);
    if !path
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        return None;
    }
    let file = directory.join(path);
    match file.is_dir() {
        true => ["index.html", "index.txt"]
            .map(|name| file.join(name))
            .into_iter()
            .find(|it| it.exists()),
        false => Some(file),
    }
}

fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::file;
    use std::path::Path;

    #[test]
    fn nothing_outside_of_the_directory_is_served() {
        let root = Path::new("/site");
        assert_eq!(
            file(root, "/a.html?x").as_deref(),
            Some(Path::new("/site/a.html"))
        );
        assert_eq!(file(root, "/../secret"), None);
        assert_eq!(
            file(root, "//etc/passwd").as_deref(),
            Some(Path::new("/site/etc/passwd"))
        );
    }
}
