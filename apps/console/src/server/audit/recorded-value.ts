/**
 * Deeper than any value that the product records, and far below what would exhaust the stack of a program that serializes it.
 */
const DEEPEST = 200;

/** How deep a JSON text is nested. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (bracket === '[' || bracket === '{') depth += 1;
    else if (bracket === ']' || bracket === '}') depth -= 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

/**
 * Parses the JSON text of a recorded value. A log that was modified may contain any text and must stay readable: invalid JSON
 * and JSON nested too deeply are shown as text. The verification names the entry.
 */
export function parseRecordedValue(text: string): unknown {
  try {
    return depthOf(text) > DEEPEST ? text : JSON.parse(text);
  } catch {
    return text;
  }
}
