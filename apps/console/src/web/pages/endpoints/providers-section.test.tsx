import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { useList } from '../../api/list.ts';
import type { Provider } from '../../api/objects.ts';
import { changes, given, listed, refused } from '../../testing/api.ts';
import { provider } from '../../testing/catalog.ts';
import { fill, show } from '../../testing/show.tsx';
import { cellsOf } from '../../testing/table.ts';
import { ProvidersSection } from './providers-section.tsx';

function Providers() {
  return <ProvidersSection providers={useList<Provider>('/api/providers', 'providers', {}, 'providers')} />;
}

beforeEach(() => {
  given('GET /api/providers', listed('providers', [provider('lab', { apiKeyEnv: 'LAB_KEY', apiKeyHeader: 'x-key' })]));
  given('GET /api/providers/health', { health: [] });
});

const dialogOf = async (name: string) => within(await screen.findByRole('dialog', { name }));
type Dialog = Awaited<ReturnType<typeof dialogOf>>;
const field = (dialog: Dialog, name: string) => dialog.getByRole<HTMLInputElement>('textbox', { name });
const cells = () => cellsOf('Providers').map((row) => row.slice(0, 4));

async function declaring() {
  const { user } = show(<Providers />, '#endpoints?open=provider');
  return { user, dialog: await dialogOf('Declare a provider') };
}
async function editing(but: Partial<Provider> = {}) {
  given('GET /api/providers', listed('providers', [provider('lab', but)]));
  const { user } = show(<Providers />);
  await user.click(await screen.findByRole('button', { name: 'Edit provider Lab' }));
  return { user, dialog: await dialogOf('Edit provider Lab') };
}

describe('the providers', () => {
  it('show the name of their key’s variable, never a key, and mark addresses in the clear', async () => {
    given(
      'GET /api/providers',
      listed('providers', [
        provider('lab', { apiKeyEnv: 'LAB_KEY', apiKeyHeader: 'x-key' }),
        provider('own', { baseUrl: 'http://10.0.0.7:8000', clearTextAcknowledged: true }),
        provider('pub', { apiKeyEnv: 'PUB_KEY' }),
      ]),
    );
    show(<Providers />);
    await screen.findByRole('table', { name: 'Providers' });
    expect(cells().map((row) => row.slice(0, 3))).toEqual([
      ['Lablab', 'https://engine.example', 'LAB_KEY in x-keyNo gateway has reported this variable yet.'],
      ['Ownown', 'http://10.0.0.7:8000clear text', 'none'],
      ['Pubpub', 'https://engine.example', 'PUB_KEY in authorizationNo gateway has reported this variable yet.'],
    ]);
  });

  it('show what each answered last, and what failed in the last hour', async () => {
    const last = { at: '2026-01-31T08:00:00.000Z', provider: 'lab', status: 200, fault: null };
    given('GET /api/providers/health', {
      health: [
        {
          provider: 'lab',
          last,
          lastFailure: { ...last, status: null, fault: 'connection refused\u202e' },
          callsLastHour: 1234,
          failedLastHour: 12,
        },
      ],
    });
    show(<Providers />);
    await screen.findByRole('table');
    await waitFor(() =>
      expect(cells()[0]?.[3]).toBe(
        '20031 Jan 2026, 08:00:0012 of 1,234 failed in the last hour; the last failure: connection refused\\u202e',
      ),
    );
  });

  it('are shown without it where that cannot be read, which is said', async () => {
    given('GET /api/providers/health', refused(500, 'The console failed to answer.'));
    show(<Providers />);
    await screen.findByRole('table');
    expect(cells()[0]?.[3]).toBe('–');
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The console failed to answer. Not read: the last answers and the keys of the providers.',
    );
  });
});

describe('a new provider', () => {
  it('gets its slug from its name, and none of what was left empty', async () => {
    given('POST /api/providers', {});
    const { user, dialog } = await declaring();
    await fill(user, field(dialog, 'Name'), 'Engine Nº 1');
    await fill(user, field(dialog, 'Base URL'), 'https://engine.example');
    await fill(user, field(dialog, 'Key variable'), '  ');
    await user.click(dialog.getByRole('button', { name: 'Declare' }));
    expect(await screen.findByText('Provider Engine Nº 1 declared.')).toBeDefined();
    expect(changes()).toEqual([
      [
        'POST /api/providers',
        {
          name: 'Engine Nº 1',
          slug: 'engine-no-1',
          baseUrl: 'https://engine.example',
          apiKeyEnv: null,
          apiKeyHeader: null,
          clearTextAcknowledged: false,
        },
      ],
    ]);
  });

  it('in the clear asks for an acknowledgement, which an encrypted address takes back', async () => {
    given('POST /api/providers', {});
    const { user, dialog } = await declaring();
    await fill(user, field(dialog, 'Name'), 'Own');
    await fill(user, field(dialog, 'Base URL'), 'HTTP://10.0.0.7:8000');
    await user.click(dialog.getByRole('checkbox', { name: /travels in clear text/ }));
    await fill(user, field(dialog, 'Base URL'), 'https://10.0.0.7:8000');
    expect(dialog.queryByRole('checkbox')).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Declare' }));
    await screen.findByText('Provider Own declared.');
    expect(changes()[0]?.[1]).toMatchObject({ baseUrl: 'https://10.0.0.7:8000', clearTextAcknowledged: false });
  });

  it('in the clear that was not acknowledged is refused at its address', async () => {
    const said = 'is an http:// address: acknowledge that traffic to it travels in the clear (clearTextAcknowledged)';
    given('POST /api/providers', refused(400, `baseUrl ${said}`, { fields: { baseUrl: said } }));
    const { user, dialog } = await declaring();
    await fill(user, field(dialog, 'Name'), 'Own');
    await fill(user, field(dialog, 'Base URL'), 'http://10.0.0.7:8000');
    await user.keyboard('{Enter}');
    expect(await dialog.findByText(said)).toBeDefined();
    expect(changes()[0]?.[1]).toMatchObject({ clearTextAcknowledged: false });
  });

  it.each([
    ['https://engine.example/v1', true],
    ['https://engine.example/openai/v2/ ', true],
    ['https://engine.example/v1/extra', false],
    ['https://engine.example', false],
  ])('warns where the version would be in the address twice: %s', async (address, isWarned) => {
    const { user, dialog } = await declaring();
    await fill(user, field(dialog, 'Base URL'), address);
    expect(dialog.queryByText('The address may have the version twice') !== null).toBe(isWarned);
  });
});

describe('a provider that is edited', () => {
  it('keeps its slug when it is renamed, and sends the name alone', async () => {
    given('PATCH /api/providers/id-of-lab', {});
    const { user, dialog } = await editing();
    await fill(user, field(dialog, 'Name'), 'Laboratory');
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Provider Laboratory saved. It takes effect with the next call.')).toBeDefined();
    expect(changes()).toEqual([['PATCH /api/providers/id-of-lab', { name: 'Laboratory' }]]);
  });

  it('takes the acknowledgement back with the change to an encrypted address', async () => {
    given('PATCH /api/providers/id-of-lab', {});
    const { user, dialog } = await editing({ baseUrl: 'http://10.0.0.7', clearTextAcknowledged: true });
    expect(dialog.getByRole<HTMLInputElement>('checkbox').checked).toBe(true);
    await fill(user, field(dialog, 'Base URL'), 'https://10.0.0.7');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await screen.findByText(/^Provider Lab saved\./);
    expect(changes()[0]?.[1]).toEqual({ baseUrl: 'https://10.0.0.7', clearTextAcknowledged: false });
  });

  it('loses its key’s variable where that is emptied', async () => {
    given('PATCH /api/providers/id-of-lab', {});
    const { user, dialog } = await editing({ apiKeyEnv: 'LAB_KEY', apiKeyHeader: 'x-key' });
    await user.clear(field(dialog, 'Key variable'));
    await user.clear(field(dialog, 'Key header'));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await screen.findByText(/^Provider Lab saved\./);
    expect(changes()[0]?.[1]).toEqual({ apiKeyEnv: null, apiKeyHeader: null });
  });

  it('is left by Escape with nothing sent; typed text is not lost by a click beside it', async () => {
    const { user, dialog } = await editing();
    await fill(user, field(dialog, 'Name'), 'Laboratory');
    await user.click(document.querySelector('.mantine-Modal-inner') ?? document.body);
    expect(field(dialog, 'Name').value).toBe('Laboratory');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(changes()).toEqual([]);
  });
});
