import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listDirectory } from '../files/listing.ts';
import { staysWithin } from '../files/project.ts';
import { readText } from '../files/reading.ts';
import { rightsOf } from '../files/replace.ts';
import { readAgentFile } from '../instructions/agent-file.ts';
import { pluralize } from '../process/pluralize.ts';
import { findSecrets, type Line, type Probe, reportFaults, reportUnread } from './probe.ts';
import type { OwnDirectory } from './project.ts';

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

export interface AgentFacts {
  readonly file: string;
  /** Null where the file is not sound. */
  readonly name: string | null;
  readonly model: string | null;
  /** An agent of the project has the same name, and is found first. */
  readonly hidden: boolean;
}

/**
 * The agents of the project, then of home.
 * @param models names and identifiers of the models there are, in lower case; null where they are not known.
 */
export async function agentsFacts(
  probe: Probe,
  directories: readonly OwnDirectory[],
  models: ReadonlySet<string> | null,
): Promise<readonly AgentFacts[]> {
  const { redaction, find } = probe;
  const facts: AgentFacts[] = [];
  const taken = new Map<string, OwnDirectory>();
  for (const own of directories) {
    for (const file of await agentFiles(probe, own)) {
      const text = await readOwnText(probe, own, file);
      if (text === null) {
        facts.push({ file, name: null, model: null, hidden: false });
        continue;
      }
      const { name, model, faults } = readAgentFile(text);
      reportFaults(probe, file, faults);
      const where = redaction.format`${file}`;
      if (name !== null && taken.get(name) === own) {
        find({
          what: 'Two agents of one directory have the same name.',
          where,
          fix: 'Give one of them another name.',
        });
      }
      if (model !== null && models !== null && !models.has(model.toLowerCase())) {
        const what = `The agent asks for the model ${redaction.name(model)}, which no configuration has.`;
        find({ what, where, fix: 'Name a model of the configuration, or leave the member out.' });
      }
      const hidden = name !== null && taken.has(name) && taken.get(name) !== own;
      if (name !== null && !taken.has(name)) taken.set(name, own);
      const shown = (word: string | null): string | null => (word === null ? null : redaction.name(word));
      facts.push({ file, name: shown(name), model: shown(model), hidden });
    }
  }
  return facts;
}

async function agentFiles(probe: Probe, own: OwnDirectory): Promise<readonly string[]> {
  const directory = join(own.path, 'agents');
  const listing = await listDirectory(directory);
  if (listing.state === 'read') {
    const texts = listing.entries.filter(
      ({ name, kind, nameable }) => name.endsWith('.md') && nameable && kind !== 'directory',
    );
    return texts.map(({ name }) => join(directory, name));
  }
  if (listing.state !== 'absent') reportUnread(probe, 'The agents', directory, listing.state);
  return [];
}

export function agentsLines(facts: readonly AgentFacts[]): readonly Line[] {
  if (facts.length === 0) return [['Agents', 'none']];
  return facts.map(({ file, name, model, hidden }) => {
    const by = name === null ? ': not valid: see the findings' : model === null ? '' : `, model ${model}`;
    return [name ?? 'without name', `${file}${by}${hidden ? ', hidden by one of the project' : ''}`];
  });
}
