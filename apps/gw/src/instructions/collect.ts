import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { listDirectory } from '../files/listing.ts';
import { type Project, staysWithin } from '../files/project.ts';
import { readText } from '../files/reading.ts';

/** A text for the model, and its source. */
export interface Instruction {
  readonly source: string;
  readonly text: string;
}
export interface Instructions {
  readonly found: readonly Instruction[];
  /** What was left out, for the person. */
  readonly notices: readonly string[];
}

const MOST_RULES = 500;
const DEEPEST = 8;

/** AGENTS.md (else CLAUDE.md) of the project, its rules, and those of home. Links that leave the project are not followed. */
export async function collectInstructions(project: Project, home: string | null): Promise<Instructions> {
  const notices: string[] = [];
  const found: Instruction[] = [];
  if (project.foreign) notices.push(`${project.directory} belongs to somebody else: its instructions were not read.`);
  else {
    const agents = await readOwn(project.directory, 'AGENTS.md', notices);
    const main = agents ?? (await readOwn(project.directory, 'CLAUDE.md', notices));
    if (main !== null) found.push(main);
    found.push(...(await rulesIn(project.directory, project.directory, notices)));
  }
  if (home !== null && home !== project.directory) found.push(...(await rulesIn(home, null, notices)));
  return { found, notices };
}

/** AGENTS.md (else CLAUDE.md) of the folders between the project's root and a file of it, the outermost first. */
export async function instructionsAbove(project: Project, file: string): Promise<readonly Instruction[]> {
  const way = relative(project.directory, dirname(file));
  if (project.foreign || way === '' || way.startsWith('..') || isAbsolute(way)) return [];
  const found: Instruction[] = [];
  let folder = project.directory;
  for (const name of way.split(sep)) {
    folder = join(folder, name);
    for (const candidate of ['AGENTS.md', 'CLAUDE.md']) {
      const instruction = await readInstruction(join(folder, candidate), project.directory, []);
      if (instruction === null) continue;
      found.push({ ...instruction, source: relative(project.directory, instruction.source) });
      break;
    }
  }
  return found;
}

async function rulesIn(base: string, within: string | null, notices: string[]): Promise<readonly Instruction[]> {
  const paths = await markdownBelow(join(base, '.gateway', 'rules'), 1);
  if (paths.length > MOST_RULES)
    notices.push(`Only ${MOST_RULES} of the ${paths.length} rules in ${base}/.gateway/rules were read.`);
  const rules: Instruction[] = [];
  for (const path of paths.slice(0, MOST_RULES)) {
    const rule = await readInstruction(path, within, notices);
    if (rule !== null) rules.push(rule);
  }
  return rules;
}

async function markdownBelow(folder: string, depth: number): Promise<readonly string[]> {
  const listing = await listDirectory(folder);
  if (listing.state !== 'read') return [];
  const paths: string[] = [];
  for (const { name, kind, nameable } of listing.entries) {
    if (!nameable) continue;
    const path = join(folder, name);
    if (kind === 'directory') {
      if (depth < DEEPEST) paths.push(...(await markdownBelow(path, depth + 1)));
    } else if (name.endsWith('.md')) paths.push(path);
  }
  return paths;
}

async function readOwn(base: string, name: string, notices: string[]): Promise<Instruction | null> {
  return readInstruction(join(base, name), base, notices);
}

async function readInstruction(path: string, within: string | null, notices: string[]): Promise<Instruction | null> {
  if (within !== null && !(await staysWithin(within, path))) {
    notices.push(`${path} is a link that points out of the project: it was not read.`);
    return null;
  }
  const reading = await readText(path);
  if (reading.state === 'read') return { source: path, text: reading.text.trim() };
  if (reading.state !== 'absent') notices.push(`${path} was not read: ${reading.state}.`);
  return null;
}
