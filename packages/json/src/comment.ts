import { NARROWED } from './bytes.ts';

/**
 * The state of a comment: `begun` after its first solidus, `star` after a star that may end it, the two `separator`s within a
 * character (U+2028, U+2029) that ends a line in JSON5.
 */
export type Comment = 'begun' | 'line' | 'separator-1' | 'separator-2' | 'block' | 'star' | 'ended' | 'none';

const STAR = 0x2a;
const SOLIDUS = 0x2f;

/** The comment after one more byte; `none` if it is no comment. */
export function commentStep(comment: Comment, byte: number, narrowed: boolean): Comment {
  if (comment === 'block' || comment === 'star') {
    if (byte === STAR) return 'star';
    return comment === 'star' && byte === SOLIDUS ? 'ended' : 'block';
  }
  if (comment === 'begun') {
    if (byte === SOLIDUS) return 'line';
    return byte === STAR ? 'block' : 'none';
  }
  if (byte === 0x0a || byte === 0x0d || (narrowed && byte === NARROWED.lineEnd)) return 'ended';
  if (byte === 0xe2) return 'separator-1';
  if (comment === 'separator-1' && byte === 0x80) return 'separator-2';
  return comment === 'separator-2' && (byte === 0xa8 || byte === 0xa9) ? 'ended' : 'line';
}
