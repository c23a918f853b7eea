import { type Path, visitStrings } from '@gateway/json';
import type { Framing } from './framing.ts';

/** Longer events, and parts of such, are scanned as text. */
export const LONGEST_EVENT = 256 * 1024;

/** A range of bytes of an event. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A string of an event that continues a channel: the bytes of its literal, and the channel. */
export interface Delta extends Span {
  readonly channel: string;
}

/** Bytes that replace a range of an event. */
export interface Replacement extends Span {
  readonly text: string;
}

/** The data of an event, in as many bytes as the event: positions in both are the same. */
export interface EventData extends Span {
  readonly bytes: Uint8Array;
}

/** A line of data of an event; its content is a group, for its position. */
const DATA = /^data:[ ]?([^\r\n]*)/gm;

/** The data of an event of lines of JSON is its line. Null for an event without one. */
export function dataOf(bytes: Uint8Array, framing: Framing): EventData | null {
  if (framing === 'ndjson') return { bytes, from: 0, to: bytes.length };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  DATA.lastIndex = 0;
  const first = spanOf(DATA.exec(text));
  if (first === null) return null;
  const second = spanOf(DATA.exec(text));
  return second === null ? { bytes, ...first } : joinLines(bytes, text, [first, second]);
}

/**
 * Several lines of data are one text, with the lines' ends (WHATWG, server-sent events). The bytes between them become spaces,
 * which are as insignificant in JSON as line ends.
 */
function joinLines(bytes: Uint8Array, text: string, lines: Span[]): EventData {
  for (let more = spanOf(DATA.exec(text)); more !== null; more = spanOf(DATA.exec(text))) lines.push(more);
  const data = Buffer.alloc(bytes.length, ' ');
  for (const { from, to } of lines) {
    data.set(bytes.subarray(from, to), from);
    if (to < data.length) data.fill('\n', to, to + 1); // the last line of a stream can lack its end
  }
  return { bytes: data, from: lines[0]?.from ?? 0, to: lines.at(-1)?.to ?? 0 };
}

function spanOf(line: RegExpExecArray | null): Span | null {
  if (line === null) return null;
  const to = line.index + line[0].length;
  return { from: to - (line[1] ?? '').length, to };
}

/** The event, or undefined (which JSON cannot represent) when the text is no JSON. */
export function parse(json: string): StreamEvent {
  try {
    return JSON.parse(json) as StreamEvent;
  } catch {
    return undefined;
  }
}

/** Whether the data is what services end a stream with. */
export function isDone(json: string): boolean {
  return json.length < 64 && json.trim() === '[DONE]';
}

/**
 * @param data with the event's JSON.
 * @param json the same as text.
 */
export function* deltasOf(
  { bytes, from, to }: EventData,
  json: string,
  event: StreamEvent,
): Generator<undefined, Delta[]> {
  const deltas: Delta[] = [];
  const isAscii = json.length === to - from;
  const nameOf = (start: number, end: number): string => {
    const name = isAscii ? json.slice(start, end) : decoded(bytes, from + start, from + end);
    return name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name;
  };
  yield* visitStrings(bytes.subarray(from, to), nameOf, (string) => {
    const channel = string.isName ? null : channelOf(event, string.path);
    if (channel !== null) deltas.push({ from: from + string.from, to: from + string.to, channel });
    return true;
  });
  return deltas;
}

/** The text that the literal of a delta is. */
export function textOfDelta(bytes: Uint8Array, { from, to }: Delta): string {
  return JSON.parse(`"${decoded(bytes, from, to)}"`) as string;
}

/** The text as it is written in a literal. */
export function literalOf(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function replace(bytes: Uint8Array, changes: readonly Replacement[]): Uint8Array {
  if (changes.length === 0) return bytes;
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const change of [...changes].sort((a, b) => a.from - b.from)) {
    pieces.push(bytes.subarray(at, change.from), Buffer.from(change.text));
    at = change.to;
  }
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

export function decoded(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();
}

/** An event of a streamed answer, parsed. Nothing about its shape is certain. */
type StreamEvent = unknown;

/**
 * The channel that a string of an event continues, or null when the string is complete in itself. A channel is one
 * logical text: a choice's content, its reasoning, the arguments of one tool call, one content block. Positions in
 * arrays mean little in streams, so the `index` that providers send is preferred.
 */
export function channelOf(event: StreamEvent, path: Path): string | null {
  if (path.length > LONGEST_PATH || !HOLDERS.includes(path[0] as string)) return null;
  const shape = path.map((step) => (typeof step === 'number' ? '#' : step)).join('/');
  const type = memberOf(event, 'type');
  if (CHAT_DELTAS.test(shape)) return `/choices/${indexAt(event, path, 2)}/${tailOf(event, path)}`;
  if (shape === 'choices/#/text') return `/choices/${indexAt(event, path, 2)}/text`;
  if (type === 'content_block_delta' && BLOCK_DELTAS.test(shape)) return `/content/${labelOf(event, 'index')}/${shape}`;
  if ((type === 'content-delta' || type === 'tool-call-delta') && MESSAGE_DELTAS.test(shape))
    return `/content/${labelOf(event, 'index')}/${shape}`;
  if (shape === 'delta' && typeof type === 'string' && RESPONSE_DELTAS.test(type)) return responseChannel(event, type);
  if (shape === 'candidates/#/content/parts/#/text') {
    return `/candidates/${indexAt(event, path, 2)}/${valueAt(event, [...path.slice(0, -1), 'thought']) === true ? 'thought' : 'text'}`;
  }
  if (OLLAMA_DELTAS.test(shape) && typeof memberOf(event, 'done') === 'boolean') return `/${shape}`;
  // llama.cpp's and TGI's own forms; the index of the latter counts tokens.
  if (shape === 'content' && typeof memberOf(event, 'stop') === 'boolean') return `/content/${labelOf(event, 'index')}`;
  if (shape === 'token/text') return '/token';
  // LM Studio's own form.
  if (shape === 'content' && typeof type === 'string' && OWN_DELTAS.test(type))
    return `/${type.replace('.delta', '')}/content`;
  return null;
}

/** Steps to the deepest delta there is; an event may nest its values without end, and each of its strings has a path. */
const LONGEST_PATH = 8;

/** The members of an event that contain deltas: most strings are in none of them. */
const HOLDERS = ['choices', 'delta', 'candidates', 'message', 'response', 'thinking', 'content', 'token'];

/** Any container: providers add containers of their own, and other members (identifiers, signatures) are whole in their event. */
const CHAT_DELTAS =
  /^choices\/#\/delta\/(?:[\w#]+\/)*(?:content|text|reasoning|reasoning_content|thinking|summary|refusal|transcript|arguments|input)$/;
const MESSAGE_DELTAS = /^delta\/message\/(?:content\/(?:text|thinking)|tool_calls\/function\/arguments)$/;
const BLOCK_DELTAS = /^delta\/(?:text|partial_json|thinking)$/;
/** Sound comes in deltas too, as base64: not a text. */
const RESPONSE_DELTAS = /^(?:response\.(?!audio\.|output_audio\.)[\w.]+|transcript\.text)\.delta$/;
const OWN_DELTAS = /^(?:message|reasoning)\.delta$/;
const OLLAMA_DELTAS = /^(?:message\/(?:content|thinking)|response|thinking)$/;

/**
 * Beginnings of the names of channels that an event ends: their text is complete. An empty beginning ends all.
 */
export function findEndedBy(event: StreamEvent): string[] {
  const type = memberOf(event, 'type');
  if (type === 'content_block_stop' || type === 'content-end') return [`/content/${labelOf(event, 'index')}`];
  if (type === 'message.end' || type === 'reasoning.end') return [`/${type.replace('.end', '/')}`];
  if (typeof type === 'string' && /^(?:response|transcript)\./.test(type)) {
    if (type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed') return [''];
    return type.endsWith('.done') ? [responseChannel(event, type)] : [];
  }
  if (memberOf(event, 'done') === true || type === 'chat.end') return [''];
  const ended = [
    ...findFinished(event, 'choices', 'finish_reason'),
    ...findFinished(event, 'candidates', 'finishReason'),
  ];
  return ended.length > 0 || type !== 'message_stop' ? ended : [''];
}

function findFinished(event: StreamEvent, list: string, reason: string): string[] {
  const entries = memberOf(event, list);
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown, at) => {
    const isOver = Boolean(memberOf(entry, reason)); // some write "" while there is more to come
    return isOver ? [`/${list}/${labelOf(entry, 'index', at)}/`] : [];
  });
}

function responseChannel(event: StreamEvent, type: string): string {
  const what = type.replace(/^response\./, '').replace(/\.(?:delta|done)$/, '');
  const where = ['output_index', 'item_id', 'content_index', 'summary_index'].map((name) => labelOf(event, name));
  return `/${what}/${where.join('/')}`;
}

/** The part of a chat delta's path after the choice, with the tool call's own index. */
function tailOf(event: StreamEvent, path: Path): string {
  return path
    .slice(2)
    .map((step, at) => (typeof step === 'number' ? indexAt(event, path, at + 3) : step))
    .join('/');
}

/** The `index` member of the array's entry at the given depth of the path, or its position. */
function indexAt(event: StreamEvent, path: Path, depth: number): string {
  return labelOf(valueAt(event, path.slice(0, depth)), 'index', path[depth - 1]);
}

function valueAt(event: StreamEvent, path: Path): unknown {
  return path.reduce<unknown>((value, step) => memberOf(value, step), event);
}

function memberOf(value: unknown, name: string | number): unknown {
  return typeof value === 'object' && value !== null
    ? (value as { [name: string | number]: unknown })[name]
    : undefined;
}

/** A member that names a position, as text: a number or a string; anything else is as good as absent. */
function labelOf(value: unknown, name: string, otherwise: string | number = ''): string {
  const label = memberOf(value, name);
  return String(typeof label === 'number' || typeof label === 'string' ? label : otherwise);
}
