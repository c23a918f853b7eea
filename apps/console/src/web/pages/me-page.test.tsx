import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { given, listed, reads } from '../testing/api.ts';
import { USER_ROLE } from '../testing/objects.ts';
import { show } from '../testing/show.tsx';
import { MePage } from './me-page.tsx';

const me = (but: object = {}) => ({
  subject: 'ada',
  roles: [USER_ROLE],
  permissions: ['inference:appeler'],
  endpoints: [{ name: 'chat', address: 'https://gateway.example/chat/v1' }],
  usage: { calls: 3, inputTokens: 560, outputTokens: 40 },
  plan: null,
  contact: null,
  ...but,
});

describe('the own page', () => {
  it('shows what the person may call, and leads to the pages that the roles open', async () => {
    given('GET /api/me', me({ roles: [USER_ROLE, { role: 'auditeur', project: null }] }));
    given('GET /api/session', { subject: 'ada', roles: [USER_ROLE], gatewayUrl: null });
    given('GET /api/me/keys', listed('keys', []));
    show(<MePage />);
    expect(await screen.findByText('https://gateway.example/chat/v1')).toBeDefined();
    expect(screen.getByText('560')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Audit' }).getAttribute('href')).toBe('/audit');
    expect(screen.queryByRole('link', { name: 'Administration' })).toBeNull();
  });

  it('says without a role what to ask for, and at which address', async () => {
    given('GET /api/me', me({ roles: [], permissions: [], endpoints: [], usage: null, contact: 'help@example.org' }));
    given('GET /api/me/keys', listed('keys', []));
    show(<MePage />);
    const alert = await screen.findByRole('alert', { name: 'You have no role yet: every call is refused' });
    expect(alert.textContent).toContain('Ask help@example.org for the role User, and give this name:ada');
    expect(screen.queryByText('My endpoints')).toBeNull();
  });

  it('of the shared pair is a pointer to the accounts', async () => {
    given('GET /api/me', me({ subject: null, roles: [] }));
    show(<MePage />);
    expect((await screen.findByRole('link', { name: 'Users' })).getAttribute('href')).toBe('/#users');
    await waitFor(() => expect(reads('/api/me/keys')).toEqual([]));
  });
});
