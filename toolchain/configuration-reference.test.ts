import type { Variable } from '@gateway/configuration';
import { describe, expect, it } from 'vitest';
import { BUILD_VARIABLES, configurationReference } from './configuration-reference.ts';

const variable = (name: string, fallback: string | null = 'nothing'): Variable => ({
  name,
  form: `a text of ${name}`,
  fallback,
  effect: `Does ${name}.`,
});
const service = (
  title: string,
  both: readonly Variable[],
  hosted: readonly Variable[] = [],
  own: readonly Variable[] = [],
) => ({
  title,
  builds: { serverless: [...both, ...hosted], 'on-premise': [...both, ...own] },
});
/** The entry of a variable, up to the next heading. */
const entryOf = (page: string, name: string): string =>
  new RegExp(`### ${name}\\n[^]*?(?=\\n##|$)`).exec(page)?.[0].trim() ?? '';

describe('the reference of all variables', () => {
  it('has an entry for each, with its value, its default and its builds', () => {
    const page = configurationReference([
      service('The gateway', [variable('A')], [variable('B')], [variable('C', null)]),
    ]);
    expect(entryOf(page, 'A')).toBe(
      '### A\n\nDoes A.\n\n- Value: a text of A.\n- Absent: nothing.\n- Read in: both profiles.',
    );
    expect(entryOf(page, 'B')).toContain('- Read in: the hosted profile.');
    expect(entryOf(page, 'C')).toContain('- Absent: the service does not start.\n- Read in: the on-premise profile.');
  });

  it('has a section for each service, in order, and then what the build reads', () => {
    const page = configurationReference([
      service('The gateway', [variable('A')]),
      service('The console', [variable('A')]),
    ]);
    const headings = Array.from(page.matchAll(/^##? (.+)$/gm), ([, heading]) => heading);
    expect(headings).toEqual(['Configuration', 'The gateway', 'The console', 'Build']);
    expect(page.match(/^### A$/gm)).toHaveLength(2);
    for (const { name } of BUILD_VARIABLES) expect(entryOf(page, name)).toContain('- Read in: `npm run build`.');
  });

  it('has no entry twice within a service that both builds read', () => {
    expect(configurationReference([service('One', [variable('A'), variable('B')])]).match(/^### A$/gm)).toHaveLength(1);
  });
});
