import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { given, listed, refused } from './testing/api.ts';

// The surface is the address at which the page is opened, so the page is loaded again for it.
vi.resetModules();
history.replaceState(null, '', '/audit');
const { show } = await import('./testing/show.tsx');
const { App } = await import('./app.tsx');

beforeEach(() => {
  const roles = [{ role: 'auditeur', project: null }];
  given('GET /api/session', { subject: 'ada', roles, gatewayUrl: null });
  given('GET /api/audit/decisions', listed('decisions', []));
});

const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);

describe('the console of auditors', () => {
  it('has their tabs, and no overview', async () => {
    const { user } = show(<App />, '#overview');
    await waitFor(() => expect(document.title).toBe('Audit · Gateway console'));
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Audit', 'Policy']);
    expect(screen.queryByRole('link', { name: 'Gateway console' })).toBeNull();
    await user.keyboard('?');
    const list = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(within(list).queryByText('Go to Overview')).toBeNull();
  });

  it('has the parts of the log that an auditor reads, and no command to change anything', async () => {
    const { user } = show(<App />, '#audit/agent-sessions');
    await waitFor(() => expect(screen.getAllByRole('radio')).toHaveLength(5));
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Decisions' }).checked).toBe(true);
    await user.keyboard('{Control>}k{/Control}');
    await screen.findByRole('combobox', { name: 'Page, action or name' });
    expect(options()).toEqual([
      'AuditPage',
      'PolicyPage',
      'DecisionsAudit',
      'Who changed whatAudit',
      'Agent actsAudit',
      'Secrets foundAudit',
      'Verify the logAudit',
      'Export the decisions as CSVAudit',
      'RefreshConsole',
      'Switch to the dark coloursConsole',
      'Keyboard shortcutsConsole',
      'Sign outConsole',
    ]);
  });

  it('says so where the role was taken away meanwhile', async () => {
    given('GET /api/audit/decisions', refused(403, 'You do not have the permission journal:lire.'));
    show(<App />, '#audit');
    expect(await screen.findByText('No role of yours reads this')).toBeDefined();
    expect(screen.getByText('You do not have the permission “Read the logs”.')).toBeDefined();
  });
});
