import { join } from 'node:path';
import { listDirectory } from '../files/listing.ts';
import { readAgentFile } from '../instructions/agent-file.ts';
import { reportFaults, reportUnread } from './faults.ts';
import { readOwnText } from './instructions.ts';
import type { Line, Probe } from './probe.ts';
import type { OwnDirectory } from './project.ts';

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
