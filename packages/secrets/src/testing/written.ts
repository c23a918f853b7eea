import { maskOf } from '../scan/response.ts';
import { createScanner } from '../stream/scanner.ts';
import { specimenOf } from './specimen.ts';

const scanner = createScanner({ key: Buffer.from('written') });
const kinds = new Map(scanner.rules.map(({ id, kind }) => [id, kind]));
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** A text, the secrets in it with their rules, and the text that a tool sends after they are masked. */
export interface Written {
  readonly text: string;
  readonly secrets: readonly (readonly [rule: string, value: string])[];
  readonly masked: string;
}

/**
 * Makes a document as people write it. `«rule form»` is a made-up secret that the rule must find, `«- form»` a made-up value that
 * is none. Forms are those of `specimenOf`, and `{uuid}`.
 */
export function written(template: string): Written {
  const secrets: [string, string][] = [];
  let [text, masked, from] = ['', '', 0];
  for (const { 0: mark, 1: rule = '', 2: form = '', index } of template.matchAll(/«(\S+) ([^»]+)»/g)) {
    const seed = `${template} ${index}`;
    const checked = rule === 'github-token' || rule === 'npm-token' ? { checksum: 'crc32-base62' as const } : {};
    const { text: value } = specimenOf(checked, form.replaceAll('{uuid}', UUID), seed);
    const between = template.slice(from, index);
    const kind = kinds.get(rule);
    if (rule !== '-' && kind === undefined) throw new Error(`no rule is named ${rule}`);
    if (rule !== '-') secrets.push([rule, value]);
    text += between + value;
    masked += between + (kind === undefined ? value : maskOf(kind));
    from = index + mark.length;
  }
  return { text: text + template.slice(from), secrets, masked: masked + template.slice(from) };
}

/** What the scanner makes of a text: its findings in the text itself, and its masked form from within a request. */
export function read(text: string): Written {
  const request = Buffer.from(JSON.stringify({ messages: [{ role: 'user', content: text }] }));
  const sent: unknown = JSON.parse(Buffer.from(scanner.scanBody(request, 'application/json').mask()).toString());
  const { messages } = sent as { messages: readonly [{ content: string }] };
  return {
    text,
    secrets: scanner.scanText(text).map(({ rule, start, end }) => [rule, text.slice(start, end)]),
    masked: messages[0].content,
  };
}
