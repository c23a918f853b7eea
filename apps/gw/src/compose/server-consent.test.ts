import { expect, it } from 'vitest';
import { sessionApprovals } from '../permissions/approvals.ts';
import { projectServerConsent } from './server-consent.ts';

const SERVER = { name: 'files', command: 'mcp-files', args: ['--root', '.'], env: { TOKEN: 'a' }, trusted: false };

function world(answer: string | null) {
  const approvals = sessionApprovals();
  const asked: string[] = [];
  const entries: unknown[] = [];
  const consentWith = (canAsk: boolean) =>
    projectServerConsent({
      approvals,
      record: { append: async (entry) => void entries.push(entry) },
      ask: canAsk
        ? async ({ question }) => {
            asked.push(question);
            return answer;
          }
        : null,
    });
  return { asked, entries, approvals, consent: consentWith(true), headless: consentWith(false) };
}

it.each([
  ['Start it in this session', true],
  ['Always start it in this project', true],
  ['yes', true],
  ['Always', true],
  ['Do not start it', false],
  ['yes, but first tell me what it is', false],
  [null, false],
])('the answer %j: %s', async (answer, approved) => {
  const { consent, asked, entries } = world(answer);
  expect(await consent(SERVER)).toBe(approved);
  expect(asked).toEqual([expect.stringContaining('the MCP server files: mcp-files --root .')]);
  expect(entries).toMatchObject([{ kind: 'human-decision', decision: approved ? 'allow' : 'deny' }]);
});

it('an approval counts for exactly this configuration, and keeps no value of a variable', async () => {
  const { consent, asked, headless, approvals } = world('always');
  await consent(SERVER);
  expect(await consent(SERVER)).toBe(true);
  expect(await headless(SERVER)).toBe(true);
  expect(asked).toHaveLength(1);
  for (const other of [{ args: [] }, { command: 'other' }, { env: { TOKEN: 'b' } }, { cwd: '/' }])
    expect(await headless({ ...SERVER, ...other })).toBe(false);
  expect([...(await approvals.known())].join()).not.toContain('TOKEN');
});

it('where nobody can be asked, it does not start', async () => {
  const { headless, entries } = world('yes');
  expect([await headless(SERVER), entries]).toEqual([false, []]);
});
