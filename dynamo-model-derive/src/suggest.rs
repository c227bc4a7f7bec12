//! Suggests the nearest valid word ("did you mean"), or lists all valid words.

/// Returns the candidate that differs by so few letters that the user probably means it.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let allowed = match word.chars().count() {
        0..=3 => 1,
        4..=5 => 2,
        _ => 3,
    };
    candidates
        .into_iter()
        .map(|candidate| {
            let same = candidate.eq_ignore_ascii_case(word);
            (if same { 0 } else { distance(word, candidate) }, candidate)
        })
        .filter(|&(distance, candidate)| {
            distance <= allowed && distance < candidate.chars().count()
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Returns `; did you mean `x`?`, or the list of the valid words.
pub(crate) fn hint(word: &str, candidates: &[&str]) -> String {
    match nearest(word, candidates.iter().copied()) {
        Some(candidate) => format!("did you mean `{candidate}`? valid: {}", list(candidates)),
        None => format!("valid: {}", list(candidates)),
    }
}

pub(crate) fn list(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Counts the edits (insert, delete, replace, swap of neighbours) from one word to the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let fields = ["user_id", "email", "created_at"];
        assert_eq!(nearest("usr_id", fields), Some("user_id"));
        assert_eq!(nearest("userid", fields), Some("user_id"));
        assert_eq!(nearest("emial", fields), Some("email"));
        assert_eq!(nearest("password", fields), None);
        assert_eq!(distance("ab", "ba"), 1);
    }
}
