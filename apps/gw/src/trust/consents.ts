import { join } from 'node:path';
import { withLock } from '../files/lock.ts';
import { readText } from '../files/reading.ts';
import { ownFolder, replaceFile } from '../files/replace.ts';
import { maskSecrets } from '../redaction/secrets.ts';
import * as s from '../schema/index.ts';
import { digestOf } from './members.ts';
import type { ProjectRequest, Row } from './sources.ts';

/** An answer that is kept. */
export interface Consent {
  /** Root of the project: absolute, links resolved. */
  readonly project: string;
  /** Of the content that was shown, and of the project's root. */
  readonly digest: string;
  readonly answer: 'yes' | 'never';
  readonly kind: string;
  readonly name: string;
  /** What was shown, secrets masked. */
  readonly shown: readonly Row[];
  /** ISO 8601. */
  readonly at: string;
}

const fileShape = s.object({
  version: s.literal(1),
  consents: s.array(
    s.object({
      project: s.string(),
      digest: s.string(),
      answer: s.oneOf(['yes', 'never']),
      kind: s.string(),
      name: s.string(),
      shown: s.array(s.array(s.string())),
      at: s.string(),
    }),
  ),
});

/** The answers of the person for one project, in `~/.gateway/trust.json` (0600). */
export interface Consents {
  /** A file that cannot be read agrees to nothing. */
  read(): Promise<readonly Consent[]>;
  keep(request: ProjectRequest, answer: 'yes' | 'never'): Promise<void>;
  /** Forgets every answer for the project. Resolves with how many there were. */
  revoke(): Promise<number>;
}

export function createConsents(home: string, project: string, now: () => Date): Consents {
  const folder = join(home, '.gateway');
  const file = join(folder, 'trust.json');

  async function readAll(): Promise<readonly Consent[]> {
    const read = await readText(file);
    if (read.state !== 'read') return [];
    try {
      const found = fileShape.valueOf(JSON.parse(read.text));
      return (found?.consents ?? []).map((one) => ({
        ...one,
        shown: one.shown.map(([label = '', value = '']): Row => [label, value]),
      }));
    } catch {
      return []; // not JSON
    }
  }

  async function change(next: (before: readonly Consent[]) => readonly Consent[]): Promise<void> {
    await ownFolder(folder);
    await withLock(`${file}.lock`, async () => {
      const consents = next(await readAll());
      await replaceFile(file, `${JSON.stringify({ version: 1, consents }, null, 2)}\n`);
    });
  }

  const read = async (): Promise<readonly Consent[]> => (await readAll()).filter((one) => one.project === project);
  return {
    read,
    async keep(request, answer) {
      const digest = digestOf(project, request);
      const shown = request.shown.map(([label, value]): Row => [label, maskSecrets(value).text]);
      const { kind, name } = request;
      const consent = { project, digest, answer, kind, name, shown, at: now().toISOString() };
      await change((before) => [...before.filter((one) => one.digest !== digest), consent]);
    },
    async revoke() {
      const { length } = await read();
      if (length > 0) await change((before) => before.filter((one) => one.project !== project));
      return length;
    },
  };
}
