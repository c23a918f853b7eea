import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { changes, given, held, listed, reads, refused } from '../../testing/api.ts';
import { act, command, detection, session } from '../../testing/entries.ts';
import { fill, show } from '../../testing/show.tsx';
import { cellsOf } from '../../testing/table.ts';
import { Acts, Commands, Sessions } from './audit-page.tsx';
import { Detections } from './decisions.tsx';

const rows = () => cellsOf(screen.getByRole('table').getAttribute('aria-label') ?? '');

describe('the acts of agents', () => {
  const PATH = '/api/audit/agent-acts';
  it('show tool, target and outcome; hidden characters of a target are visible', async () => {
    given(
      `GET ${PATH}`,
      listed('agentActs', [act({ outcome: 'refused', target: { kind: 'command', value: 'rm\u202e -rf' } })]),
    );
    show(<Acts />);
    await screen.findByRole('table', { name: 'Agent acts' });
    const [cells] = rows();
    expect(cells?.slice(1, 3)).toEqual(['ada', 'read_file']);
    expect(cells?.[3]).not.toContain('\u202e');
    expect(cells?.slice(4)).toEqual(['policy', 'refused', 'Details']);
  });
  it('are found by session and tool exactly, and by a part of a subject', async () => {
    given(`GET ${PATH}`, listed('agentActs', [act()]));
    const { user } = show(<Acts />, '#audit/agent-acts?subject=a&session=session-1');
    await screen.findByRole('table');
    await fill(user, screen.getByRole('textbox', { name: 'Tool' }), 'read_file');
    await waitFor(() =>
      expect(reads(PATH).at(-1)).toEqual({ limit: '50', subjectPart: 'a', session: 'session-1', tool: 'read_file' }),
    );
  });
  it('are none until a workstation reports', async () => {
    given(`GET ${PATH}`, listed('agentActs', []));
    show(<Acts />);
    expect(await screen.findByText('Workstations report the acts of their agents in batches.')).toBeDefined();
  });
});

describe('the commands of agents', () => {
  const PATH = '/api/agent-execution';
  it.each([
    ['running', { endedAt: null, code: null, durationMs: null }, '–'],
    ['succeeded', {}, '1,200 ms'],
    ['exit 3', { code: 3, durationMs: 12_000 }, '12.0 s'],
    ['SIGKILL', { code: null, signal: 'SIGKILL' }, '1,200 ms'],
    ['failed', { code: null, fault: 'no such interpreter' }, '1,200 ms'],
    ['failed', { code: null, signal: null }, '1,200 ms'],
    ['session-revoked', { cause: 'session-revoked', code: null, signal: 'SIGKILL' }, '1,200 ms'],
  ] as const)('end as %s: %j', async (end, but, took) => {
    given(`GET ${PATH}`, listed('commands', [command(but)]));
    show(<Commands />);
    await screen.findByRole('table', { name: 'Agent commands' });
    expect(rows()[0]?.slice(1, 6)).toEqual(['ada', 'session-1', 'bash', end, took]);
  });
  it('are found by a part of subject and session, and one by its id', async () => {
    given(`GET ${PATH}`, listed('commands', [command()]));
    show(<Commands />, `#audit/agent-commands?session=s&id=${command().id}`);
    await screen.findByRole('table');
    expect(reads(PATH)).toEqual([{ limit: '50', sessionPart: 's', id: command().id }]);
  });
});

describe('secrets that were found', () => {
  const PATH = '/api/audit/detections';
  it('show kind, place and response, and never a value', async () => {
    given(`GET ${PATH}`, listed('detections', [detection(), detection({ id: 'b', subject: null, pointer: null })]));
    show(<Detections />);
    await screen.findByRole('table', { name: 'Secrets found' });
    expect(rows().map((cells) => cells.slice(1, 6))).toEqual([
      ['ada', 'endpoint:chat', 'github-token', 'request/messages/0/content', 'mask'],
      ['–', 'endpoint:chat', 'github-token', 'request', 'mask'],
    ]);
  });
  it('are filtered by place, from a choice', async () => {
    given(`GET ${PATH}`, listed('detections', [detection()]));
    const { user } = show(<Detections />, '#audit/detections');
    await screen.findByRole('table');
    await user.click(screen.getByRole('combobox', { name: 'Place' }));
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
      'request',
      'answer',
      'output',
    ]);
    await user.click(screen.getByRole('option', { name: 'output' }));
    await waitFor(() => expect(reads(PATH).at(-1)).toEqual({ limit: '50', place: 'output' }));
    expect(location.hash).toBe('#audit/detections?place=output');
  });
});

describe('the sessions of agents', () => {
  const PATH = 'GET /api/agent-sessions';
  const opened = async (...listedSessions: readonly object[]) => {
    given(PATH, listed('agentSessions', listedSessions));
    const { user } = show(<Sessions />);
    await screen.findByRole('table', { name: 'Agent sessions' });
    return user;
  };

  it('can be revoked while they are in force', async () => {
    await opened(session('s-1'), session('s-2', { standing: 'revoked', subject: null, acts: 0 }));
    expect(rows()).toEqual([
      ['s-1', 'ada', '12', '31 Jan 2026, 08:00:00', 'in force', 'Revoke'],
      ['s-2', '–', '0', '31 Jan 2026, 08:00:00', 'revoked', ''],
    ]);
  });

  it('are revoked with a reason, under a name of any characters', async () => {
    const name = 'a/b ?é';
    given(`POST /api/audit/agent-sessions/${encodeURIComponent(name)}/revocation`, {});
    const user = await opened(session(name));
    await user.click(screen.getByRole('button', { name: `Revoke: Revoke session ${name}` }));
    const dialog = within(await screen.findByRole('dialog', { name: `Revoke session ${name}` }));
    await user.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect(changes()).toEqual([]);
    await fill(user, dialog.getByRole('textbox', { name: 'Reason, kept in the log' }), 'runs wild');
    given(PATH, listed('agentSessions', [session(name, { standing: 'revoked' })]));
    await user.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText(`Session ${name} revoked.`)).toBeDefined();
    await waitFor(() => expect(rows()[0]?.slice(4)).toEqual(['revoked', '']));
    expect(changes()).toEqual([
      [`POST /api/audit/agent-sessions/${encodeURIComponent(name)}/revocation`, { reason: 'runs wild' }],
    ]);
  });

  it('are revoked once, also where the answer is slow and Enter is pressed again', async () => {
    const letGo = held('POST /api/audit/agent-sessions/s-9/revocation', {});
    const user = await opened(session('s-1'));
    await user.click(screen.getByRole('button', { name: 'Revoke a session' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke a session' }));
    await fill(user, dialog.getByRole('textbox', { name: 'Session' }), 's-9');
    await fill(user, dialog.getByRole('textbox', { name: 'Reason, kept in the log' }), 'lost laptop');
    await user.keyboard('{Enter}{Enter}');
    letGo();
    expect(await screen.findByText('Session s-9 revoked.')).toBeDefined();
    expect(changes()).toHaveLength(1);
  });

  it('that were revoked meanwhile by a colleague say so in the dialog', async () => {
    given(
      'POST /api/audit/agent-sessions/s-1/revocation',
      refused(409, 'There is another revocation with this session.'),
    );
    const user = await opened(session('s-1'));
    await user.click(screen.getByRole('button', { name: 'Revoke: Revoke session s-1' }));
    const dialog = within(await screen.findByRole('dialog'));
    await fill(user, dialog.getByRole('textbox', { name: 'Reason, kept in the log' }), 'x');
    await user.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('There is another revocation with this session.');
  });
});
