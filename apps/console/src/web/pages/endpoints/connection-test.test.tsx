import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ProviderTest } from '../../api/objects.ts';
import { changes, given, held, reads, refused } from '../../testing/api.ts';
import { provider } from '../../testing/catalog.ts';
import { show } from '../../testing/show.tsx';
import { TestConnection } from './connection-test.tsx';

const TEST = '/api/provider-tests/t1';
const answer = (but: Partial<ProviderTest> = {}) => ({
  id: 't1',
  requestedAt: new Date().toISOString(),
  finishedAt: new Date().toISOString(),
  status: 200,
  fault: null,
  models: null,
  ...but,
});

async function tested() {
  given('POST /api/providers/id-of-lab/test', answer({ finishedAt: null }));
  const { user } = show(<TestConnection provider={provider('lab')} />);
  await user.click(screen.getByRole('button', { name: 'Test connection to Lab' }));
  return { user, dialog: within(await screen.findByRole('dialog', { name: 'Connection to Lab' })) };
}

describe('the test of a connection', () => {
  it.each<[string, Partial<ProviderTest>, string]>([
    [
      'The engine answers',
      { models: ['small', 'large\u202e'] },
      '200Models that it serves, by the slug to declare:smalllarge\\u202e',
    ],
    ['The engine answers', { models: [] }, '200It named no models: not every engine answers at /v1/models.'],
    ['The engine refuses the key', { status: 401 }, '401'],
    ['The engine refuses the key', { status: 403, fault: 'quota' }, '403quota'],
    ['The engine answers with an error', { status: 503 }, '503'],
    ['The engine was not reached', { status: null, fault: 'connection refused' }, 'no answerconnection refused'],
  ])('says what was found: %s, %j', async (title, but, text) => {
    given(`GET ${TEST}`, answer(but));
    const { dialog } = await tested();
    const found = await dialog.findByRole('status', { name: title });
    expect(found.textContent).toBe(`${title}${text}`);
    expect(changes()).toEqual([['POST /api/providers/id-of-lab/test']]);
  });

  it('waits for a gateway, which alone has the key, and asks until it has answered', async () => {
    let asked = 0;
    given(`GET ${TEST}`, () => {
      asked += 1;
      return answer(asked < 2 ? { finishedAt: null, status: null } : {});
    });
    const { dialog } = await tested();
    expect(await dialog.findByText(/^A gateway tests the connection/)).toBeDefined();
    expect(await dialog.findByText('The engine answers')).toBeDefined();
    expect(reads(TEST)).toHaveLength(2);
  });

  it('that no gateway took is given up after a minute, and says what to check', async () => {
    given(`GET ${TEST}`, answer({ finishedAt: null, requestedAt: new Date(Date.now() - 80_000).toISOString() }));
    const { dialog } = await tested();
    const alert = await dialog.findByRole('alert', { name: 'No gateway ran the test' });
    expect(alert.textContent).toContain('Check that a gateway of this version runs');
  });

  it('that may not be requested says why', async () => {
    given('POST /api/providers/id-of-lab/test', refused(404, 'There is no such provider.'));
    const { user } = show(<TestConnection provider={provider('lab')} />);
    await user.click(screen.getByRole('button', { name: 'Test connection to Lab' }));
    expect((await screen.findByRole('alert')).textContent).toBe('There is no such provider.');
    expect(reads(TEST)).toEqual([]);
  });

  it('is requested again each time it is opened, not while one is under way', async () => {
    given(`GET ${TEST}`, answer());
    const { user, dialog } = await tested();
    await dialog.findByText('The engine answers');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const letGo = held('POST /api/providers/id-of-lab/test', answer({ finishedAt: null }));
    await user.click(screen.getByRole('button', { name: 'Test connection to Lab' }));
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Test connection to Lab' }));
    letGo();
    await screen.findByText('The engine answers');
    expect(changes()).toHaveLength(2);
  });
});
