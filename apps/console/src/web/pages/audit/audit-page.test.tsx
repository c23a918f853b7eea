import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { changes, given, listed, reads, refused } from '../../testing/api.ts';
import { decision } from '../../testing/entries.ts';
import { fill, show } from '../../testing/show.tsx';
import { cellsOf } from '../../testing/table.ts';
import { AuditorsAuditPage, AuditPage } from './audit-page.tsx';

const action = (but: object = {}) => ({
  sequence: 3,
  id: 'a3',
  at: '2026-01-31T08:00:00.000Z',
  component: 'console',
  author: 'grace',
  action: 'provider.change',
  target: 'provider:lab',
  oldValue: { name: 'Lab' },
  newValue: { name: 'Laboratory' },
  previous: '00',
  digest: '11',
  ...but,
});
const revocation = (but: object = {}) => ({
  id: 'r1',
  subject: 'ada',
  reason: 'left',
  author: 'grace',
  revokedAt: '2026-01-31T08:00:00.000Z',
  liftedAt: null,
  ...but,
});

beforeEach(() => {
  given('GET /api/audit/decisions', listed('decisions', [decision()]));
  given('GET /api/administration-actions', listed('administrationActions', [action()]));
  given('GET /api/subject-revocations', listed('subjectRevocations', [revocation()]));
});
const parts = () => screen.getAllByRole('radio').map((part) => (part as HTMLInputElement).value);

describe('the audit', () => {
  it('begins with the decisions, and has every part for administrators', async () => {
    show(<AuditPage />, '#audit');
    expect(await screen.findByRole('table', { name: 'Decisions' })).toBeDefined();
    expect(parts()).toEqual([
      'decisions',
      'administration',
      'agent-acts',
      'agent-sessions',
      'agent-commands',
      'detections',
      'revoked-subjects',
      'verification',
    ]);
  });

  it('has for auditors only what they may read', async () => {
    show(<AuditorsAuditPage />, '#audit/revoked-subjects');
    expect(await screen.findByRole('table', { name: 'Decisions' })).toBeDefined();
    expect(parts()).toEqual(['decisions', 'administration', 'agent-acts', 'detections', 'verification']);
  });

  it('opens the part that the address names, and another one without its filters', async () => {
    const { user } = show(<AuditPage />, '#audit/administration?author=grace&page=2&at=x');
    await screen.findByRole('table', { name: 'Administration actions' });
    await user.click(screen.getByRole('radio', { name: 'Decisions' }));
    expect(await screen.findByRole('table', { name: 'Decisions' })).toBeDefined();
    expect([location.hash, reads('/api/audit/decisions')]).toEqual(['#audit/decisions', [{ limit: '50' }]]);
  });
});

describe('the administration actions', () => {
  it('lead to all of one author or of one target', async () => {
    show(<AuditPage />, '#audit/administration');
    await screen.findByRole('table');
    expect(screen.getByRole('link', { name: 'grace (console)' }).getAttribute('href')).toBe(
      '#audit/administration?author=grace',
    );
    expect(screen.getByRole('link', { name: 'provider:lab' }).getAttribute('href')).toBe(
      '#audit/administration?target=provider%3Alab',
    );
  });

  it('show old and new value as they were', async () => {
    const { user } = show(<AuditPage />, '#audit/administration');
    await user.click(await screen.findByRole('button', { name: 'Details: Action 3' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Action 3' }));
    expect(dialog.getByText(/"name": "Lab"/)).toBeDefined();
    expect(dialog.getByText(/"name": "Laboratory"/)).toBeDefined();
  });

  it('are searched by a part of author, action and target', async () => {
    show(<AuditPage />, '#audit/administration?author=gr&action=provider&target=lab');
    await screen.findByRole('table');
    expect(reads('/api/administration-actions')).toEqual([
      { limit: '50', authorPart: 'gr', actionPart: 'provider', targetPart: 'lab' },
    ]);
  });
});

describe('the revoked subjects', () => {
  const opened = async () => {
    const { user } = show(<AuditPage />, '#audit/revoked-subjects');
    await screen.findByRole('table', { name: 'Revoked subjects' });
    return user;
  };

  it('can be admitted again as long as they are revoked', async () => {
    given(
      'GET /api/subject-revocations',
      listed('subjectRevocations', [
        revocation(),
        revocation({ id: 'r2', subject: 'bob', liftedAt: '2026-02-01T08:00:00.000Z' }),
      ]),
    );
    await opened();
    const states = cellsOf('Revoked subjects').map((cells) => cells.slice(-2));
    expect(states).toEqual([
      ['revoked', 'Lift'],
      ['lifted', ''],
    ]);
  });

  it('are lifted with a reason, and say what still refuses them', async () => {
    given('POST /api/subject-revocations/r1/lift', {});
    const user = await opened();
    await user.click(screen.getByRole('button', { name: 'Lift: Lift the revocation of ada' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Lift the revocation of ada' }));
    expect(dialog.getByText(/a missing role or plan still refuses/i)).toBeDefined();
    await fill(user, dialog.getByRole('textbox', { name: 'Reason, kept in the log' }), 'back');
    await user.keyboard('{Enter}');
    expect(await screen.findByText('The revocation of ada is lifted.')).toBeDefined();
    expect(changes()).toEqual([['POST /api/subject-revocations/r1/lift', { reason: 'back' }]]);
  });

  it('that a colleague lifted meanwhile are 404 in the dialog, and the list is read again', async () => {
    given('POST /api/subject-revocations/r1/lift', refused(404, 'There is no such subject revocation.'));
    const user = await opened();
    const before = reads('/api/subject-revocations').length;
    await user.click(screen.getByRole('button', { name: 'Lift: Lift the revocation of ada' }));
    const dialog = within(await screen.findByRole('dialog'));
    await fill(user, dialog.getByRole('textbox', { name: 'Reason, kept in the log' }), 'back');
    await user.keyboard('{Enter}');
    expect((await dialog.findByRole('alert')).textContent).toBe('There is no such subject revocation.');
    await waitFor(() => expect(reads('/api/subject-revocations').length).toBeGreaterThan(before));
  });

  it('are revoked by name; one that nobody knows is asked about first', async () => {
    given('GET /api/subjects', listed('subjects', []));
    given('POST /api/subject-revocations', { id: 'r9' });
    const user = await opened();
    await user.click(screen.getByRole('button', { name: 'Revoke a subject' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke a subject' }));
    await fill(user, dialog.getByRole('textbox', { name: 'Subject' }), 'adda');
    await fill(user, dialog.getByRole('textbox', { name: 'Reason, kept in the log' }), 'left');
    expect(await dialog.findByText('Nobody is known as “adda”')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect([await dialog.findByText('Check the name, or confirm that you mean it.'), changes()].at(-1)).toEqual([]);
    await user.click(dialog.getByRole('checkbox', { name: /^Revoke it anyway/ }));
    await user.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText('adda would be refused; this name is unknown until now.')).toBeDefined();
    expect(changes()).toEqual([['POST /api/subject-revocations', { subject: 'adda', reason: 'left' }]]);
  });
});
