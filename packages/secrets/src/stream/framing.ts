const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** `sse`: events end with an empty line (WHATWG, server-sent events). `ndjson`: every line is an event. */
export type Framing = 'sse' | 'ndjson';

/** A frame that is longer is handed on in parts, as they come, so that nothing is collected without bound. */
const LONGEST = 256 * 1024;

/** Cuts bytes into frames: whole events, with their line ends. */
export interface Framer {
  push(chunk: Uint8Array): Uint8Array[];
  /** What is left when the bytes end. */
  end(): Uint8Array;
}

export function createFramer(framing: Framing): Framer {
  let pending: Uint8Array = new Uint8Array(0);
  let seen = 0;
  /** In the middle of a frame that is too long to collect. */
  let oversized = false;
  return {
    push(chunk) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const frames: Uint8Array[] = [];
      let from = 0;
      for (let end = frameEnd(pending, seen, framing); end >= 0; end = frameEnd(pending, from, framing)) {
        frames.push(pending.subarray(from, end));
        from = end;
        oversized = false;
      }
      pending = pending.subarray(from);
      seen = Math.max(0, pending.length - 3);
      if (pending.length > LONGEST || (oversized && pending.length > 0)) {
        const end = withoutLineEnds(pending);
        if (end > 0) frames.push(pending.subarray(0, end));
        pending = pending.subarray(end);
        seen = 0;
        oversized = true;
      }
      return frames;
    },
    end() {
      const rest = pending;
      pending = new Uint8Array(0);
      return rest;
    },
  };
}

/** Where the line ends at the very end begin, of at most three bytes: they may be the first of the empty line that ends the frame. */
function withoutLineEnds(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > bytes.length - 3 && (bytes[end - 1] === LINE_FEED || bytes[end - 1] === CARRIAGE_RETURN)) end--;
  return end;
}

/** Byte after the first frame, or -1. A carriage return at the very end may still get its line feed, so it waits. */
function frameEnd(bytes: Uint8Array, from: number, framing: Framing): number {
  for (let at = from; at < bytes.length; at++) {
    const first = lineEnd(bytes, at);
    if (first === 0) continue;
    if (framing === 'ndjson') return first;
    const second = lineEnd(bytes, first);
    if (second > 0) return second;
  }
  return -1;
}

/** Byte after the line end that stands at `at`; 0 when none does, or when it is not complete. */
function lineEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] === LINE_FEED) return at + 1;
  if (bytes[at] !== CARRIAGE_RETURN || at + 1 >= bytes.length) return 0;
  return bytes[at + 1] === LINE_FEED ? at + 2 : at + 1;
}
