/** Deeper than any value that the product records, and far from what would exhaust the stack of anybody who writes it out again. */
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
 * A value as an action recorded it, from its JSON text. A log that somebody wrote into may hold anything there, and must be read all the
 * same: what is no JSON, or is nested beyond use, is shown as the text that stands there. The verification names the entry.
 */
export function recordedValue(text: string): unknown {
  try {
    return depthOf(text) > DEEPEST ? text : JSON.parse(text);
  } catch {
    return text;
  }
}
