//! Can two templates produce the same text? Asked at compile time, for every two entities of a table.
//!
//! Each template is a small automaton over bytes: a literal byte, one byte of a part's alphabet, or
//! "one more of these, or go on". Both are walked together; if both can reach their end on the same
//! text, two items could overwrite each other. The answer errs on the side of "yes" only for texts
//! that a type would refuse in the end (there is no February 30), never the other way.

use super::alphabet::Alphabet;
use super::template::{PartSchema, Template};

/// Positions of one automaton; a template longer than this counts as overlapping from there on.
const MAX_POSITIONS: usize = 128;

/// What an automaton does at one position.
#[derive(Clone, Copy)]
enum Step {
    /// Takes one byte of the set, and is at the next position.
    Take(Alphabet),
    /// Takes one byte of the set and stays, or goes on without.
    Loop(Alphabet),
    /// The text may end here.
    End,
    /// Past what is looked at.
    Unknown,
}

struct Automaton {
    steps: [Step; MAX_POSITIONS],
    len: usize,
}

impl Automaton {
    const fn new(template: &Template) -> Self {
        let mut this = Self {
            steps: [Step::Unknown; MAX_POSITIONS],
            len: 0,
        };
        this = this.literal(template.head);
        let mut i = 0;
        while i < template.parts.len() {
            this = this
                .part(&template.parts[i])
                .literal(template.parts[i].after);
            i += 1;
        }
        this.push(Step::End)
    }

    const fn push(mut self, step: Step) -> Self {
        if self.len < MAX_POSITIONS - 1 {
            self.steps[self.len] = step;
            self.len += 1;
        }
        self
    }

    const fn literal(mut self, text: &str) -> Self {
        let mut i = 0;
        while i < text.len() {
            self = self.push(Step::Take(Alphabet::byte(text.as_bytes()[i])));
            i += 1;
        }
        self
    }

    const fn part(mut self, part: &PartSchema) -> Self {
        let alphabet = part.alphabet.escaped(part.escape);
        match part.width {
            Some(width) => {
                let mut i = 0;
                while i < width {
                    self = self.push(Step::Take(alphabet));
                    i += 1;
                }
                self
            }
            None => self.push(Step::Take(alphabet)).push(Step::Loop(alphabet)),
        }
    }
}

/// Whether some text is a key of both.
pub(crate) const fn can_meet(a: &Template, b: &Template) -> bool {
    if heads_differ(a.head.as_bytes(), b.head.as_bytes()) {
        return false;
    }
    let (a, b) = (Automaton::new(a), Automaton::new(b));
    // reached[i] has bit j where the pair (i, j) can be reached. Steps only go forward, so one sweep
    // in order finds them all.
    let mut reached = [0_u128; MAX_POSITIONS];
    reached[0] = 1;
    let mut i = 0;
    while i <= a.len {
        let mut j = 0;
        while j <= b.len {
            if reached[i] >> j & 1 == 1 {
                match (a.steps[i], b.steps[j]) {
                    (Step::Unknown, _) | (_, Step::Unknown) | (Step::End, Step::End) => {
                        return true;
                    }
                    (Step::Loop(_), Step::Loop(_)) => {
                        // Sharing a byte and staying leads nowhere new: leave either loop.
                        reached[i + 1] |= 1 << j;
                        reached[i] |= 1 << (j + 1);
                    }
                    (Step::Loop(x), Step::Take(y)) => {
                        if x.meets(y) {
                            reached[i] |= 1 << (j + 1);
                        }
                        reached[i + 1] |= 1 << j;
                    }
                    (Step::Take(x), Step::Loop(y)) => {
                        if x.meets(y) {
                            reached[i + 1] |= 1 << j;
                        }
                        reached[i] |= 1 << (j + 1);
                    }
                    (Step::Take(x), Step::Take(y)) => {
                        if x.meets(y) {
                            reached[i + 1] |= 1 << (j + 1);
                        }
                    }
                    (Step::Loop(_), Step::End) => reached[i + 1] |= 1 << j,
                    (Step::End, Step::Loop(_)) => reached[i] |= 1 << (j + 1),
                    (Step::End, Step::Take(_)) | (Step::Take(_), Step::End) => {}
                }
            }
            j += 1;
        }
        i += 1;
    }
    false
}

/// The common case, at once: the literal beginnings tell them apart.
pub(crate) const fn heads_differ(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() {
        if a[i] != b[i] {
            return true;
        }
        i += 1;
    }
    false
}

#[cfg(test)]
#[path = "overlap_tests.rs"]
mod tests;
