//! Drawing the line that a diagnostic is about.

use std::ops::Range;

use super::{Excerpt, Place, Position, Problems};

/// What stands for a masked value, whatever its length.
const MASK: &str = "***";
/// The widest line that is shown.
const WIDTH: usize = 120;
/// How far from the place a line is looked at, in bytes.
const REACH: usize = 4 * WIDTH;

/// The line of `text` in which `place` begins, with every range of `masks` replaced and every range of `dropped` (comments) left out. Of a
/// long line only what stands around the place is looked at.
pub(super) fn draw(text: &str, place: &Place, masks: &[Range<usize>], dropped: &[Range<usize>]) -> Option<Excerpt> {
    let at = place.span.start.min(text.len());
    let window = window(text, at)?;
    let masks = inside(masks, &window);
    let dropped = inside(dropped, &window);
    let mut line = String::new();
    let mut length = 0;
    let mut caret = None;
    let mut in_mask = false;
    for (offset, character) in text.get(window.clone())?.char_indices() {
        if window.start + offset >= at && caret.is_none() {
            caret = Some(length);
        }
        if dropped.get(offset) == Some(&true) {
            continue;
        }
        let masked = masks.get(offset) == Some(&true);
        if masked && in_mask && caret == Some(length) {
            caret = Some(length - MASK.len());
        }
        if masked && !in_mask {
            line.push_str(MASK);
            length += MASK.len();
        } else if !masked {
            line.push(if character.is_control() { ' ' } else { character });
            length += 1;
        }
        in_mask = masked;
    }
    let caret = caret.unwrap_or(length);
    Some(cut(place.position.line, &without_user_info(line.trim_end()), caret))
}

/// The line around a byte, but no more than [`REACH`] bytes to each side.
fn window(text: &str, at: usize) -> Option<Range<usize>> {
    let start = text.get(..at)?.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let end = text.get(at..)?.find(['\n', '\r']).map_or(text.len(), |length| at + length);
    let (mut from, mut to) = (start.max(at.saturating_sub(REACH)), end.min(at + REACH));
    while !text.is_char_boundary(from) {
        from += 1;
    }
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    Some(from..to)
}

/// For each byte of the window, whether one of the ranges has it.
fn inside(ranges: &[Range<usize>], window: &Range<usize>) -> Vec<bool> {
    let mut bytes = vec![false; window.len()];
    for range in ranges {
        let (from, to) = (range.start.max(window.start), range.end.min(window.end));
        if let Some(part) = from.checked_sub(window.start).zip(to.checked_sub(window.start)).and_then(|(from, to)| bytes.get_mut(from..to))
        {
            part.fill(true);
        }
    }
    bytes
}

/// Without `user:password@` in addresses.
pub(super) fn without_user_info(line: &str) -> String {
    let mut shown = String::new();
    let mut rest = line;
    while let Some(scheme) = rest.find("://") {
        let (head, tail) = rest.split_at(scheme + 3);
        shown.push_str(head);
        let authority = tail.find(|c: char| c == '/' || c.is_whitespace() || c == '"' || c == '\'').unwrap_or(tail.len());
        let (authority, after) = tail.split_at(authority);
        match authority.rfind('@') {
            Some(end) => {
                shown.push_str(MASK);
                shown.push_str(authority.get(end..).unwrap_or_default());
            }
            None => shown.push_str(authority),
        }
        rest = after;
    }
    shown.push_str(rest);
    shown
}

/// The part of a long line around the caret.
fn cut(number: u32, line: &str, caret: usize) -> Excerpt {
    let length = line.chars().count();
    if length <= WIDTH {
        return Excerpt { number, line: line.to_owned(), caret: caret.min(length) };
    }
    let from = caret.saturating_sub(WIDTH / 2).min(length - WIDTH);
    let mut shown: String = line.chars().skip(from).take(WIDTH).collect();
    let mut caret = caret.min(length) - from;
    if from > 0 {
        shown.insert(0, '…');
        caret += 1;
    }
    if from + WIDTH < length {
        shown.push('…');
    }
    Excerpt { number, line: shown, caret }
}

/// The line at `position` of a YAML file, secrets masked.
#[must_use]
pub fn excerpt(text: &str, position: Position) -> Option<Excerpt> {
    let mut problems = Problems::new("", text);
    let _ = super::parse(&mut problems);
    let place = Place { position, span: 0..0 };
    let offset = offset_of(text, position)?;
    problems.add(&Place { span: offset..offset, ..place }, "");
    problems.into_diagnostics().into_iter().find(|diagnostic| diagnostic.message.is_empty())?.excerpt
}

/// The line at `position` of a file that holds no secret.
#[must_use]
pub fn line_excerpt(text: &str, position: Position) -> Option<Excerpt> {
    let offset = offset_of(text, position)?;
    draw(text, &Place { position, span: offset..offset }, &[], &[])
}

/// The byte at a position.
fn offset_of(text: &str, position: Position) -> Option<usize> {
    let line = usize::try_from(position.line).ok()?.checked_sub(1)?;
    let start = if line == 0 { 0 } else { text.match_indices('\n').nth(line - 1)?.0 + 1 };
    let column = usize::try_from(position.column).ok()?.saturating_sub(1);
    let rest = text.get(start..)?;
    let rest = rest.split('\n').next()?;
    Some(start + rest.char_indices().nth(column).map_or(rest.len(), |(offset, _)| offset))
}
