import { type Fields, isFields, type MeteredApi, type Reported, stringOrEmpty, strings } from './api.ts';
import { chat } from './chat.ts';
import { cohere } from './cohere.ts';
import { converse } from './converse.ts';
import { gemini } from './gemini.ts';
import { interactions } from './interactions.ts';
import { llamaCpp } from './llama-cpp.ts';
import { messages } from './messages.ts';
import { ollama } from './ollama.ts';
import { predictions } from './predictions.ts';
import { responses } from './responses.ts';

const STUDIO = new Set<unknown>(['message.delta', 'reasoning.delta']);

/** Forms that report no counts: TGI, whose last event repeats the whole text, LM Studio's events, and transcripts. */
const unreported: MeteredApi = {
  reads: [],
  marks: [],
  counts: () => null,
  completes: () => false,
  generated({ type, token, content, generated_text: generated, text }) {
    if (STUDIO.has(type)) return stringOrEmpty(content);
    if (type !== undefined) return null;
    return isFields(token) ? stringOrEmpty(token['text']) : stringOrEmpty(generated) + stringOrEmpty(text);
  },
  prompt: ['inputs', 'query', 'documents', 'texts'], // of embeddings and rankings
};

/** Every metered API. */
const APIS: readonly MeteredApi[] = [
  chat,
  responses,
  interactions,
  cohere,
  messages,
  gemini,
  ollama,
  llamaCpp,
  converse,
  predictions,
  unreported,
];

const distinct = (of: (api: MeteredApi) => readonly string[]): readonly string[] => [...new Set(APIS.flatMap(of))];

/** Paths of the members that report counts, or that an answer is complete. */
export const READ_MEMBERS = distinct(({ reads }) => reads);
/** The characters before the value of a member that reports counts. */
export interface Mark {
  readonly bytes: Buffer;
  /** Every event of a stream has it, with the counts so far. */
  readonly repeats: boolean;
}

const marksOf = (apis: readonly MeteredApi[]): readonly Mark[] =>
  [...new Set(apis.flatMap(({ marks }) => marks))].map((mark) => ({
    bytes: Buffer.from(mark),
    repeats: APIS.some(({ marks, repeats }) => repeats === true && marks.includes(mark)),
  }));

/** The most common first. */
export const MARKS = marksOf(APIS);
export const MARKS_BESIDE = distinct(({ beside = [] }) => beside).map((mark) => Buffer.from(mark));
const MARKS_OF_EACH = new Map(APIS.map((api) => [api, marksOf([api])]));

/** What to look for in a stream that begins with a payload; null: its API is not recognized. */
export function marksFor(payload: Fields): readonly Mark[] | null {
  const api = APIS.find((one) => one.marks.length > 0 && one.generated(payload) !== null);
  return (api && MARKS_OF_EACH.get(api)) ?? null;
}

const PROMPT_MEMBERS = distinct(({ prompt }) => prompt);

/** What a payload reports, and whether it yields to what others report. */
export function reportCounts(payload: Fields, report: (counts: Reported, yields: boolean) => void): void {
  for (const api of APIS) {
    const counts = api.counts(payload);
    if (counts !== null) report(counts, api.yields === true);
  }
}

/** Whether a caller with this payload has the whole answer. */
export function completes(payload: Fields): boolean {
  return APIS.some((api) => api.completes(payload));
}

/** The text that a model generated in one payload, a whole answer or one event of a stream. */
export function readGeneratedText(payload: unknown): string {
  if (Array.isArray(payload)) return payload.filter(isFields).map(readGeneratedText).join(''); // of TGI, and of Gemini
  if (!isFields(payload)) return '';
  for (const api of APIS) {
    const text = api.generated(payload);
    if (text !== null) return text;
  }
  return '';
}

/** The caller's text, in the members of a request that a model reads. */
export function promptText(request: unknown): string {
  if (!isFields(request)) return '';
  const parts = PROMPT_MEMBERS.map((name) => strings(request[name]));
  return parts.filter((part) => part !== '').join(' ');
}
