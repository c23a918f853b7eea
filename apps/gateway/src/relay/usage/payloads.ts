import type { Fields } from './apis/api.ts';

const LINE_ENDS = /\r\n|\n|\r/;
const EMPTY_LINE = /\r\n\r\n|\n\n|\r\r/;
/** A byte order mark may precede the first line of a stream. */
const DATA = /^\ufeff?data: ?/;
/** A line of data that begins an object. */
const OBJECT = /^\ufeff?data:\s*\{/;
const DONE = /^\ufeff?data:[ \t]*\[DONE\][ \t]*$/m;
/** Where the object of nearly every line of data begins. */
const USUAL_START = 'data: '.length;
/** Bytes at the end of a block that contain its last events. */
const END = 4096;

/** The parsed payloads of the events of a block of lines; what is no JSON object is left out. */
export function payloadsOf(block: Buffer): readonly Fields[] {
  const text = block.toString();
  const payloads: Fields[] = [];
  let objects = 0;
  for (const line of linesOf(text)) {
    if (!line.startsWith('data:') && !OBJECT.test(line)) continue;
    const payload = payloadOf(line);
    if (payload !== null) payloads.push(payload);
    else if (OBJECT.test(line)) objects += 1;
  }
  // Lines that begin an object but contain no complete one: events with several lines of data.
  return payloads.length > 0 || objects === 0 ? payloads : severalLines(text);
}

function linesOf(text: string): readonly string[] {
  return text.includes('\r') ? text.split(LINE_ENDS) : text.split('\n');
}

/** The payload of a line of data; null where it is no JSON object. */
export function payloadOf(line: string): Fields | null {
  const start = line.indexOf('{');
  if (start < 0 || (start !== USUAL_START && !OBJECT.test(line))) return null; // `[DONE]`, for one
  try {
    return JSON.parse(line.slice(start)) as Fields;
  } catch {
    return null; // a provider's own text
  }
}

/** The payloads of events whose JSON spans several lines of data (WHATWG, server-sent events). */
export function severalLines(text: string): readonly Fields[] {
  const events = text.split(EMPTY_LINE).map((event) => event.split(LINE_ENDS));
  const joined = events.map((lines) => lines.filter(isData).map((line) => line.replace(DATA, '')));
  return joined.map((lines) => payloadOf(`data: ${lines.join('\n')}`)).filter((payload) => payload !== null);
}

export function isData(line: string): boolean {
  return DATA.test(line);
}

/** Whether the end of a stream of chat completions is among the last lines of a block. */
export function isDone(block: Buffer): boolean {
  return DONE.test(block.toString('utf8', Math.max(0, block.length - END)));
}
