"""Generates the mutants of a Rust file: the changes of cargo-mutants to functions, operators and
matches, each behind a switch.

`a + b` becomes `(if crate::mutants::on(17) { a * b } else { a + b })`: all mutants are
compiled at once, and an environment variable activates one.
"""

import itertools
import re
from dataclasses import dataclass, field

import tree_sitter_rust
from tree_sitter import Language, Node, Parser

RUST = Language(tree_sitter_rust.language())

OPERATORS = {
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
    "<": ["==", ">", "<="], ">": ["==", "<", ">="], "<=": [">"], ">=": ["<"],
    "+": ["-", "*"], "-": ["+", "/"], "*": ["+", "/"], "/": ["%", "*"], "%": ["/", "+"],
    "<<": [">>"], ">>": ["<<"], "&": ["|", "^"], "|": ["&", "^"], "^": ["|", "&"],
    "+=": ["-=", "*="], "-=": ["+=", "/="], "*=": ["+=", "/="], "/=": ["%=", "*="],
    "%=": ["/=", "+="], "<<=": [">>="], ">>=": ["<<="], "&=": ["|="], "|=": ["&="], "^=": ["|="],
}
UNSIGNED = {"u8", "u16", "u32", "u64", "u128", "usize"}
SIGNED = {"i8", "i16", "i32", "i64", "i128", "isize"}


@dataclass
class Mutant:
    file: str
    function: str
    what: str
    line: int
    #: In a `const fn`, which cannot read a switch.
    is_const: bool
    node: Node
    kind: str
    replacement: str
    ordinal: int = 0
    number: int = field(default=-1)

    @property
    def name(self) -> str:
        """A name that stays the same after changes elsewhere in the file."""
        nth = f" ({self.ordinal + 1})" if self.ordinal else ""
        return f"{self.file} {self.function}: {self.what}{nth}"


def mutants(file: str, source: bytes) -> list[Mutant]:
    found: list[Mutant] = []
    _walk(Parser(RUST).parse(source).root_node, file, "", False, found)
    counts: dict[str, int] = {}
    for mutant in found:
        mutant.ordinal = counts.get(mutant.name, 0)
        counts[mutant.name] = mutant.ordinal + 1
    return found


def _text(node: Node | None) -> str:
    return node.text.decode() if node and node.text else ""


def _short(node: Node) -> str:
    return " ".join(_text(node).split())


def _is_test(node: Node) -> bool:
    before = node.prev_sibling
    while before and before.type in ("attribute_item", "line_comment"):
        if "test" in _text(before) and before.type == "attribute_item":
            return True
        before = before.prev_sibling
    return False


def _walk(node: Node, file: str, function: str, is_const: bool, found: list[Mutant]) -> None:
    if node.type in ("const_item", "static_item", "const_block", "attribute_item", "array_type"):
        return
    if node.type in ("mod_item", "function_item") and _is_test(node):
        return

    def add(kind: str, target: Node, replacement: str, what: str) -> None:
        line = target.start_point[0] + 1
        found.append(Mutant(file, function, what, line, is_const, target, kind, replacement))

    if node.type == "impl_item":
        implemented = node.child_by_field_name("trait")
        of = f"{_short(implemented)} for " if implemented else ""
        function = f"{of}{_short(node.child_by_field_name('type'))}::"
    elif node.type == "trait_item":
        function = f"{_text(node.child_by_field_name('name'))}::"
    elif node.type == "function_item":
        modifiers = next((it for it in node.children if it.type == "function_modifiers"), None)
        is_const = "const" in _text(modifiers).split()
        scope = function if function.endswith("::") else ""
        function = scope + _text(node.child_by_field_name("name"))
        body = node.child_by_field_name("body")
        if body and body.named_child_count:
            for value in _values(_text(node.child_by_field_name("return_type"))):
                add("body", body, value, f"return {value or '()'}")
    elif node.type in ("binary_expression", "compound_assignment_expr"):
        operator = _text(node.child_by_field_name("operator"))
        for other in OPERATORS.get(operator, []):
            add("operator", node, other, f"{operator} → {other} in `{_short(node)[:60]}`")
    elif node.type == "unary_expression" and node.children[0].type in ("!", "-"):
        sign = node.children[0].type
        add("unary", node, "", f"delete {sign} in `{_short(node)[:60]}`")
    elif node.type == "match_block":
        arms = [it for it in node.named_children if it.type == "match_arm"]
        patterns = [it.child_by_field_name("pattern") for it in arms]
        for pattern in patterns:
            condition = pattern.child_by_field_name("condition")
            shown = _short(pattern)[:60]
            if condition and condition.type not in ("let_condition", "let_chain"):
                add("guard", condition, "true", f"guard of `{shown}` → true")
                add("guard", condition, "false", f"guard of `{shown}` → false")
            if _text(patterns[-1]) == "_" and pattern != patterns[-1]:
                add("arm", pattern, "", f"delete arm `{shown}`")
    for child in node.children:
        _walk(child, file, function, is_const, found)


def _values(kind: str) -> list[str]:
    """Returns replacements for the result of a function of this type."""
    kind = kind.strip()
    head, _, arguments = kind.partition("<")
    head = head.split("::")[-1].strip()
    inner = _split(arguments[: arguments.rfind(">")]) if arguments else []
    if kind in ("", "()"):
        return [""]
    if kind == "bool":
        return ["true", "false"]
    if kind in UNSIGNED:
        return ["0", "1"]
    if kind in SIGNED:
        return ["0", "1", "-1"]
    if kind.startswith("&") and kind.split()[-1].lstrip("&") == "str":
        return ['""', '"xyzzy"']
    if kind.startswith(("&", "impl ", "!", "dyn ", "*")):
        return []
    if kind == "String":
        return ["String::new()", '"xyzzy".into()']
    if head == "Option" and inner:
        return ["None", *(f"Some({it or '()'})" for it in _values(inner[0]))]
    if head == "Result":
        return [f"Ok({it or '()'})" for it in (_values(inner[0]) if inner else [""])]
    if head == "Vec" and inner:
        return ["vec![]", *(f"vec![{it}]" for it in _values(inner[0]))]
    if head == "Box" and inner:
        return [f"Box::new({it})" for it in _values(inner[0])]
    if head == "Cow" and inner and inner[-1] == "str":
        return ['"".into()', '"xyzzy".into()']
    if kind.startswith("("):
        parts = [_values(it) for it in _split(kind[1:-1])]
        return [f"({', '.join(it)})" for it in itertools.islice(itertools.product(*parts), 4)]
    return ["Default::default()"]


def _split(arguments: str) -> list[str]:
    """Splits at the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(arguments):
        depth += (letter in "<([") - (letter in ">)]")
        if letter == "," and depth == 0:
            parts.append(arguments[start:at])
            start = at + 1
    return [it.strip() for it in [*parts, arguments[start:]] if it.strip()]


def switched(source: bytes, chosen: list[Mutant]) -> bytes:
    """Returns the source with these mutants. Comments mark each, for the compiler's errors."""
    by_node: dict[int, list[Mutant]] = {}
    for mutant in chosen:
        by_node.setdefault(mutant.node.id, []).append(mutant)
    if not chosen:
        return source
    root = chosen[0].node
    while root.parent:
        root = root.parent
    return source[: root.start_byte] + _written(root, source, by_node) + source[root.end_byte :]


def _written(node: Node, source: bytes, by_node: dict[int, list[Mutant]]) -> bytes:
    out, at = b"", node.start_byte
    for child in node.children:
        out += source[at : child.start_byte] + _written(child, source, by_node)
        at = child.end_byte
    out += source[at : node.end_byte]
    for mutant in by_node.get(node.id, []):
        out = _switch(mutant, out, source)
    return out


def _switch(mutant: Mutant, out: bytes, source: bytes) -> bytes:
    node, number = mutant.node, mutant.number
    switch = b"crate::%s::on(%d)" % (b"const_mutants" if mutant.is_const else b"mutants", number)
    start, end = b"/*<%d*/" % number, b"/*%d>*/" % number
    new = mutant.replacement.encode()
    part = lambda name: _text(node.child_by_field_name(name)).encode()
    if mutant.kind == "body":
        value = b" " + new if new else b""
        return b"{" + start + b"if " + switch + b" { return" + value + b"; }" + end + out[1:]
    if mutant.kind == "operator":
        other = part("left") + b" " + new + b" " + part("right")
        return start + b"(if " + switch + b" { " + other + b" } else { " + out + b" })" + end
    if mutant.kind == "unary":
        other = source[node.children[1].start_byte : node.end_byte]
        return start + b"(if " + switch + b" { " + other + b" } else { " + out + b" })" + end
    if mutant.kind == "guard":
        joined = b" || (" if new == b"true" else b" && ("
        negated = b"" if new == b"true" else b"!"
        return start + b"(" + negated + switch + joined + out + b"))" + end
    pattern, *guard = re.split(rb"\sif\s", out, maxsplit=1)
    return pattern + b" if " + start + b"!" + switch + end + b" && (" + (guard or [b"true"])[0] + b")"
