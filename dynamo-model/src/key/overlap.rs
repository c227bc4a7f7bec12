//! Can two templates produce the same text? Asked at compile time, for every two entities of a
//! table.
//!
//! Each template is a small automaton over bytes: a literal byte, one byte of a part's alphabet, or
//! "one more of these, or continue". Both are walked together. If both can reach their end on the
//! same text, two items could overwrite each other. The answer is wrongly "yes" only for texts that
//! a type would refuse (there is no February 30), and never wrongly "no".
//!
//! Of a whole key more is known: where two partition keys of the same shape are equal, so are the
//! texts of the fields in them, and with them the parts of the sort keys that repeat these fields;
//! see [`keys_can_meet`].

use super::alphabet::Alphabet;
use super::escape::Escape;
use super::template::{PartSchema, Template};
use crate::schema::message::same;

/// Positions of one automaton; a template longer than this counts as overlapping from there on.
const MAX_POSITIONS: usize = 128;

/// One state of an automaton.
#[derive(Clone, Copy)]
enum Step {
    /// Takes one byte of the set, and is at the next position.
    Take(Alphabet),
    /// Takes one byte of the set and stays, or continues without one.
    Loop(Alphabet),
    /// The text may end here.
    End,
    /// Beyond the supported length.
    Unknown,
}

struct Automaton {
    steps: [Step; MAX_POSITIONS],
    len: usize,
}

impl Automaton {
    const fn new(Tail { head, mut parts }: Tail) -> Self {
        let mut this = Self {
            steps: [Step::Unknown; MAX_POSITIONS],
            len: 0,
        };
        this = this.literal(head);
        while let [part, rest @ ..] = parts {
            this = this.part(part).literal(part.after);
            parts = rest;
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
            // Of any length, so also of none.
            _ if part.spec.or_empty => self.push(Step::Loop(alphabet)),
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

/// A template from some place on: literal text, then parts.
#[derive(Clone, Copy)]
struct Tail {
    head: &'static str,
    parts: &'static [PartSchema],
}

impl Tail {
    const fn of(template: &Template) -> Self {
        Self {
            head: template.head,
            parts: template.parts,
        }
    }

    /// Returns the length of the shortest text, and of the longest, if there is a limit.
    const fn len(self) -> (usize, Option<usize>) {
        let Self { head, mut parts } = self;
        let (mut least, mut most) = (head.len(), Some(head.len()));
        while let [part, rest @ ..] = parts {
            let (width, after) = (part.width, part.after.len());
            least += match width {
                _ if part.spec.or_empty => after,
                Some(width) => after + width,
                None => after + 1,
            };
            most = match (most, width) {
                (Some(most), Some(width)) => Some(most + width + after),
                _ => None,
            };
            parts = rest;
        }
        (least, most)
    }
}

/// A partition key, and a sort key where there is one.
type Key<'a> = (&'a Template, Option<&'a Template>);

/// Returns whether some key belongs to both.
pub(crate) const fn keys_can_meet((a_pk, a_sk): Key<'_>, (b_pk, b_sk): Key<'_>) -> bool {
    if !can_meet(a_pk, b_pk) {
        return false;
    }
    let (Some(a_sk), Some(b_sk)) = (a_sk, b_sk) else {
        return true;
    };
    can_meet(a_sk, b_sk) && !(have_one_shape(a_pk, b_pk) && differ((a_pk, a_sk), (b_pk, b_sk)))
}

/// Returns whether two templates encode alike, so that equal keys have equal parts.
const fn have_one_shape(a: &Template, b: &Template) -> bool {
    let (mut a_parts, mut b_parts) = (a.parts, b.parts);
    if !same(a.head, b.head) || a_parts.len() != b_parts.len() {
        return false;
    }
    while let ([a, a_rest @ ..], [b, b_rest @ ..]) = (a_parts, b_parts) {
        let alike = a.spec.writes_as(b.spec)
            && a.kind as u8 == b.kind as u8
            && a.escape.same(b.escape)
            && same(a.after, b.after);
        // Unescaped text may hold the delimiter, so that one key has several readings.
        if !alike || a.spec.raw || b.spec.raw {
            return false;
        }
        (a_parts, b_parts) = (a_rest, b_rest);
    }
    true
}

/// Returns whether two sort keys always differ if their partition keys, which have one shape, are
/// equal. Both are walked from the left, as long as they repeat fields of the partition key and so
/// have the same text.
const fn differ(
    (a_pk, a_sk): (&Template, &Template),
    (b_pk, b_sk): (&Template, &Template),
) -> bool {
    let (mut a, mut b) = (Tail::of(a_sk), Tail::of(b_sk));
    while same(a.head, b.head) {
        let ([x, a_rest @ ..], [y, b_rest @ ..]) = (a.parts, b.parts) else {
            break;
        };
        if !is_repeated((a_pk, x), (b_pk, y)) {
            break;
        }
        let a_tail = Tail {
            head: x.after,
            parts: a_rest,
        };
        let b_tail = Tail {
            head: y.after,
            parts: b_rest,
        };
        if !x.escape.same(y.escape) {
            // Escaped text is never shorter than the original text.
            return match (x.escape, y.escape) {
                (Escape::None, _) => is_shorter(a_tail, b_tail),
                (_, Escape::None) => is_shorter(b_tail, a_tail),
                _ => false,
            };
        }
        (a, b) = (a_tail, b_tail);
    }
    !tails_can_meet(a, b)
}

/// Returns whether two parts repeat, in the same form, fields at one position of the partition
/// keys.
const fn is_repeated(
    (a_pk, a): (&Template, &PartSchema),
    (b_pk, b): (&Template, &PartSchema),
) -> bool {
    let (mut a_parts, mut b_parts) = (a_pk.parts, b_pk.parts);
    while let ([x, a_rest @ ..], [y, b_rest @ ..]) = (a_parts, b_parts) {
        let repeats = same(x.field, a.field) && same(y.field, b.field);
        if repeats && x.spec.writes_as(a.spec) && y.spec.writes_as(b.spec) {
            return true;
        }
        (a_parts, b_parts) = (a_rest, b_rest);
    }
    false
}

/// Returns whether every text of one is shorter than every text of the other.
const fn is_shorter(a: Tail, b: Tail) -> bool {
    match a.len() {
        (_, Some(most)) => most < b.len().0,
        _ => false,
    }
}

/// Returns whether some text is a key of both.
pub const fn can_meet(a: &Template, b: &Template) -> bool {
    !heads_differ(a.head.as_bytes(), b.head.as_bytes()) && tails_can_meet(Tail::of(a), Tail::of(b))
}

const fn tails_can_meet(a: Tail, b: Tail) -> bool {
    let (a, b) = (Automaton::new(a), Automaton::new(b));
    // reached[i] has bit j where the pair (i, j) can be reached. Steps only go forward, so one
    // sweep in order finds them all.
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
                        // Taking a shared byte and staying reaches no new state: leave either loop.
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

/// Returns whether the literal beginnings differ, which is the common case.
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
