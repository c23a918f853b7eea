import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listDirectory } from '../files/listing.ts';
import { readText } from '../files/reading.ts';
import { rightsOf } from '../files/rights.ts';
import { pluralize } from '../process/pluralize.ts';
import { staysWithin } from '../project/project.ts';
import { reportUnread } from './faults.ts';
import type { Line, Probe } from './probe.ts';
import type { OwnDirectory } from './project.ts';
import { findSecrets } from './secrets-in-text.ts';

export interface InstructionFacts {
  readonly file: string;
  /** Null where it was not read: a finding says why. */
  readonly bytes: number | null;
  /** A CLAUDE.md beside an AGENTS.md is not read by the client. */
  readonly used: boolean;
}

/** Files of rules that are read, and their maximum depth. */
const MOST_RULES = 500;
const DEEPEST = 8;

/**
 * The project's instructions for agents: AGENTS.md, or else CLAUDE.md, and the rules.
 * @param readable whether its directory `.gateway` could be read: that it could not is reported already.
 */
export async function instructionsFacts(
  probe: Probe,
  own: OwnDirectory,
  readable: boolean,
): Promise<readonly InstructionFacts[]> {
  const files = [join(own.base, 'AGENTS.md'), join(own.base, 'CLAUDE.md')];
  const present: string[] = [];
  for (const file of files) if ((await lstat(file).catch(() => null)) !== null) present.push(file);
  const rules = readable ? await findRules(probe, join(own.path, 'rules')) : [];
  const facts: InstructionFacts[] = [];
  for (const file of [...present, ...rules]) {
    const text = await readOwnText(probe, own, file);
    const bytes = text === null ? null : Buffer.byteLength(text);
    facts.push({ file, bytes, used: file !== files[1] || present.length === 1 });
  }
  return facts;
}

async function findRules(probe: Probe, directory: string): Promise<readonly string[]> {
  const found = { files: [], more: false };
  await collectRules(probe, directory, 1, found);
  if (found.more) {
    probe.find({
      grade: 'hint',
      what: `There are more than ${MOST_RULES} files of rules.`,
      where: probe.redaction.format`${directory}`,
      fix: 'Keep fewer: every one is sent to the model.',
    });
  }
  return found.files;
}

async function collectRules(
  probe: Probe,
  directory: string,
  depth: number,
  found: { readonly files: string[]; more: boolean },
): Promise<void> {
  const { redaction, find } = probe;
  const listing = await listDirectory(directory);
  if (listing.state !== 'read') {
    if (listing.state !== 'absent') reportUnread(probe, 'The rules', directory, listing.state);
    return;
  }
  found.more ||= listing.more;
  for (const { name, kind, nameable } of listing.entries) {
    const path = join(directory, name);
    if (kind === 'directory') {
      if (depth < DEEPEST) await collectRules(probe, path, depth + 1, found);
      else
        find({ what: 'Rules are nested too deep to be read.', where: redaction.format`${path}`, fix: 'Move them up.' });
    } else if (name.endsWith('.md') && nameable) {
      if (found.files.length < MOST_RULES) found.files.push(path);
      else found.more = true;
    }
  }
}

/**
 * Reads a text of the project or of home that a model receives. Null, with a finding, if it cannot be read, or if a link points
 * out of the project: a foreign project could send your files to a model.
 */
export async function readOwnText(probe: Probe, own: OwnDirectory, file: string): Promise<string | null> {
  const { redaction, find } = probe;
  const where = redaction.format`${file}`;
  if (own.of === 'project' && !(await staysWithin(own.base, file))) {
    find({
      grade: 'security',
      what: 'A link points out of the project. It was not followed.',
      where,
      fix: 'Put the text itself there.',
    });
    return null;
  }
  const reading = await readText(file);
  if (reading.state !== 'read') {
    reportUnread(probe, 'The file', file, reading.state);
    return null;
  }
  const rights = rightsOf(await stat(file).catch(() => null), probe.environment.userId);
  if (rights?.othersWrite === true || rights?.foreign === true) {
    find({
      grade: 'security',
      what: 'Others can change the instructions of your agents.',
      where,
      fix: redaction.format`chmod o-w ${file}, and own it`,
    });
  }
  findSecrets(
    probe,
    file,
    reading.text,
    'Take it out: the file is sent to the model, and the gateway refuses a call that carries a secret.',
  );
  return reading.text;
}

export function instructionsLines(facts: readonly InstructionFacts[]): readonly Line[] {
  if (facts.length === 0) return [['Files', 'none']];
  return facts.map(({ file, bytes, used }) => {
    const held = bytes === null ? 'not read: see the findings' : pluralize(bytes, 'byte');
    return ['File', `${file}: ${held}${used ? '' : ', not used, for there is an AGENTS.md'}`];
  });
}
