import { gunzipSync } from 'node:zlib';
import { KINDS, type Kind } from '@gateway/secrets';

/** One labelled text (README of the data): `span` are UTF-16 offsets of the secret, absent for a negative. */
export interface Sample {
  readonly id: string;
  readonly kind: Kind | 'password' | 'negative';
  readonly text: string;
  readonly label: 0 | 1;
  readonly tier: 'core' | 'hard' | 'longtail';
  readonly rule: string | null;
  readonly source: string;
  readonly span?: readonly [number, number] | null;
}

/** Reads JSON lines, plain or gzipped. */
export function readSamples(bytes: Buffer): Sample[] {
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Sample);
}

export function isGated(sample: Sample): sample is Sample & { kind: Kind } {
  return sample.tier === 'core' && (KINDS as readonly string[]).includes(sample.kind);
}

/** A carrier for a text, and how to read the text back from the masked carrier. */
export interface Form {
  readonly name: string;
  readonly contentType: string;
  readonly write: (text: string) => string;
  readonly read: (carrier: string) => string;
}

interface Carrier {
  readonly content: string;
}

const inJson = (name: string, write: (json: string) => string): Form => ({
  name,
  contentType: 'application/json',
  write: (text) => write(JSON.stringify({ role: 'user', content: text })),
  read: (carrier) => (JSON.parse(carrier) as Carrier).content,
});

const code = (mark: string): string => `\\u00${mark.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** The forms of the issue: in clear, JSON, escaped solidus, unicode escapes, JSON inside a tool-call argument string. */
export const FORMS: readonly Form[] = [
  { name: 'plain', contentType: 'text/plain', write: (text) => text, read: (carrier) => carrier },
  inJson('json', (json) => json),
  inJson('solidus', (json) => json.replaceAll('/', '\\/')),
  {
    ...inJson('unicode', (json) => json),
    write: (text) =>
      `{"role":"user","content":"${JSON.stringify(text)
        .slice(1, -1)
        .replaceAll(/[/=+&<>'@:_-]/g, code)}"}`,
  },
  {
    name: 'tool-arguments',
    contentType: 'application/json',
    write: (text) => JSON.stringify({ tool_calls: [{ function: { arguments: JSON.stringify({ content: text }) } }] }),
    read: (carrier) => {
      const call = JSON.parse(carrier) as { tool_calls: { function: { arguments: string } }[] };
      return (JSON.parse(call.tool_calls[0]?.function.arguments ?? '{}') as Carrier).content;
    },
  },
];
