import { askProgram } from '../programs/ask-program.ts';
import { findProgram, searchPath } from '../programs/on-path.ts';
import type { Line, Probe } from './probe.ts';

export interface ToolFacts {
  readonly name: string;
  /** Null where it is not on the path. */
  readonly file: string | null;
  /** Null where it did not say. */
  readonly version: string | null;
}

/** Programs that the client works with, and the words that make each say its version. */
const TOOLS = [
  ['git', ['--version']],
  ['rg', ['--no-config', '--version']],
] as const;

/** @param repository whether the project is one, so that git is missed where it is absent. */
export async function toolsFacts(probe: Probe, repository: boolean): Promise<readonly ToolFacts[]> {
  const { environment, redaction, find } = probe;
  if (searchPath(environment).relative) {
    find({
      grade: 'security',
      what: 'PATH holds a relative directory, so that a project can put its own programs in the place of yours.',
      where: 'PATH',
      fix: 'Remove its empty entries, "." and every other one that does not begin at the root.',
    });
  }
  const facts: ToolFacts[] = [];
  for (const [name, args] of TOOLS) {
    const file = await findProgram(name, environment);
    const answer = file === null ? null : await askProgram(file, args, environment);
    const version = /\d+\.\d+[\w.-]*/.exec(answer?.output.slice(0, 200) ?? '')?.[0] ?? null;
    if (file === null && name === 'git' && repository) {
      find({
        what: 'The project is a repository, and git is not found.',
        where: 'PATH',
        fix: 'Install git, or add its directory to PATH.',
      });
    }
    if (answer !== null && answer.code !== 0) {
      find({
        what: redaction.format`${name} does not run.`,
        where: redaction.format`${file ?? ''}`,
        fix: 'Install it again.',
      });
    }
    facts.push({ name, file, version });
  }
  return facts;
}

export function toolsLines(facts: readonly ToolFacts[]): readonly Line[] {
  return facts.map(({ name, file, version }) => [
    name,
    file === null ? 'not found' : `${version ?? 'does not say its version'}, ${file}`,
  ]);
}
