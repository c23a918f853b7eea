import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { KeyVariableReport, ProviderTest } from '../../api/objects.ts';
import { changes, given, held, refused, unreachable } from '../../testing/api.ts';
import { fill, show } from '../../testing/show.tsx';
import { Connect } from './connect.tsx';

beforeEach(() => {
  given('POST /api/providers', { id: 'p1' });
  given('POST /api/models', { id: 'm1' });
  given('POST /api/endpoints', { id: 'e1' });
  given('POST /api/providers/p1/test', tested({ finishedAt: null }));
  given('POST /api/provider-tests', tested({ finishedAt: null }));
  given('GET /api/provider-tests/t1', tested());
});

const tested = (but: Partial<ProviderTest> = {}): ProviderTest => ({
  id: 't1',
  requestedAt: new Date().toISOString(),
  finishedAt: new Date().toISOString(),
  status: 200,
  fault: null,
  models: ['org/small', 'org/large'],
  ...but,
});

async function opened() {
  const { user } = show(<Connect />, '#endpoints?open=connect');
  const dialog = within(await screen.findByRole('dialog', { name: 'Connect an engine' }));
  const field = (name: string) => dialog.getByRole<HTMLInputElement>('textbox', { name });
  return { user, dialog, field };
}
type Opened = Awaited<ReturnType<typeof opened>>;
async function filled({ user, field }: Opened, but: Readonly<Record<string, string>> = {}) {
  const values = {
    'Name of the engine': 'Research cluster',
    'Base URL': ' https://engine.internal:8000 ',
    Model: 'org/small',
    Endpoint: 'chat',
    ...but,
  };
  for (const [name, text] of Object.entries(values)) await fill(user, field(name), text);
}
const connect = ({ user, dialog }: Opened) => user.click(dialog.getByRole('button', { name: 'Connect' }));
const sent = () => changes().map(([request]) => request);

describe('connecting an engine', () => {
  it('declares provider, model and endpoint in their order, without prices', async () => {
    const here = await opened();
    await filled(here, { 'Key variable': ' LAB_KEY ' });
    await connect(here);
    expect(await screen.findByText('/chat is ready to be called.')).toBeDefined();
    expect(changes()).toEqual([
      [
        'POST /api/providers',
        {
          name: 'Research cluster',
          slug: 'research-cluster',
          baseUrl: 'https://engine.internal:8000',
          apiKeyEnv: 'LAB_KEY',
          clearTextAcknowledged: false,
        },
      ],
      ['POST /api/models', { name: 'org/small', slug: 'org/small', provider: 'p1', inputPrice: 0, outputPrice: 0 }],
      ['POST /api/endpoints', { name: 'chat', model: 'm1' }],
      ['POST /api/providers/p1/test'],
    ]);
    await here.user.click(here.dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('fills in what a kind of engine usually needs', async () => {
    const here = await opened();
    await here.user.click(here.dialog.getByRole('combobox', { name: 'Kind of engine' }));
    await here.user.click(screen.getByRole('option', { name: 'Anthropic', hidden: true }));
    expect(here.field('Base URL').value).toBe('https://api.anthropic.com');
    expect(here.field('Key header').value).toBe('x-api-key');
    await fill(here.user, here.field('Model'), 'claude');
    await fill(here.user, here.field('Endpoint'), 'claude');
    await connect(here);
    await waitFor(() => expect(sent()).toHaveLength(4));
    expect(changes()[0]?.[1]).toEqual({
      name: 'Anthropic',
      slug: 'anthropic',
      baseUrl: 'https://api.anthropic.com',
      apiKeyEnv: 'ANTHROPIC_API_KEY',
      apiKeyHeader: 'x-api-key',
      clearTextAcknowledged: false,
    });
  });

  it('in the clear is not sent before it is acknowledged', async () => {
    const here = await opened();
    await filled(here, { 'Base URL': 'http://10.0.0.7' });
    await connect(here);
    expect(changes()).toEqual([]);
    await here.user.click(here.dialog.getByRole('checkbox'));
    await connect(here);
    await screen.findByText('/chat is ready to be called.');
    expect(changes()[0]?.[1]).toMatchObject({ clearTextAcknowledged: true, apiKeyEnv: null });
  });

  it('sends each step once, however often the button is pressed, and stays open meanwhile', async () => {
    const letGo = held('POST /api/providers', { id: 'p1' });
    const here = await opened();
    await filled(here);
    await connect(here);
    await connect(here);
    await here.user.keyboard('{Escape}');
    expect(screen.getByRole('dialog')).toBeDefined();
    letGo();
    await screen.findByText('/chat is ready to be called.');
    expect(sent().slice(0, 3)).toEqual(['POST /api/providers', 'POST /api/models', 'POST /api/endpoints']);
    expect(sent()).toHaveLength(4);
  });
});

describe('the engine of the form', () => {
  it('lists its models before anything is declared, and one of them is chosen', async () => {
    const here = await opened();
    await filled(here, { 'Base URL': 'http://10.0.0.7', Model: '', 'Key variable': 'LAB_KEY' });
    const list = () => here.user.click(here.dialog.getByRole('button', { name: 'List the models of the engine' }));
    await list();
    expect(here.dialog.getByText('Tick this box to continue.')).toBeDefined();
    await here.user.click(here.dialog.getByRole('checkbox'));
    await list();
    await here.user.click(await here.dialog.findByRole('combobox', { name: 'Model' }));
    await here.user.click(screen.getByRole('option', { name: 'org/large', hidden: true }));
    expect(changes()).toEqual([
      ['POST /api/provider-tests', { baseUrl: 'http://10.0.0.7', apiKeyEnv: 'LAB_KEY', clearTextAcknowledged: true }],
    ]);
    await connect(here);
    await screen.findByText('/chat is ready to be called.');
    expect(changes()[2]?.[1]).toMatchObject({ slug: 'org/large' });
  });

  it('that does not answer leaves the model to be typed, and is not called ready', async () => {
    given('GET /api/provider-tests/t1', tested({ status: null, fault: 'connection refused', models: [] }));
    const here = await opened();
    await filled(here);
    await here.user.click(here.dialog.getByRole('button', { name: 'List the models of the engine' }));
    await here.dialog.findByText('The engine was not reached');
    await connect(here);
    await here.dialog.findByText('/chat is declared.');
    expect(await here.dialog.findByText('connection refused')).toBeDefined();
    expect(here.dialog.queryByText(/ready to be called/)).toBeNull();
  });

  it('that lists other models gets a warning', async () => {
    given('GET /api/provider-tests/t1', tested({ models: ['other'] }));
    const here = await opened();
    await filled(here);
    await connect(here);
    expect(await here.dialog.findByText(/^It lists 1 models, and org\/small is not among them/)).toBeDefined();
  });

  it.each<[string, readonly Partial<KeyVariableReport>[], string]>([
    ['no gateway reported', [], 'No gateway has reported this variable yet.'],
    ['every gateway has', [{ present: ['LAB_KEY'] }], 'set'],
    [
      'one gateway lacks',
      [{ present: ['LAB_KEY'] }, { gateway: 'two:8080', absent: ['LAB_KEY'] }],
      'not setMissing in the environment of two:8080.',
    ],
    [
      'only an old report names',
      [{ isOld: true, absent: ['LAB_KEY'] }],
      'not setMissing in the environment of one:8080. Last report: 2 Jan 2026, 03:04:05 UTC.',
    ],
  ])('has a key variable that %s', async (_what, reports, text) => {
    const report = {
      gateway: 'one:8080',
      reportedAt: '2026-01-02T03:04:05.000Z',
      isOld: false,
      present: [],
      absent: [],
    };
    given('GET /api/providers/key-variables', { reports: reports.map((one) => ({ ...report, ...one })) });
    const here = await opened();
    await fill(here.user, here.field('Key variable'), 'LAB_KEY');
    const found = await here.dialog.findByTestId('key variable');
    expect(found.textContent).toBe(text);
  });
});

describe('a step that is refused', () => {
  it('marks the field under its name in this form: the slug is made of the name', async () => {
    given(
      'POST /api/providers',
      refused(409, 'There is another provider with this slug.', { fields: { slug: 'is taken already' } }),
    );
    const here = await opened();
    await filled(here);
    await connect(here);
    expect(await here.dialog.findByText('is taken already')).toBeDefined();
    expect(here.field('Name of the engine').getAttribute('aria-invalid')).toBe('true');
    expect(here.dialog.getByRole('alert').textContent).toBe('There is another provider with this slug.');
    expect(here.dialog.queryByText(/nothing is declared twice/)).toBeNull();
    expect(sent()).toEqual(['POST /api/providers']);
  });

  it('is corrected without declaring anything twice, and keeps what was typed', async () => {
    given('POST /api/models', refused(400, 'slug is too long', { fields: { slug: 'is too long' } }));
    const here = await opened();
    await filled(here);
    await connect(here);
    expect((await here.dialog.findByRole('alert')).textContent).toBe(
      'The provider is declared. One field needs correction.',
    );
    expect(here.field('Model').getAttribute('aria-invalid')).toBe('true');
    expect(here.dialog.getByText(/nothing is declared twice/)).toBeDefined();

    given('POST /api/models', { id: 'm1' });
    given(
      'POST /api/endpoints',
      refused(409, 'There is another endpoint with this name.', { fields: { name: 'is taken already' } }),
    );
    await fill(here.user, here.field('Model'), 'small');
    await connect(here);
    expect(await here.dialog.findByText('is taken already')).toBeDefined();
    expect(here.dialog.getByRole('alert').textContent).toBe(
      'Provider and model are declared. There is another endpoint with this name.',
    );
    expect(here.field('Endpoint').getAttribute('aria-invalid')).toBe('true');

    given('POST /api/endpoints', { id: 'e1' });
    await fill(here.user, here.field('Endpoint'), 'chat-2');
    await connect(here);
    expect(await screen.findByText('/chat-2 is ready to be called.')).toBeDefined();
    expect(sent()).toEqual([
      'POST /api/providers',
      'POST /api/models',
      'POST /api/models',
      'POST /api/endpoints',
      'POST /api/endpoints',
      'POST /api/providers/p1/test',
    ]);
  });

  it('because the console cannot be reached says so, and may be tried again', async () => {
    given('POST /api/providers', unreachable);
    const here = await opened();
    await filled(here);
    await connect(here);
    expect((await here.dialog.findByRole('alert')).textContent).toContain('The console cannot be reached.');
    given('POST /api/providers', { id: 'p1' });
    await connect(here);
    expect(await screen.findByText('/chat is ready to be called.')).toBeDefined();
  });

  it('begins from the start once the form was left: another engine gets its own provider', async () => {
    given('POST /api/models', refused(400, 'slug is too long', { fields: { slug: 'is too long' } }));
    const here = await opened();
    await filled(here);
    await connect(here);
    await here.dialog.findByText('is too long');
    await here.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await here.user.click(screen.getByRole('button', { name: 'Connect an engine' }));
    const again = within(await screen.findByRole('dialog'));
    expect(again.getByRole<HTMLInputElement>('textbox', { name: 'Model' }).value).toBe('');
    expect(again.queryByRole('alert')).toBeNull();
    given('POST /api/models', { id: 'm2' });
    const next = {
      ...here,
      dialog: again,
      field: (name: string) => again.getByRole<HTMLInputElement>('textbox', { name }),
    };
    await filled(next, { 'Name of the engine': 'Another' });
    await connect(next);
    await screen.findByText('/chat is ready to be called.');
    expect(sent().filter((request) => request === 'POST /api/providers')).toHaveLength(2);
  });
});
